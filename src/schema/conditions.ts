/** Which conditions hold: what they ask about comes and goes, and so do its choices. */
import type { Condition } from "./conditionKind.ts";
import type { ItemOf } from "./entity.ts";
import type { formFields, formSteps } from "./forms.ts";
import { hasOptions, parseOptions } from "./questions.ts";

type Step = ItemOf<typeof formSteps>;
type Question = ItemOf<typeof formFields>;

/** A step with its questions, as far as conditions depend on them. */
interface Asking {
  readonly step: Pick<Step, "id" | "isActive" | "showIf">;
  readonly fields?: readonly Question[] | undefined;
}

/**
 * The questions that a step at this place, or a question in it, may ask about: active ones that are answered by
 * choosing, of an active step before it.
 */
export function askable(steps: readonly Asking[], at: number): Question[] {
  return steps
    .slice(0, at)
    .filter(({ step }) => step.isActive)
    .flatMap(({ fields = [] }) => fields)
    .filter(({ isActive, fieldType }) => isActive && hasOptions(fieldType));
}

/**
 * What a condition asks for and is no more, of the questions that it may ask about; undefined where nothing is. With
 * something gone it counts as if it weren't there.
 */
export function goneOf(
  { fieldId, values }: Condition,
  questions: readonly Pick<Question, "id" | "options">[],
): "question" | "choice" | undefined {
  const question = questions.find(({ id }) => id === fieldId);
  if (!question) return "question";
  const offered = parseOptions(question.options);
  // None yet is one that is being made.
  return values.length > 0 && values.every((value) => offered.includes(value))
    ? undefined
    : "choice";
}

/** How many questions were asked on a condition that held in `before`, and are asked always in `after`. */
export function freedIn(before: readonly Asking[], after: readonly Asking[]): number {
  const was = new Set(heldIn(before));
  const is = new Set(heldIn(after));
  const isFreed = ({ id, showIf }: Conditional) => showIf !== null && was.has(id) && !is.has(id);
  return after.flatMap(({ step, fields = [] }) =>
    fields.filter((field) => isFreed(step) || isFreed(field)),
  ).length;
}

type Conditional = Pick<Step, "id" | "showIf">;

/** The ids of steps and questions whose conditions hold. */
function heldIn(steps: readonly Asking[]): string[] {
  return steps.flatMap(({ step, fields = [] }, at) => {
    const questions = askable(steps, at);
    return [step, ...fields].flatMap(({ id, showIf }: Conditional) =>
      showIf && goneOf(showIf, questions) === undefined ? id : [],
    );
  });
}

/** The choice that was renamed, where that is all that became of some options. */
export function renamedChoice(
  before: string,
  after: string,
): { readonly from: string; readonly to: string } | undefined {
  const [was, is] = [parseOptions(before), parseOptions(after)];
  const at = was.findIndex((option, place) => option !== is[place]);
  const [from, to] = [was[at], is[at]];
  if (from === undefined || to === undefined || was.length !== is.length) return undefined;
  const isAll = was.every((option, place) => place === at || option === is[place]);
  // One that was there before, or is there still, means another choice.
  return isAll && !was.includes(to) && !is.includes(from) ? { from, to } : undefined;
}

/** The same condition after that. */
export const renamedIn = (
  { fieldId, values }: Condition,
  { from, to }: { readonly from: string; readonly to: string },
): Condition => ({ fieldId, values: values.map((value) => (value === from ? to : value)) });
