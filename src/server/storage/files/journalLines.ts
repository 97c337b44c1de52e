/** Encodes and parses the lines of a journal. Each line has a checksum; a commit's line has all of its changes. */
import * as v from "valibot";
import type { ListDifference } from "../listDifference.ts";

type LineWrite = DocumentWrite | ItemsWrite | RecordWrite;

interface EntityWrite {
  readonly entity: string;
  readonly version: number;
}

interface RevisedWrite extends EntityWrite {
  readonly revision: number;
  /** The time of the change, in ISO 8601, UTC. */
  readonly savedAt: string;
}

export interface DocumentWrite extends RevisedWrite {
  readonly value: unknown;
}

/** The changed items of a document that is a list. */
export interface ItemsWrite extends RevisedWrite, ListDifference {}

/** A changed record and its segment. If there is no value, the record was deleted. */
export interface RecordWrite extends EntityWrite {
  readonly segment: number;
  readonly id: string;
  readonly value?: unknown;
}

/** The line of a commit, with all of its changes. */
export interface ChangeLine {
  /** The number of the commit. Commits are numbered without gaps. */
  readonly seq: number;
  readonly writes: readonly LineWrite[];
}

/** The first line of a journal. `seq` is the number of the last commit before this journal. */
interface FirstLine {
  readonly seq: number;
  readonly site: string;
  readonly journal: number;
}

/** The last line of a journal. `next` is the number of the journal that continues this journal. */
interface LastLine {
  readonly seq: number;
  readonly next: number;
}

/** The line that a checkpoint appends. The files have all commits up to `written`. */
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

// Checks only `seq`. The line was checked by its checksum, which shows that Limelight wrote it.
const lineSchema = v.custom<JournalLine>((each) => v.is(v.looseObject({ seq: v.number() }), each));

/** Decodes a line without its newline. Returns undefined if the checksum doesn't match the bytes. */
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
  /** The highest `written` of the checkpoint lines; 0 if there are none. */
  readonly writtenSeq: number;
  /** The length in bytes, without an incomplete last line. */
  readonly length: number;
}

/** Thrown for an unreadable line whose commit may have been acknowledged. */
export class DamagedLineError extends Error {
  override readonly name = "DamagedLine";
  override readonly message = "a line is damaged";
}

/** Parses a journal; undefined if its creation was interrupted, so that it has no lines. Throws DamagedLineError. */
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
  /** True for a last line whose write was interrupted, so that its commit was never acknowledged. */
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

/** Disks write whole sectors, so after a power failure some sectors may still be zeros. */
const SECTOR_BYTES = 512;

/** Whether the bytes from `start` on are an interrupted write: a line without its end, or with a sector of zeros. */
function isInterrupted(buffer: Buffer, start: number): boolean {
  for (let offset = start; offset < buffer.length; offset = getNextSectorOffset(offset))
    if (buffer.subarray(offset, getNextSectorOffset(offset)).every((byte) => byte === 0))
      return true;
  // If all bytes but the last are a valid line, only the newline is damaged, and the write wasn't interrupted.
  return buffer.at(-1) !== NEWLINE && !decodeLine(buffer.subarray(start, -1));
}

const getNextSectorOffset = (offset: number) =>
  (Math.floor(offset / SECTOR_BYTES) + 1) * SECTOR_BYTES;
