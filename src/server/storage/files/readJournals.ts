/** Reads a data folder's journals, which exist while a store is open and after a kill. */
import { assertDefined } from "../../../schema/core/assertDefined.ts";
import { join } from "node:path";
import { cannotOpenDamaged } from "../../shared/errors.ts";
import type { DataFolder } from "./dataFolder.ts";
import { type Disk, ignoreMissing, listOrEmpty } from "../disk/disk.ts";
import { Journal, createJournalFileName, parseJournalNumber, truncateJournal } from "./journal.ts";
import {
  type ChangeLine,
  DamagedLineError,
  encodeLine,
  isChangeLine,
  type JournalLine,
  findReadableLines,
  type ParsedJournal,
  parseJournal,
} from "./journalLines.ts";

export interface ParsedJournals {
  readonly changes: readonly ChangeLine[];
  /** The number of the last commit. */
  readonly seq: number;
  /** Oldest first. */
  readonly journals: readonly NumberedJournal[];
}

interface NumberedJournal extends ParsedJournal {
  readonly number: number;
}

/** The oldest journal whose changes the files may lack, and the id of its site. */
interface RequiredJournal {
  readonly journalNumber: number;
  readonly siteId: string;
}

/** Reads all journals. Returns their bytes by number, oldest first. */
export async function readJournalBytes(
  disk: Disk,
  directory: string,
): Promise<Map<number, Uint8Array>> {
  const names = await listOrEmpty(disk, directory);
  const numbers = names.flatMap((name) => parseJournalNumber(name) ?? []);
  const journals = new Map<number, Uint8Array>();
  for (const number of numbers.toSorted((one, other) => one - other)) {
    const bytes = await ignoreMissing(disk.read(join(directory, createJournalFileName(number))));
    if (bytes) journals.set(number, bytes);
  }
  return journals;
}

/** Parses all journals. Throws `cannot_open` if a change that may have been acknowledged is lost. */
export function parseJournals(
  files: ReadonlyMap<number, Uint8Array>,
  directory: string,
  /** If undefined, no journal has to exist. */
  requiredJournal?: RequiredJournal,
): ParsedJournals {
  const journals = [...files].flatMap(([number, bytes]): NumberedJournal[] => {
    const journal = parseOneJournal(bytes, directory, number);
    return journal ? [{ number, ...journal }] : [];
  });
  assertChain(journals, directory, requiredJournal);
  const changes = journals.flatMap((journal) => journal.changes);
  return { changes, journals, seq: changes.at(-1)?.seq ?? journals.at(-1)?.firstLine.seq ?? 0 };
}

function parseOneJournal(bytes: Uint8Array, directory: string, number: number) {
  try {
    return parseJournal(bytes);
  } catch (error) {
    if (!(error instanceof DamagedLineError)) throw error;
    throw createLossRefusal(directory, number, "is damaged");
  }
}

/** Throws `cannot_open` if a journal doesn't continue the journal before it, or if a required journal is missing. */
function assertChain(
  journals: readonly NumberedJournal[],
  directory: string,
  requiredJournal: RequiredJournal | undefined,
): void {
  const [oldest] = journals;
  // Journals up to this commit may be missing, since a kill may have interrupted their removal.
  const writtenSeq = Math.max(0, ...journals.map((journal) => journal.writtenSeq));
  const hasRequired =
    oldest &&
    requiredJournal &&
    (oldest.number <= requiredJournal.journalNumber || writtenSeq >= oldest.firstLine.seq);
  if (requiredJournal && !hasRequired)
    throw createLossRefusal(directory, requiredJournal.journalNumber, "is missing");
  for (const [index, { number, firstLine, changes, lastLine }] of journals.entries()) {
    const next = journals[index + 1];
    const lastSeq = changes.at(-1)?.seq ?? firstLine.seq;
    if (requiredJournal && firstLine.site !== requiredJournal.siteId)
      throw createLossRefusal(directory, number, "belongs to another site");
    if (next && next.firstLine.seq !== lastSeq)
      throw createLossRefusal(directory, number, "and the next journal don't match");
    if (lastLine && !next) throw createLossRefusal(directory, lastLine.next, "is missing");
  }
}

const createLossRefusal = (directory: string, number: number, problem: string) =>
  cannotOpenDamaged(
    `${join(directory, createJournalFileName(number))} ${problem}, so some of the latest changes can't be read. Put the original file back, restore a backup with "limelight restore", or run "limelight doctor --accept" to continue without those changes. Nothing was changed.`,
  );

/** Joins the readable commits of damaged journals. Lost commits become empty. Undefined if no commit is readable. */
export function salvageJournal(
  files: ReadonlyMap<number, Uint8Array>,
  { journalNumber, siteId }: RequiredJournal,
): { readonly bytes: Uint8Array; readonly lostCount: number } | undefined {
  const lines = [...files.values()].flatMap(findReadableLines);
  const changes = new Map(lines.filter(isChangeLine).map((line) => [line.seq, line]));
  if (changes.size === 0) return undefined;
  const seqBefore = Math.min(...changes.keys()) - 1;
  const lastSeq = Math.max(...lines.map(({ seq }) => seq));
  const salvagedLines: JournalLine[] = [{ seq: seqBefore, site: siteId, journal: journalNumber }];
  for (let seq = seqBefore + 1; seq <= lastSeq; seq++)
    salvagedLines.push({ seq, writes: changes.get(seq)?.writes ?? [] });
  const bytes = Buffer.concat(salvagedLines.map((line) => encodeLine(JSON.stringify(line))));
  return { bytes, lostCount: lastSeq - seqBefore - changes.size };
}

/** Continues the last journal left by a kill, after removing an incomplete last line. */
export async function resumeJournals(
  folder: DataFolder,
  siteId: string,
  { journals, seq }: ParsedJournals,
): Promise<Journal> {
  const { number, length } = assertDefined(journals.at(-1), "journal");
  const handle = await folder.disk.openJournal(
    join(folder.directory, createJournalFileName(number)),
  );
  const current = { number, handle, length };
  await truncateJournal(current, length);
  const earlierNumbers = journals.slice(0, -1).map((journal) => journal.number);
  return new Journal(folder, siteId, { current, seq, earlierNumbers });
}
