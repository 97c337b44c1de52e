/** The owner's pictures: accepted by content, listed, removed with ten minutes to undo. */
import type { Content, Item } from "../../schema/index.ts";
import { cannotStore } from "../shared/errors.ts";
import { Bin, type BinTime } from "../storage/bin.ts";
import { stemOf } from "../storage/pictureNames.ts";
import type { Document } from "../storage/store.ts";
import { acceptImage, makeVariants } from "./acceptImage.ts";
import type { ServableFile, UploadFiles } from "./uploadFiles.ts";

export type Upload = Item<"uploads">;

export interface UploadLibrary {
  /** Newest first. */
  list(): Upload[];
  /** Takes a picture; throws what `acceptImage` throws, or `cannot_store`. */
  add(bytes: Uint8Array, originalName: string | undefined): Promise<Upload>;
  /** Takes it off the site at once; its files go after ten minutes. Undefined when it is not there. */
  remove(id: string): Promise<Upload | undefined>;
  /** Puts a removed picture back; undefined when it is too late or was never there. */
  restore(id: string): Promise<Upload | undefined>;
  /** Tries what storing a picture needs. Throws `cannot_store`. */
  health(): Promise<void>;
  /** The file of a listed picture or of one of its variants. */
  find(name: string): Promise<ServableFile | undefined>;
}

/** The library on an uploads folder and the document that lists it. `time` is the bin's: tests set it. */
export function uploadLibrary(
  files: UploadFiles,
  document: Document<Content<"uploads">>,
  time: Partial<BinTime> = {},
): UploadLibrary {
  const bin = new Bin<Upload>({
    time,
    // What can't be removed now goes at the next start.
    gone: ({ filename }) => void files.removeUpload(filename).catch(() => undefined),
  });
  const takeOff = (id: string) =>
    document.update((uploads) =>
      uploads.some((each) => each.id === id) ? uploads.filter((each) => each.id !== id) : uploads,
    );
  const discard = ({ filename }: Upload) => files.removeUpload(filename).catch(() => undefined);
  return {
    list: () => document.read().value.toReversed(),
    async add(bytes, originalName) {
      const upload = await store(files, bytes, originalName, new Date(time.now?.() ?? Date.now()));
      try {
        await document.update((uploads) => [...uploads, upload]);
        await files.show(upload.filename).catch(unavailable);
      } catch (error) {
        await takeOff(upload.id).catch(() => undefined);
        await discard(upload);
        throw error;
      }
      return upload;
    },
    async remove(id) {
      const upload = document.read().value.find((each) => each.id === id);
      if (!upload) return undefined;
      // Hidden first: a kill then leaves a hidden file that is listed, which the next start shows again.
      await files.hide(upload.filename).catch(unavailable);
      try {
        await takeOff(id);
      } catch (error) {
        await files.show(upload.filename).catch(() => undefined);
        throw error;
      }
      bin.keep(upload);
      return upload;
    },
    restore: (id) =>
      bin.take(id, async (upload) => {
        await document.update((uploads) =>
          [...uploads, upload].sort((a, b) => (a.id < b.id ? -1 : 1)),
        );
        try {
          await files.show(upload.filename).catch(unavailable);
        } catch (error) {
          await takeOff(id).catch(() => undefined);
          throw error;
        }
        return upload;
      }),
    health: () => files.health(),
    async find(name) {
      const listed = document
        .read()
        .value.some((upload) => stemOf(upload.filename) === stemOf(name));
      return listed ? files.findServable(name) : undefined;
    },
  };
}

async function store(
  files: UploadFiles,
  bytes: Uint8Array,
  originalName: string | undefined,
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
  throw cannotStore(
    "The picture couldn't be stored, so nothing was changed. Try again in a few minutes.",
    error,
  );
}

// Control characters, and those that turn the direction of text to disguise an ending.
// oxlint-disable-next-line no-control-regex
const INVISIBLE = /[\u0000-\u001f\u007f\u202a-\u202e]/g;

/**
 * The name as people saw it, without folders, invisible characters and excess length. A part with
 * `filename=""` has none: Bun then leaves out the name that the type promises.
 */
function plainName(name: string | undefined): string {
  const file = (name ?? "").replace(/^.*[/\\]/, "").replace(INVISIBLE, "");
  return file.trim().slice(0, 200) || "picture";
}
