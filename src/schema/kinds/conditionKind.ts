/** The condition for asking something: which choices of a question were selected. */
import * as v from "valibot";
import { boundedText } from "../core/boundedText.ts";
import { field, type Field, internalKind } from "./kind.ts";
import { ANSWER_REFUSALS } from "../core/refusals.ts";

export const CONDITION = internalKind("condition");

/** Met only if one of these `values` was the answer to the question `fieldId`. */
export interface Condition {
  readonly fieldId: string;
  readonly values: readonly string[];
}

const WORDS = ANSWER_REFUSALS.chooseSome;
const MAX_VALUES = 20;

/** A condition, or null for a question that is always asked. */
export function condition(label: string): Field<Condition | null> {
  const value = v.pipe(boundedText(500, WORDS), v.nonEmpty(WORDS));
  const values = v.pipe(
    v.array(value, WORDS),
    v.minLength(1, ANSWER_REFUSALS.choose),
    v.maxLength(MAX_VALUES, ANSWER_REFUSALS.chosenTooMany.replace("{most}", String(MAX_VALUES))),
  );
  const schema = v.object({ fieldId: boundedText(64, WORDS), values }, WORDS);
  return field<Condition | null>(CONDITION, label, v.nullable(schema), null);
}
