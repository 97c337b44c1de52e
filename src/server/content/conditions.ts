/** Checks the conditions of enquiry forms when they are saved, and updates them when a choice is renamed. */
import {
  findConditionQuestions,
  findMissingReference,
  findRenamedChoice,
  renameChoice,
} from "../../schema/enquiry/conditions.ts";
import type { Collection } from "../../schema/entities/entity.ts";
import { entities, type Item } from "../../schema/index.ts";
import { ANSWER_REFUSALS } from "../../schema/core/refusals.ts";
import { sortItems } from "../../schema/entities/visitorView.ts";
import { invalidInput } from "../shared/errors.ts";
import type { Store, Transaction } from "../storage/store.ts";
import type { Values } from "./inputChecks.ts";

const { formSteps, formFields } = entities;

type Step = Item<"formSteps">;
type Question = Item<"formFields">;

const NOT_ASKABLE_MESSAGE = "Choose a dropdown, radio buttons or checkboxes from an earlier step.";

/**
 * Throws a 422 for a new condition that can never be met. An unchanged condition is accepted, since its question may be
 * restored from the bin. Call this inside the update that stores `item`.
 */
export function assertValidCondition(
  store: Store,
  entity: Collection,
  item: Values,
  before?: Values,
): void {
  const storedCondition = before?.["showIf"] ?? null;
  if (Bun.deepEquals(item["showIf"] ?? null, storedCondition)) return;
  const steps = store.of(formSteps).read().value;
  if (entity === formSteps) assertSatisfiableCondition(store, steps, item as Step, item as Step);
  const step = steps.find(({ id }) => id === item["stepId"]);
  if (entity === formFields && step)
    assertSatisfiableCondition(store, steps, step, item as Question);
}

/** Throws a 422 if a step's or question's `showIf` can't be met. `step` is the step, or contains the question. */
function assertSatisfiableCondition(
  store: Store,
  steps: readonly Step[],
  step: Step,
  { showIf }: Pick<Step, "showIf">,
): void {
  if (showIf === null) return;
  const otherSteps = steps.filter(({ id, formId }) => formId === step.formId && id !== step.id);
  const fields = store.of(formFields).read().value;
  const stepsInOrder = sortItems(formSteps, [...otherSteps, step]).map((each) => ({
    step: each,
    fields: fields.filter(({ stepId }) => stepId === each.id),
  }));
  const stepIndex = stepsInOrder.findIndex((each) => each.step.id === step.id);
  const missing = findMissingReference(showIf, findConditionQuestions(stepsInOrder, stepIndex));
  if (missing === undefined) return;
  const message = missing === "choice" ? ANSWER_REFUSALS.chooseSome : NOT_ASKABLE_MESSAGE;
  throw invalidInput(message, { showIf: message });
}

/** Replaces a renamed choice in the conditions that name it. */
export async function renameChoiceInConditions(
  transaction: Transaction,
  before: Values,
  after: Values,
): Promise<void> {
  const { id, options } = before as Question;
  const renamedChoice = findRenamedChoice(options, (after as Question).options);
  if (!renamedChoice) return;
  const updateCondition = <T extends Pick<Step, "showIf">>(item: T): T => {
    if (item.showIf?.fieldId !== id || !item.showIf.values.includes(renamedChoice.from))
      return item;
    return { ...item, showIf: renameChoice(item.showIf, renamedChoice) };
  };
  const updateConditions = <T extends Pick<Step, "showIf">>(items: T[]): T[] => {
    const next = items.map(updateCondition);
    return next.every((item, index) => item === items[index]) ? items : next;
  };
  await transaction.of(formSteps).update(updateConditions);
  await transaction.of(formFields).update(updateConditions);
}
