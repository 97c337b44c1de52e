/** The frame around every stored value, and the way from a file's bytes to a value of today's schema. */
import * as v from "valibot";
import type { Migrations } from "../../schema/entity.ts";
import { cannotOpen, invalidValue } from "../errors.ts";

/** What one file holds. */
export interface Envelope<T> {
  entity: string;
  /** Of the entity's schema, from 1. */
  version: number;
  revision: number;
  /** ISO 8601, UTC. */
  savedAt: string;
  value: T;
}

/** How the files of one entity are read. */
export interface Format<T> {
  entity: string;
  version: number;
  schema: v.GenericSchema<unknown, T>;
  migrations: Migrations;
}

const envelopeSchema = v.object({
  entity: v.string(),
  version: v.pipe(v.number(), v.integer(), v.minValue(1)),
  revision: v.pipe(v.number(), v.integer(), v.minValue(0)),
  savedAt: v.string(),
  value: v.unknown(),
});

export function encode(envelope: Envelope<unknown>): Uint8Array {
  const { entity, version, revision, savedAt, value } = envelope;
  return new TextEncoder().encode(JSON.stringify({ entity, version, revision, savedAt, value }));
}

/**
 * Returns the envelope with a value of today's schema, and the version that the file had. Throws
 * `cannot_open` for a version it has no way from, any other Error for a damaged file.
 */
export function decode<T>(
  format: Format<T>,
  bytes: Uint8Array,
): { envelope: Envelope<T>; version: number } {
  const stored = fit(envelopeSchema, format.entity, parse(bytes));
  if (stored.entity !== format.entity) throw new Error(`holds ${stored.entity}`);
  const { version } = stored;
  const value =
    version === format.version
      ? fit(format.schema, format.entity, stored.value)
      : migrate(format, version, stored.value);
  return { envelope: { ...stored, version: format.version, value }, version };
}

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
    let migrated = value;
    for (let step = from; step < version; step++) migrated = stepOf(format, step)(migrated);
    return fit(format.schema, entity, migrated);
  } catch (error) {
    throw cannotOpen(
      `The data of "${entity}" couldn't be migrated from version ${from} to ${version}. It is unchanged: start the earlier release again and report this.`,
      error,
    );
  }
}

function stepOf<T>(format: Format<T>, version: number): (value: unknown) => unknown {
  const step = format.migrations[version];
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

/** Throws `invalid_value` with the names of the fields that do not fit, never with the values. */
function fit<T>(schema: v.GenericSchema<unknown, T>, name: string, value: unknown): T {
  const result = v.safeParse(schema, value);
  if (result.success) return result.output;
  const fields = result.issues.map((issue) => v.getDotPath(issue) ?? "the whole");
  const named = [...new Set(fields)].slice(0, 5).join(", ");
  throw invalidValue(`The value of ${name} does not fit its schema (at ${named}).`);
}

/** For values that came from JSON: a tree of plain objects and arrays. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== "object" || value === null) return value;
  for (const part of Object.values(value)) deepFreeze(part);
  return Object.freeze(value);
}
