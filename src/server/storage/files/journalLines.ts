/**
 * The content of a journal: sealed lines, each one whole commit, and the union of a journal and its copy. A line is
 * acknowledged once it is in both, so either is enough to read it.
 */
import * as v from "valibot";
import type { ItemsDifference } from "../itemsOfDocument.ts";

/** One change in a line. */
type Write = DocumentWrite | ItemsWrite | RecordWrite;

interface Written {
  readonly entity: string;
  /** The entity's schema version. */
  readonly version: number;
}

interface Revised extends Written {
  readonly revision: number;
  /** ISO 8601, UTC. */
  readonly savedAt: string;
}

/** A whole document. */
export interface DocumentWrite extends Revised {
  readonly value: unknown;
}

/** Changed items of a document that is a list. */
export interface ItemsWrite extends Revised, ItemsDifference {}

/** A record in its segment; deleted if it has no value. */
export interface RecordWrite extends Written {
  readonly segment: number;
  readonly id: string;
  readonly value?: unknown;
}

/** All changes of one moment. Numbers are consecutive. */
export interface ChangeLine {
  readonly seq: number;
  readonly writes: readonly Write[];
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

export type Line = ChangeLine | FirstLine | LastLine | WrittenLine;

const HEAD = '{"checksum":"';
const BODY_AT = HEAD.length + 64 + 2;
const NEWLINE = 0x0a;

/** A line's bytes, from its JSON. */
export function encodeLine(json: string): Uint8Array {
  const body = json.slice(1);
  return Buffer.from(`${HEAD}${checksumOf(body)}",${body}\n`);
}

const checksumOf = (body: string | Uint8Array) =>
  new Bun.CryptoHasher("sha256").update(body).digest("hex");

// Trusted beyond its number: bytes with a valid checksum were written from a line.
const lineSchema = v.custom<Line>((each) => v.is(v.looseObject({ seq: v.number() }), each));

/** Undefined unless it is exactly a line as written, without its newline. */
function decodeLine(bytes: Buffer): Line | undefined {
  const body = bytes.subarray(BODY_AT);
  if (bytes.toString("latin1", 0, BODY_AT) !== `${HEAD}${checksumOf(body)}",`) return undefined;
  const parsed: unknown = JSON.parse(`{${body.toString()}`);
  return v.is(lineSchema, parsed) ? parsed : undefined;
}

/** The content of one of a journal's two files. */
export interface JournalCopy {
  readonly lines: readonly Line[];
  /** How many bytes of whole lines it starts with. */
  readonly length: number;
  /** Whether more follows that isn't from an interrupted write. */
  readonly isDamaged: boolean;
  /** Whether that is where the last line was. */
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
    // Blocks lost in a power failure read as zeros: only at the end.
    isEndDamaged = !line && !(end === all.length - 1 && all.includes(0, from));
    isDamaged ||= isEndDamaged;
    from = end + 1;
  }
  // A whole line with a wrong newline byte.
  const last = decodeLine(all.subarray(from, -1));
  if (last) lines.push(last);
  return { lines, length, isDamaged: isDamaged || last !== undefined, isEndDamaged };
}

export const isChange = (line: Line): line is ChangeLine => "writes" in line;

/** A journal united with its copy. */
export interface ReadJournal {
  readonly first: FirstLine;
  /** Consecutive. */
  readonly changes: readonly ChangeLine[];
  readonly last: LastLine | undefined;
  /** The last change known to be in the files. */
  readonly written: number;
}

/** The number of a change that may have been acknowledged, and is in neither a journal nor its copy. */
export class LostChange extends Error {
  override readonly name = "LostChange";

  constructor(readonly seq: number) {
    super(`change ${seq} can't be read`);
  }
}

/** Unites the existing files of a journal. Throws LostChange. */
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
  // In one file only, it may be a line that was never acknowledged.
  if (copies.every((copy) => copy.isEndDamaged)) throw new LostChange(end + 1);
  return {
    first,
    changes,
    last: lines.find((line): line is LastLine => "next" in line),
    written: Math.max(0, ...lines.map((line) => ("written" in line ? line.written : 0))),
  };
}
