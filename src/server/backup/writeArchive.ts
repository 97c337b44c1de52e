/** Writes a site's folders as one checked .tar.gz, also while the site is running. */
import { readdir, readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import type { Readable } from "node:stream";
import { createGzip } from "node:zlib";
import { pack } from "tar-stream";
import { RESTORING } from "../storage/installation.ts";
import {
  type ArchivedFile,
  type ArchiveManifest,
  isArchivable,
  LARGEST_FILE,
  MANIFEST_NAME,
  SECRET,
  sha256,
  type SiteFolders,
} from "./archive.ts";

/**
 * Streams the archive of a site. Each file is read whole, and files are only ever replaced by renaming,
 * so each is consistent in itself; data goes first, so that every picture it names follows.
 */
export function archiveStream(folders: SiteFolders, now: Date = new Date()): Readable {
  const tar = pack();
  // Whoever reads hears of it from the stream given; unheard, it would end the whole program.
  tar.on("error", () => {});
  const gzip = tar.pipe(createGzip({ level: 1 }));
  fill(tar, folders, now).catch((error: Error) => {
    tar.destroy(error);
    gzip.destroy(error);
  });
  return gzip;
}

async function fill(tar: ReturnType<typeof pack>, folders: SiteFolders, now: Date): Promise<void> {
  const files: ArchivedFile[] = [];
  for (const name of ["data", "uploads"] as const) {
    for await (const path of filesIn(folders[name])) {
      const entry = `${name}/${relative(folders[name], path)}`;
      const goes = isArchivable(entry) && entry !== SECRET;
      const bytes = goes && (await readIfThere(path));
      if (!bytes) continue;
      await add(tar, entry, bytes, now);
      files.push({ path: entry, size: bytes.length, sha256: sha256(bytes) });
    }
  }
  const manifest: ArchiveManifest = { format: 1, createdAt: now.toISOString(), files };
  await add(tar, MANIFEST_NAME, Buffer.from(JSON.stringify(manifest)), now);
  tar.finalize();
}

/** What says which other files of its folder have to be there. */
const LIST = "segments.json";

/**
 * The files of a folder, the hidden (locks, parts of writes) left out, in a stable order; those of a
 * folder inside come before it. A list goes ahead of what it names and of the look into the folder:
 * it names a file only once that is there, so that what it names is always found.
 */
async function* filesIn(folder: string): AsyncGenerator<string> {
  const first = await readdir(folder);
  if (first.includes(LIST)) yield join(folder, LIST);
  const entries = await readdir(folder, { withFileTypes: true });
  const kept = entries.filter(({ name }) => !isPassing(name) && name !== LIST);
  kept.sort((one, other) => (one.name < other.name ? -1 : 1));
  for (const entry of kept) if (entry.isDirectory()) yield* filesIn(join(folder, entry.name));
  for (const entry of kept) if (entry.isFile()) yield join(folder, entry.name);
}

const NOTES = new Set(["installation.started", RESTORING]);
const isPassing = (name: string) =>
  name.startsWith(".") || name.endsWith(".tmp") || NOTES.has(name);

/** Undefined for what is gone, and for what a restore would not take: no file of ours is so large. */
async function readIfThere(path: string): Promise<Buffer | undefined> {
  if (Bun.file(path).size > LARGEST_FILE) return undefined;
  return readFile(path).catch((error: NodeJS.ErrnoException) => {
    // A segment or an old revision may go between the listing and the reading.
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
}

function add(
  tar: ReturnType<typeof pack>,
  name: string,
  bytes: Buffer,
  mtime: Date,
): Promise<void> {
  return new Promise((resolve, reject) => {
    tar.entry({ name, size: bytes.length, mode: 0o600, mtime }, bytes, (error) =>
      error ? reject(error) : resolve(),
    );
  });
}
