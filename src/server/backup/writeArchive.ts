/** Writes a running or stopped site as one .tar.gz with checksums. */
import type { Readable } from "node:stream";
import { createGzip } from "node:zlib";
import { pack } from "tar-stream";
import { type Content, entities, type Item } from "../../schema/index.ts";
import { selectBinItems } from "../bin/binItem.ts";
import {
  parseArchivedDocument,
  type ArchivedDocument,
  chooseNewerDocument,
  parseArchivedRecords,
} from "../storage/archiveEntries.ts";
import type { Engine } from "../storage/engine.ts";
import {
  findOriginalName,
  isOriginalName,
  isVariantName,
  listOriginalNames,
  getPictureStem,
  UNLISTED_EXTENSION,
  createVariantName,
} from "../storage/pictures/pictureNames.ts";
import type { PictureStorage } from "../storage/pictures/pictureStorage.ts";
import type { ReportExcluded, StoredFile } from "../storage/store.ts";
import {
  type ManifestEntry,
  type ArchiveManifest,
  createManifestEntry,
  MANIFEST_NAME,
} from "./unpackArchive.ts";

type Uploads = Content<"uploads">;

/** A site's stored data and pictures. */
export interface SiteStorage {
  readonly data: Engine;
  readonly uploads: PictureStorage;
}

interface ArchiveOptions {
  readonly reportExcluded?: ReportExcluded;
  /** True to skip pictures that are permanently deleted meanwhile. Default: fails with `SourceChangedError`. */
  readonly shouldSkipDeletedPictures?: boolean;
}

/** Thrown if a picture was permanently deleted while the archive was written. */
export class SourceChangedError extends Error {}

/** Returns an archive as a stream: a snapshot of the data, then the pictures, including those in the bin. */
export function createArchiveStream(
  site: SiteStorage,
  now: Date = new Date(),
  options: ArchiveOptions = {},
): Readable {
  const tar = pack();
  // Without this listener, an error would end the process. The reader gets the error from the returned stream.
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
  { data, uploads }: SiteStorage,
  now: Date,
  { reportExcluded = () => {}, shouldSkipDeletedPictures = false }: ArchiveOptions,
): Promise<void> {
  const files: ManifestEntry[] = [];
  let uploadsDocument: ArchivedDocument<Uploads> | undefined;
  const binItems: Item<"bin">[] = [];
  const archiveFile = async (path: string, bytes: Uint8Array) => {
    await addEntry(tar, path, bytes, now);
    files.push(createManifestEntry(path, bytes));
  };
  for await (const file of data.readFiles((path, reason) =>
    reportExcluded(`data/${path}`, reason),
  )) {
    uploadsDocument = chooseNewerDocument(
      uploadsDocument,
      parseArchivedDocument(file, entities.uploads),
    );
    binItems.push(...(parseArchivedRecords(file, entities.bin) ?? []));
    await archiveFile(`data/${file.path}`, file.bytes);
  }
  const pictures = readArchivedPictures(uploads, {
    listed: uploadsDocument?.value ?? [],
    deleted: selectDeletedPictures(binItems),
    readReferencedUploads: async () => [
      ...((await data.readDocument(entities.uploads)) ?? []),
      ...selectDeletedPictures(await data.readRecords(entities.bin)),
    ],
    reportExcluded: (path, reason) => reportExcluded(`uploads/${path}`, reason),
    shouldSkipDeletedPictures,
  });
  for await (const { path, bytes } of pictures) await archiveFile(`uploads/${path}`, bytes);
  const manifest: ArchiveManifest = { format: 1, createdAt: now.toISOString(), files };
  await addEntry(tar, MANIFEST_NAME, Buffer.from(JSON.stringify(manifest)), now);
  tar.finalize();
}

const selectDeletedPictures = (binItems: readonly Item<"bin">[]) =>
  selectBinItems(binItems, entities.uploads).map(({ item }) => item);

type Pack = ReturnType<typeof pack>;

function addEntry(tar: Pack, name: string, bytes: Uint8Array, mtime: Date): Promise<void> {
  return new Promise((resolve, reject) => {
    const header = { name, size: bytes.length, mode: 0o600, mtime };
    const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    const entry = tar.entry(header, body, (error) => (error ? reject(error) : resolve()));
    // Without this listener, a reader who disconnects in the middle of a file would end the process.
    entry.on("error", reject);
  });
}

interface PicturesOptions {
  readonly listed: Uploads;
  /** The pictures in the bin. */
  readonly deleted: Uploads;
  /** Reads which pictures are currently in the list or the bin. */
  readonly readReferencedUploads: () => Promise<Uploads>;
  readonly reportExcluded: ReportExcluded;
  /** A download skips and reports permanently deleted pictures, because it can't start again. */
  readonly shouldSkipDeletedPictures: boolean;
}

/**
 * Yields the files of listed pictures with their normal names (even if a picture was moved to the bin meanwhile), then
 * those of pictures in the bin with their hidden names, then other files. Leaves out files that belong to no picture
 * and that a start would remove. Skips lost files. Throws `SourceChangedError` if a picture was permanently deleted
 * meanwhile.
 */
async function* readArchivedPictures(
  storage: PictureStorage,
  {
    listed,
    deleted,
    readReferencedUploads,
    reportExcluded,
    shouldSkipDeletedPictures,
  }: PicturesOptions,
): AsyncGenerator<StoredFile> {
  const listedIds = new Set(listed.map(({ id }) => id));
  const binned = deleted.filter(({ id }) => !listedIds.has(id));
  for (const upload of [...listed, ...binned]) {
    const { id, filename, widths } = upload;
    const originalPath = listedIds.has(id) ? filename : filename + UNLISTED_EXTENSION;
    const variants = widths.map((width) => createVariantName(filename, width));
    const filesToRead = [{ path: originalPath, names: listOriginalNames(filename) }].concat(
      variants.map((variant) => ({ path: variant, names: [variant] })),
    );
    for (const { path, names } of filesToRead) {
      const bytes = await readFirstAvailable(storage, names);
      if (bytes) yield { path, bytes };
      else if (shouldSkipDeletedPictures)
        reportExcluded(path, "it was permanently deleted while the archive was being made");
      else if (!(await readReferencedUploads()).some((each) => each.id === id))
        throw new SourceChangedError();
    }
  }
  const storedOriginals = (await storage.listNames()).filter(isOriginalName);
  const referencedUploads = [...listed, ...binned, ...(await readReferencedUploads())];
  const referencedStems = new Set(
    referencedUploads.map(({ filename }) => getPictureStem(filename)),
  );
  const foreignStems = new Set(
    storedOriginals.map(getPictureStem).filter((stem) => !referencedStems.has(stem)),
  );
  const isExcluded = (path: string) =>
    findOriginalName(path) !== undefined ||
    ((isOriginalName(path) || isVariantName(path)) && !foreignStems.has(getPictureStem(path)));
  yield* storage.readArchivableFiles(isExcluded, reportExcluded);
}

/** The number of times that both names of a file are tried, since it may be renamed between two reads. */
const MAX_READ_ATTEMPTS = 3;

async function readFirstAvailable({ read }: PictureStorage, names: readonly string[]) {
  for (let attempt = 0; attempt < MAX_READ_ATTEMPTS; attempt++)
    for (const name of names) {
      const bytes = await read(name);
      if (bytes) return bytes;
    }
  return undefined;
}
