/** The frame around every stored value, and the bytes of a file: sealed by a checksum, and opened. */
import * as v from "valibot";
import { fit, type Format, valueOf } from "./storedValue.ts";

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
  try {
    const stored = parse(bytes);
    if (!v.is(envelopeSchema, stored)) return undefined;
    const isWhole = stored.checksum === undefined || stored.checksum === checksumOf(bytes);
    return isWhole ? stored : undefined;
  } catch {
    return undefined;
  }
}

function parse(bytes: Uint8Array): unknown {
  if (bytes.length === 0) throw new Error("is empty");
  // fatal: bytes that are no UTF-8 are damage and must not turn into replacement characters.
  return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
}

/** Whole JSON that is not, or not provably, what was written: a damaged letter, or an edit by hand. */
export class Edited extends Error {
  override readonly name = "Edited";

  constructor(found: string) {
    super(`has ${found}`);
  }
}
