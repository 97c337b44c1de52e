/** Reads a data folder's journals, which exist while a store is open and after a kill. */
import { assertDefined } from "../../../schema/core/assertDefined.ts";
import { join } from "node:path";
import { cannotOpenLost } from "../../shared/errors.ts";
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
  type ReadJournal,
  readJournal,
} from "./journalLines.ts";

export interface ReadJournals {
  readonly changes: readonly ChangeLine[];
  /** The number of the last commit. */
  readonly seq: number;
  /** Oldest first. */
  readonly journals: readonly JournalContent[];
}

interface JournalContent extends ReadJournal {
  readonly number: number;
}

/** The journal that must exist, unless a later one says otherwise, and the id of its site. */
interface NeededJournal {
  readonly journal: number;
  readonly site: string;
}

/** Returns the journals by number, oldest first. Throws what the disk throws. */
export async function readJournalBytes(
  disk: Pick<Disk, "read" | "list">,
  directory: string,
): Promise<Map<number, Uint8Array>> {
  const names = await listOrEmpty(disk as Disk, directory);
  const numbers = names.flatMap((name) => parseJournalNumber(name) ?? []);
  const journals = new Map<number, Uint8Array>();
  for (const number of numbers.toSorted((one, other) => one - other)) {
    const bytes = await ignoreMissing(disk.read(join(directory, createJournalFileName(number))));
    if (bytes) journals.set(number, bytes);
  }
  return journals;
}

/** Throws `cannot_open` if something that may have been acknowledged is lost. */
export function readJournals(
  files: ReadonlyMap<number, Uint8Array>,
  directory: string,
  /** Default: no journal has to exist. */
  needed?: NeededJournal,
): ReadJournals {
  const journals = [...files].flatMap(([number, bytes]): JournalContent[] => {
    const journal = readOrRefuse(bytes, directory, number);
    return journal ? [{ number, ...journal }] : [];
  });
  assertChain(journals, directory, needed);
  const changes = journals.flatMap((journal) => journal.changes);
  return { changes, journals, seq: changes.at(-1)?.seq ?? journals.at(-1)?.first.seq ?? 0 };
}

function readOrRefuse(bytes: Uint8Array, directory: string, number: number) {
  try {
    return readJournal(bytes);
  } catch (error) {
    if (!(error instanceof DamagedLineError)) throw error;
    throw createLossRefusal(directory, number, "is damaged");
  }
}

/** Throws `cannot_open` unless each journal continues the one before, and no needed one is missing. */
function assertChain(
  journals: readonly JournalContent[],
  directory: string,
  needed: NeededJournal | undefined,
): void {
  const [oldest] = journals;
  // A kill may have interrupted the removal of journals that are no longer needed.
  const written = Math.max(0, ...journals.map((journal) => journal.written));
  const isComplete =
    oldest && needed && (oldest.number <= needed.journal || written >= oldest.first.seq);
  if (needed && !isComplete) throw createLossRefusal(directory, needed.journal, "is missing");
  for (const [at, { number, first, changes, last }] of journals.entries()) {
    const next = journals[at + 1];
    const end = changes.at(-1)?.seq ?? first.seq;
    if (needed && first.site !== needed.site)
      throw createLossRefusal(directory, number, "belongs to another site");
    if (next && next.first.seq !== end)
      throw createLossRefusal(directory, number, "and the next journal don't match");
    if (last && !next) throw createLossRefusal(directory, last.next, "is missing");
  }
}

const createLossRefusal = (directory: string, number: number, missing: string) =>
  cannotOpenLost(
    `${join(directory, createJournalFileName(number))} ${missing}, so some of the latest changes can't be read. Put the original file back, restore a backup with "limelight restore", or run "limelight doctor --accept" to continue without those changes. Nothing was changed.`,
  );

/**
 * The readable commits of damaged journals as the bytes of one journal, and the number of lost ones, which become empty
 * lines. Undefined if no commit is readable.
 */
export function salvageJournal(
  files: ReadonlyMap<number, Uint8Array>,
  { journal, site }: NeededJournal,
): { readonly bytes: Uint8Array; readonly lost: number } | undefined {
  const lines = [...files.values()].flatMap(findReadableLines);
  const changes = new Map(lines.filter(isChangeLine).map((line) => [line.seq, line]));
  if (changes.size === 0) return undefined;
  const first = Math.min(...changes.keys()) - 1;
  const last = Math.max(...lines.map(({ seq }) => seq));
  const salvaged: JournalLine[] = [{ seq: first, site, journal }];
  for (let seq = first + 1; seq <= last; seq++)
    salvaged.push({ seq, writes: changes.get(seq)?.writes ?? [] });
  const bytes = Buffer.concat(salvaged.map((line) => encodeLine(JSON.stringify(line))));
  return { bytes, lost: last - first - changes.size };
}

/** Continues the last journal that a kill left, without its incomplete last line. Throws what the disk throws. */
export async function resumeJournals(
  folder: DataFolder,
  site: string,
  { journals, seq }: ReadJournals,
): Promise<Journal> {
  const { number, length } = assertDefined(journals.at(-1), "journal");
  const handle = await folder.disk.openLog(join(folder.directory, createJournalFileName(number)));
  const current = { number, handle, length };
  await truncateJournal(current, length);
  const earlier = journals.slice(0, -1).map((journal) => journal.number);
  return new Journal(folder, site, { current, seq, earlier });
}
