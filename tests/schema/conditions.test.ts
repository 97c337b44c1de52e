/** Conditions of enquiry forms: the page, posts without scripts and the server agree on the questions. */
import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { getInitialValues } from "../../src/schema/entities/check.ts";
import {
  countNewlyUnconditionalQuestions,
  findMissingReference,
  findRenamedChoice,
} from "../../src/schema/enquiry/conditions.ts";
import {
  createEnquiryTree,
  type EnquiryTree,
  findVisibleSteps,
} from "../../src/schema/enquiry/enquiry.ts";
import type { Condition } from "../../src/schema/kinds/internalKinds.ts";
import {
  type FieldType,
  CONSENT_ANSWER,
  type Answer,
  type Answers,
  hasOptions,
} from "../../src/schema/enquiry/questions.ts";
import { entities, type Item } from "../../src/schema/index.ts";
import { checkEnquiry } from "../../src/server/enquiries/enquiryAnswers.ts";
import { advanceNoScriptForm } from "../../src/server/enquiries/noScriptForm.ts";
import type { EnquiryBody } from "../../src/web/site/enquiry/enquiryBody.ts";
import { type EnquiryEffects, EnquiryState } from "../../src/web/site/enquiry/enquiryState.ts";
import { createFormWords } from "../../src/web/site/enquiry/formWords.ts";
import { getWords } from "../../src/web/words/allWords.ts";

interface Lists {
  readonly formSteps: Item<"formSteps">[];
  readonly formFields: Item<"formFields">[];
}

const FORM = { ...getInitialValues(entities.forms.fields), id: "form" } as Item<"forms">;
const CHOICES = ["A", "B", "C", "D"];
const KINDS: FieldType[] = ["radio", "select", "checkbox", "radio", "text", "consent"];

const createStep = (at: number, more: Partial<Item<"formSteps">>): Item<"formSteps"> => ({
  ...(getInitialValues(entities.formSteps.fields) as Item<"formSteps">),
  id: `s${at}`,
  formId: "form",
  stepOrder: at + 1,
  ...more,
});

const createField = (
  stepAt: number,
  at: number,
  more: Partial<Item<"formFields">>,
): Item<"formFields"> => ({
  ...(getInitialValues(entities.formFields.fields) as Item<"formFields">),
  id: `f${stepAt}${at}`,
  stepId: `s${stepAt}`,
  fieldOrder: at + 1,
  ...more,
});

/** Any condition that could be stored, also on a deleted question, a later one or one without choices. */
const conditionArbitrary: fc.Arbitrary<Condition | null> = fc.option(
  fc.record({
    fieldId: fc
      .tuple(fc.nat({ max: 4 }), fc.nat({ max: 3 }))
      .map(([stepAt, at]) => `f${stepAt}${at}`),
    values: fc.subarray(CHOICES, { minLength: 1 }),
  }),
  { freq: 3 },
);

const mostlyTrue = fc.integer({ min: 0, max: 5 }).map((each) => each > 0);

const listsArbitrary: fc.Arbitrary<Lists> = fc
  .array(
    fc.record({
      isActive: mostlyTrue,
      showIf: conditionArbitrary,
      fields: fc.array(
        fc.record({
          isActive: mostlyTrue,
          showIf: conditionArbitrary,
          isRequired: fc.boolean(),
          fieldType: fc.constantFrom(...KINDS),
          options: fc.subarray(CHOICES, { minLength: 2 }).map((each) => each.join("\n")),
        }),
        { maxLength: 4 },
      ),
    }),
    { minLength: 1, maxLength: 5 },
  )
  .map((steps) => ({
    formSteps: steps.map(({ isActive, showIf }, at) => createStep(at, { isActive, showIf })),
    formFields: steps.flatMap(({ fields }, stepAt) =>
      fields.map((each, at) => createField(stepAt, at, each)),
    ),
  }));

/** An independent implementation of the specification, question by question. */
function computeExpected(
  { formSteps, formFields }: Lists,
  answers: Readonly<Record<string, unknown>>,
) {
  const findStepIndex = (id: string) => formSteps.findIndex((each) => each.id === id);
  const holds = (showIf: Condition | null, index: number): boolean => {
    const question = showIf && formFields.find(({ id }) => id === showIf.fieldId);
    if (!question || !question.isActive || !hasOptions(question.fieldType)) return true;
    const home = findStepIndex(question.stepId);
    if (!formSteps[home]!.isActive || home >= index) return true;
    const offered = question.options.split("\n");
    if (showIf.values.some((each) => !offered.includes(each))) return true;
    const chosen = [answers[question.id] ?? []].flat();
    return isVisible(question) && showIf.values.some((each) => chosen.includes(each));
  };
  const isOpen = (index: number) =>
    formSteps[index]!.isActive && holds(formSteps[index]!.showIf, index);
  function isVisible({ stepId, isActive, showIf }: Item<"formFields">): boolean {
    const index = findStepIndex(stepId);
    return isActive && isOpen(index) && holds(showIf, index);
  }
  const visible = formFields.filter(isVisible);
  const steps = formSteps.filter(({ id }, index) => {
    const stepFields = formFields.filter(({ stepId, isActive }) => stepId === id && isActive);
    return isOpen(index) && (stepFields.length === 0 || stepFields.some(isVisible));
  });
  return { visible: visible.map(({ id }) => id), steps: steps.map(({ id }) => id) };
}

const computeVisible = (tree: EnquiryTree, answers: Readonly<Record<string, unknown>>) => {
  const steps = findVisibleSteps(tree, answers);
  return {
    visible: steps.flatMap(({ fields }) => fields.map(({ id }) => id)),
    steps: steps.map(({ id }) => id),
  };
};

/** A choice or nothing, as a visitor can give it. */
function createAnswer(
  { fieldType, options }: Item<"formFields">,
  pick: number,
): Answer | undefined {
  if (pick % 4 === 0) return undefined;
  if (fieldType === "text") return `said ${pick}`;
  if (fieldType === "consent") return CONSENT_ANSWER;
  const offered = options.split("\n");
  const chosen = offered[pick % offered.length]!;
  if (fieldType !== "checkbox") return chosen;
  return pick % 3 === 0 ? offered.slice(0, 2) : [chosen];
}

/** The answers of a visitor, and the step at which they go back and change them. */
const planArbitrary = fc.record({
  first: fc.array(fc.nat({ max: 60 }), { minLength: 20, maxLength: 20 }),
  later: fc.array(fc.nat({ max: 60 }), { minLength: 20, maxLength: 20 }),
  backAt: fc.option(fc.nat({ max: 6 })),
});

interface Plan {
  readonly first: readonly number[];
  readonly later: readonly number[];
  readonly backAt: number | null;
}

interface WalkResult {
  readonly seen: string[];
  readonly sent: EnquiryBody;
  /** Every answer that was typed, whether its question is still asked or not. */
  readonly typed: Answers;
}

/** Fills in the page's form, going back once at `backAt` and answering differently from there. */
async function fillInPage(
  tree: EnquiryTree,
  { formFields }: Lists,
  { first, later, backAt }: Plan,
): Promise<WalkResult> {
  const sent: EnquiryBody[] = [];
  const ports: EnquiryEffects = {
    fetchStartProof: () => Promise.reject(new TypeError("No network")),
    wait: async () => {},
    send: async (body) => void sent.push(body),
    showToast: () => {},
    dismissToast: () => {},
    clearHash: () => undefined,
  };
  const state = new EnquiryState(tree, ports, createFormWords(getWords("en")));
  const walked: string[] = [];
  let isChanged = false;
  const fill = (isForced: boolean) => {
    const { steps, index } = state.findVisibleSteps();
    walked.push(steps[index]!.id);
    for (const { id, isRequired } of steps[index]!.fields) {
      const at = formFields.findIndex((each) => each.id === id);
      const pick = (isChanged ? later : first)[at % 20]!;
      const answer = createAnswer(formFields[at]!, isForced && isRequired ? pick * 4 + 1 : pick);
      if (answer !== undefined) state.setAnswer(id, answer);
    }
  };
  for (let press = 0; press < 40; press++) {
    const [body] = sent;
    if (body) return { seen: walked, sent: body, typed: state.answers.value };
    fill(false);
    if (press === backAt && !isChanged) {
      await state.move("previous");
      isChanged = true;
      continue;
    }
    await state.move("next");
    if (Object.keys(state.errors.value).length === 0) continue;
    fill(true);
    await state.move("next");
  }
  throw new Error("The form never ends.");
}

/** Sends the same answers through the form without scripts. */
function fillInPlainForm(tree: EnquiryTree, typed: Answers): { steps: string[]; sent: Answers } {
  const fields = new URLSearchParams({ formId: tree.id, step: "0" });
  for (const [id, answer] of Object.entries(typed))
    for (const each of [answer].flat()) fields.append(id, each);
  const steps: string[] = [];
  for (let press = 0; press < 10; press++) {
    const { state, checkedAnswers: send } = advanceNoScriptForm(tree, fields);
    if (send) return { steps: [...steps, tree.steps[state.step]!.id], sent: send };
    if (state.error !== null) throw new Error(state.error);
    steps.push(tree.steps[Number(fields.get("step"))]!.id);
    fields.set("step", String(state.step));
  }
  throw new Error("The form never ends.");
}

/** Values that only a stranger's program sends; some can't be converted to text. */
const NO_ANSWERS: readonly unknown[] = [
  { toString: 1 },
  [{ toString: null, valueOf: null }],
  {},
  [[[]]],
  7,
  true,
  null,
];

/** `CONDITION_CASES=10000` for a long run. */
const CASE_OPTIONS = { numRuns: Number(process.env["CONDITION_CASES"] ?? 500) };

describe("the questions that a visitor is asked", () => {
  test("are those that the specification requires, for any conditions and answers", () => {
    const any = fc.array(
      fc.oneof(
        fc.constantFrom<unknown>(...CHOICES, "", "gone"),
        fc.subarray([...CHOICES, "gone"]),
        fc.constantFrom<unknown>(...NO_ANSWERS),
      ),
      { minLength: 20, maxLength: 20 },
    );
    const check = (stored: Lists, values: readonly unknown[]) => {
      const answers = Object.fromEntries(stored.formFields.map(({ id }, at) => [id, values[at]]));
      const tree = createEnquiryTree(FORM, stored);
      expect(computeVisible(tree, answers)).toEqual(computeExpected(stored, answers));
      expect(() => checkEnquiry(tree, answers)).not.toThrow();
    };
    fc.assert(fc.property(listsArbitrary, any, check), CASE_OPTIONS);
  });

  test("are the only questions whose answers are required and stored, however a visitor moves through the form", async () => {
    const walk = fc.asyncProperty(listsArbitrary, planArbitrary, async (stored, planned) => {
      const tree = createEnquiryTree(FORM, stored);
      if (tree.steps.length === 0) return;
      const { sent, typed } = await fillInPage(tree, stored, planned);
      const { visible } = computeExpected(stored, typed);
      // Exactly the answers to the asked questions are sent.
      expect(Object.keys(sent.data)).toEqual(visible.filter((id) => [typed[id] ?? []].flat()[0]));
      // The server asks the same questions, requires no others, and stores the same part of everything typed.
      expect(checkEnquiry(tree, sent.data)).toEqual({ ok: true, answers: sent.data });
      expect(checkEnquiry(tree, typed)).toEqual({ ok: true, answers: sent.data });
      expect(computeVisible(tree, sent.data)).toEqual(computeVisible(tree, typed));
      // Without scripts the steps are the same.
      const plain = fillInPlainForm(tree, typed);
      expect(plain).toEqual({ steps: computeExpected(stored, typed).steps, sent: sent.data });
    });
    await fc.assert(walk, CASE_OPTIONS);
  }, 120_000);
});

const FIRST = {
  fieldType: "radio",
  options: "Coaching\nA show",
  label: "What is it about?",
} as const;
const COACHING = { fieldId: "f00", values: ["Coaching"] };
const LISTS: Lists = {
  formSteps: [createStep(0, {}), createStep(1, { showIf: COACHING }), createStep(2, {})],
  formFields: [
    createField(0, 0, { ...FIRST, isRequired: true }),
    createField(1, 0, { isRequired: true, label: "Your goal" }),
    createField(2, 0, { isRequired: true, label: "Name" }),
    createField(2, 1, {
      isRequired: true,
      label: "Date",
      showIf: { fieldId: "f00", values: ["A show"] },
    }),
  ],
};
const TREE = createEnquiryTree(FORM, LISTS);

test("a condition on an inactive question isn't sent to visitors", () => {
  const inactive = LISTS.formFields.map((each) =>
    each.id === "f00" ? { ...each, isActive: false } : each,
  );
  expect(JSON.stringify(createEnquiryTree(FORM, { ...LISTS, formFields: inactive }))).not.toContain(
    "showIf",
  );
  expect(JSON.stringify(TREE.steps[1])).toContain(
    '"showIf":{"fieldId":"f00","values":["Coaching"]}',
  );
  expect(Object.keys(TREE.steps[0]!)).not.toContain("showIf");
});

test("a hidden required question needs no answer, and any answer to a hidden question is dropped", () => {
  const show = { f00: "A show", f20: "Ada", f21: "May" };
  const accepted = { ok: true, answers: show } as const;
  expect(checkEnquiry(TREE, { ...show, f10: "Run a marathon" })).toEqual(accepted);
  expect(checkEnquiry(TREE, { ...show, f10: ["x"] })).toEqual(accepted);
  const refused = { ok: false };
  expect(checkEnquiry(TREE, { f00: "A show", f20: "Ada" })).toMatchObject(refused);
  expect(checkEnquiry(TREE, { ...show, f00: "Nonsense" })).toMatchObject(refused);
  expect(checkEnquiry(TREE, { ...show, other: "x" })).toMatchObject(refused);
});

test("a condition is compared with the cleaned answer that is stored", () => {
  const data = { f00: " Coach\u202eing\r\n", f20: "Ada" };
  expect(checkEnquiry(TREE, data)).toMatchObject({
    ok: false,
    fields: { f10: expect.any(String) },
  });
});

test("without scripts, Submit leads to the next step if the answers made a further step visible", () => {
  const only = { ...LISTS, formSteps: LISTS.formSteps.slice(0, 2) };
  const tree = createEnquiryTree(FORM, { ...only, formFields: LISTS.formFields.slice(0, 2) });
  const post = (answers: string) =>
    advanceNoScriptForm(tree, new URLSearchParams(`formId=form&step=0&action=submit&${answers}`));
  expect(post("f00=Coaching").state).toMatchObject({ step: 1, error: null, status: 200 });
  expect(post("f00=A+show").checkedAnswers).toEqual({ f00: "A show" });
  expect(post("").state).toMatchObject({ step: 0, status: 422 });
});

describe("renamed options", () => {
  test.each([
    ["A\nB", "A\nC", { from: "B", to: "C" }],
    ["A, B", "A\nC", { from: "B", to: "C" }],
    ["A\nB", "B\nA", undefined],
    ["A\nB", "A", undefined],
    ["A\nB", "A\nB\nC", undefined],
    ["A\nB\nC", "A\nX\nY", undefined],
    ["A\nB", "A\nB", undefined],
    // A choice that was listed twice is still listed.
    ["A\nA", "A\nB", undefined],
    ["A\nB", "A\nA", undefined],
  ])("a change from %j to %j is recognized as the renaming %j", (before, after, expected) => {
    expect(findRenamedChoice(before, after)).toEqual(expected);
  });

  test("a condition is reported if its question or one of its options was deleted", () => {
    const withOptions = (options: string) => [{ id: "q", options }];
    const showIf = { fieldId: "q", values: ["A", "B"] };
    expect(findMissingReference(showIf, withOptions("A\nB\nC"))).toBeUndefined();
    expect(findMissingReference(showIf, withOptions("A\nC"))).toBe("choice");
    expect(findMissingReference(showIf, [])).toBe("question");
  });
});

test("the questions that lose their condition by a deletion or a new order are counted", () => {
  const steps = LISTS.formSteps.map((each) => ({
    step: each,
    fields: LISTS.formFields.filter(({ stepId }) => stepId === each.id),
  }));
  const [one, two, three] = steps as [(typeof steps)[0], (typeof steps)[0], (typeof steps)[0]];
  expect(countNewlyUnconditionalQuestions(steps, steps)).toBe(0);
  expect(countNewlyUnconditionalQuestions(steps, [two, three])).toBe(2);
  expect(countNewlyUnconditionalQuestions(steps, [two, one, three])).toBe(1);
  expect(countNewlyUnconditionalQuestions(steps, [one, three, two])).toBe(0);
  expect(countNewlyUnconditionalQuestions(steps, [one, two])).toBe(0);
});
