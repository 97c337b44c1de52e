/** Checks the values a client sends, sanitizes rich text and adds the server's timestamps. */
import { assertDefined } from "../../schema/core/assertDefined.ts";
import * as v from "valibot";
import type { AuditKind } from "../../schema/people/audit.ts";
import {
  checkChange,
  type CheckResult,
  checkNewItem,
  checkItem,
  getClientFields,
} from "../../schema/entities/check.ts";
import { type Entity, getEntityFields } from "../../schema/entities/entity.ts";
import type { Field } from "../../schema/kinds/fields.ts";
import { hasPermission } from "../../schema/core/roles.ts";
import type { Reauthentication, SessionUser } from "../accounts/guard.ts";
import {
  type Clock,
  getTimestamp,
  getCreationTime,
  createTimestampAfter,
} from "../shared/clock.ts";
import { invalidInput, notAllowed } from "../shared/errors.ts";
import { sanitizeHtml } from "./sanitizeHtml.ts";

export type Values = Record<string, unknown>;

/** Checks the values of a new item. Throws a 422 with the declaration's messages. */
export const checkNewValues = (entity: Entity, input: unknown) =>
  checkFields(entity, input, checkNewItem);

/** Checks the fields that a change sends. Throws a 422 with the declaration's messages. */
export const checkChangedValues = (entity: Entity, input: unknown) =>
  checkFields(entity, input, checkChange);

function checkFields(
  entity: Entity,
  input: unknown,
  check: (entity: Entity, input: unknown) => CheckResult,
): Values {
  const { values } = requireValid(check(entity, input));
  const sanitizedValues = sanitizeValues(entity, values);
  // A required text that consisted only of removed markup is empty now, and refused.
  return sanitizedValues === values
    ? values
    : requireValid(checkChange(entity, sanitizedValues)).values;
}

/**
 * Checks the item that a write would store. Call it inside the store's update: a changed field may contradict a field
 * that wasn't sent. Throws a 422 if a declared rule is broken.
 */
export function assertItemRules<T extends Values>(entity: Entity, item: T, before?: Values): T {
  requireValid(checkItem(entity, item, before));
  return item;
}

/** Whether the user lacks the field's own permission. */
const isForbidden = ({ permission }: Field, { role }: Pick<SessionUser, "role">): boolean =>
  permission !== undefined && !hasPermission(role, permission);

/** The user who changes content. */
export interface Author {
  readonly user: SessionUser;
  readonly reauthentication: Reauthentication;
}

/** Throws a 403 for a field that the user may not change, or only after reauthentication. */
export function assertPermissions(
  entity: Entity,
  { user, reauthentication }: Author,
  before: Values,
  values: Values,
): void {
  const changedFields = Object.entries(getEntityFields(entity)).filter(
    ([name]) => name in values && !Bun.deepEquals(values[name], before[name]),
  );
  for (const [name, field] of changedFields) {
    if (!isForbidden(field, user)) continue;
    const message = `Only an owner can change "${field.label}".`;
    throw notAllowed(message, { [name]: message });
  }
  if (changedFields.some(([, field]) => field.isReauthenticationRequired))
    reauthentication.require(user);
}

/** Returns an earlier item with the current values of the fields that the user may not change. */
export function restoreProtectedFields<I extends Values>(
  entity: Entity,
  user: Pick<SessionUser, "role">,
  earlier: I,
  current: Values,
): I {
  const protectedFields = Object.entries(getEntityFields(entity))
    .filter(([, field]) => isForbidden(field, user))
    .map(([name]) => [name, current[name]]);
  return { ...earlier, ...Object.fromEntries(protectedFields) };
}

function requireValid(result: CheckResult): { values: Values } {
  if (!result.ok) throw invalidInput(result.error, result.fields);
  return result;
}

/** Sanitizes all rich text. Returns the same object if there is none. */
export function sanitizeValues(entity: Entity, values: Values): Values {
  const sanitizedFields = getClientFields(entity.fields)
    .filter(([name, { kind }]) => kind.isHtml && typeof values[name] === "string")
    .map(([name]) => [name, sanitizeHtml(values[name] as string)]);
  return sanitizedFields.length === 0
    ? values
    : { ...values, ...Object.fromEntries(sanitizedFields) };
}

/** Returns the timestamp fields to set when an item is created or saved. A creation counts as a save. */
export function createTimestamps(
  entity: Entity,
  action: "create" | "save",
  now: string,
): Record<string, string> {
  const timestamps = Object.entries(getEntityFields(entity)).filter(
    ([, field]) => isTimestamp(field, now) && (field.setBy === "save" || field.setBy === action),
  );
  return Object.fromEntries(
    timestamps.map(([name, { offsetMs = 0 }]) => [
      name,
      getTimestamp(() => Date.parse(now) + offsetMs),
    ]),
  );
}

/** Whether a field is a timestamp: its initial value is null, and its schema accepts a timestamp. */
const isTimestamp = ({ setBy, initial, schema }: Field, now: string) =>
  setBy !== "client" && initial === null && v.is(schema, now);

/**
 * Sets the time of the change, and returns the same item if nothing changed. `before` is the stored item, or undefined
 * for an item that is restored from an earlier version.
 */
export function setChangeTime<I extends Values>(
  entity: Entity,
  next: I,
  before: I | undefined,
  clock: Clock,
): I {
  const [name] =
    Object.entries(getEntityFields(entity)).find(([, { setBy }]) => setBy === "change") ?? [];
  if (name === undefined) return next;
  if (before && Bun.deepEquals({ ...next, [name]: before[name] }, before)) return before;
  const earlierTimes = [
    getTimestamp(() => getCreationTime(String(next["id"]))),
    before?.[name],
    next[name],
  ];
  const latest =
    earlierTimes
      .filter((time) => typeof time === "string")
      .toSorted()
      .at(-1) ?? "";
  return { ...next, [name]: createTimestampAfter(latest, clock) };
}

/** Returns the audit log's category for changes of an entity. */
export const getAuditKind = ({ permission }: Entity): AuditKind =>
  permission === "content" ? "content" : "settings";

/** Returns the labels of the changed fields, for the audit log. */
export function findChangedFieldLabels(entity: Entity, current: Values, values: Values): string[] {
  const fields = getEntityFields(entity);
  return Object.keys(values)
    .filter((name) => !Bun.deepEquals(values[name], current[name]))
    .map((name) => assertDefined(fields[name], `field ${name}`).label);
}
