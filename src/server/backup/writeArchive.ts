/** Writes a site as one checked .tar.gz, also while it is running. */
import type { Readable } from "node:stream";
import { createGzip } from "node:zlib";
import { pack } from "tar-stream";
import { filesIn } from "../storage/folderContents.ts";
import type { LeftOut, Store } from "../storage/store.ts";
import { type ArchivedFile, type ArchiveManifest, MANIFEST_NAME, sha256 } from "./archive.ts";

/** What is archived: what is stored, of a store or an engine, and the folder of the pictures. */
export interface Archived {
  readonly data: Pick<Store, "files">;
  readonly uploads: string;
}

/**
 * Streams the archive of a site. Files are only ever replaced as a whole, so each is consistent in
 * itself; data goes first, so that every picture it names follows.
 */
export function archiveStream(site: Archived, now: Date = new Date(), leftOut?: LeftOut): Readable {
  const tar = pack();
  // The reader gets the error from the returned stream. Without this listener it would end the program.
  tar.on("error", () => {});
  const gzip = tar.pipe(createGzip({ level: 1 }));
  fill(tar, site, now, leftOut).catch((error: Error) => {
    tar.destroy(error);
    gzip.destroy(error);
  });
  return gzip;
}

async function fill(
  tar: Pack,
  { data, uploads }: Archived,
  now: Date,
  leftOut: LeftOut = () => {},
): Promise<void> {
  const files: ArchivedFile[] = [];
  for (const [name, stored] of [
    ["data", data.files((path, why) => leftOut(`data/${path}`, why))],
    ["uploads", filesIn(uploads, { leftOut: (path, why) => leftOut(`uploads/${path}`, why) })],
  ] as const) {
    for await (const { path, bytes } of stored) {
      const entry = `${name}/${path}`;
      await add(tar, entry, bytes, now);
      files.push({ path: entry, size: bytes.length, sha256: sha256(bytes) });
    }
  }
  const manifest: ArchiveManifest = { format: 1, createdAt: now.toISOString(), files };
  await add(tar, MANIFEST_NAME, Buffer.from(JSON.stringify(manifest)), now);
  tar.finalize();
}

type Pack = ReturnType<typeof pack>;

function add(tar: Pack, name: string, bytes: Uint8Array, mtime: Date): Promise<void> {
  return new Promise((resolve, reject) => {
    const header = { name, size: bytes.length, mode: 0o600, mtime };
    const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    const entry = tar.entry(header, body, (error) => (error ? reject(error) : resolve()));
    // As above, when the reader goes away in the middle of a file.
    entry.on("error", reject);
  });
}
