/** The content of a journal: lines with checksums, each with all changes of one commit. */
import * as v from "valibot";
import type { ListDifference } from "../listDifference.ts";

/** One change of a document or record. */
type LineWrite = DocumentWrite | ItemsWrite | RecordWrite;

interface EntityWrite {
  readonly entity: string;
  readonly version: number;
}

interface RevisedWrite extends EntityWrite {
  readonly revision: number;
  /** ISO 8601, UTC. */
  readonly savedAt: string;
}

export interface DocumentWrite extends RevisedWrite {
  readonly value: unknown;
}

/** The changed items of a document that is a list. */
export interface ItemsWrite extends RevisedWrite, ListDifference {}

/** A record in its segment. Without a value, the record is deleted. */
export interface RecordWrite extends EntityWrite {
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
interface CheckpointLine {
  readonly seq: number;
  readonly written: number;
}

export type JournalLine = ChangeLine | FirstLine | LastLine | CheckpointLine;

const LINE_HEAD = '{"checksum":"';
const BODY_OFFSET = LINE_HEAD.length + 64 + 2;
const NEWLINE = 0x0a;

export function encodeLine(json: string): Uint8Array {
  const body = json.slice(1);
  return Buffer.from(`${LINE_HEAD}${computeChecksum(body)}",${body}\n`);
}

const computeChecksum = (body: string | Uint8Array) =>
  new Bun.CryptoHasher("sha256").update(body).digest("hex");

// Only `seq` is checked, because a valid checksum shows that the bytes were written as a line.
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

export interface ParsedJournal {
  readonly firstLine: FirstLine;
  readonly changes: readonly ChangeLine[];
  readonly lastLine: LastLine | undefined;
  /** The number of the last commit that is confirmed to be in the files. */
  readonly writtenSeq: number;
  /** In bytes, without an incomplete last line. */
  readonly length: number;
}

/** Thrown for an unreadable line that may have been acknowledged. */
export class DamagedLineError extends Error {
  override readonly name = "DamagedLine";
  override readonly message = "a line is damaged";
}

/** Parses a journal; undefined if its creation was interrupted. Throws DamagedLineError. */
export function parseJournal(bytes: Uint8Array): ParsedJournal | undefined {
  const lines: JournalLine[] = [];
  let length = 0;
  for (const { line, isTorn, end } of splitPieces(bytes)) {
    if (isTorn) break;
    if (!line) throw new DamagedLineError();
    lines.push(line);
    length = end;
  }
  const [firstLine] = lines;
  if (!firstLine) return undefined;
  if (!("journal" in firstLine)) throw new DamagedLineError();
  const changes = lines.filter(isChangeLine);
  if (changes.some(({ seq }, index) => seq !== firstLine.seq + 1 + index))
    throw new DamagedLineError();
  return {
    firstLine,
    changes,
    lastLine: lines.find((line): line is LastLine => "next" in line),
    writtenSeq: Math.max(0, ...lines.map((line) => ("written" in line ? line.written : 0))),
    length,
  };
}

export const findReadableLines = (bytes: Uint8Array): JournalLine[] =>
  [...splitPieces(bytes)].flatMap(({ line }) => line ?? []);

/** A line of a journal, or bytes that aren't a readable line. */
interface JournalPiece {
  readonly line: JournalLine | undefined;
  /** True for an incomplete last line: a kill or power failure interrupted its write, so it was never acknowledged. */
  readonly isTorn: boolean;
  readonly end: number;
}

function* splitPieces(bytes: Uint8Array): Generator<JournalPiece> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let start = 0; start < buffer.length;) {
    const newline = buffer.indexOf(NEWLINE, start);
    const end = newline === -1 ? buffer.length : newline + 1;
    const line = newline === -1 ? undefined : decodeLine(buffer.subarray(start, newline));
    const isTorn = !line && end === buffer.length && isInterrupted(buffer, start);
    yield { line, isTorn, end };
    start = end;
  }
}

/** The size of a disk's sectors. Disks write only whole sectors. */
const SECTOR_BYTES = 512;

/** Whether the bytes from `start` on are an interrupted write: a part of a line, or zeros in place of some sectors. */
function isInterrupted(buffer: Buffer, start: number): boolean {
  for (let offset = start; offset < buffer.length; offset = getNextSectorOffset(offset))
    if (buffer.subarray(offset, getNextSectorOffset(offset)).every((byte) => byte === 0))
      return true;
  // A whole line with another byte in place of its newline is damaged, not interrupted.
  return buffer.at(-1) !== NEWLINE && !decodeLine(buffer.subarray(start, -1));
}

const getNextSectorOffset = (offset: number) =>
  (Math.floor(offset / SECTOR_BYTES) + 1) * SECTOR_BYTES;
