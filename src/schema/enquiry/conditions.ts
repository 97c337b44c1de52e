/** Checks conditions, since the questions and choices that they refer to can be deleted and restored. */
import type { Condition } from "../kinds/internalKinds.ts";
import type { ItemOf } from "../entities/entity.ts";
import type { formFields, formSteps } from "./forms.ts";
import { hasOptions, parseOptions } from "./questions.ts";

type Step = ItemOf<typeof formSteps>;
type Question = ItemOf<typeof formFields>;

/** The part of a step and its questions that conditions depend on. */
interface StepWithQuestions {
  readonly step: Pick<Step, "id" | "isActive" | "showIf">;
  readonly fields?: readonly Question[] | undefined;
}

/**
 * Returns the questions that the step at an index, or a question in it, may depend on: active choice questions of
 * earlier active steps.
 */
export function findConditionQuestions(
  steps: readonly StepWithQuestions[],
  stepIndex: number,
): Question[] {
  return steps
    .slice(0, stepIndex)
    .filter(({ step }) => step.isActive)
    .flatMap(({ fields = [] }) => fields)
    .filter(({ isActive, fieldType }) => isActive && hasOptions(fieldType));
}

/**
 * Returns the missing question or choice that a condition refers to; undefined for a valid condition. An invalid
 * condition is ignored.
 */
export function findMissingReference(
  { fieldId, values }: Condition,
  questions: readonly Pick<Question, "id" | "options">[],
): "question" | "choice" | undefined {
  const question = questions.find(({ id }) => id === fieldId);
  if (!question) return "question";
  const options = parseOptions(question.options);
  // An empty condition is still being edited.
  return values.length > 0 && values.every((value) => options.includes(value))
    ? undefined
    : "choice";
}

/** Counts the questions whose condition is valid in `before` but invalid in `after`, where they are always asked. */
export function countNewlyUnconditionalQuestions(
  before: readonly StepWithQuestions[],
  after: readonly StepWithQuestions[],
): number {
  const conditionalIdsBefore = new Set(findConditionalIds(before));
  const conditionalIdsAfter = new Set(findConditionalIds(after));
  const hasLostCondition = ({ id, showIf }: Conditional) =>
    showIf !== null && conditionalIdsBefore.has(id) && !conditionalIdsAfter.has(id);
  return after.flatMap(({ step, fields = [] }) =>
    fields.filter((field) => hasLostCondition(step) || hasLostCondition(field)),
  ).length;
}

type Conditional = Pick<Step, "id" | "showIf">;

function findConditionalIds(steps: readonly StepWithQuestions[]): string[] {
  return steps.flatMap(({ step, fields = [] }, stepIndex) => {
    const questions = findConditionQuestions(steps, stepIndex);
    return [step, ...fields].flatMap(({ id, showIf }: Conditional) =>
      showIf && findMissingReference(showIf, questions) === undefined ? id : [],
    );
  });
}

/** Returns the old and the new name of a choice if its renaming is the only change to the options. */
export function findRenamedChoice(
  before: string,
  after: string,
): { readonly from: string; readonly to: string } | undefined {
  const [oldOptions, newOptions] = [parseOptions(before), parseOptions(after)];
  const changedIndex = oldOptions.findIndex((option, index) => option !== newOptions[index]);
  const [from, to] = [oldOptions[changedIndex], newOptions[changedIndex]];
  if (from === undefined || to === undefined || oldOptions.length !== newOptions.length)
    return undefined;
  const isOnlyChange = oldOptions.every(
    (option, index) => index === changedIndex || option === newOptions[index],
  );
  // A new name that already existed, or an old name that still exists, isn't a renaming.
  return isOnlyChange && !oldOptions.includes(to) && !newOptions.includes(from)
    ? { from, to }
    : undefined;
}

/** Returns the condition with the renamed choice. */
export const renameChoice = (
  { fieldId, values }: Condition,
  { from, to }: { readonly from: string; readonly to: string },
): Condition => ({ fieldId, values: values.map((value) => (value === from ? to : value)) });
