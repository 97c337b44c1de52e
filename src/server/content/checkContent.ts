/** Checks what a client sends for an entity, with its rich text cleaned. */
import { checkChange, checkNew, clientFields, type Checked } from "../../schema/check.ts";
import type { Entity } from "../../schema/entity.ts";
import { invalid } from "../http/refusal.ts";
import { cleanHtml } from "./cleanHtml.ts";

/** Checked values by field. */
export type Values = Record<string, unknown>;

/** The values of a new item. Raises a 422 in the words of the specification. */
export const newValues = (entity: Entity, sent: unknown) => checked(entity, sent, checkNew);

/** The values that a change brings; what is not sent is not among them. Raises a 422. */
export const changedValues = (entity: Entity, sent: unknown) => checked(entity, sent, checkChange);

function checked(
  entity: Entity,
  sent: unknown,
  check: (entity: Entity, input: unknown) => Checked,
): Values {
  const { values } = accept(check(entity, sent));
  const cleaned = cleanValues(entity, values);
  // Text that was nothing but what had to go is empty now, and refused like empty text.
  return cleaned === values ? values : accept(checkChange(entity, cleaned)).values;
}

function accept(outcome: Checked): { values: Values } {
  if (!outcome.ok) throw invalid(outcome.error, outcome.fields);
  return outcome;
}

/** The values with every rich text cleaned; the same object when the entity has none. */
export function cleanValues(entity: Entity, values: Values): Values {
  const rich = clientFields(entity.fields)
    .filter(([name, { input }]) => input === "richText" && typeof values[name] === "string")
    .map(([name]) => [name, cleanHtml(values[name] as string)]);
  return rich.length === 0 ? values : { ...values, ...Object.fromEntries(rich) };
}
