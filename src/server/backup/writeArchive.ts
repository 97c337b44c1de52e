/** Writes a site as one .tar.gz with checksums, even while it is running. */
import type { Readable } from "node:stream";
import { createGzip } from "node:zlib";
import { pack } from "tar-stream";
import { entities, type Item } from "../../schema/index.ts";
import { selectBinItems } from "../bin/binItem.ts";
import {
  parseArchivedDocument,
  type ArchivedDocument,
  newerDocument,
  parseArchivedRecords,
} from "../storage/archiveEntries.ts";
import type { Engine } from "../storage/engine.ts";
import type { PictureStorage } from "../storage/pictures/pictureStorage.ts";
import type { ReportLeftOut } from "../storage/store.ts";
import { readArchivedPictures, type Uploads } from "./archivedPictures.ts";
import {
  type ArchivedFile,
  type ArchiveManifest,
  createManifestEntry as asListed,
  MANIFEST_NAME,
} from "./unpackArchive.ts";

/** The parts to archive: an engine's data, and the pictures. */
export interface ArchivedSite {
  readonly data: Engine;
  readonly uploads: PictureStorage;
}

interface ArchiveOptions {
  readonly leftOut?: ReportLeftOut;
  /** Skips a picture that is permanently deleted meanwhile, instead of failing. */
  readonly passesOver?: boolean;
}

/**
 * Streams the archive of a snapshot of a site: all its data, then the pictures listed there and in the bin, even if
 * they changed since. Fails with `Moved` if one was deleted.
 */
export function createArchiveStream(
  site: ArchivedSite,
  now: Date = new Date(),
  options: ArchiveOptions = {},
): Readable {
  const tar = pack();
  // The reader gets the error from the returned stream. Without this listener it would end the process.
  tar.on("error", () => {});
  const gzip = tar.pipe(createGzip({ level: 1 }));
  writeEntries(tar, site, now, options).catch((error: Error) => {
    tar.destroy(error);
    gzip.destroy(error);
  });
  return gzip;
}

async function writeEntries(
  tar: Pack,
  { data, uploads }: ArchivedSite,
  now: Date,
  { leftOut = () => {}, passesOver = false }: ArchiveOptions,
): Promise<void> {
  const files: ArchivedFile[] = [];
  let listed: ArchivedDocument<Uploads> | undefined;
  const deleted: Item<"bin">[] = [];
  const archive = async (path: string, bytes: Uint8Array) => {
    await addEntry(tar, path, bytes, now);
    files.push(asListed(path, bytes));
  };
  for await (const file of data.readFiles((path, why) => leftOut(`data/${path}`, why))) {
    listed = newerDocument(listed, parseArchivedDocument(file, entities.uploads));
    deleted.push(...(parseArchivedRecords(file, entities.bin) ?? []));
    await archive(`data/${file.path}`, file.bytes);
  }
  const pictures = readArchivedPictures(uploads, {
    listed: listed?.value ?? [],
    deleted: deletedPictures(deleted),
    readReferencedUploads: async () => [
      ...((await data.readDocument(entities.uploads)) ?? []),
      ...deletedPictures(await data.readRecords(entities.bin)),
    ],
    reportLeftOut: (path, why) => leftOut(`uploads/${path}`, why),
    passesOver,
  });
  for await (const { path, bytes } of pictures) await archive(`uploads/${path}`, bytes);
  const manifest: ArchiveManifest = { format: 1, createdAt: now.toISOString(), files };
  await addEntry(tar, MANIFEST_NAME, Buffer.from(JSON.stringify(manifest)), now);
  tar.finalize();
}

const deletedPictures = (deleted: readonly Item<"bin">[]) =>
  selectBinItems(deleted, entities.uploads).map(({ item }) => item);

type Pack = ReturnType<typeof pack>;

function addEntry(tar: Pack, name: string, bytes: Uint8Array, mtime: Date): Promise<void> {
  return new Promise((resolve, reject) => {
    const header = { name, size: bytes.length, mode: 0o600, mtime };
    const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    const entry = tar.entry(header, body, (error) => (error ? reject(error) : resolve()));
    // As above, if the reader disconnects in the middle of a file.
    entry.on("error", reject);
  });
}
