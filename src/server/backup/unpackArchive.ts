/** Unpacks an archive into a folder and proves that it is whole. */
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { extract } from "tar-stream";
import { cannotOpen, isRefusal, Refusal } from "../shared/errors.ts";
import {
  type ArchivedFile,
  type ArchiveManifest,
  isArchivable,
  LARGEST_FILE,
  listed,
  MANIFEST_NAME,
  provenBy,
} from "../storage/archive/manifest.ts";
import { createFile } from "../storage/disk/disk.ts";
import { disk } from "../storage/disk/realDisk.ts";
import { readableArchive } from "./encryption.ts";

interface UnpackOptions {
  /** The secret parts of the keys that an encrypted archive is tried with. */
  readonly identities?: readonly string[] | undefined;
  /** False for what is looked at and thrown away: nothing of it needs to reach the disk. */
  readonly lasting?: boolean;
}

/** Unpacks into `folder`/data and `folder`/uploads; throws `cannot_open` unless every byte is right. */
export function unpackArchive(
  archive: string,
  folder: string,
  { identities, lasting = true }: UnpackOptions = {},
): Promise<ArchiveManifest> {
  const keep = async (name: string, bytes: Buffer) => {
    const path = join(folder, name);
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    if (lasting) await createFile(disk, path, bytes);
    else await writeFile(path, bytes, { mode: 0o600, flag: "wx" });
  };
  return readArchive(archive, keep, identities).catch(refuse);
}

function refuse(error: unknown): never {
  throw isRefusal(error, "cannot_open") ? error : unreadable(error);
}

type Take = (path: string, bytes: Buffer) => void | Promise<void>;

/**
 * Gives every file to `take`, one after the other: `data/…`, then `uploads/…`. Throws `cannot_open` unless
 * every byte is right, which is known at the end only, and what `take` throws.
 */
export async function readArchive(
  archive: string,
  take: Take,
  identities?: readonly string[],
): Promise<ArchiveManifest> {
  const bytes = await readableArchive(archive, identities).catch(refuse);
  const tar = extract();
  // Both to their end: a file that is still written would be left behind by whoever clears away.
  const [taken, read] = await Promise.allSettled([
    takeEntries(tar, take),
    pipeline(bytes, createGunzip(), tar),
  ]);
  const errors = [taken, read].flatMap((each) => (each.status === "rejected" ? each.reason : []));
  const refusal = errors.find((error) => error instanceof Refusal);
  if (refusal) throw refusal;
  if (taken.status === "rejected" || errors.length > 0) throw unreadable(errors[0]);
  const proven = provenBy(taken.value.manifest, taken.value.found);
  if (typeof proven === "string") throw broken(proven);
  return proven;
}

async function takeEntries(tar: ReturnType<typeof extract>, take: Take) {
  const found: ArchivedFile[] = [];
  let manifest: unknown;
  for await (const entry of tar) {
    const { name, type, size = 0 } = entry.header;
    if (manifest || type !== "file" || size > LARGEST_FILE) throw foreign();
    const bytes = Buffer.concat(await Array.fromAsync(entry as AsyncIterable<Buffer>));
    if (name === MANIFEST_NAME) {
      manifest = JSON.parse(bytes.toString());
      continue;
    }
    if (!isArchivable(name)) throw foreign();
    await take(name, bytes);
    found.push(listed(name, bytes));
  }
  return { manifest, found };
}

/** For a disk that has no room for what is restored. */
export const fullDisk = () => cannotOpen("The disk is full. Nothing was changed. Make room first.");

const broken = (why: string) =>
  cannotOpen(`This archive isn't complete: ${why}. Nothing was changed. Use another archive.`);
const foreign = () =>
  cannotOpen("This isn't an archive made by limelight backup. Nothing was changed.");

function unreadable(error: unknown): Refusal {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === "ENOENT") return cannotOpen("There is no such archive. Check the file's name.");
  if (code === "ENOSPC") return fullDisk();
  return broken("it ends too early or is damaged");
}
