/** Checks the values that a client sends, sanitizes rich text and adds the server's timestamps. */
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

export const checkNewValues = (entity: Entity, input: unknown) =>
  checkFields(entity, input, checkNewItem);

export const checkChangedValues = (entity: Entity, input: unknown) =>
  checkFields(entity, input, checkChange);

function checkFields(
  entity: Entity,
  input: unknown,
  check: (entity: Entity, input: unknown) => CheckResult,
): Values {
  const { values } = requireValid(check(entity, input));
  const sanitizedValues = sanitizeValues(entity, values);
  // Checks the values again, since sanitizing may have emptied a required text.
  return sanitizedValues === values
    ? values
    : requireValid(checkChange(entity, sanitizedValues)).values;
}

/** Throws a 422 if `item` breaks a rule. Call this inside the store's update: rules also concern stored fields. */
export function assertItemRules<T extends Values>(entity: Entity, item: T, before?: Values): T {
  requireValid(checkItem(entity, item, before));
  return item;
}

const isForbidden = ({ permission }: Field, { role }: Pick<SessionUser, "role">): boolean =>
  permission !== undefined && !hasPermission(role, permission);

export interface Author {
  readonly user: SessionUser;
  readonly reauthentication: Reauthentication;
}

/** Throws a 403 for a change of a field that the user may not change, or that requires reauthentication. */
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

/** Returns an earlier version of an item, with the current values of fields that the user may not change. */
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

/** Returns an entity's timestamps for an item that is created or saved. */
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

const isTimestamp = ({ setBy, initial, schema }: Field, now: string) =>
  setBy !== "client" && initial === null && v.is(schema, now);

/** Returns the item with the time of its change, or `before` if nothing changed. */
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

export const getAuditKind = ({ permission }: Entity): AuditKind =>
  permission === "content" ? "content" : "settings";

export function findChangedFieldLabels(entity: Entity, current: Values, values: Values): string[] {
  const fields = getEntityFields(entity);
  return Object.keys(values)
    .filter((name) => !Bun.deepEquals(values[name], current[name]))
    .map((name) => assertDefined(fields[name], `field ${name}`).label);
}
