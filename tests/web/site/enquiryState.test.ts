/** What the enquiry form makes of a refusal (specification, section 4.3). */
import { expect, test } from "bun:test";
import { FORM_CHANGED } from "../../../src/schema/answers.ts";
import type { EnquiryTree } from "../../../src/schema/enquiry.ts";
import { CallFailed } from "../../../src/web/shared/api.ts";
import { EnquiryState } from "../../../src/web/site/enquiry/enquiryState.ts";
import type { ToastRequest } from "../../../src/web/ui/toast.ts";

const formOf = (...fields: object[]) =>
  ({ id: "form", steps: [{ id: "step", fields }] }) as unknown as EnquiryTree;
const FORM = formOf({ id: "name", fieldType: "text", isRequired: false });

/** What the form says once its server has refused it. */
async function refusedBy(refusal: CallFailed, form = FORM) {
  const said: ToastRequest[] = [];
  const send = () => Promise.reject(refusal);
  const ports = { send, notify: (toast: ToastRequest) => void said.push(toast), forget: () => {} };
  const state = new EnquiryState(form, ports);
  state.answer("name", "Ann");
  await state.submit();
  return { state, said: said.map(({ description }) => description) };
}

const refusedWith = (fields: Record<string, string>, form = FORM) =>
  refusedBy(new CallFailed("Mobile is required", 422, { code: "invalid", fields }), form);

test("a question that the page doesn't have is no dead end: the form says that it has changed", async () => {
  const { state, said } = await refusedWith({ mobile: "Mobile is required" });
  expect(state.notice.value).toBe(FORM_CHANGED);
  expect(state.isOutdated.value).toBe(true);
  expect(said).toEqual([FORM_CHANGED]);
  expect(state.answers.value).toEqual({ name: "Ann" });
});

test("a question that is there is what the visitor is led to", async () => {
  const fields = { email: "Email is required", mobile: "Required" };
  const email = { id: "email", fieldType: "email", isRequired: false };
  const { state, said } = await refusedWith(fields, formOf(...FORM.steps[0]!.fields, email));
  expect(state.isOutdated.value).toBe(false);
  expect(state.errors.value["email"]).toBe("Email is required");
  expect(state.focus.value).toEqual({ on: "question", id: "email" });
  expect(said).toEqual(["Mobile is required"]);
});

test("an option that this page offers and the server doesn't is no dead end either", async () => {
  const radio = { id: "name", fieldType: "radio", isRequired: true, options: "Ann\nBen" };
  const { state, said } = await refusedWith({ name: "Choose one of the options." }, formOf(radio));
  expect(said).toEqual([FORM_CHANGED]);
  expect(state.notice.value).toBe(FORM_CHANGED);
  expect(state.isOutdated.value).toBe(true);
  expect(state.errors.value).toEqual({});
});

test("a form that is gone says so for as long as it is looked at, with a way on", async () => {
  const words = "This form isn't taking answers at the moment.";
  const { state, said } = await refusedBy(new CallFailed(words, 404, { code: "not_found" }));
  expect(said).toEqual([words]);
  expect(state.notice.value).toBe(words);
  expect(state.isOutdated.value).toBe(true);
});

test("of what was kept comes back what is still asked and offered", () => {
  const form = formOf(
    { id: "goals", fieldType: "checkbox", options: "Strength\nBalance" },
    { id: "place", fieldType: "radio", options: "Online\nStudio" },
    { id: "when", fieldType: "select", options: "Noon" },
    { id: "story", fieldType: "textarea", options: "" },
    { id: "became", fieldType: "text", options: "" },
  );
  const state = new EnquiryState(form, {
    send: async () => {},
    notify: () => {},
    forget: () => {},
  });
  const answers = {
    goals: ["Weight loss", "Strength"],
    place: "Gym",
    when: "Noon",
    story: "Long",
    became: ["a", "list"],
    gone: "x",
  };
  state.resume({ step: 0, answers, dialCountries: {} });
  expect(state.answers.value).toEqual({ goals: ["Strength"], when: "Noon", story: "Long" });
});
