/** The owner's pictures: taken by content, listed, removed with a time to think again. */
import type { Content, Item } from "../../schema/index.ts";
import { type Document, StorageUnavailable } from "../storage/store.ts";
import { acceptImage, makeVariants } from "./acceptImage.ts";
import { type ServableFile, stemOf, type UploadFiles } from "./uploadFiles.ts";

/** A picture as it is stored. */
export type Upload = Item<"uploads">;

/** How long a removed picture can be put back: ten minutes, in milliseconds. */
const UNDO_TIME = 600_000;

/** The pictures of a site. */
export interface UploadLibrary {
  /** Newest first. */
  list(): Upload[];
  /** Takes a picture; raises ImageRefused when it is not one of the types taken, StorageUnavailable. */
  add(bytes: Uint8Array, originalName: string): Promise<Upload>;
  /** Takes it off the site at once; its files go after ten minutes. Undefined when it is not there. */
  remove(id: string): Promise<Upload | undefined>;
  /** Puts a removed picture back; undefined when it is too late or was never there. */
  restore(id: string): Promise<Upload | undefined>;
  /** The file of a listed picture or of one of its variants. */
  find(name: string): Promise<ServableFile | undefined>;
}

/** Time for a library, so that tests need not wait for it. */
export interface UploadClock {
  now(): Date;
  /** Calls back after `ms`; keeps no process alive. */
  after(ms: number, then: () => void): void;
}

const systemClock: UploadClock = {
  now: () => new Date(),
  after: (ms, then) => void setTimeout(then, ms).unref(),
};

/** The library on an uploads folder and the document that lists it. */
export function uploadLibrary(
  files: UploadFiles,
  document: Document<Content<"uploads">>,
  clock: UploadClock = systemClock,
): UploadLibrary {
  const removed = removedUploads(files, clock);
  return {
    list: () => document.read().value.toReversed(),
    async add(bytes, originalName) {
      const upload = await store(files, bytes, originalName, clock.now());
      await document
        .update((uploads) => [...uploads, upload])
        .catch(async (error: unknown) => {
          await files.removeUpload(upload.filename).catch(() => undefined);
          throw error;
        });
      return upload;
    },
    async remove(id) {
      let upload: Upload | undefined;
      await document.update((uploads) => {
        upload = uploads.find((each) => each.id === id);
        return upload ? uploads.filter((each) => each.id !== id) : uploads;
      });
      if (upload) await removed.keep(upload);
      return upload;
    },
    async restore(id) {
      // Taken before the write, so that neither the timer nor a second call gets in between.
      const upload = removed.take(id);
      if (!upload) return undefined;
      try {
        await files.unmarkRemoved(upload.filename).catch(unavailable);
        await document.update((uploads) =>
          [...uploads, upload].sort((a, b) => (a.id < b.id ? -1 : 1)),
        );
      } catch (error) {
        await removed.keep(upload);
        throw error;
      }
      return upload;
    },
    async find(name) {
      const listed = document
        .read()
        .value.some((upload) => stemOf(upload.filename) === stemOf(name));
      return listed ? files.findServable(name) : undefined;
    },
  };
}

/** The removed pictures whose files are still there. */
function removedUploads(files: UploadFiles, clock: UploadClock) {
  const removed = new Map<string, Upload>();
  const forget = async (kept: Upload) => {
    // Another removal of the same picture has a time of its own.
    if (removed.get(kept.id) !== kept) return;
    removed.delete(kept.id);
    await files.removeUpload(kept.filename);
  };
  return {
    async keep(upload: Upload): Promise<void> {
      // Gone from the list is removed: what can't be marked is served to nobody all the same. Marked
      // first, so that nobody takes back what is still to be marked.
      await files.markRemoved(upload.filename).catch(() => undefined);
      const kept = { ...upload };
      removed.set(kept.id, kept);
      // What can't be removed then goes at the next start.
      clock.after(UNDO_TIME, () => void forget(kept).catch(() => undefined));
    },
    take(id: string): Upload | undefined {
      const upload = removed.get(id);
      removed.delete(id);
      return upload;
    },
  };
}

async function store(
  files: UploadFiles,
  bytes: Uint8Array,
  originalName: string,
  now: Date,
): Promise<Upload> {
  const image = await acceptImage(bytes);
  const variants = await makeVariants(image);
  const stored = await files.storeUpload(image, variants).catch(unavailable);
  return {
    id: Bun.randomUUIDv7(),
    filename: stored.filename,
    originalName: plainName(originalName),
    mimetype: image.mimetype,
    size: image.bytes.length,
    createdAt: now.toISOString(),
    url: `/uploads/${stored.filename}`,
    width: image.width,
    height: image.height,
    widths: stored.variants.map((variant) => variant.width),
    placeholder: image.placeholder,
    tone: image.tone,
  };
}

function unavailable(error: unknown): never {
  throw new StorageUnavailable("The picture could not be stored, so nothing was changed.", error);
}

// Control characters, and those that turn the direction of text to disguise an ending.
// oxlint-disable-next-line no-control-regex
const INVISIBLE = /[\u0000-\u001f\u007f\u202a-\u202e]/g;

/** The name as people saw it, without folders, invisible characters and excess length. */
function plainName(name: string): string {
  const file = name.replace(/^.*[/\\]/, "").replace(INVISIBLE, "");
  return file.trim().slice(0, 200) || "picture";
}
