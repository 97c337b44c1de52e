/** Unpacks an archive into a folder and proves that it is whole. */
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { extract } from "tar-stream";
import * as v from "valibot";
import { cannotOpen, isRefusal, Refusal } from "../shared/errors.ts";
import { createFile, disk } from "../storage/disk.ts";
import { LARGEST_FILE } from "../storage/folderContents.ts";
import { isMarked } from "../storage/installation.ts";
import {
  type ArchivedFile,
  type ArchiveManifest,
  isArchivable,
  MANIFEST_NAME,
  manifestSchema,
  sha256,
} from "./archive.ts";
import { readableArchive } from "./encryption.ts";

export interface UnpackOptions {
  /** The secret parts of the keys that an encrypted archive is tried with. */
  readonly identities?: readonly string[] | undefined;
  /** False for what is looked at and thrown away: nothing of it needs to reach the disk. */
  readonly lasting?: boolean;
}

/** Unpacks into `folder`/data and `folder`/uploads; throws `cannot_open` unless every byte is right. */
export async function unpackArchive(
  archive: string,
  folder: string,
  { identities, lasting = true }: UnpackOptions = {},
): Promise<ArchiveManifest> {
  const bytes = await readableArchive(archive, identities).catch(refuse);
  const tar = extract();
  const reading = pipeline(bytes, createGunzip(), tar);
  const unpacking = unpackEntries(tar, folder, lasting);
  const [unpacked] = await Promise.all([unpacking, reading]).catch(refuse);
  return proven(unpacked.manifest, unpacked.found);
}

function refuse(error: unknown): never {
  throw isRefusal(error, "cannot_open") ? error : unreadable(error);
}

async function unpackEntries(tar: ReturnType<typeof extract>, folder: string, lasting: boolean) {
  const found: ArchivedFile[] = [];
  let manifest: unknown;
  for await (const entry of tar) {
    const { name, type, size = 0 } = entry.header;
    if (manifest || type !== "file" || size > LARGEST_FILE) throw foreign();
    const bytes = Buffer.concat(await Array.fromAsync(entry as AsyncIterable<Buffer>));
    if (name === MANIFEST_NAME) manifest = JSON.parse(bytes.toString());
    else found.push(await keep(folder, name, bytes, lasting));
  }
  return { manifest, found };
}

async function keep(
  folder: string,
  name: string,
  bytes: Buffer,
  lasting: boolean,
): Promise<ArchivedFile> {
  if (!isArchivable(name)) throw foreign();
  const path = join(folder, name);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  if (lasting) await createFile(disk, path, bytes);
  else await writeFile(path, bytes, { mode: 0o600, flag: "wx" });
  return { path: name, size: bytes.length, sha256: sha256(bytes) };
}

function proven(manifest: unknown, found: ArchivedFile[]): ArchiveManifest {
  if (!v.is(manifestSchema, manifest)) throw broken("its list of files is missing");
  const listed = new Map(manifest.files.map((file) => [file.path, file]));
  for (const file of found) {
    const expected = listed.get(file.path);
    if (expected?.sha256 !== file.sha256) throw broken(`${file.path} is not as it was saved`);
    listed.delete(file.path);
  }
  if (listed.size > 0) throw broken(`${listed.size} of its files are missing`);
  const names = found.flatMap(({ path }) => /^data\/(.*)$/.exec(path)?.[1] ?? []);
  if (!isMarked(names)) throw broken("it holds no site");
  return manifest;
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
