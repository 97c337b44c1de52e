/** The envelope around every stored value: encodes it as a file's bytes with a checksum, and decodes it. */
import * as v from "valibot";
import { parseOrThrow, type StoredFormat, migrateStoredValue } from "./storedValue.ts";

/** The content of a file. The file also has a checksum, and names its own location. */
export interface Envelope<T> {
  entity: string;
  /** The entity's schema version, from 1. */
  version: number;
  revision: number;
  /** The time of the write, in ISO 8601, UTC. */
  savedAt: string;
  value: T;
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

/** Encodes an envelope, its location and the SHA-256 of its content as a file's bytes. `json` is the value's JSON. */
export function encodeEnvelope(
  location: string,
  { entity, version, revision, savedAt, value }: Envelope<unknown>,
  json = JSON.stringify(value),
): Uint8Array {
  const checksum = CHECKSUM_PLACEHOLDER;
  const headerJson = JSON.stringify({
    entity,
    place: location,
    version,
    revision,
    savedAt,
    checksum,
  });
  const bytes = new TextEncoder().encode(`${headerJson.slice(0, -1)},"value":${json}}`);
  bytes.set(new TextEncoder().encode(computeEnvelopeChecksum(bytes)), findChecksum(bytes));
  return bytes;
}

/** Zeros in place of the checksum's digits while the checksum is computed. */
const CHECKSUM_PLACEHOLDER = "0".repeat(64);
const CHECKSUM_LABEL = '"checksum":"';
/** Only this many bytes are searched for the checksum. The fields before the checksum are far shorter. */
const MAX_HEADER_BYTES = 1024;

/** Returns the offset of the checksum's digits; -1 if there is no checksum. */
function findChecksum(bytes: Uint8Array): number {
  const header = Buffer.from(
    bytes.buffer,
    bytes.byteOffset,
    Math.min(bytes.length, MAX_HEADER_BYTES),
  );
  const labelOffset = header.indexOf(CHECKSUM_LABEL);
  return labelOffset === -1 ? -1 : labelOffset + CHECKSUM_LABEL.length;
}

/** Computes the SHA-256 of the bytes with zeros in place of the checksum's digits. */
function computeEnvelopeChecksum(bytes: Uint8Array): string {
  const offset = findChecksum(bytes);
  return new Bun.CryptoHasher("sha256")
    .update(bytes.subarray(0, offset))
    .update(CHECKSUM_PLACEHOLDER)
    .update(bytes.subarray(offset + CHECKSUM_PLACEHOLDER.length))
    .digest("hex");
}

/** Whether a file's bytes contain this checksum and their content matches the checksum. */
export function matchesChecksum(checksum: string | undefined, bytes: Uint8Array): boolean {
  const offset = findChecksum(bytes);
  if (offset === -1) return false;
  const stored = new TextDecoder().decode(
    bytes.subarray(offset, offset + CHECKSUM_PLACEHOLDER.length),
  );
  return stored === checksum && computeEnvelopeChecksum(bytes) === checksum;
}

export interface DecodedEnvelope<T> {
  readonly envelope: Envelope<T>;
  /** The version of the schema with which the file was written. */
  readonly version: number;
  /** The file's checksum; undefined for manually edited content. */
  readonly checksum: string | undefined;
}

/**
 * Decodes a file and migrates its value. With `acceptsEdits`, a wrong or missing checksum is accepted if the value fits
 * the schema. Throws `cannot_open` if the value can't be migrated, and any other Error if the file is damaged.
 */
export function decodeEnvelope<T>(
  format: StoredFormat<T>,
  bytes: Uint8Array,
  acceptsEdits = false,
): DecodedEnvelope<T> {
  const stored = parseOrThrow(envelopeSchema, format.entity, parseJson(bytes));
  const { entity, place, version, revision, savedAt, checksum: storedChecksum } = stored;
  if (entity !== format.entity) throw new Error(`contains ${entity}`);
  const checksum =
    storedChecksum !== undefined && storedChecksum === computeEnvelopeChecksum(bytes)
      ? storedChecksum
      : undefined;
  if (!checksum && !acceptsEdits)
    throw new EditedFileError(storedChecksum === undefined ? "no checksum" : "a wrong checksum");
  if (storedChecksum !== undefined && place !== format.location)
    throw new Error(`belongs to ${place ?? "no place"}`);
  const value = migrateStoredValue(format, version, stored.value, checksum !== undefined);
  return {
    envelope: { entity, version: format.version, revision, savedAt, value },
    version,
    checksum,
  };
}

/** Parses a file of any entity and version without checking its value; undefined if the file is damaged. */
export function parseAnyEnvelope(bytes: Uint8Array): Envelope<unknown> | undefined {
  try {
    const stored = parseJson(bytes);
    if (!v.is(envelopeSchema, stored)) return undefined;
    return stored.checksum === computeEnvelopeChecksum(bytes) ? stored : undefined;
  } catch {
    return undefined;
  }
}

function parseJson(bytes: Uint8Array): unknown {
  if (bytes.length === 0) throw new Error("is empty");
  // `fatal` throws for invalid UTF-8, which shows damage, instead of inserting replacement characters.
  return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
}

/** Thrown for valid JSON whose checksum is wrong or missing: either damage, or a manual edit. */
export class EditedFileError extends Error {
  override readonly name = "Edited";

  constructor(finding: string) {
    super(`has ${finding}`);
  }
}
