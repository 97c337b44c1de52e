/** The frame around every stored value, and the way from a file's bytes to a value of today's schema. */
import * as v from "valibot";
import type { Entity, Migrations } from "../../schema/entity.ts";
import { cannotOpen, invalidValue } from "../shared/errors.ts";

/** What one file holds. On the disk its place and a checksum stand beside it. */
export interface Envelope<T> {
  entity: string;
  /** Of the entity's schema, from 1. */
  version: number;
  revision: number;
  /** ISO 8601, UTC. */
  savedAt: string;
  value: T;
}

/** How one file is read. */
export interface Format<T> {
  entity: string;
  /** Where the file belongs, so that one that stands in another's place is noticed. */
  place: string;
  version: number;
  schema: v.GenericSchema<unknown, T>;
  migrations: Migrations;
  /** The names of what the value has; of a list, what each of its items has. */
  fields?: readonly string[];
}

const envelopeSchema = v.strictObject({
  entity: v.string(),
  place: v.optional(v.string()),
  version: v.pipe(v.number(), v.integer(), v.minValue(1)),
  revision: v.pipe(v.number(), v.integer(), v.minValue(0)),
  savedAt: v.string(),
  checksum: v.optional(v.string()),
  value: v.unknown(),
});

/** What a file is to hold, with the value as JSON. */
type Encoded = Omit<Envelope<unknown>, "value"> & { readonly text: string };

/** The bytes of a file, sealed: with its place, and the SHA-256 of all that it says. */
export const encode = (place: string, envelope: Envelope<unknown>): Uint8Array =>
  encodeText(place, { ...envelope, text: JSON.stringify(envelope.value) });

/** The same where the value is JSON already. */
export function encodeText(place: string, envelope: Encoded): Uint8Array {
  const { entity, version, revision, savedAt, text } = envelope;
  const checksum = UNSEALED;
  const head = JSON.stringify({ entity, place, version, revision, savedAt, checksum });
  const bytes = new TextEncoder().encode(`${head.slice(0, -1)},"value":${text}}`);
  bytes.set(new TextEncoder().encode(checksumOf(bytes)), checksumAt(bytes));
  return bytes;
}

/** Stands where the checksum will stand while it is reckoned: 64 hexadecimal digits. */
const UNSEALED = "0".repeat(64);
const LABEL = '"checksum":"';
/** The names and dates before the value are far shorter. */
const LONGEST_HEAD = 1024;

/** Where the digits of the checksum begin, or -1. */
function checksumAt(bytes: Uint8Array): number {
  const at = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, LONGEST_HEAD));
  const label = at.indexOf(LABEL);
  return label === -1 ? -1 : label + LABEL.length;
}

/** The SHA-256 of the bytes, with zeros where their checksum stands. */
function checksumOf(bytes: Uint8Array): string {
  const at = checksumAt(bytes);
  return new Bun.CryptoHasher("sha256")
    .update(bytes.subarray(0, at))
    .update(UNSEALED)
    .update(bytes.subarray(at + UNSEALED.length))
    .digest("hex");
}

/** Whether these are, byte for byte, what a checksum was reckoned of. */
export function isSealedBy(seal: string, bytes: Uint8Array): boolean {
  const at = checksumAt(bytes);
  if (at === -1) return false;
  const said = new TextDecoder().decode(bytes.subarray(at, at + UNSEALED.length));
  return said === seal && checksumOf(bytes) === seal;
}

/** How far a file is to be believed. */
export interface Trust {
  /** Takes a file without a checksum, as releases before checksums wrote them. */
  readonly unsealed: boolean;
  /** Takes a file whose content was changed by hand, as long as it fits its schema. */
  readonly edited?: boolean;
}

/** What a file's bytes turned out to be. */
interface Decoded<T> {
  readonly envelope: Envelope<T>;
  /** The version of the schema that the file was written with. */
  readonly version: number;
  /** Its checksum, when its bytes are exactly those that were written. */
  readonly seal: string | undefined;
}

/**
 * Returns the envelope with a value of today's schema. Throws `cannot_open` for a version it has no
 * way from, any other Error for a damaged file.
 */
export function decode<T>(format: Format<T>, bytes: Uint8Array, trust: Trust): Decoded<T> {
  const stored = fit(envelopeSchema, format.entity, parse(bytes));
  const { entity, place, version, revision, savedAt, checksum } = stored;
  if (entity !== format.entity) throw new Error(`holds ${entity}`);
  const seal = checksum !== undefined && checksum === checksumOf(bytes) ? checksum : undefined;
  if (checksum === undefined && !(trust.unsealed || trust.edited)) throw new Edited("no checksum");
  if (checksum !== undefined && !seal && !trust.edited) throw new Edited("a wrong checksum");
  if (checksum !== undefined && place !== format.place)
    throw new Error(`belongs to ${place ?? "no place"}`);
  const value = valueOf(format, version, stored.value, seal !== undefined);
  return {
    envelope: { entity, version: format.version, revision, savedAt, value },
    version,
    seal,
  };
}

/**
 * What a file holds that is, byte for byte, as today's program wrote it: its checksum stands for the look
 * at each field, which takes longer than all else. Undefined for any other, damaged or not.
 */
export function decodeSealed<T>(format: Format<T>, bytes: Uint8Array): Envelope<T> | undefined {
  const stored = parsed(bytes);
  if (!stored || stored.checksum === undefined || !isSealedBy(stored.checksum, bytes)) return;
  const { entity, place, version, revision, savedAt, value } = stored;
  const isThisOne =
    entity === format.entity && place === format.place && version === format.version;
  // Trusted: bytes that this checksum was reckoned of were written from a value of this type.
  return isThisOne ? { entity, version, revision, savedAt, value: value as T } : undefined;
}

/** What a file says of itself. */
export interface Found extends Envelope<unknown> {
  readonly place?: string | undefined;
  readonly checksum?: string | undefined;
}

/**
 * What a file holds, whatever entity and version it is of; undefined where it is damaged. One without a
 * checksum is of a release before these.
 */
export function openSealed(bytes: Uint8Array): Found | undefined {
  const stored = parsed(bytes);
  if (!stored || !v.is(envelopeSchema, stored)) return undefined;
  const isWhole = stored.checksum === undefined || stored.checksum === checksumOf(bytes);
  return isWhole ? stored : undefined;
}

/** Whether a file is, byte for byte, as it was written. */
export function isWhole(bytes: Uint8Array): boolean {
  const at = checksumAt(bytes);
  if (at === -1) return false;
  return isSealedBy(new TextDecoder().decode(bytes.subarray(at, at + UNSEALED.length)), bytes);
}

function parsed(bytes: Uint8Array) {
  try {
    return parse(bytes) as Found | null;
  } catch {
    return undefined;
  }
}

/** Whole JSON that is not, or not provably, what was written: a damaged letter, or an edit by hand. */
export class Edited extends Error {
  override readonly name = "Edited";

  constructor(found: string) {
    super(`has ${found}`);
  }
}

/**
 * A stored value, brought to today's schema. `sealed`: it is known to be as it was written. Throws
 * `cannot_open` for a version it has no way from.
 */
export function valueOf<T>(
  format: Format<T>,
  version: number,
  stored: unknown,
  sealed: boolean,
): T {
  if (version !== format.version) return migrate(format, version, stored);
  const value = fit(format.schema, format.entity, stored);
  if (!sealed && !isAsStored(format.fields, value, stored))
    throw new Error("has keys that do not belong there");
  return value;
}

/**
 * Whether a value is what is stored, but for fields that were added since. A damaged key would pass as one that is
 * missing, and silently get its first value; but it stands there as one that nobody knows.
 */
function isAsStored(fields: readonly string[] = [], value: unknown, stored: unknown): boolean {
  if (Bun.deepEquals(value, stored)) return true;
  if (Array.isArray(value) && Array.isArray(stored))
    return value.every((item, at) => isAsStored(fields, item, stored[at]));
  if (!isObject(value) || !isObject(stored)) return false;
  const same = ([name, each]: [string, unknown]) =>
    fields.includes(name) && Bun.deepEquals(value[name], each);
  return Object.entries(stored).every(same);
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function parse(bytes: Uint8Array): unknown {
  if (bytes.length === 0) throw new Error("is empty");
  // fatal: bytes that are no UTF-8 are damage and must not turn into replacement characters.
  return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
}

function migrate<T>(format: Format<T>, from: number, value: unknown): T {
  const { entity, version } = format;
  if (from > version) {
    throw cannotOpen(
      `The data of "${entity}" was written by a newer release (version ${from}, this one knows ${version}). Start that release again, or restore a backup made with this one.`,
    );
  }
  try {
    return fit(format.schema, entity, stepped(format, from, value));
  } catch (error) {
    throw cannotOpen(
      `The data of "${entity}" couldn't be migrated from version ${from} to ${version}. It is unchanged: start the earlier release again and report this.`,
      error,
    );
  }
}

/** What is migrated, and how. */
type Migrated = Pick<Format<unknown>, "version" | "migrations">;

function stepped({ version, migrations }: Migrated, from: number, value: unknown): unknown {
  let next = value;
  for (let at = from; at < version; at++) next = stepOf(migrations, at)(next);
  return next;
}

/** One item of a list as today's release stores it. Throws where a migration is missing or fails. */
export function migrated(
  { version, migrations = {}, shape }: Pick<Entity, "version" | "migrations" | "shape">,
  from: number,
  item: unknown,
): unknown {
  // The steps of a collection take the whole list.
  if (shape !== "collection") return stepped({ version, migrations }, from, item);
  return (stepped({ version, migrations }, from, [item]) as unknown[])[0];
}

function stepOf(migrations: Migrations, version: number): (value: unknown) => unknown {
  const step = migrations[version];
  if (!step) throw new Error(`no migration from version ${version}`);
  return step;
}

/**
 * What a value is before it is stored: exactly what reading it back would return, deeply frozen.
 * Through JSON first, because a value such as Infinity passes a schema and can not be read back.
 * Throws `invalid_value`.
 */
export function canonical<T>(schema: v.GenericSchema<unknown, T>, name: string, value: unknown): T {
  const text = JSON.stringify(value);
  return deepFreeze(fit(schema, name, text === undefined ? undefined : JSON.parse(text)));
}

/** Items that `canonicalList` has returned, by their schema: they need no second look, and never change. */
const known = new WeakMap<object, unknown>();

/**
 * The same for a list, item by item: those that are in it already are not looked at again, so that a change
 * of one in a thousand costs one.
 */
export function canonicalList<T extends object>(
  item: v.GenericSchema<unknown, T>,
  name: string,
  list: readonly unknown[],
): readonly T[] {
  const all = list.map((each) => {
    if (known.get(each as object) === item) return each as T;
    const made = canonical(item, name, each);
    known.set(made, item);
    return made;
  });
  return Object.freeze(all);
}

/** Throws `invalid_value` with the names of the fields that do not fit, never with the values. */
function fit<T>(schema: v.GenericSchema<unknown, T>, name: string, value: unknown): T {
  const result = v.safeParse(schema, value);
  if (result.success) return result.output;
  const fields = result.issues.map((issue) => v.getDotPath(issue) ?? "the whole");
  const named = [...new Set(fields)].slice(0, 5).join(", ");
  throw invalidValue(`The value of ${name} does not fit its schema (at ${named}).`);
}

/** For values that came from JSON: a tree of plain objects and arrays. What is frozen is so all through. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  for (const name in value) deepFreeze(value[name]);
  return Object.freeze(value);
}
