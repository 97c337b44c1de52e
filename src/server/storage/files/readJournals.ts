/** Reads a data folder's journals, of an open store or after a kill. */
import { present } from "../../../schema/present.ts";
import { join } from "node:path";
import { cannotOpen } from "../../shared/errors.ts";
import type { DataFolder } from "./dataFolder.ts";
import { type Disk, ifThere, listIfThere, writeDurably } from "../disk/disk.ts";
import { cut, Journal, journalFiles, journalOf, numbersOf, type OpenJournal } from "./journal.ts";
import {
  type ChangeLine,
  encodeLine,
  isChange,
  type JournalCopy,
  type Line,
  LostChange,
  readCopy,
  type ReadJournal,
  unite,
} from "./journalLines.ts";

/** The content of a folder's journals. */
export interface FoundJournals {
  /** Consecutive. */
  readonly changes: readonly ChangeLine[];
  /** The number of the last change. */
  readonly seq: number;
  /** In the order written. */
  readonly journals: readonly FoundJournal[];
}

interface FoundJournal extends ReadJournal {
  readonly number: number;
  /** Undefined for a missing one. */
  readonly copies: readonly (JournalCopy | undefined)[];
}

/** The journal that must exist, unless a later one says otherwise, and its site. */
interface NeededJournal {
  readonly journal: number;
  readonly site: string;
}

/** Returns the journals' files by name. Throws what the disk throws. */
export async function journalBytes(
  disk: Pick<Disk, "read" | "list">,
  directory: string,
): Promise<Map<string, Uint8Array>> {
  const names = (await listIfThere(disk as Disk, directory)).filter((name) => journalOf(name));
  const found = await Promise.all(
    names.map(async (name) => [name, await ifThere(disk.read(join(directory, name)))] as const),
  );
  return new Map(found.flatMap(([name, bytes]) => (bytes ? [[name, bytes] as const] : [])));
}

/** Reads these files. Throws `cannot_open` if something that may have been acknowledged is lost. */
export function readJournals(
  files: ReadonlyMap<string, Uint8Array>,
  directory: string,
  /** Default: all existing ones. */
  needed?: NeededJournal,
): FoundJournals {
  const numbers = numbersOf(files).toSorted((one, other) => one - other);
  const journals: FoundJournal[] = [];
  for (const number of numbers) {
    const copies = journalFiles(number).map((name) => {
      const bytes = files.get(name);
      return bytes && readCopy(bytes);
    });
    const there = copies.filter((copy) => copy !== undefined);
    // It was being created when the power failed.
    if (there.every(({ lines, isDamaged }) => lines.length === 0 && !isDamaged)) continue;
    journals.push({ number, copies, ...united(there, directory, number) });
  }
  assertChain(journals, directory, needed);
  const changes = journals.flatMap((journal) => journal.changes);
  return { changes, journals, seq: changes.at(-1)?.seq ?? journals.at(-1)?.first.seq ?? 0 };
}

function united(copies: readonly JournalCopy[], directory: string, number: number): ReadJournal {
  try {
    return unite(copies);
  } catch (error) {
    if (!(error instanceof LostChange)) throw error;
    throw lost(directory, number, "is damaged, and so is its copy");
  }
}

/** Each continues the one before, and no needed one is missing. */
function assertChain(
  journals: readonly FoundJournal[],
  directory: string,
  needed: NeededJournal | undefined,
): void {
  const [oldest] = journals;
  // A kill may have interrupted the removal of those no longer needed.
  const written = Math.max(0, ...journals.map((journal) => journal.written));
  const isThere =
    oldest && needed && (oldest.number <= needed.journal || written >= oldest.first.seq);
  if (needed && !isThere) throw lost(directory, needed.journal, "is missing, and so is its copy");
  for (const [at, { number, first, changes, last }] of journals.entries()) {
    const next = journals[at + 1];
    const end = changes.at(-1)?.seq ?? first.seq;
    if (needed && first.site !== needed.site)
      throw lost(directory, number, "belongs to another site");
    if (next && next.first.seq !== end)
      throw lost(directory, number, "doesn't fit the one after it");
    if (last && !next) throw lost(directory, last.next, "is missing, and so is its copy");
  }
}

const lost = (directory: string, number: number, what: string) =>
  cannotOpen(
    `${join(directory, journalFiles(number)[0])} ${what}: it holds what was saved last. Put it back, restore a backup with "limelight restore", or run "limelight doctor --accept", which goes on without what can't be read. Nothing was changed.`,
  );

/** What is readable in journals, as one journal: lost changes become empty ones, so that numbers stay unique. */
export function salvaged(
  files: ReadonlyMap<string, Uint8Array>,
  { journal, site }: NeededJournal,
): { readonly bytes: Uint8Array; readonly lost: number } | undefined {
  const lines = [...files.values()].flatMap((bytes) => readCopy(bytes).lines);
  const changes = new Map(lines.filter(isChange).map((line) => [line.seq, line]));
  const seqs = lines.map(({ seq }) => seq);
  if (changes.size === 0) return undefined;
  const [first, last] = [Math.min(...changes.keys()) - 1, Math.max(...seqs)];
  const said: Line[] = [{ seq: first, site, journal }];
  for (let seq = first + 1; seq <= last; seq++) said.push(changes.get(seq) ?? { seq, writes: [] });
  const bytes = Buffer.concat(said.map((line) => encodeLine(JSON.stringify(withoutSeal(line)))));
  return { bytes, lost: last - first - changes.size };
}

/**
 * Continues the journals a kill left: afterwards both files of each are equal, without incomplete lines. Throws what
 * the disk throws.
 */
export async function goOnIn(
  folder: DataFolder,
  site: string,
  found: FoundJournals,
): Promise<Journal> {
  for (const journal of found.journals) await mend(folder, journal);
  const current = await reopened(folder, present(found.journals.at(-1), "journal"));
  const earlier = found.journals.slice(0, -1).map(({ number }) => number);
  return new Journal(folder, site, { current, seq: found.seq, earlier });
}

async function mend(folder: DataFolder, journal: FoundJournal): Promise<void> {
  const { directory, disk } = folder;
  const { copies, first, changes, last, written, number } = journal;
  const [one, other] = copies;
  const isSame = one?.length === other?.length && !one?.isDamaged && !other?.isDamaged;
  if (isSame && one?.lines.length === other?.lines.length) return;
  const more = [...(written > 0 ? [{ seq: written, written }] : []), ...(last ? [last] : [])];
  const lines = [first, ...changes, ...more].map((line) =>
    encodeLine(JSON.stringify(withoutSeal(line))),
  );
  const [name] = journalFiles(number);
  await folder.withReserve(() =>
    writeDurably(disk, join(directory, name), Buffer.concat(lines), true),
  );
  const path = join(directory, name);
  const isDamaged = copies.some((copy) => copy?.isDamaged);
  if (isDamaged) folder.onDamage?.(path, new Error("has a damaged line"));
  folder.log(
    isDamaged
      ? `storage: DAMAGED ${path} or its copy; nothing is lost, both were written anew`
      : `storage: FINISHED a write of ${path} that was cut short, from its copy`,
  );
}

function withoutSeal(line: object): object {
  const { checksum: _, ...said } = line as { checksum?: unknown };
  return said;
}

async function reopened({ directory, disk }: DataFolder, { number }: FoundJournal) {
  const names = journalFiles(number);
  const handles = [];
  for (const name of names) handles.push(await disk.openLog(join(directory, name)));
  const length = readCopy(await disk.read(join(directory, names[0]))).length;
  const journal: OpenJournal = { number, handles, length };
  await cut(journal, length);
  return journal;
}
