/** The checks that are derived from an entity's declaration, for the dashboard and the server. */
import * as v from "valibot";
import { parseUntilError } from "../core/boundedText.ts";
import { type Entity, getEntityFields } from "./entity.ts";
import { EMPTY_MESSAGE, type Field, type Fields } from "../kinds/fields.ts";
import { removeInvisibleIn } from "../core/invisibleCharacters.ts";
import { checkDisplayPeriod } from "./displayPeriod.ts";

/** The result of a check: the values to store, or the messages by field. `error` is the message to display first. */
export type CheckResult =
  | { readonly ok: true; readonly values: Record<string, unknown> }
  | { readonly ok: false; readonly error: string; readonly fields: Record<string, string> };

/** Checks a new item. Missing fields get their initial value; missing required fields are refused. */
export function checkNewItem(entity: Entity, input: unknown): CheckResult {
  return check(entity, input, "create");
}

/** Checks a change. Missing fields stay as they are, and all other fields must be valid. */
export function checkChange(entity: Entity, input: unknown): CheckResult {
  return check(entity, input, "change");
}

/** Checks rules across fields, after the check of each field. Some rules compare `item` with the stored `before`. */
export function checkItem(
  entity: Entity,
  item: Record<string, unknown>,
  before?: Record<string, unknown>,
): CheckResult {
  const problems = {
    ...checkDisplayPeriod(item),
    ...entity.checkItemRules?.(item, before),
  };
  return Object.keys(problems).length > 0
    ? createRefusal(entity, problems)
    : { ok: true, values: item };
}

function check(entity: Entity, input: unknown, purpose: "create" | "change"): CheckResult {
  if (!isRecord(input)) return createRefusal(entity, { "": "Send the fields as a JSON object." });
  const values: Record<string, unknown> = {};
  const problems: Record<string, string> = {};
  const normalized = normalizeInput(entity, input);
  for (const [name, field] of getClientFields(entity.fields)) {
    const value = normalized[name];
    if (value === undefined && purpose === "change") continue;
    const outcome = parseUntilError(field.schema, value === undefined ? field.initial : value);
    const refusal = outcome.success
      ? field.findNewValueProblem?.(outcome.output)
      : outcome.issues[0].message;
    if (refusal === undefined) values[name] = outcome.output;
    else problems[name] = refusal;
  }
  return Object.keys(problems).length > 0 ? createRefusal(entity, problems) : { ok: true, values };
}

/** Normalizes every value before its check, except rich text, which the sanitizer normalizes. */
export function normalizeInput(
  { fields, normalizeInput: normalizeEntityInput }: Entity,
  input: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const entries = getClientFields(fields).map(([name, { kind }]) => [
    name,
    kind.isHtml ? input[name] : removeInvisibleIn(input[name]),
  ]);
  const normalized = Object.fromEntries(entries);
  return normalizeEntityInput?.(normalized) ?? normalized;
}

function createRefusal(entity: Entity, fields: Record<string, string>): CheckResult {
  const [first = ""] = Object.values(fields);
  const hasMissingField =
    entity.missingFieldMessage && Object.values(fields).includes(EMPTY_MESSAGE);
  return { ok: false, error: hasMissingField ? entity.missingFieldMessage : first, fields };
}

/** Returns the fields that a client may send, with their names. */
export function getClientFields(fields: Fields): [string, Field][] {
  return Object.entries(fields).filter(([, field]) => field.setBy === "client");
}

/** Returns the fields that a form sends, with their names. Fields that are set once are sent only for a new item. */
export function getSentFields(entity: Entity, isNew: boolean): [string, Field][] {
  return getClientFields(entity.fields).filter(([name]) => isNew || !isSetOnce(entity, name));
}

/** Whether a form sends a field only for a new item. Other requests change an item's position and parent. */
function isSetOnce(entity: Entity, name: string): boolean {
  if (entity.shape !== "collection") return false;
  const { parent, arrangement, setOnceFields = [] } = entity;
  const parentFields = parent && [parent.field, arrangement?.field];
  return setOnceFields.includes(name) || Boolean(parentFields?.includes(name));
}

/** Returns the body of a request that changes an item without its form: fields that need no additional permission. */
export function createChangeBody(
  entity: Entity,
  item: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const sentFields = getSentFields(entity, false).filter(
    ([, { permission }]) => permission === undefined,
  );
  return Object.fromEntries(sentFields.map(([name]) => [name, item[name]]));
}

export function getInitialValues<F extends Fields>(fields: F): { [K in keyof F]: F[K]["initial"] } {
  const pairs = Object.entries(fields).map(([name, field]) => [name, field.initial]);
  return Object.fromEntries(pairs) as { [K in keyof F]: F[K]["initial"] };
}

/** Returns the schema of a stored value: an array for a collection, and an object for a singleton or a record. */
export function createStoredSchema(entity: Entity): v.GenericSchema<unknown, unknown> {
  const item = createItemSchema(entity);
  return entity.shape === "collection" ? v.array(item) : item;
}

/**
 * Returns the schema of one stored item, record or singleton. Missing fields get their initial value and unknown fields
 * are retained, so adding a field needs no new version of the format.
 */
export function createItemSchema(
  entity: Entity,
): v.GenericSchema<unknown, Record<string, unknown>> {
  const entries = Object.entries(getEntityFields(entity)).map(([name, field]) => [
    name,
    v.optional(field.schema, field.initial),
  ]);
  return v.looseObject(Object.fromEntries(entries));
}

function isRecord(input: unknown): input is Record<string, unknown> {
  return typeof input === "object" && input !== null && !Array.isArray(input);
}
