/** Checks the conditions of enquiry forms on saving, and updates them when a choice is renamed. */
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
 * Call it with the value that an update is about to store. Throws a 422 for a new condition that can never be met. A
 * condition that is stored already is accepted, since its question may be restored from the bin.
 */
export function assertValidCondition(
  store: Store,
  entity: Collection,
  item: Values,
  before?: Values,
): void {
  const stored = before?.["showIf"] ?? null;
  if (Bun.deepEquals(item["showIf"] ?? null, stored)) return;
  const steps = store.of(formSteps).read().value;
  if (entity === formSteps) assertConditionMet(store, steps, item as Step, item as Step);
  const step = steps.find(({ id }) => id === item["stepId"]);
  if (entity === formFields && step) assertConditionMet(store, steps, step, item as Question);
}

/** `step` has the condition itself, or contains the question that has it. */
function assertConditionMet(
  store: Store,
  steps: readonly Step[],
  step: Step,
  { showIf }: Pick<Step, "showIf">,
): void {
  if (showIf === null) return;
  const others = steps.filter(({ id, formId }) => formId === step.formId && id !== step.id);
  const fields = store.of(formFields).read().value;
  const stepsInOrder = sortItems(formSteps, [...others, step]).map((each) => ({
    step: each,
    fields: fields.filter(({ stepId }) => stepId === each.id),
  }));
  const at = stepsInOrder.findIndex((each) => each.step.id === step.id);
  const missing = findMissingReference(showIf, findConditionQuestions(stepsInOrder, at));
  if (missing === undefined) return;
  const message = missing === "choice" ? ANSWER_REFUSALS.chooseSome : NOT_ASKABLE_MESSAGE;
  throw invalidInput(message, { showIf: message });
}

/** Updates conditions that name a choice of a question after that choice was renamed. */
export async function renameChoiceInConditions(
  transaction: Transaction,
  before: Values,
  after: Values,
): Promise<void> {
  const { id, options } = before as Question;
  const renamed = findRenamedChoice(options, (after as Question).options);
  if (!renamed) return;
  const follow = <T extends Pick<Step, "showIf">>(item: T): T => {
    if (item.showIf?.fieldId !== id || !item.showIf.values.includes(renamed.from)) return item;
    return { ...item, showIf: renameChoice(item.showIf, renamed) };
  };
  const renameAll = <T extends Pick<Step, "showIf">>(items: T[]): T[] => {
    const next = items.map(follow);
    return next.every((item, at) => item === items[at]) ? items : next;
  };
  await transaction.of(formSteps).update(renameAll);
  await transaction.of(formFields).update(renameAll);
}
