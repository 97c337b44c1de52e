/** Evaluates the conditions of questions and steps. A condition may refer to a question or choice that was deleted. */
import type { Condition } from "../kinds/internalKinds.ts";
import type { ItemOf } from "../entities/entity.ts";
import type { formFields, formSteps } from "./forms.ts";
import { hasOptions, parseOptions } from "./questions.ts";

type Step = ItemOf<typeof formSteps>;
type Question = ItemOf<typeof formFields>;

interface StepWithQuestions {
  readonly step: Pick<Step, "id" | "isActive" | "showIf">;
  readonly fields?: readonly Question[] | undefined;
}

/** Returns the active choice questions of earlier active steps, on which a step and its questions may depend. */
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

/** Returns "question" or "choice" if the condition refers to a missing one; undefined for a valid condition. */
export function findMissingReference(
  { fieldId, values }: Condition,
  questions: readonly Pick<Question, "id" | "options">[],
): "question" | "choice" | undefined {
  const question = questions.find(({ id }) => id === fieldId);
  if (!question) return "question";
  const options = parseOptions(question.options);
  // A condition without choices, which an owner is still editing, isn't valid either.
  return values.length > 0 && values.every((value) => options.includes(value))
    ? undefined
    : "choice";
}

/** Counts the questions whose condition, or whose step's condition, is valid in `before` but not in `after`. */
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

/** Returns the old and new name of a choice if renaming it is the only change to the options; otherwise undefined. */
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
  // If the new name already existed, or the old name still exists, the choices were reordered or replaced.
  return isOnlyChange && !oldOptions.includes(to) && !newOptions.includes(from)
    ? { from, to }
    : undefined;
}

export const renameChoice = (
  { fieldId, values }: Condition,
  { from, to }: { readonly from: string; readonly to: string },
): Condition => ({ fieldId, values: values.map((value) => (value === from ? to : value)) });
