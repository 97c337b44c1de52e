/** Stores accepted pictures and their variants, durably and privately. */
import { randomBytes } from "node:crypto";
import { type Content, entities, type Item } from "../../schema/index.ts";
import { selectBinItems } from "../bin/binItem.ts";
import { FsyncError, isTemporary } from "../storage/disk/disk.ts";
import {
  findOriginalName,
  isOriginalName,
  isVariantName,
  pictureStem,
  UNLISTED_EXTENSION,
  variantName,
} from "../storage/pictures/pictureNames.ts";
import type { LocalFile, PictureStorage } from "../storage/pictures/pictureStorage.ts";
import type { AcceptedImage, ImageExtension, ImageVariant } from "./acceptImage.ts";
import type { Store } from "../storage/store.ts";
import { HOUR } from "../shared/time.ts";

/** A file that may be served to visitors. */
export type ServableFile = LocalFile & { contentType: string };

/** The pictures' files. Storage errors are passed on unchanged; existing files aren't replaced. */
export type UploadFiles = Awaited<ReturnType<typeof openUploadFiles>>;

/** The names of the originals in the list, and of those in the bin. */
interface StoredOriginals {
  readonly listed: ReadonlySet<string>;
  readonly binned?: ReadonlySet<string>;
  /** Other processes may be storing pictures: `removeLeftovers` runs later then. */
  readonly isShared?: boolean;
}

interface UploadFilesOptions {
  /** Called after a failed fsync, when the disk's state is unknown. Default: exits with 1. */
  readonly onFatal?: (error: Error) => void;
}

function endProcess(): never {
  console.error("uploads: fsync failed, so the state of the disk is unknown; exiting");
  process.exit(1);
}

/**
 * Opens the storage, creating a missing folder (0700), and cleans up after interruptions: a hidden original that is
 * listed is shown, one in the bin stays hidden, and leftovers are removed.
 */
export async function openUploadFiles(
  storage: PictureStorage,
  originals: StoredOriginals,
  { onFatal = endProcess }: UploadFilesOptions = {},
) {
  await storage.prepare();
  await completeInterrupted(storage, originals);
  const lasting = <T>(work: Promise<T>) =>
    work.catch((error: unknown) => {
      if (error instanceof FsyncError) onFatal(error);
      throw error;
    });
  return {
    /** Stores a picture, hidden, under a new name, which it returns; durable once it resolves. */
    storeUpload: (image: AcceptedImage, variants: ImageVariant[]) =>
      lasting(storeFiles(storage, image, variants)),
    /** Gives a listed original its proper name. */
    makeServable: (filename: string) =>
      lasting(storage.rename(filename + UNLISTED_EXTENSION, filename)),
    /**
     * Renames an original before it leaves the list, so that its name marks it as unlisted. Neither does anything
     * when the original is missing.
     */
    hide: (filename: string) => lasting(storage.rename(filename, filename + UNLISTED_EXTENSION)),
    /** Removes an original, hidden or not, and its variants; false if there is no such original. */
    removeUpload: (filename: string) => lasting(removeFiles(storage, filename)),
    /** Stores a file from an archive; an original is hidden until it is listed. Throws for other names. */
    importFile: (name: string, bytes: Uint8Array) => lasting(importFile(storage, name, bytes)),
    /** Stores a copy of an original made later. */
    addVariant: (name: string, bytes: Uint8Array) => lasting(storage.put(name, bytes)),
    /** Tests whether pictures can be stored. Throws `cannot_store`. */
    health: () => storage.health(),
    /** The file with this name, if the server generated the name and it is a regular file. */
    findServable: (name: string) => findFile(storage, name),
    /** An original, hidden or not. */
    findOriginal: async (filename: string) =>
      (await findFile(storage, filename, filename + UNLISTED_EXTENSION)) ??
      findFile(storage, filename),
    /** The listed originals: cached copies of others can go. */
    retainOnly(listed: ReadonlySet<string>) {
      const stems = new Set([...listed].map(pictureStem));
      storage.limitCacheTo((name) => stems.has(pictureStem(name)));
    },
  };
}

async function importFile(storage: PictureStorage, name: string, bytes: Uint8Array): Promise<void> {
  if (!isOriginalName(name) && !isVariantName(name))
    throw new Error(`${name} isn't the name of a picture`);
  await storage.put(isOriginalName(name) ? name + UNLISTED_EXTENSION : name, bytes);
}

async function completeInterrupted(
  storage: PictureStorage,
  originals: StoredOriginals,
): Promise<void> {
  const names = await storage.listNames();
  for (const name of names) {
    const original = findOriginalName(name);
    if (original && originals.listed.has(original)) await storage.rename(name, original);
  }
  if (!originals.isShared) await storage.remove(findLeftovers(names, originals));
}

/**
 * Removes leftovers of failed and killed uploads, by any instance. An upload under way is younger than an hour.
 * `originals` is called once the files were listed; no picture may move between list and bin meanwhile
 * (`whileSweepPaused`).
 */
export async function removeLeftovers(
  storage: PictureStorage,
  originals: () => Promise<StoredOriginals>,
  now = Date.now(),
): Promise<void> {
  const files = await storage.listFiles();
  const leftovers = findLeftovers(
    files.map(({ name }) => name),
    await originals(),
  );
  const young = new Set(files.flatMap((file) => (file.changedAt >= now - HOUR ? file.name : [])));
  await storage.remove(leftovers.filter((name) => !young.has(name)));
}

/**
 * Unfinished files, hidden originals that are neither listed nor in the bin, also under their proper name (a bucket
 * copies to rename), and variants without an original. A hidden original comes last, to mark the rest after a kill.
 */
function findLeftovers(
  names: readonly string[],
  { listed, binned = new Set() }: StoredOriginals,
): string[] {
  const wanted = listed.union(binned);
  const unlisted = new Set(names.flatMap((name) => findOriginalName(name) ?? [])).difference(
    wanted,
  );
  const originals = new Set(names.filter(isOriginalName)).difference(unlisted);
  const stems = new Set([...originals, ...wanted].map(pictureStem));
  const isLeftover = (name: string) =>
    isTemporary(name) ||
    unlisted.has(findOriginalName(name) ?? name) ||
    (isVariantName(name) && !stems.has(pictureStem(name)));
  return names.filter(isLeftover).toSorted();
}

/** The originals that must exist. */
export async function readListedOriginals(store: Store): Promise<StoredOriginals> {
  const { uploads, bin } = entities;
  const rows = await Array.fromAsync(store.of(bin).scan({ where: { entity: uploads.key } }));
  return {
    listed: pictureNames(store.of(uploads).read().value),
    // The files of those that this release can't read aren't removed either.
    binned: pictureNames(selectBinItems(rows, uploads).map(({ item }) => item)),
  };
}

const pictureNames = (pictures: readonly object[]) =>
  new Set(pictures.map((picture) => (picture as Item<"uploads">).filename));

async function storeFiles(
  storage: PictureStorage,
  image: AcceptedImage,
  variants: ImageVariant[],
): Promise<string> {
  const filename = createUploadName(image.extension);
  const files = variants.map(({ width, bytes }) => ({ path: variantName(filename, width), bytes }));
  try {
    // The original comes last: if it exists, so do its variants. An interrupted store has no original, and is removed
    // at the next start.
    await storage.add(files);
    await storage.put(filename + UNLISTED_EXTENSION, image.bytes);
  } catch (error) {
    await storage
      .remove([filename + UNLISTED_EXTENSION, ...files.map(({ path }) => path)])
      .catch(() => {});
    throw error;
  }
  return filename;
}

async function removeFiles(storage: PictureStorage, filename: string): Promise<boolean> {
  if (!isOriginalName(filename)) return false;
  const siblings = (await storage.listNames()).filter(
    (name) => pictureStem(name) === pictureStem(filename),
  );
  if (![filename, filename + UNLISTED_EXTENSION].some((name) => siblings.includes(name)))
    return false;
  const variants = siblings.filter(isVariantName);
  // The original is removed first, so that the next start removes the rest after an interruption.
  await storage.remove([filename, filename + UNLISTED_EXTENSION, ...variants]);
  return true;
}

/** `name` determines the type, `file` the location. */
async function findFile(
  storage: PictureStorage,
  name: string,
  file = name,
): Promise<ServableFile | undefined> {
  const contentType = findContentType(name);
  const localFile = contentType && (await storage.fetchLocalFile(file));
  return localFile ? { ...localFile, contentType } : undefined;
}

/**
 * The number of unlisted originals. They aren't removed: the list may be older than their storage (restored by hand,
 * a copy of the data), and a deleted picture couldn't be listed again.
 */
export async function countForeignPictures(
  storage: PictureStorage,
  listed: Content<"uploads">,
): Promise<number> {
  const names = new Set(listed.map((upload) => upload.filename));
  const originals = (await storage.listNames()).filter(isOriginalName);
  return originals.filter((name) => !names.has(name)).length;
}

// Only names generated by the server are ever opened.
const CONTENT_TYPES: Record<ImageExtension, string> = {
  jpg: "image/jpeg",
  png: "image/png",
  webp: "image/webp",
  gif: "image/gif",
};

const SERVABLE_NAME_PATTERN = /^[0-9a-f]{32}(-\d{2,4})?\.(jpg|png|webp|gif)$/;

/** An unguessable name: 32 hexadecimal digits and the extension of the decoded type. */
function createUploadName(extension: ImageExtension): string {
  return `${randomBytes(16).toString("hex")}.${extension}`;
}

/** The content type of a servable name; undefined for any other name. */
function findContentType(name: string): string | undefined {
  const extension = SERVABLE_NAME_PATTERN.exec(name)?.[2];
  return extension && CONTENT_TYPES[extension as ImageExtension];
}
