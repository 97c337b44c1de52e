/** The form without scripts: takes a posted page, returns the next one, stores nothing. */
import {
  type Answer,
  type Answers,
  type CheckedAnswers,
  firstFault,
  FORM_CHANGED,
} from "../../schema/enquiry/answers.ts";
import { COUNTRIES, dialOf } from "../../schema/core/countries.ts";
import {
  type EnquiryField,
  type EnquiryTree,
  type NoScriptState,
  type VisibleStep,
  visibleSteps,
} from "../../schema/enquiry/enquiry.ts";
import { allFields, checkEnquiry } from "./enquiryAnswers.ts";

/** The visitor's position in the form. `send` has checked answers to store. */
interface PlainStep {
  readonly state: NoScriptState;
  readonly send?: Answers;
}

/** Posted fields: URLSearchParams or FormData. */
export interface Posted {
  get(name: string): unknown;
  getAll(name: string): unknown[];
}

export function firstNoScriptState(started: string | null = null): NoScriptState {
  return { status: 200, step: 0, answers: {}, errors: {}, error: null, done: false, started };
}

/**
 * Handles the fields of a plain post: `formId`, `step` (from 0), `action` (next, previous or submit; by default
 * the step's own button), `started`, and the answers by field id: the shown step's and, in hidden inputs, all
 * others. A dial prefix is sent beside its number as `prefix:{field id}`, by country code. Moves as in the
 * specification, section 4: back always, forward when complete.
 */
export function advanceNoScriptForm(form: EnquiryTree, posted: Posted): PlainStep {
  const started = textOf(posted, "started") || null;
  if (posted.get("formId") !== form.id || form.steps.length === 0) {
    return { state: { ...firstNoScriptState(started), status: 422, error: FORM_CHANGED } };
  }
  const answers = postedAnswers(form, posted);
  const steps = visibleSteps(form, answers);
  const requested = Number.parseInt(textOf(posted, "step"), 10) || 0;
  const shown = steps.findLast(({ at }) => at <= requested) ?? steps[0];
  const step = shown?.at ?? 0;
  const state = { ...firstNoScriptState(started), step, answers };
  const action = posted.get("action");
  if (action === "previous") {
    const before = steps.findLast(({ at }) => at < step);
    return { state: { ...state, step: before?.at ?? 0 } };
  }
  const next = steps.find(({ at }) => at > step);
  // A conditional step may have appeared only with these answers: the button was labeled Submit then.
  return next && (action !== "submit" || isConditional(next))
    ? advance(state, shown?.fields ?? [], next)
    : finish(form, state);
}

const isConditional = ({ showIf, fields }: VisibleStep): boolean =>
  showIf !== undefined || fields.some((field) => field.showIf);

function advance(
  state: NoScriptState,
  fields: readonly EnquiryField[],
  next: VisibleStep,
): PlainStep {
  const fault = firstFault(fields, state.answers, COUNTRIES);
  if (fault === undefined) return { state: { ...state, step: next.at } };
  const { id, message } = fault;
  return { state: { ...state, status: 422, error: message, errors: { [id]: message } } };
}

function finish(form: EnquiryTree, state: NoScriptState): PlainStep {
  const checked = checkEnquiry(form, state.answers);
  return checked.ok
    ? { state, send: checked.answers }
    : { state: refusedState(form, state, checked) };
}

/** Goes back to the first step with an error, with its messages. */
function refusedState(
  form: EnquiryTree,
  state: NoScriptState,
  { fields }: Extract<CheckedAnswers, { ok: false }>,
): NoScriptState {
  const step = form.steps.findIndex((each) => each.fields.some(({ id }) => id in fields));
  const questions = form.steps[step]?.fields ?? [];
  const [error = FORM_CHANGED] = questions.flatMap(({ id }) => fields[id] ?? []);
  return { ...state, status: 422, step: Math.max(0, step), errors: fields, error };
}

function postedAnswers(form: EnquiryTree, posted: Posted): Answers {
  const answers: Answers = {};
  for (const field of allFields(form)) {
    const answer = postedAnswer(field, posted);
    if (answer.length > 0) answers[field.id] = answer;
  }
  return answers;
}

function postedAnswer(field: EnquiryField, posted: Posted): Answer {
  if (field.fieldType === "checkbox")
    return textsOf(posted, field.id).filter((each) => each !== "");
  const typed = textOf(posted, field.id).trim();
  // Answers of earlier steps are returned with their prefix; a number's own one wins (splitPrefix).
  if (field.fieldType !== "international_phone" || typed === "" || typed.startsWith("+"))
    return typed;
  return `${dialOf(textOf(posted, `prefix:${field.id}`)) ?? ""}${typed}`;
}

/** A posted text; empty when it is missing or a file. */
export function textOf(posted: Posted, name: string): string {
  const value = posted.get(name);
  return typeof value === "string" ? value : "";
}

function textsOf(posted: Posted, name: string): string[] {
  return posted.getAll(name).filter((value) => typeof value === "string");
}
