/** Looks at a data folder file by file, whether a store is open on it or not; changes nothing. */
import { access, constants, lstat, readdir, readFile } from "node:fs/promises";
import { join, basename, dirname } from "node:path";
import pLimit from "p-limit";
import type { Entity, RecordsEntity } from "../../../schema/entity.ts";
import { isRefusal } from "../../shared/errors.ts";
import {
  documentFile,
  documentFormat,
  isMarked,
  LIST,
  listFormat,
  MARKER,
  markerFormat,
  segmentFile,
  segmentFormat,
} from "../archive/entries.ts";
import type { Finding } from "../engine.ts";
import { Edited, type Format } from "../envelope.ts";
import { RESTORING } from "./installation.ts";
import { read, readValue } from "./readFolder.ts";
import { type Disk, type DiskHandle, ifThere } from "../disk/disk.ts";
import { disk as realDisk } from "../disk/realDisk.ts";
import { openUnlocked } from "./openStore.ts";

/** The folder's rights, and every entity's files. */
export async function examineFolder(
  directory: string,
  entities: readonly Entity[],
): Promise<Finding[]> {
  const names: string[] = await readdir(directory).catch(() => []);
  if (names.includes(RESTORING)) {
    if (await canGoOn(directory))
      return [bad("A restore was cut short. The next start finishes it by itself.")];
    return [refused('A restore was cut short. Run "limelight restore" with the archive again.')];
  }
  if (!isMarked(names)) {
    const { refusal } = names.length > 0 ? await tryStart(directory, entities) : {};
    if (refusal) return [refused(refusal)];
    return [
      bad(
        `There is no site in ${directory}: its installation.json is missing. Restore a backup, or start once with an empty folder.`,
      ),
    ];
  }
  const marker = await examineFile(directory, MARKER, markerFormat);
  const findings = await Promise.all(entities.map((entity) => examineEntity(directory, entity)));
  const seen = [await examineRights(directory), ...(marker.ok ? [] : [marker]), ...findings.flat()];
  return withTrial(seen, await tryStart(directory, entities));
}

/** Whether the note of a restore names what it puts in. */
async function canGoOn(directory: string): Promise<boolean> {
  const note = await readFile(join(directory, RESTORING), "utf8").catch(() => "");
  return note.includes('"staging"');
}

/** Adds what a start would say and was not seen file by file; its refusal stands for what it repeats. */
function withTrial(seen: readonly Finding[], { refusal = "", log }: Trial): Finding[] {
  const isSeen = (line: string) =>
    seen.some(({ ok, message }) => !ok && line.includes(fileOf(message)));
  const mended = log
    .filter((line) => isMended(line) && !isSeen(line))
    .map((line) => bad(`The next start will mend this: ${line.replace("storage: ", "")}.`));
  if (!refusal) return [...seen, ...mended];
  const isRepeated = (message: string) =>
    message.includes(refusal) || refusal.includes(fileOf(message));
  const others = seen.filter(({ ok, message }) => ok || !isRepeated(message));
  return [refused(refusal), ...others, ...mended];
}

// A write that was cut short is no damage: also a backup of a site at work finds one.
const isMended = (line: string) => / (DAMAGED|RECOVERED) /.test(line);

/** What a finding of `examineFile` is about. */
const fileOf = (message: string) => `/${message.replace(/[\s:].*$/s, "")}`;

const ok = (message: string): Finding => ({ ok: true, message });
const refused = (message: string): Finding => ({ ok: false, message, refuses: true });
const bad = (message: string): Finding => ({ ok: false, message });

/** Whether a folder is there and its owner's alone. */
export async function examineRights(folder: string): Promise<Finding> {
  const found = await lstat(folder).catch(() => undefined);
  if (!found?.isDirectory()) return bad(`The folder ${folder} is missing.`);
  if (
    !(await access(folder, constants.W_OK).then(
      () => true,
      () => false,
    ))
  )
    return bad(
      `The folder ${folder} can't be written to. Give it to the user who starts Limelight, and see that its disk takes writes.`,
    );
  const open = (found.mode & 0o077) !== 0;
  return open
    ? bad(`Other users can read ${folder}. Run: chmod 700 ${folder}`)
    : ok(`${folder} is private`);
}

async function examineEntity(directory: string, entity: Entity): Promise<Finding[]> {
  const findings =
    entity.shape === "records"
      ? await examineSegments(directory, entity)
      : [await examineFile(directory, documentFile(entity.name), documentFormat(entity))];
  const wrong = findings.filter((finding) => !finding.ok);
  if (wrong.length > 0) return wrong;
  return [ok(`${entity.name}: ${findings.length} ${findings.length === 1 ? "file" : "files"}`)];
}

/** Of years of records, as many segments as memory easily takes. */
const READ_AT_ONCE = 8;

/** The segments that are there, and those that have to be. */
async function examineSegments(directory: string, entity: RecordsEntity): Promise<Finding[]> {
  const { name } = entity;
  const there = (await readdir(join(directory, name)).catch(() => [])).filter((file) =>
    /^\d+\.json$/.test(file),
  );
  const files = new Set([...there, ...(await listedSegments(directory, name))]);
  const list = await examineFile(directory, join(name, LIST), listFormat(name));
  const formatOf = segmentFormat(entity);
  const few = pLimit(READ_AT_ONCE);
  const segments = await few.map([...files].sort(), (file) =>
    examineFile(directory, join(name, file), formatOf(Number.parseInt(file, 10))),
  );
  return [list, ...segments];
}

/** How many records the listed segments hold, one segment in memory at a time. Throws what `read` throws. */
export async function countRecords(directory: string, entity: RecordsEntity): Promise<number> {
  const { name } = entity;
  const formatOf = segmentFormat(entity);
  let count = 0;
  for (const file of await listedSegments(directory, name))
    count += (await readValue(join(directory, name, file), formatOf(Number.parseInt(file, 10))))
      .length;
  return count;
}

/** None for a list that can't be read: a start makes a new one from what is there. */
async function listedSegments(directory: string, name: string): Promise<string[]> {
  const list = await readValue(join(directory, name, LIST), listFormat(name)).catch(
    () => undefined,
  );
  const { first, last } = list ?? { first: 1, last: 0 };
  return Array.from({ length: last - first + 1 }, (_, at) => segmentFile(first + at));
}

async function examineFile<T>(
  directory: string,
  file: string,
  format: Format<T>,
): Promise<Finding> {
  const copy = `It has a copy, ${file}.bak, that the next start falls back to; else restore a backup.`;
  try {
    const { seal } = await read(join(directory, file), format);
    return seal ? await examineCopy(directory, file, format) : ok(file);
  } catch (error) {
    if (isRefusal(error, "cannot_open")) return bad(`${file}: ${error.message}`);
    if (error instanceof Edited)
      return bad(
        `${file} ${error.message}: it is damaged, or it was changed by hand. ${copy} To take it as it is, stop the site and run "limelight doctor --accept".`,
      );
    return isRefusal(error, "invalid_value")
      ? bad(`${file} holds values that don't fit. ${copy}`)
      : bad(`${file} is missing or can't be read. ${copy}`);
  }
}

/** The second copy of a file that is whole. A release before checksums did not make one at once. */
async function examineCopy<T>(
  directory: string,
  file: string,
  format: Format<T>,
): Promise<Finding> {
  try {
    await read(join(directory, `${file}.bak`), format);
    return ok(file);
  } catch {
    return bad(
      `${file}.bak is missing or can't be read, so ${file} has no second copy. Stop the site and copy ${file} over it.`,
    );
  }
}

/** How a start would go. */
interface Trial {
  /** Why it would be refused, and how to mend that. */
  readonly refusal?: string;
  /** What it would write to its log. */
  readonly log: readonly string[];
}

/** Also while a store is open; changes made meanwhile can look like damage then. */
async function tryStart(directory: string, entities: readonly Entity[]): Promise<Trial> {
  const log: string[] = [];
  try {
    await openUnlocked({
      directory,
      entities,
      disk: trialDisk(realDisk),
      log: (line) => log.push(line),
    });
    return { log };
  } catch (error) {
    if (!isRefusal(error, "cannot_open")) throw error;
    return { refusal: error.message, log };
  }
}

/** Reads from `real`; what is written is kept in memory and seen by later reads alone. */
function trialDisk(real: Disk): Disk {
  /** Undefined: removed. */
  const changed = new Map<string, Uint8Array | undefined>();
  const made = new Set<string>();

  async function read(path: string): Promise<Uint8Array> {
    if (!changed.has(path)) return real.read(path);
    return changed.get(path) ?? absent(path);
  }

  async function list(path: string): Promise<string[]> {
    const names = new Set(await (made.has(path) ? ifThere(real.list(path)) : real.list(path)));
    for (const [file, bytes] of changed)
      if (dirname(file) === path) names[bytes ? "add" : "delete"](basename(file));
    for (const folder of made) if (dirname(folder) === path) names.add(basename(folder));
    return [...names];
  }

  return {
    read,
    list,
    async makeFolder(path) {
      for (let each = path; each !== dirname(each); each = dirname(each)) made.add(each);
    },
    async create(path) {
      changed.set(path, new Uint8Array());
      return { ...NOTHING, write: async (bytes) => void changed.set(path, bytes) };
    },
    async openLog(path) {
      const there = await ifThere(read(path));
      const set = (bytes: Uint8Array) => void changed.set(path, bytes);
      const first = (length: number) => (changed.get(path) ?? absent(path)).subarray(0, length);
      set(there ?? new Uint8Array());
      return {
        ...NOTHING,
        write: async (bytes, at) => set(Buffer.concat([first(at), bytes])),
        truncate: async (length) => set(first(length)),
      };
    },
    async open(path) {
      if (made.has(path) || changed.get(path)) return NOTHING;
      if (changed.has(path)) return absent(path);
      await (await real.open(path)).close();
      return NOTHING;
    },
    async link(from, to) {
      changed.set(to, await read(from));
    },
    async rename(from, to) {
      changed.set(to, await read(from));
      changed.set(from, undefined);
    },
    async remove(path) {
      if (!(await list(dirname(path))).includes(basename(path))) absent(path);
      changed.set(path, undefined);
    },
  };
}

const NOTHING: DiskHandle = {
  write: async () => {},
  sync: async () => {},
  close: async () => {},
};

function absent(path: string): never {
  throw Object.assign(new Error(`ENOENT: ${path}`), { code: "ENOENT" });
}
