/** What becomes of the values a client sends: checked, rich text cleaned, the server's moments added. */
import { present } from "../../schema/present.ts";
import * as v from "valibot";
import type { AuditKind } from "../../schema/audit.ts";
import {
  checkChange,
  type Checked,
  checkNew,
  checkWhole,
  clientFields,
} from "../../schema/check.ts";
import type { Entity } from "../../schema/entity.ts";
import type { Field } from "../../schema/fields.ts";
import { isoTime } from "../shared/clock.ts";
import { invalid } from "../shared/errors.ts";
import { cleanHtml } from "./html.ts";

export type Values = Record<string, unknown>;

/** The values of a new item. Throws a 422 with the messages of the declaration. */
export const newValues = (entity: Entity, sent: unknown) => checked(entity, sent, checkNew);

/** The values that a change brings; what is not sent is not among them. Throws a 422. */
export const changedValues = (entity: Entity, sent: unknown) => checked(entity, sent, checkChange);

function checked(
  entity: Entity,
  sent: unknown,
  check: (entity: Entity, input: unknown) => Checked,
): Values {
  const { values } = accept(check(entity, sent));
  const cleaned = cleanValues(entity, values);
  // Text that consisted only of what had to be removed is now empty, and refused as such.
  return cleaned === values ? values : accept(checkChange(entity, cleaned)).values;
}

/**
 * The item that a write would store. To be called inside the store's update: a change of one field may
 * contradict another that it doesn't name. Throws a 422 where a rule of the declaration is broken.
 */
export function requireRules<T extends Values>(entity: Entity, item: T, before?: Values): T {
  accept(checkWhole(entity, item, before));
  return item;
}

function accept(outcome: Checked): { values: Values } {
  if (!outcome.ok) throw invalid(outcome.error, outcome.fields);
  return outcome;
}

/** The values with every rich text cleaned; the same object when the entity has none. */
export function cleanValues(entity: Entity, values: Values): Values {
  const rich = clientFields(entity.fields)
    .filter(([name, { kind }]) => kind.isHtml && typeof values[name] === "string")
    .map(([name]) => [name, cleanHtml(values[name] as string)]);
  return rich.length === 0 ? values : { ...values, ...Object.fromEntries(rich) };
}

/** The moments set on an occasion, by field. A creation counts as a save. */
export function stamps(
  entity: Entity,
  occasion: "create" | "save",
  now: string,
): Record<string, string> {
  const moments = Object.entries(entity.fields as Record<string, Field>).filter(
    ([, field]) => isMoment(field, now) && (field.setBy === "save" || field.setBy === occasion),
  );
  return Object.fromEntries(
    moments.map(([name, { ahead = 0 }]) => [name, isoTime(() => Date.parse(now) + ahead)]),
  );
}

/** A moment is null at first and accepts a timestamp. */
const isMoment = ({ setBy, initial, schema }: Field, now: string) =>
  setBy !== "client" && initial === null && v.is(schema, now);

/** Where the audit log counts a change of an entity to. */
export const auditKind = ({ permission }: Entity): AuditKind =>
  permission === "content" ? "content" : "settings";

/** The labels of the fields whose values a change makes different, as the audit log names them. */
export function labelsOfChanged(entity: Entity, current: Values, values: Values): string[] {
  const fields = entity.fields as Record<string, Field>;
  return Object.keys(values)
    .filter((name) => !Bun.deepEquals(values[name], current[name]))
    .map((name) => present(fields[name], `field ${name}`).label);
}
