/** The content of a journal: lines with checksums, each with all changes of one commit. */
import * as v from "valibot";
import type { ItemsDifference } from "../itemsOfDocument.ts";

/** One change of a document or record. */
type LineWrite = DocumentWrite | ItemsWrite | RecordWrite;

interface WrittenEntity {
  readonly entity: string;
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

/** The changed items of a document that is a list. */
export interface ItemsWrite extends RevisedEntity, ItemsDifference {}

/** A record in its segment. Without a value, the record is deleted. */
export interface RecordWrite extends WrittenEntity {
  readonly segment: number;
  readonly id: string;
  readonly value?: unknown;
}

/** The changes of one commit. */
export interface ChangeLine {
  /** The commit's number; consecutive. */
  readonly seq: number;
  readonly writes: readonly LineWrite[];
}

/** The first line of a journal. `seq` is the number of the last commit before it. */
interface FirstLine {
  readonly seq: number;
  readonly site: string;
  readonly journal: number;
}

/** The last line of a journal, which names the journal that continues it. */
interface LastLine {
  readonly seq: number;
  readonly next: number;
}

/** States that the files have all commits up to `written`, so earlier journals aren't needed. */
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

// Only `seq` is checked, because bytes with a valid checksum were written from a line.
const lineSchema = v.custom<JournalLine>((each) => v.is(v.looseObject({ seq: v.number() }), each));

/** Decodes a line without its newline; undefined unless the bytes are exactly as written. */
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
  readonly changes: readonly ChangeLine[];
  readonly last: LastLine | undefined;
  /** The number of the last commit that is confirmed to be in the files. */
  readonly written: number;
  /** In bytes, without an incomplete last line. */
  readonly length: number;
}

/** Thrown for an unreadable line that may have been acknowledged. */
export class DamagedLineError extends Error {
  override readonly name = "DamagedLine";
  override readonly message = "a line is damaged";
}

/** Undefined for a journal whose creation was interrupted. Throws DamagedLineError. */
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

export const findReadableLines = (bytes: Uint8Array): JournalLine[] =>
  [...splitPieces(bytes)].flatMap(({ line }) => line ?? []);

/** A line of a journal, or bytes in place of one. */
interface JournalPiece {
  readonly line: JournalLine | undefined;
  /** True for an incomplete last line: a kill or a power failure interrupted its write, so it was never acknowledged. */
  readonly isTorn: boolean;
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

/** Disks write whole sectors. */
const SECTOR_BYTES = 512;

/** Whether the bytes from `from` on are the beginning of a line, or lack sectors, which then read as zeros. */
function isInterrupted(all: Buffer, from: number): boolean {
  for (let at = from; at < all.length; at = nextSectorOffset(at))
    if (all.subarray(at, nextSectorOffset(at)).every((byte) => byte === 0)) return true;
  // A whole line with another byte in place of its newline is damaged, not interrupted.
  return all.at(-1) !== NEWLINE && !decodeLine(all.subarray(from, -1));
}

const nextSectorOffset = (at: number) => (Math.floor(at / SECTOR_BYTES) + 1) * SECTOR_BYTES;
