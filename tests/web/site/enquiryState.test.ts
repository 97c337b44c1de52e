/** The state of the enquiry form: refusals, drafts and the start time (specification, section 4.3). */
import { describe, expect, spyOn, test } from "bun:test";
import { FORM_CHANGED_MESSAGE, MIN_FILLING_TIME_MS } from "../../../src/schema/enquiry/answers.ts";
import type { EnquiryTree } from "../../../src/schema/enquiry/enquiry.ts";
import { DAY, HOUR } from "../../../src/schema/core/time.ts";
import { CallError } from "../../../src/web/shared/api.ts";
import type { EnquiryBody } from "../../../src/web/site/enquiry/enquiryBody.ts";
import {
  type EnquiryEffects,
  EnquiryState,
  type StoredAnswers,
} from "../../../src/web/site/enquiry/enquiryState.ts";
import { createFormWords } from "../../../src/web/site/enquiry/formWords.ts";
import { getWords } from "../../../src/web/words/allWords.ts";
import type { ToastRequest } from "../../../src/web/ui/toast.ts";

const createForm = (...fields: object[]) =>
  ({ id: "form", steps: [{ id: "step", fields }] }) as unknown as EnquiryTree;
const WORDS = createFormWords(getWords("en"));

const FORM = createForm({ id: "name", fieldType: "text", isRequired: false });

/** A site that can't tell when an enquiry was begun, and accepts everything. */
const EFFECTS: EnquiryEffects = {
  fetchStartProof: () => Promise.reject(new TypeError("No network")),
  wait: async () => {},
  send: async () => {},
  showToast: () => {},
  dismissToast: () => {},
  clearHash: () => {},
};

/** Submits a form that the server refuses; returns its state and the texts of its toasts. */
async function createRefused(refusal: CallError, form = FORM) {
  const toasts: ToastRequest[] = [];
  const send = () => Promise.reject(refusal);
  const showToast = (toast: ToastRequest) => void toasts.push(toast);
  const ports = { ...EFFECTS, send, showToast };
  const state = new EnquiryState(form, ports, WORDS);
  state.setAnswer("name", "Ann");
  await state.submit();
  return { state, said: toasts.map(({ description }) => description) };
}

const createRefusedFields = (fields: Record<string, string>, form = FORM) =>
  createRefused(new CallError("Mobile is required", 422, { code: "invalid", fields }), form);

test("if the server refuses a question that the page doesn't have, the form says that it has changed", async () => {
  const { state, said } = await createRefusedFields({ mobile: "Mobile is required" });
  expect(state.notice.value).toBe(FORM_CHANGED_MESSAGE);
  expect(state.isOutdated.value).toBe(true);
  expect(said).toEqual([FORM_CHANGED_MESSAGE]);
  expect(state.answers.value).toEqual({ name: "Ann" });
});

test("a question whose answer the server refuses gets the focus", async () => {
  const fields = { email: "Email is required", mobile: "Required" };
  const email = { id: "email", fieldType: "email", isRequired: false };
  const { state, said } = await createRefusedFields(
    fields,
    createForm(...FORM.steps[0]!.fields, email),
  );
  expect(state.isOutdated.value).toBe(false);
  expect(state.errors.value["email"]).toBe("Email is required");
  expect(state.focus.value).toEqual({ target: "question", id: "email" });
  expect(said).toEqual(["Mobile is required"]);
});

test("if the server no longer has the chosen option, the form says that it has changed", async () => {
  const radio = { id: "name", fieldType: "radio", isRequired: true, options: "Ann\nBen" };
  const { state, said } = await createRefusedFields(
    { name: "Choose one of the options." },
    createForm(radio),
  );
  expect(said).toEqual([FORM_CHANGED_MESSAGE]);
  expect(state.notice.value).toBe(FORM_CHANGED_MESSAGE);
  expect(state.isOutdated.value).toBe(true);
  expect(state.errors.value).toEqual({});
});

test("a form that was deleted says that it is closed", async () => {
  const words = "This form is currently closed.";
  const { state, said } = await createRefused(new CallError(words, 404, { code: "not_found" }));
  expect(said).toEqual([words]);
  expect(state.notice.value).toBe(words);
  expect(state.isOutdated.value).toBe(true);
});

test("a stored draft restores only answers that are still asked for and options that are still offered", () => {
  const form = createForm(
    { id: "goals", fieldType: "checkbox", options: "Strength\nBalance" },
    { id: "place", fieldType: "radio", options: "Online\nStudio" },
    { id: "when", fieldType: "select", options: "Noon" },
    { id: "story", fieldType: "textarea", options: "" },
    { id: "became", fieldType: "text", options: "" },
  );
  const state = new EnquiryState(form, EFFECTS, WORDS);
  const answers = {
    goals: ["Weight loss", "Strength"],
    place: "Gym",
    when: "Noon",
    story: "Long",
    became: ["a", "list"],
    gone: "x",
  };
  state.mergeStoredAnswers({ step: 0, answers, dialCountries: {} });
  expect(state.answers.value).toEqual({ goals: ["Strength"], when: "Noon", story: "Long" });
});

describe("a draft that is restored late", () => {
  const TWO_STEPS = {
    id: "form",
    steps: [
      { id: "one", fields: [{ id: "name", fieldType: "text", label: "Name", isRequired: true }] },
      { id: "two", fields: [{ id: "story", fieldType: "textarea" }] },
      { id: "three", fields: [] },
    ],
  } as unknown as EnquiryTree;
  const STORED = { step: 2, answers: { name: "Ann", story: "Old" }, dialCountries: {} };
  function createLateDraft() {
    const coming = Promise.withResolvers<StoredAnswers | null>();
    const state = new EnquiryState(TWO_STEPS, EFFECTS, WORDS);
    return { state, coming, taken: state.restore(coming.promise) };
  }

  test("delays a click on Next, which then continues from the visible step", async () => {
    const { state, coming } = createLateDraft();
    state.setAnswer("story", "New");
    const pressed = [state.move("next"), state.move("next")];
    expect(state.isWaiting.value).toBe(true);
    coming.resolve(STORED);
    await Promise.all(pressed);
    expect(state.errors.value).toEqual({});
    expect(state.step.value).toBe(1);
    expect(state.answers.value).toEqual({ name: "Ann", story: "New" });
    expect(state.isWaiting.value).toBe(false);
  });

  test("restores its step too if there was no click", async () => {
    const { state, coming, taken } = createLateDraft();
    coming.resolve(STORED);
    await taken;
    expect(state.step.value).toBe(2);
  });

  test("lets a click take effect if no draft was stored", async () => {
    const { state, coming } = createLateDraft();
    const pressed = state.move("next");
    coming.resolve(null);
    await pressed;
    expect(state.errors.value).toEqual({ name: "Name is required" });
  });
});

describe("the signed start time", () => {
  /** A proof of the start time that is this old, in milliseconds. */
  const createProof = (signature: string, age = 0) =>
    `${(Date.now() - age).toString(36)}.${signature}`;

  function createStartedAt(...proofs: string[]) {
    const [sent, waits]: [EnquiryBody[], number[]] = [[], []];
    const state = new EnquiryState(
      FORM,
      {
        ...EFFECTS,
        fetchStartProof: async () => proofs.shift()!,
        wait: async (time) => void waits.push(time),
        send: async (body) => {
          sent.push(body);
          if (sent.length === 1) throw new TypeError("The line dropped");
        },
      },
      WORDS,
    );
    return { state, waits, started: () => sent.map((body) => body.started) };
  }

  test("is sent again unchanged after a failure, and is requested anew for another response", async () => {
    // Stops the clock, however busy the machine is.
    const clock = spyOn(performance, "now").mockReturnValue(60_000);
    const [first, second] = [createProof("first"), createProof("second")];
    const { state, waits, started } = createStartedAt(first, second);
    await state.ensureStartProof();
    await state.submit();
    await state.submit();
    expect(state.phase.value).toBe("sent");
    state.restart();
    await state.submit();
    clock.mockRestore();
    expect(started()).toEqual([first, first, second]);
    // A little longer than the time in which the site refuses an enquiry as too quick.
    const wait = MIN_FILLING_TIME_MS + 50;
    expect(waits).toEqual([wait, wait, wait]);
  });

  test("is restored together with the answers", async () => {
    const { state, started } = createStartedAt(createProof("late"));
    const early = createProof("early", 10 * HOUR);
    state.mergeStoredAnswers({ step: 0, answers: {}, dialCountries: {}, started: early });
    await state.ensureStartProof();
    await state.submit();
    expect(started()).toEqual([early]);
  });

  test("is replaced if it is a day old, and stays the same when the enquiry is sent again", async () => {
    const late = createProof("late");
    const { state, started } = createStartedAt(late, createProof("later"));
    const expired = createProof("early", DAY);
    state.mergeStoredAnswers({ step: 0, answers: {}, dialCountries: {}, started: expired });
    await state.submit();
    await state.submit();
    expect(started()).toEqual([late, late]);
  });

  test("isn't sent if the site doesn't provide one", async () => {
    const sent: EnquiryBody[] = [];
    const state = new EnquiryState(
      FORM,
      { ...EFFECTS, send: async (body) => void sent.push(body) },
      WORDS,
    );
    await state.submit();
    expect(Object.keys(sent[0]!)).toEqual(["formId", "data", "submittedAt"]);
  });
});
