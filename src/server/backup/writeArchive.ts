/** Writes a site's folders as one checked .tar.gz, also while the site is running. */
import { readdir, readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import type { Readable } from "node:stream";
import { createGzip } from "node:zlib";
import { pack } from "tar-stream";
import {
  type ArchivedFile,
  type ArchiveManifest,
  MANIFEST_NAME,
  sha256,
  type SiteFolders,
} from "./backupFolders.ts";

/**
 * Streams the archive of a site. Each file is read whole, and files are only ever replaced by renaming,
 * so each is consistent in itself; data goes first, so that every picture it names follows.
 */
export function archiveStream(folders: SiteFolders, now: Date = new Date()): Readable {
  const tar = pack();
  const gzip = tar.pipe(createGzip({ level: 1 }));
  fill(tar, folders, now).catch((error: Error) => {
    tar.destroy(error);
    gzip.destroy(error);
  });
  return gzip;
}

async function fill(tar: ReturnType<typeof pack>, folders: SiteFolders, now: Date): Promise<void> {
  const files: ArchivedFile[] = [];
  for (const [name, folder] of [
    ["data", folders.data],
    ["uploads", folders.uploads],
  ] as const) {
    for (const path of await filesIn(folder)) {
      const bytes = await readIfThere(path);
      if (!bytes) continue;
      const entry = `${name}/${relative(folder, path)}`;
      await add(tar, entry, bytes, now);
      files.push({ path: entry, size: bytes.length, sha256: sha256(bytes) });
    }
  }
  const manifest: ArchiveManifest = { format: 1, createdAt: now.toISOString(), files };
  await add(tar, MANIFEST_NAME, Buffer.from(JSON.stringify(manifest)), now);
  tar.finalize();
}

/** Regular files below a folder, the hidden (locks, parts of writes) left out, in a stable order. */
async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !relative(folder, path).split("/").some(isPassing));
  return paths.sort();
}

const isPassing = (name: string) =>
  name.startsWith(".") || name.endsWith(".tmp") || name === "installation.started";

async function readIfThere(path: string): Promise<Buffer | undefined> {
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
