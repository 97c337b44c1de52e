/** The check of conditions: the questions and choices they refer to can be deleted and restored. */
import type { Condition } from "../kinds/conditionKind.ts";
import type { ItemOf } from "../entities/entity.ts";
import type { formFields, formSteps } from "./forms.ts";
import { hasOptions, parseOptions } from "./questions.ts";

type Step = ItemOf<typeof formSteps>;
type Question = ItemOf<typeof formFields>;

/** A step with its questions, as far as conditions need them. */
interface Asking {
  readonly step: Pick<Step, "id" | "isActive" | "showIf">;
  readonly fields?: readonly Question[] | undefined;
}

/**
 * The questions that the step at this index, or a question in it, may depend on: active choice questions of earlier
 * active steps.
 */
export function askableQuestions(steps: readonly Asking[], at: number): Question[] {
  return steps
    .slice(0, at)
    .filter(({ step }) => step.isActive)
    .flatMap(({ fields = [] }) => fields)
    .filter(({ isActive, fieldType }) => isActive && hasOptions(fieldType));
}

/**
 * The missing question or choice that a condition refers to; undefined if it is intact. A broken condition is
 * ignored.
 */
export function missingReference(
  { fieldId, values }: Condition,
  questions: readonly Pick<Question, "id" | "options">[],
): "question" | "choice" | undefined {
  const question = questions.find(({ id }) => id === fieldId);
  if (!question) return "question";
  const offered = parseOptions(question.options);
  // An empty condition is still being edited.
  return values.length > 0 && values.every((value) => offered.includes(value))
    ? undefined
    : "choice";
}

/** How many questions had a valid condition in `before`, and are always asked in `after`. */
export function countFreedQuestions(before: readonly Asking[], after: readonly Asking[]): number {
  const was = new Set(validConditionIds(before));
  const is = new Set(validConditionIds(after));
  const isFreed = ({ id, showIf }: Conditional) => showIf !== null && was.has(id) && !is.has(id);
  return after.flatMap(({ step, fields = [] }) =>
    fields.filter((field) => isFreed(step) || isFreed(field)),
  ).length;
}

type Conditional = Pick<Step, "id" | "showIf">;

function validConditionIds(steps: readonly Asking[]): string[] {
  return steps.flatMap(({ step, fields = [] }, at) => {
    const questions = askableQuestions(steps, at);
    return [step, ...fields].flatMap(({ id, showIf }: Conditional) =>
      showIf && missingReference(showIf, questions) === undefined ? id : [],
    );
  });
}

/** The renamed choice, if that is the only change to the options. */
export function renamedChoice(
  before: string,
  after: string,
): { readonly from: string; readonly to: string } | undefined {
  const [was, is] = [parseOptions(before), parseOptions(after)];
  const at = was.findIndex((option, index) => option !== is[index]);
  const [from, to] = [was[at], is[at]];
  if (from === undefined || to === undefined || was.length !== is.length) return undefined;
  const isAll = was.every((option, index) => index === at || option === is[index]);
  // Otherwise it is a different choice.
  return isAll && !was.includes(to) && !is.includes(from) ? { from, to } : undefined;
}

/** The condition after that change. */
export const withRenamedChoice = (
  { fieldId, values }: Condition,
  { from, to }: { readonly from: string; readonly to: string },
): Condition => ({ fieldId, values: values.map((value) => (value === from ? to : value)) });
