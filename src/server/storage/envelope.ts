/** The envelope around every stored value, and a file's bytes: sealed by a checksum, and opened. */
import * as v from "valibot";
import { parseOrThrow, type Format, valueOf } from "./storedValue.ts";

/** A file's content. On disk, its place and a checksum are added. */
export interface Envelope<T> {
  entity: string;
  /** The entity's schema version, from 1. */
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

/** A file's content, with the value as JSON. */
type Encoded = Omit<Envelope<unknown>, "value"> & { readonly text: string };

/** A sealed file's bytes: with its place, and the SHA-256 of its content. */
export const encode = (label: string, envelope: Envelope<unknown>): Uint8Array =>
  encodeText(label, { ...envelope, text: JSON.stringify(envelope.value) });

/** The same for a value in JSON. */
export function encodeText(label: string, envelope: Encoded): Uint8Array {
  const { entity, version, revision, savedAt, text } = envelope;
  const checksum = UNSEALED;
  const head = JSON.stringify({ entity, place: label, version, revision, savedAt, checksum });
  const bytes = new TextEncoder().encode(`${head.slice(0, -1)},"value":${text}}`);
  bytes.set(new TextEncoder().encode(checksumOf(bytes)), checksumAt(bytes));
  return bytes;
}

/** Stands for the checksum while it is computed: 64 hexadecimal digits. */
const UNSEALED = "0".repeat(64);
const LABEL = '"checksum":"';
/** Names and dates before the value are far shorter. */
const LONGEST_HEAD = 1024;

/** The offset of the checksum's digits, or -1. */
function checksumAt(bytes: Uint8Array): number {
  const at = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, LONGEST_HEAD));
  const label = at.indexOf(LABEL);
  return label === -1 ? -1 : label + LABEL.length;
}

/** The SHA-256 of the bytes, with zeros in place of their checksum. */
function checksumOf(bytes: Uint8Array): string {
  const at = checksumAt(bytes);
  return new Bun.CryptoHasher("sha256")
    .update(bytes.subarray(0, at))
    .update(UNSEALED)
    .update(bytes.subarray(at + UNSEALED.length))
    .digest("hex");
}

/** Whether these bytes match a checksum exactly. */
export function matchesChecksum(seal: string, bytes: Uint8Array): boolean {
  const at = checksumAt(bytes);
  if (at === -1) return false;
  const ending = new TextDecoder().decode(bytes.subarray(at, at + UNSEALED.length));
  return ending === seal && checksumOf(bytes) === seal;
}

/** The degree to which a file is trusted. */
export interface Trust {
  /** Accepts content edited by hand, if it fits the schema. Default: false. */
  readonly acceptsEdits?: boolean;
}

/** The result of decoding a file. */
interface Decoded<T> {
  readonly envelope: Envelope<T>;
  /** The schema version the file was written with. */
  readonly version: number;
  /** Its checksum; undefined for content edited by hand. */
  readonly seal: string | undefined;
}

/**
 * Returns the envelope with a value of the current schema. Throws `cannot_open` for a version without a migration, any
 * other Error for a damaged file.
 */
export function decode<T>(
  format: Format<T>,
  bytes: Uint8Array,
  { acceptsEdits = false }: Trust = {},
): Decoded<T> {
  const stored = parseOrThrow(envelopeSchema, format.entity, parse(bytes));
  const { entity, place, version, revision, savedAt, checksum } = stored;
  if (entity !== format.entity) throw new Error(`holds ${entity}`);
  const seal = checksum !== undefined && checksum === checksumOf(bytes) ? checksum : undefined;
  if (!seal && !acceptsEdits)
    throw new EditedByHand(checksum === undefined ? "no checksum" : "a wrong checksum");
  if (checksum !== undefined && place !== format.place)
    throw new Error(`belongs to ${place ?? "no place"}`);
  const value = valueOf(format, version, stored.value, seal !== undefined);
  return {
    envelope: { entity, version: format.version, revision, savedAt, value },
    version,
    seal,
  };
}

/** A file's own description. */
interface FileHeader extends Envelope<unknown> {
  readonly place?: string | undefined;
  readonly checksum?: string | undefined;
}

/** A file's content, for any entity and version; undefined if damaged. */
export function readHeader(bytes: Uint8Array): FileHeader | undefined {
  try {
    const stored = parse(bytes);
    if (!v.is(envelopeSchema, stored)) return undefined;
    return stored.checksum === checksumOf(bytes) ? stored : undefined;
  } catch {
    return undefined;
  }
}

function parse(bytes: Uint8Array): unknown {
  if (bytes.length === 0) throw new Error("is empty");
  // fatal: invalid UTF-8 is damage and must not become replacement characters.
  return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
}

/** Valid JSON that isn't, or may not be, what was written: damage, or an edit by hand. */
export class EditedByHand extends Error {
  override readonly name = "Edited";

  constructor(finding: string) {
    super(`has ${finding}`);
  }
}
