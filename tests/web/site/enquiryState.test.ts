/** What the enquiry form makes of a refusal (specification, section 4.3). */
import { expect, test } from "bun:test";
import { FORM_CHANGED } from "../../../src/schema/answers.ts";
import type { EnquiryTree } from "../../../src/schema/enquiry.ts";
import { CallFailed } from "../../../src/web/shared/api.ts";
import { EnquiryState } from "../../../src/web/site/enquiry/enquiryState.ts";
import type { ToastRequest } from "../../../src/web/ui/toast.ts";

const FORM = {
  id: "form",
  steps: [{ id: "step", fields: [{ id: "name", fieldType: "text", isRequired: false }] }],
} as unknown as EnquiryTree;

/** What the form says once its server has refused it. */
async function refusedWith(fields: Record<string, string>) {
  const said: ToastRequest[] = [];
  const send = () =>
    Promise.reject(new CallFailed("Mobile is required", 422, { code: "invalid", fields }));
  const ports = { send, notify: (toast: ToastRequest) => void said.push(toast), forget: () => {} };
  const state = new EnquiryState(FORM, ports);
  state.answer("name", "Ann");
  await state.submit();
  return { state, said: said.map(({ description }) => description) };
}

test("a question that the page doesn't have is no dead end: the form says that it has changed", async () => {
  const { state, said } = await refusedWith({ mobile: "Mobile is required" });
  expect(state.notice.value).toBe(FORM_CHANGED);
  expect(state.isOutdated.value).toBe(true);
  expect(said).toEqual([FORM_CHANGED]);
  expect(state.answers.value).toEqual({ name: "Ann" });
});

test("a question that is there is what the visitor is led to", async () => {
  const { state, said } = await refusedWith({ name: "Name is required", mobile: "Required" });
  expect(state.isOutdated.value).toBe(false);
  expect(state.errors.value["name"]).toBe("Name is required");
  expect(state.focus.value).toEqual({ on: "question", id: "name" });
  expect(said).toEqual(["Mobile is required"]);
});
