/** The enquiry form for browsers without scripts: reads a posted step and returns the next one. Stores nothing. */
import {
  type Answer,
  type Answers,
  findFirstProblem,
  FORM_CHANGED_MESSAGE,
} from "../../schema/enquiry/answers.ts";
import { COUNTRIES, findDialPrefix } from "../../schema/core/countries.ts";
import {
  type EnquiryField,
  type EnquiryTree,
  type NoScriptState,
  type VisibleStep,
  findVisibleSteps,
} from "../../schema/enquiry/enquiry.ts";
import { collectFields, checkEnquiry } from "./enquiryAnswers.ts";

interface NoScriptResult {
  readonly state: NoScriptState;
  readonly checkedAnswers?: Answers;
}

export interface PostedFields {
  get(name: string): unknown;
  getAll(name: string): unknown[];
}

export function createInitialState(startToken: string | null = null): NoScriptState {
  return { status: 200, step: 0, answers: {}, errors: {}, error: null, isDone: false, startToken };
}

/**
 * Handles a post with `formId`, `step` (from 0), `action` (next, previous or submit), `started` and the answers by
 * field id. Hidden inputs contain the answers of the other steps. `prefix:{field id}` has the country code whose dial
 * prefix was chosen for a phone number. A visitor can always go back (specification, section 4).
 */
export function advanceNoScriptForm(form: EnquiryTree, postedFields: PostedFields): NoScriptResult {
  const started = readPostedText(postedFields, "started") || null;
  if (postedFields.get("formId") !== form.id || form.steps.length === 0) {
    return { state: { ...createInitialState(started), status: 422, error: FORM_CHANGED_MESSAGE } };
  }
  const answers = readPostedAnswers(form, postedFields);
  const steps = findVisibleSteps(form, answers);
  const requestedIndex = Number.parseInt(readPostedText(postedFields, "step"), 10) || 0;
  const shownStep = steps.findLast(({ index }) => index <= requestedIndex) ?? steps[0];
  const step = shownStep?.index ?? 0;
  const state = { ...createInitialState(started), step, answers };
  const action = postedFields.get("action");
  if (action === "previous") {
    const previousStep = steps.findLast(({ index }) => index < step);
    return { state: { ...state, step: previousStep?.index ?? 0 } };
  }
  const nextStep = steps.find(({ index }) => index > step);
  // After Submit, shows a conditional step that these answers made visible.
  return nextStep && (action !== "submit" || isConditional(nextStep))
    ? advanceStep(state, shownStep?.fields ?? [], nextStep)
    : finishForm(form, state);
}

const isConditional = ({ showIf, fields }: VisibleStep): boolean =>
  showIf !== undefined || fields.some((field) => field.showIf);

function advanceStep(
  state: NoScriptState,
  fields: readonly EnquiryField[],
  nextStep: VisibleStep,
): NoScriptResult {
  const problem = findFirstProblem(fields, state.answers, COUNTRIES);
  if (problem === undefined) return { state: { ...state, step: nextStep.index } };
  const { id, message } = problem;
  return { state: { ...state, status: 422, error: message, errors: { [id]: message } } };
}

/** Checks all answers. Returns to the first step with an invalid one. */
function finishForm(form: EnquiryTree, state: NoScriptState): NoScriptResult {
  const result = checkEnquiry(form, state.answers);
  if (result.ok) return { state, checkedAnswers: result.answers };
  const { fields } = result;
  const stepIndex = form.steps.findIndex((each) => each.fields.some(({ id }) => id in fields));
  const questions = form.steps[stepIndex]?.fields ?? [];
  const [error = FORM_CHANGED_MESSAGE] = questions.flatMap(({ id }) => fields[id] ?? []);
  const step = Math.max(0, stepIndex);
  return { state: { ...state, status: 422, step, errors: fields, error } };
}

function readPostedAnswers(form: EnquiryTree, postedFields: PostedFields): Answers {
  const answers: Answers = {};
  for (const field of collectFields(form)) {
    const answer = readPostedAnswer(field, postedFields);
    if (answer.length > 0) answers[field.id] = answer;
  }
  return answers;
}

function readPostedAnswer(field: EnquiryField, postedFields: PostedFields): Answer {
  if (field.fieldType === "checkbox")
    return postedFields
      .getAll(field.id)
      .filter((value) => typeof value === "string")
      .filter((text) => text !== "");
  const text = readPostedText(postedFields, field.id).trim();
  // A text that starts with + has a prefix: the visitor typed it, or the post of an earlier step added it.
  if (field.fieldType !== "international_phone" || text === "" || text.startsWith("+")) return text;
  return `${findDialPrefix(readPostedText(postedFields, `prefix:${field.id}`)) ?? ""}${text}`;
}

/** Returns a posted text; empty if it is missing or a file. */
export function readPostedText(postedFields: PostedFields, name: string): string {
  const value = postedFields.get(name);
  return typeof value === "string" ? value : "";
}
