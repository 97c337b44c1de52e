/**
 * What a journal says: sealed lines, each a whole moment, and what a journal and its copy hold together. A line is
 * acknowledged once it is in both, so either is enough to read it by.
 */
import * as v from "valibot";
import type { ItemsDifference } from "../itemsOfDocument.ts";

/** One thing that a line changes. */
type Write = DocumentWrite | ItemsWrite | RecordWrite;

interface Written {
  readonly entity: string;
  /** Of the entity's schema. */
  readonly version: number;
}

interface Revised extends Written {
  readonly revision: number;
  /** ISO 8601, UTC. */
  readonly savedAt: string;
}

/** A document as a whole. */
export interface DocumentWrite extends Revised {
  readonly value: unknown;
}

/** What has become of the items of a document that is a list. */
export interface ItemsWrite extends Revised, ItemsDifference {}

/** A record in its segment; without a value it is deleted. */
export interface RecordWrite extends Written {
  readonly segment: number;
  readonly id: string;
  readonly value?: unknown;
}

/** All that was changed at one moment. Its number is one more than that of the one before. */
export interface ChangeLine {
  readonly seq: number;
  readonly writes: readonly Write[];
}

/** The first line of a journal; `seq` is that of the last change before it. */
interface FirstLine {
  readonly seq: number;
  readonly site: string;
  readonly journal: number;
}

/** The last line of a journal that goes on in another. */
interface LastLine {
  readonly seq: number;
  readonly next: number;
}

/** Everything up to and with this change is in the files, so that earlier journals are needed no more. */
interface WrittenLine {
  readonly seq: number;
  readonly written: number;
}

export type Line = ChangeLine | FirstLine | LastLine | WrittenLine;

const HEAD = '{"checksum":"';
const BODY_AT = HEAD.length + 64 + 2;
const NEWLINE = 0x0a;

/** A line's bytes, of what it says as JSON. */
export function encodeLine(json: string): Uint8Array {
  const body = json.slice(1);
  return Buffer.from(`${HEAD}${checksumOf(body)}",${body}\n`);
}

const checksumOf = (body: string | Uint8Array) =>
  new Bun.CryptoHasher("sha256").update(body).digest("hex");

// Trusted beyond its number: bytes that the checksum was made of were written from a line.
const lineSchema = v.custom<Line>((each) => v.is(v.looseObject({ seq: v.number() }), each));

/** Undefined for what is not, byte for byte, a line as it was written, without its end. */
function decodeLine(bytes: Buffer): Line | undefined {
  const body = bytes.subarray(BODY_AT);
  if (bytes.toString("latin1", 0, BODY_AT) !== `${HEAD}${checksumOf(body)}",`) return undefined;
  const parsed: unknown = JSON.parse(`{${body.toString()}`);
  return v.is(lineSchema, parsed) ? parsed : undefined;
}

/** What one of the two files of a journal holds. */
export interface JournalCopy {
  readonly lines: readonly Line[];
  /** How many bytes at its beginning are whole lines. */
  readonly length: number;
  /** Whether something behind those is there that no write which was cut short has left. */
  readonly isDamaged: boolean;
  /** Whether such a thing stands where the last line was. */
  readonly isEndDamaged: boolean;
}

/** Reads a journal or its copy. */
export function readCopy(bytes: Uint8Array): JournalCopy {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const lines: Line[] = [];
  let [from, length, isDamaged, isEndDamaged] = [0, 0, false, false];
  for (let end = all.indexOf(NEWLINE); end !== -1; end = all.indexOf(NEWLINE, from)) {
    const line = decodeLine(all.subarray(from, end));
    if (line) lines.push(line);
    if (line && length === from) length = end + 1;
    // Blocks that a power cut kept from the disk read as zeros: only where nothing follows.
    isEndDamaged = !line && !(end === all.length - 1 && all.includes(0, from));
    isDamaged ||= isEndDamaged;
    from = end + 1;
  }
  // A whole line before another byte than its end.
  const last = decodeLine(all.subarray(from, -1));
  if (last) lines.push(last);
  return { lines, length, isDamaged: isDamaged || last !== undefined, isEndDamaged };
}

export const isChange = (line: Line): line is ChangeLine => "writes" in line;

/** A journal and its copy together. */
export interface ReadJournal {
  readonly first: FirstLine;
  /** One after the other, without a gap. */
  readonly changes: readonly ChangeLine[];
  readonly last: LastLine | undefined;
  /** Up to which change the files are known to hold everything. */
  readonly written: number;
}

/** The number of a change that may have been acknowledged, and that neither a journal nor its copy holds. */
export class LostChange extends Error {
  override readonly name = "LostChange";

  constructor(readonly seq: number) {
    super(`change ${seq} can't be read`);
  }
}

/** What those of a journal's two files that are there say together. Throws LostChange. */
export function unite(copies: readonly JournalCopy[]): ReadJournal {
  const lines = copies.flatMap((copy) => copy.lines);
  const first = lines.find((line): line is FirstLine => "journal" in line);
  if (!first) throw new LostChange(0);
  const numbered = new Map(lines.filter(isChange).map((line) => [line.seq, line]));
  const changes = [...numbered.values()].toSorted((one, other) => one.seq - other.seq);
  for (const [at, { seq }] of changes.entries())
    if (seq !== first.seq + 1 + at) throw new LostChange(first.seq + 1 + at);
  const end = first.seq + changes.length;
  if (Math.max(...lines.map(({ seq }) => seq)) > end) throw new LostChange(end + 1);
  // One alone may be a line that was never acknowledged.
  if (copies.every((copy) => copy.isEndDamaged)) throw new LostChange(end + 1);
  return {
    first,
    changes,
    last: lines.find((line): line is LastLine => "next" in line),
    written: Math.max(0, ...lines.map((line) => ("written" in line ? line.written : 0))),
  };
}
