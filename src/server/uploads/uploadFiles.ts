/**
 * Stores and removes pictures' files. An original that isn't in the list is hidden: its name ends with
 * `UNLISTED_EXTENSION`.
 */
import { randomBytes } from "node:crypto";
import { type Content, entities, type Item } from "../../schema/index.ts";
import { selectBinItems } from "../bin/binItem.ts";
import { FsyncError, isTemporary } from "../storage/disk/disk.ts";
import {
  findOriginalName,
  isOriginalName,
  isVariantName,
  getPictureStem,
  UNLISTED_EXTENSION,
  createVariantName,
} from "../storage/pictures/pictureNames.ts";
import type { LocalFile, PictureStorage } from "../storage/pictures/pictureStorage.ts";
import type { AcceptedImage, ImageVariant } from "./acceptImage.ts";
import type { Store } from "../storage/store.ts";
import { HOUR } from "../shared/time.ts";

/** A file that may be served to visitors. */
export type ServableFile = LocalFile & { contentType: string };

export type UploadFiles = Awaited<ReturnType<typeof openUploadFiles>>;

/** The file names of originals, in the list and in the bin. */
interface StoredOriginals {
  readonly listed: ReadonlySet<string>;
  readonly binned?: ReadonlySet<string>;
  /** True if other instances use the storage. Their uploads in progress aren't in the list yet, and must stay. */
  readonly isShared?: boolean;
}

function endProcess(): never {
  console.error("uploads: fsync failed, so the state of the disk is unknown; exiting");
  process.exit(1);
}

/**
 * Opens the storage, and completes or removes interrupted uploads. Throws what the storage throws. `onFatal` is called
 * after a failed fsync, since the state of the disk is then unknown. By default, `onFatal` ends the process.
 */
export async function openUploadFiles(
  storage: PictureStorage,
  originals: StoredOriginals,
  { onFatal = endProcess }: { readonly onFatal?: (error: Error) => void } = {},
) {
  await storage.prepare();
  await completeInterruptedUploads(storage, originals);
  const handleFsyncFailure = <T>(work: Promise<T>) =>
    work.catch((error: unknown) => {
      if (error instanceof FsyncError) onFatal(error);
      throw error;
    });
  return {
    /** Stores a picture's files under a new name, with a hidden original. Returns the name of the original. */
    storeUpload: (image: AcceptedImage, variants: ImageVariant[]) =>
      handleFsyncFailure(storeFiles(storage, image, variants)),
    /** Removes `UNLISTED_EXTENSION` from the name of a hidden original. Does nothing if the file is missing. */
    makeServable: (filename: string) =>
      handleFsyncFailure(storage.rename(filename + UNLISTED_EXTENSION, filename)),
    /** Hides an original by appending `UNLISTED_EXTENSION` to its name. Does nothing if the file is missing. */
    hide: (filename: string) =>
      handleFsyncFailure(storage.rename(filename, filename + UNLISTED_EXTENSION)),
    /** Removes an original, hidden or not, and its variants. Returns false if the original doesn't exist. */
    removeUpload: (filename: string) => handleFsyncFailure(removeFiles(storage, filename)),
    /** Stores a file from an archive; an original is hidden. Throws an Error if `name` isn't a picture's name. */
    importFile: (name: string, bytes: Uint8Array) =>
      handleFsyncFailure(importFile(storage, name, bytes)),
    addVariant: (name: string, bytes: Uint8Array) => handleFsyncFailure(storage.put(name, bytes)),
    checkHealth: () => storage.checkHealth(),
    /** Finds an original that isn't hidden, or a variant. Undefined for other names, and if the file doesn't exist. */
    findPublicFile: (name: string) => findFile(storage, name),
    /** Finds an original, hidden or not. */
    findOriginal: async (filename: string) =>
      (await findFile(storage, filename, filename + UNLISTED_EXTENSION)) ??
      findFile(storage, filename),
    /** Removes the files of unlisted pictures from this machine's cache. */
    limitCacheTo(listed: ReadonlySet<string>) {
      const stems = new Set([...listed].map(getPictureStem));
      storage.pruneCache((name) => stems.has(getPictureStem(name)));
    },
  };
}

async function importFile(storage: PictureStorage, name: string, bytes: Uint8Array) {
  if (!isOriginalName(name) && !isVariantName(name))
    throw new Error(`${name} isn't the name of a picture`);
  await storage.put(isOriginalName(name) ? name + UNLISTED_EXTENSION : name, bytes);
}

async function completeInterruptedUploads(storage: PictureStorage, originals: StoredOriginals) {
  const names = await storage.listNames();
  for (const name of names) {
    const original = findOriginalName(name);
    if (original && originals.listed.has(original)) await storage.rename(name, original);
  }
  if (!originals.isShared) await storage.remove(findLeftovers(names, originals));
}

/**
 * Removes leftovers of failed uploads that are older than an hour. Newer ones may be uploads in progress. Call this
 * within `runWithSweepPaused`, so that no picture moves between the list and the bin meanwhile.
 */
export async function removeLeftovers(
  storage: PictureStorage,
  readOriginals: () => Promise<StoredOriginals>,
  now = Date.now(),
): Promise<void> {
  const files = await storage.listFiles();
  const names = files.map(({ name }) => name);
  const leftovers = findLeftovers(names, await readOriginals());
  const recentNames = new Set(
    files.flatMap((file) => (file.changedAt >= now - HOUR ? file.name : [])),
  );
  await storage.remove(leftovers.filter((name) => !recentNames.has(name)));
}

/**
 * Finds temporary files, variants without an original, and hidden originals that are neither in the list nor in the
 * bin. Such an original may have both names, since a bucket renames by copying. The hidden name is last in the result:
 * if the process is killed while it removes the files, the next call still finds the rest.
 */
function findLeftovers(names: readonly string[], { listed, binned = new Set() }: StoredOriginals) {
  const neededOriginals = listed.union(binned);
  const hiddenOriginals = new Set(names.flatMap((name) => findOriginalName(name) ?? []));
  const unlistedOriginals = hiddenOriginals.difference(neededOriginals);
  const remainingOriginals = new Set(names.filter(isOriginalName)).difference(unlistedOriginals);
  const stems = new Set([...remainingOriginals, ...neededOriginals].map(getPictureStem));
  const isLeftover = (name: string) =>
    isTemporary(name) ||
    unlistedOriginals.has(findOriginalName(name) ?? name) ||
    (isVariantName(name) && !stems.has(getPictureStem(name)));
  return names.filter(isLeftover).toSorted();
}

/** Reads the file names of the originals in the list and in the bin. Their files must not be removed. */
export async function readListedOriginals(store: Store): Promise<StoredOriginals> {
  const { uploads, bin } = entities;
  const rows = await Array.fromAsync(store.of(bin).scan({ where: { entity: uploads.key } }));
  return {
    listed: collectFileNames(store.of(uploads).read().value),
    // Includes items that only a newer release can read, since their files must not be removed either.
    binned: collectFileNames(selectBinItems(rows, uploads).map(({ item }) => item)),
  };
}

const collectFileNames = (pictures: readonly object[]) =>
  new Set(pictures.map((picture) => (picture as Item<"uploads">).filename));

async function storeFiles(storage: PictureStorage, image: AcceptedImage, variants: ImageVariant[]) {
  const filename = `${randomBytes(16).toString("hex")}.${image.extension}`;
  const files = variants.map(({ width, bytes }) => ({
    path: createVariantName(filename, width),
    bytes,
  }));
  try {
    // The original is stored last. If the process is killed before that, the variants are removed as leftovers.
    await storage.add(files);
    await storage.put(filename + UNLISTED_EXTENSION, image.bytes);
  } catch (error) {
    const storedNames = [filename + UNLISTED_EXTENSION, ...files.map(({ path }) => path)];
    await storage.remove(storedNames).catch(() => {});
    throw error;
  }
  return filename;
}

async function removeFiles(storage: PictureStorage, filename: string): Promise<boolean> {
  if (!isOriginalName(filename)) return false;
  const stem = getPictureStem(filename);
  const siblings = (await storage.listNames()).filter((name) => getPictureStem(name) === stem);
  const originals = [filename, filename + UNLISTED_EXTENSION];
  if (!originals.some((name) => siblings.includes(name))) return false;
  // The original is removed first. If the process is killed after that, the variants are removed as leftovers.
  await storage.remove([...originals, ...siblings.filter(isVariantName)]);
  return true;
}

/** `storedName` is the file's name in the storage. `name` determines the content type. */
async function findFile(storage: PictureStorage, name: string, storedName = name) {
  // Other names are refused, so that a request can't open other files.
  if (!isOriginalName(name) && !isVariantName(name)) return undefined;
  const localFile = await storage.fetchLocalFile(storedName);
  return localFile && { ...localFile, contentType: Bun.file(name).type };
}

/** Counts originals that are neither listed nor hidden. They aren't removed: the list may be an older copy. */
export async function countUnlistedPictures(storage: PictureStorage, listed: Content<"uploads">) {
  const names = new Set(listed.map((upload) => upload.filename));
  const originals = (await storage.listNames()).filter(isOriginalName);
  return originals.filter((name) => !names.has(name)).length;
}
