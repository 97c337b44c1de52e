/** The content of a journal: lines with checksums, each one whole commit. */
import * as v from "valibot";
import type { ItemsDifference } from "../itemsOfDocument.ts";

/** One change in a line. */
type LineWrite = DocumentWrite | ItemsWrite | RecordWrite;

interface WrittenEntity {
  readonly entity: string;
  /** The entity's schema version. */
  readonly version: number;
}

interface RevisedEntity extends WrittenEntity {
  readonly revision: number;
  /** ISO 8601, UTC. */
  readonly savedAt: string;
}

export interface DocumentWrite extends RevisedEntity {
  readonly value: unknown;
}

/** Changed items of a document that is a list. */
export interface ItemsWrite extends RevisedEntity, ItemsDifference {}

/** A record in its segment; deleted if it has no value. */
export interface RecordWrite extends WrittenEntity {
  readonly segment: number;
  readonly id: string;
  readonly value?: unknown;
}

/** All changes committed together. Numbers are consecutive. */
export interface ChangeLine {
  readonly seq: number;
  readonly writes: readonly LineWrite[];
}

/** The first line of a journal; `seq` is the last change before it. */
interface FirstLine {
  readonly seq: number;
  readonly site: string;
  readonly journal: number;
}

/** The last line of a journal continued in another. */
interface LastLine {
  readonly seq: number;
  readonly next: number;
}

/** All changes up to this one are in the files, so earlier journals aren't needed. */
interface WrittenLine {
  readonly seq: number;
  readonly written: number;
}

export type JournalLine = ChangeLine | FirstLine | LastLine | WrittenLine;

const LINE_HEAD = '{"checksum":"';
const BODY_OFFSET = LINE_HEAD.length + 64 + 2;
const NEWLINE = 0x0a;

export function encodeLine(json: string): Uint8Array {
  const body = json.slice(1);
  return Buffer.from(`${LINE_HEAD}${computeChecksum(body)}",${body}\n`);
}

const computeChecksum = (body: string | Uint8Array) =>
  new Bun.CryptoHasher("sha256").update(body).digest("hex");

// Trusted beyond its number: bytes with a valid checksum were written from a line.
const lineSchema = v.custom<JournalLine>((each) => v.is(v.looseObject({ seq: v.number() }), each));

/** Undefined unless it is exactly a line as written, without its newline. */
function decodeLine(bytes: Buffer): JournalLine | undefined {
  const body = bytes.subarray(BODY_OFFSET);
  if (bytes.toString("latin1", 0, BODY_OFFSET) !== `${LINE_HEAD}${computeChecksum(body)}",`)
    return undefined;
  const parsed: unknown = JSON.parse(`{${body.toString()}`);
  return v.is(lineSchema, parsed) ? parsed : undefined;
}

export const isChangeLine = (line: JournalLine): line is ChangeLine => "writes" in line;

export interface ReadJournal {
  readonly first: FirstLine;
  /** Consecutive. */
  readonly changes: readonly ChangeLine[];
  readonly last: LastLine | undefined;
  /** The last change confirmed in the files. */
  readonly written: number;
  /** In bytes, without a line that was cut short at its end. */
  readonly length: number;
}

/** A line that may have been acknowledged can't be read. */
export class DamagedLineError extends Error {
  override readonly name = "DamagedLine";
  override readonly message = "a line is damaged";
}

/** Undefined for a journal that was being created. Throws DamagedLineError. */
export function readJournal(bytes: Uint8Array): ReadJournal | undefined {
  const { lines, length } = parseLines(bytes);
  const [first] = lines;
  if (!first) return undefined;
  if (!("journal" in first)) throw new DamagedLineError();
  const changes = lines.filter(isChangeLine);
  if (changes.some(({ seq }, at) => seq !== first.seq + 1 + at)) throw new DamagedLineError();
  return {
    first,
    changes,
    last: lines.find((line): line is LastLine => "next" in line),
    written: Math.max(0, ...lines.map((line) => ("written" in line ? line.written : 0))),
    length,
  };
}

function parseLines(bytes: Uint8Array): {
  readonly lines: readonly JournalLine[];
  readonly length: number;
} {
  const lines: JournalLine[] = [];
  let length = 0;
  for (const { line, isTorn, end } of splitPieces(bytes)) {
    if (isTorn) break;
    if (!line) throw new DamagedLineError();
    lines.push(line);
    length = end;
  }
  return { lines, length };
}

/** The lines of a damaged journal that can be read. */
export const findReadableLines = (bytes: Uint8Array): JournalLine[] =>
  [...splitPieces(bytes)].flatMap(({ line }) => line ?? []);

/** The bytes between newlines. */
interface JournalPiece {
  /** Undefined if it can't be read. */
  readonly line: JournalLine | undefined;
  /** It is at the end, where a kill or a power failure interrupted its writing: it was never acknowledged. */
  readonly isTorn: boolean;
  /** The offset after it. */
  readonly end: number;
}

function* splitPieces(bytes: Uint8Array): Generator<JournalPiece> {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let from = 0; from < all.length;) {
    const newline = all.indexOf(NEWLINE, from);
    const end = newline === -1 ? all.length : newline + 1;
    const line = newline === -1 ? undefined : decodeLine(all.subarray(from, newline));
    const isTorn = !line && end === all.length && isInterrupted(all, from);
    yield { line, isTorn, end };
    from = end;
  }
}

/** In bytes: disks write whole ones. */
const SECTOR_BYTES = 512;

/** Whether the bytes from `from` are the beginning of a line, or lack sectors, which read as zeros then. */
function isInterrupted(all: Buffer, from: number): boolean {
  for (let at = from; at < all.length; at = nextSectorOffset(at))
    if (all.subarray(at, nextSectorOffset(at)).every((byte) => byte === 0)) return true;
  // A whole line with a wrong newline is damaged.
  return all.at(-1) !== NEWLINE && !decodeLine(all.subarray(from, -1));
}

const nextSectorOffset = (at: number) => (Math.floor(at / SECTOR_BYTES) + 1) * SECTOR_BYTES;
