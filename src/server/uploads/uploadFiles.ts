/** Keeps accepted pictures and their variants in the uploads folder, durably and privately. */
import { randomBytes } from "node:crypto";
import { chmod, lstat, mkdir, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Content } from "../../schema/index.ts";
import { createFile, disk, isTemporary, syncPath, writeDurably } from "../storage/disk.ts";
import type { AcceptedImage, ImageExtension, ImageVariant } from "./acceptImage.ts";

/** A stored picture: the original's file name, and its variants with sizes in pixels. */
type StoredUpload = { filename: string; variants: StoredVariant[] };

type StoredVariant = { filename: string; width: number; height: number };

/** A file that may be sent to a visitor; `size` in bytes. */
export type ServableFile = { path: string; contentType: string; size: number };

/** The uploads folder. Errors of the disk are thrown on as they are; what was there stays. */
export type UploadFiles = {
  /** Stores a picture under a new name; when it resolves, everything is on the disk. */
  storeUpload(image: AcceptedImage, variants: ImageVariant[]): Promise<StoredUpload>;
  /**
   * Renames an original out of the way. Unless that is undone, the file goes at the next start at
   * the latest.
   */
  markRemoved(filename: string): Promise<void>;
  /** Renames it back. Both do nothing when the original isn't there. */
  unmarkRemoved(filename: string): Promise<void>;
  /** Removes an original, marked or not, and its variants; false when the name is none of an original here. */
  removeUpload(filename: string): Promise<boolean>;
  /** The file of this name, if the server gave the name and it is a regular file. */
  findServable(name: string): Promise<ServableFile | undefined>;
};

/**
 * Opens the folder, making it (0700) when it is missing, and clears away what an interrupted
 * store or removal has left: unfinished files, removed originals, and variants without an original.
 */
export async function openUploadFiles(folder: string): Promise<UploadFiles> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await chmod(folder, 0o700);
  await clearLeftovers(folder);
  return {
    storeUpload: (image, variants) => store(folder, image, variants),
    markRemoved: (filename) => renameIfThere(folder, filename, filename + REMOVED),
    unmarkRemoved: (filename) => renameIfThere(folder, filename + REMOVED, filename),
    removeUpload: (filename) => remove(folder, filename),
    findServable: (name) => find(folder, name),
  };
}

/** The ending of an original that the owner has removed. */
const REMOVED = ".removed";

async function renameIfThere(folder: string, from: string, to: string): Promise<void> {
  await rename(join(folder, from), join(folder, to)).catch(undefinedWhenMissing);
  await syncPath(disk, folder);
}

async function clearLeftovers(folder: string): Promise<void> {
  const names = await readdir(folder);
  const originals = new Set(names.filter(isOriginalName).map(stemOf));
  const leftovers = names.filter(
    (name) =>
      isTemporary(name) || isRemoved(name) || (isVariantName(name) && !originals.has(stemOf(name))),
  );
  for (const name of leftovers) await rm(join(folder, name));
}

const isRemoved = (name: string) =>
  name.endsWith(REMOVED) && isOriginalName(name.slice(0, -REMOVED.length));

async function store(
  folder: string,
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
    await writeDurably(disk, join(folder, filename), image.bytes);
  } catch (error) {
    await removeAll(folder, [filename, ...named.map((variant) => variant.filename)]);
    throw error;
  }
  const stored = named.map((each) => ({
    filename: each.filename,
    width: each.width,
    height: each.height,
  }));
  return { filename, variants: stored };
}

async function remove(folder: string, filename: string): Promise<boolean> {
  if (!isOriginalName(filename)) return false;
  const own = (await readdir(folder)).filter((name) => stemOf(name) === stemOf(filename));
  if (!own.includes(filename + REMOVED) && !(await find(folder, filename))) return false;
  const variants = own.filter(isVariantName);
  // The original goes first: what an interruption leaves is then cleared at the next start.
  await removeAll(folder, [filename, filename + REMOVED, ...variants]);
  await syncPath(disk, folder);
  return true;
}

async function removeAll(folder: string, names: string[]): Promise<void> {
  for (const name of names) await rm(join(folder, name), { force: true });
}

async function find(folder: string, name: string): Promise<ServableFile | undefined> {
  const contentType = contentTypeOf(name);
  if (!contentType) return undefined;
  const path = join(folder, name);
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
const ORIGINAL = /^[0-9a-f]{32}\.(jpg|png|webp|gif)$/;
const VARIANT = /^[0-9a-f]{32}-\d{2,4}\.webp$/;

/** A name nobody can guess: 32 hexadecimal digits and the ending of the decoded type. */
function newUploadName(extension: ImageExtension): string {
  return `${randomBytes(16).toString("hex")}.${extension}`;
}

/** The name of a picture's copy at a width in pixels. */
function variantName(original: string, width: number): string {
  return `${stemOf(original)}-${width}.webp`;
}

/** What an original and its variants have in common. */
export function stemOf(name: string): string {
  return name.slice(0, 32);
}

const isOriginalName = (name: string) => ORIGINAL.test(name);
const isVariantName = (name: string) => VARIANT.test(name);

/** The fixed content type that a servable name stands for; undefined for any other name. */
function contentTypeOf(name: string): string | undefined {
  const extension = SERVABLE.exec(name)?.[2];
  return extension && CONTENT_TYPES[extension as ImageExtension];
}
