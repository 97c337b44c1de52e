/** The files of pictures and their variants: stored durably, hidden while unlisted, and removed. */
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
  readonly deleted?: ReadonlySet<string>;
  /** True if other processes use the storage: an unlisted file may be their unfinished upload, so it isn't removed. */
  readonly isShared?: boolean;
}

function endProcess(): never {
  console.error("uploads: fsync failed, so the state of the disk is unknown; exiting");
  process.exit(1);
}

/**
 * Opens the storage, whose folder is created if it is missing, and cleans up after an interruption: a listed original
 * that is hidden gets its proper name, and leftovers are removed. Errors of the storage are passed on. After a failed
 * fsync the state of the disk is unknown: `onFatal` is called, which ends the process by default.
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
    /** Stores a hidden picture under a new name. Returns the name. */
    storeUpload: (image: AcceptedImage, variants: ImageVariant[]) =>
      handleFsyncFailure(storeFiles(storage, image, variants)),
    /** Gives a hidden original its proper name. Does nothing if the file is missing. */
    makeServable: (filename: string) =>
      handleFsyncFailure(storage.rename(filename + UNLISTED_EXTENSION, filename)),
    /** Renames an original, which marks it as unlisted. Does nothing if the file is missing. */
    hide: (filename: string) =>
      handleFsyncFailure(storage.rename(filename, filename + UNLISTED_EXTENSION)),
    /** Removes an original, hidden or not, and its variants. Returns false if the original doesn't exist. */
    removeUpload: (filename: string) => handleFsyncFailure(removeFiles(storage, filename)),
    /** Stores a picture's file from an archive; an original is hidden. Throws for a name that isn't a picture's. */
    importFile: (name: string, bytes: Uint8Array) =>
      handleFsyncFailure(importFile(storage, name, bytes)),
    /** Stores another variant of an original. */
    addVariant: (name: string, bytes: Uint8Array) => handleFsyncFailure(storage.put(name, bytes)),
    /** Tests whether pictures can be stored. Throws `cannot_store`. */
    checkHealth: () => storage.checkHealth(),
    /** Finds a file. Undefined if the server doesn't generate such names, or if no regular file has the name. */
    findServable: (name: string) => findFile(storage, name),
    /** Finds an original, hidden or not. */
    findOriginal: async (filename: string) =>
      (await findFile(storage, filename, filename + UNLISTED_EXTENSION)) ??
      findFile(storage, filename),
    /** Lets the storage remove cached copies of originals that aren't listed. */
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
 * Removes leftovers of failed uploads of all instances that are older than an hour; newer files may belong to uploads
 * in progress. `readOriginals` is called after the files were listed. Call this within `runWithSweepPaused`, so no
 * picture moves between list and bin meanwhile.
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
 * Finds temporary files; originals that are neither listed nor in the bin, if a hidden file marks them (they may have
 * their proper name too, since a bucket renames by copying); and variants without an original. A hidden original comes
 * after its other files, so it still marks them after a kill.
 */
function findLeftovers(names: readonly string[], { listed, deleted = new Set() }: StoredOriginals) {
  const neededOriginals = listed.union(deleted);
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

/** Reads the names of the originals in the list and in the bin, whose files must exist. */
export async function readListedOriginals(store: Store): Promise<StoredOriginals> {
  const { uploads, bin } = entities;
  const rows = await Array.fromAsync(store.of(bin).scan({ where: { entity: uploads.key } }));
  return {
    listed: collectFileNames(store.of(uploads).read().value),
    // Includes items that only a newer release can read, whose files must not be removed.
    deleted: collectFileNames(selectBinItems(rows, uploads).map(({ item }) => item)),
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
    // The original comes last: if it exists, so do its variants. Variants without it are removed as leftovers.
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
  // The original comes first: after an interruption, variants without it are removed as leftovers.
  await storage.remove([...originals, ...siblings.filter(isVariantName)]);
  return true;
}

/** `name` determines the content type; `storedName` is the file's name in the storage. */
async function findFile(storage: PictureStorage, name: string, storedName = name) {
  // Only files with names that the server generates are opened.
  if (!isOriginalName(name) && !isVariantName(name)) return undefined;
  const localFile = await storage.fetchLocalFile(storedName);
  return localFile && { ...localFile, contentType: Bun.file(name).type };
}

/**
 * Counts unlisted originals that aren't hidden. They aren't removed, since the list may be an older copy that was
 * copied back manually.
 */
export async function countUnlistedPictures(storage: PictureStorage, listed: Content<"uploads">) {
  const names = new Set(listed.map((upload) => upload.filename));
  const originals = (await storage.listNames()).filter(isOriginalName);
  return originals.filter((name) => !names.has(name)).length;
}
