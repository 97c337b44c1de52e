/** Keeps accepted pictures and their variants in the uploads folder, durably and privately. */
import { randomBytes } from "node:crypto";
import { chmod, lstat, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Content } from "../../schema/index.ts";
import {
  createFile,
  type Disk,
  disk as realDisk,
  ensureFolder,
  FailedSync,
  isTemporary,
  syncPath,
  writeDurably,
} from "../storage/disk.ts";
import {
  hiddenBy,
  isOriginalName,
  isVariantName,
  stemOf,
  UNLISTED,
  variantName,
} from "../storage/pictureNames.ts";
import { savingTrial } from "../storage/trySave.ts";
import type { AcceptedImage, ImageExtension, ImageVariant } from "./acceptImage.ts";

/** A stored picture: the original's file name, and its variants with sizes in pixels. */
type StoredUpload = { filename: string; variants: StoredVariant[] };

type StoredVariant = { filename: string; width: number; height: number };

/** A file that may be sent to a visitor; `size` in bytes. */
export type ServableFile = { path: string; contentType: string; size: number };

/** The uploads folder. Errors of the disk are thrown on as they are; what was there stays. */
export type UploadFiles = {
  /** Stores a picture, hidden, under a new name; when it resolves, everything is on the disk. */
  storeUpload(image: AcceptedImage, variants: ImageVariant[]): Promise<StoredUpload>;
  /** Stores a file of an archive, an original hidden, as long as it isn't listed. Throws for other names. */
  takeIn(name: string, bytes: Uint8Array): Promise<void>;
  /** Gives an original that is listed its own name. */
  show(filename: string): Promise<void>;
  /**
   * Renames an original, so that its name says that it isn't listed: before it leaves the list. Both do
   * nothing when the original isn't there.
   */
  hide(filename: string): Promise<void>;
  /** Removes an original, hidden or not, and its variants; false when the name is none of an original here. */
  removeUpload(filename: string): Promise<boolean>;
  /** Tries what storing a picture needs. Throws `cannot_store`. */
  health(): Promise<void>;
  /** The file of this name, if the server gave the name and it is a regular file. */
  findServable(name: string): Promise<ServableFile | undefined>;
  /** An original, hidden or not. */
  findHidden(filename: string): Promise<ServableFile | undefined>;
};

/** The names of the originals that are on the list, and of those in the bin. */
export interface KnownOriginals {
  readonly listed: ReadonlySet<string>;
  readonly binned?: ReadonlySet<string>;
  /** Other instances may be storing something here: what is younger than an hour is left alone. */
  readonly isShared?: boolean;
}

const HOUR_MS = 60 * 60 * 1000;

export interface UploadFilesOptions {
  /** Default: the real one. */
  readonly disk?: Disk;
  /** After a failed fsync nobody knows what is on the disk. Default: the process ends with 1. */
  readonly onFatal?: (error: Error) => void;
}

function endProcess(): never {
  console.error(
    "uploads: fsync failed, so what is on the disk is not certain; the process ends now",
  );
  process.exit(1);
}

/** The uploads folder on its disk. */
interface Place {
  readonly disk: Disk;
  readonly folder: string;
}

/**
 * Opens the folder, making it (0700) when it is missing, and settles what an interrupted store or
 * removal has left: a hidden original that is listed is shown, one in the bin stays hidden, all others
 * go, with unfinished files and variants without an original.
 */
export async function openUploadFiles(
  folder: string,
  known: KnownOriginals,
  { disk = realDisk, onFatal = endProcess }: UploadFilesOptions = {},
): Promise<UploadFiles> {
  await ensureFolder(disk, folder);
  await chmod(folder, 0o700);
  await settle(folder, known);
  const place = { disk, folder };
  const lasting = <T>(work: Promise<T>) =>
    work.catch((error: unknown) => {
      if (error instanceof FailedSync) onFatal(error);
      throw error;
    });
  return {
    storeUpload: (image, variants) => lasting(store(place, image, variants)),
    show: (filename) => lasting(renameIfThere(place, filename + UNLISTED, filename)),
    hide: (filename) => lasting(renameIfThere(place, filename, filename + UNLISTED)),
    removeUpload: (filename) => lasting(remove(place, filename)),
    takeIn: (name, bytes) => lasting(takeIn(place, name, bytes)),
    health: savingTrial(disk, folder),
    findServable: (name) => find(folder, name),
    findHidden: async (filename) =>
      (await find(folder, filename, filename + UNLISTED)) ?? find(folder, filename),
  };
}

async function takeIn({ disk, folder }: Place, name: string, bytes: Uint8Array): Promise<void> {
  if (!isOriginalName(name) && !isVariantName(name))
    throw new Error(`${name} is no picture's name`);
  const path = join(folder, isOriginalName(name) ? name + UNLISTED : name);
  await writeDurably(disk, path, bytes);
}

async function renameIfThere({ disk, folder }: Place, from: string, to: string): Promise<void> {
  await rename(join(folder, from), join(folder, to)).catch(undefinedWhenMissing);
  await syncPath(disk, folder);
}

async function settle(
  folder: string,
  { listed, binned = new Set(), isShared = false }: KnownOriginals,
): Promise<void> {
  const names = await readdir(folder);
  const hidden = new Map(names.flatMap((name) => [[name, hiddenBy(name)] as const]));
  const shown = names.filter(isOriginalName);
  for (const [name, original] of hidden)
    if (original && listed.has(original)) {
      await rename(join(folder, name), join(folder, original));
      shown.push(original);
    }
  const stems = new Set([...shown, ...binned].map(stemOf));
  const leftovers = names.filter((name) => {
    const original = hidden.get(name);
    return (
      isTemporary(name) ||
      (original !== undefined && !listed.has(original) && !binned.has(original)) ||
      (isVariantName(name) && !stems.has(stemOf(name)))
    );
  });
  for (const name of leftovers)
    if (!isShared || (await isOld(join(folder, name))))
      await rm(join(folder, name), { force: true });
  await syncPath(realDisk, folder);
}

const isOld = async (path: string) => {
  const found = await lstat(path).catch(undefinedWhenMissing);
  return found !== undefined && Date.now() - found.mtimeMs > HOUR_MS;
};

async function store(
  { disk, folder }: Place,
  image: AcceptedImage,
  variants: ImageVariant[],
): Promise<StoredUpload> {
  const filename = newUploadName(image.extension);
  const named = variants.map((variant) => ({
    ...variant,
    filename: variantName(filename, variant.width),
  }));
  try {
    // The original comes last: once it is there, so are its variants. One that a crash leaves unfinished
    // is without its original, and is cleared away at the next start.
    for (const variant of named)
      await createFile(disk, join(folder, variant.filename), variant.bytes);
    await syncPath(disk, folder);
    await writeDurably(disk, join(folder, filename + UNLISTED), image.bytes);
  } catch (error) {
    await removeAll(folder, [filename + UNLISTED, ...named.map((variant) => variant.filename)]);
    throw error;
  }
  const stored = named.map((each) => ({
    filename: each.filename,
    width: each.width,
    height: each.height,
  }));
  return { filename, variants: stored };
}

async function remove({ disk, folder }: Place, filename: string): Promise<boolean> {
  if (!isOriginalName(filename)) return false;
  const own = (await readdir(folder)).filter((name) => stemOf(name) === stemOf(filename));
  if (!own.includes(filename + UNLISTED) && !(await find(folder, filename))) return false;
  const variants = own.filter(isVariantName);
  // The original goes first: what an interruption leaves is then cleared at the next start.
  await removeAll(folder, [filename, filename + UNLISTED, ...variants]);
  await syncPath(disk, folder);
  return true;
}

async function removeAll(folder: string, names: string[]): Promise<void> {
  for (const name of names) await rm(join(folder, name), { force: true });
}

/** `name` says what it is, `file` where it lies. */
async function find(folder: string, name: string, file = name): Promise<ServableFile | undefined> {
  const contentType = contentTypeOf(name);
  if (!contentType) return undefined;
  const path = join(folder, file);
  const found = await lstat(path).catch(undefinedWhenMissing);
  return found?.isFile() ? { path, contentType, size: found.size } : undefined;
}

function undefinedWhenMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error;
}

/**
 * How many originals are not listed. They are left alone: the list may be an older one than the folder
 * (put back by hand, a copy of the data tried out), and a picture that is gone can't be listed again.
 */
export async function foreignPictures(folder: string, listed: Content<"uploads">): Promise<number> {
  const names = new Set(listed.map((upload) => upload.filename));
  const found = (await readdir(folder)).filter(isOriginalName);
  return found.filter((name) => !names.has(name)).length;
}

// The names are made by the server, and no others are ever looked at.
const CONTENT_TYPES: Record<ImageExtension, string> = {
  jpg: "image/jpeg",
  png: "image/png",
  webp: "image/webp",
  gif: "image/gif",
};

const SERVABLE = /^[0-9a-f]{32}(-\d{2,4})?\.(jpg|png|webp|gif)$/;

/** A name nobody can guess: 32 hexadecimal digits and the ending of the decoded type. */
function newUploadName(extension: ImageExtension): string {
  return `${randomBytes(16).toString("hex")}.${extension}`;
}

/** The fixed content type that a servable name stands for; undefined for any other name. */
function contentTypeOf(name: string): string | undefined {
  const extension = SERVABLE.exec(name)?.[2];
  return extension && CONTENT_TYPES[extension as ImageExtension];
}
