/** The owner's pictures: accepted by content, listed, removed into the bin and put back from it. */
import { harmless } from "../../schema/harmless.ts";
import { type Content, entities, type Item } from "../../schema/index.ts";
import { MAX_UPLOAD_BYTES } from "../../schema/uploadLimits.ts";
import { uploads } from "../../schema/uploads.ts";
import { type Clock, isoTime } from "../shared/clock.ts";
import { cannotStore, conflict, gone } from "../shared/errors.ts";
import type { Bin } from "../storage/bin.ts";
import { stemOf, variantName } from "../storage/pictureNames.ts";
import type { Document } from "../storage/store.ts";
import { acceptImage, inDecodeSlot, lightOf, makeVariants } from "./acceptImage.ts";
import type { Scan } from "./scanner.ts";
import type { ServableFile, UploadFiles } from "./uploadFiles.ts";

export type Upload = Item<"uploads">;

/** What of a picture is the owner's to say. */
export type UploadWords = Pick<
  Upload,
  "originalName" | "alt" | "decorative" | "kind" | "focus" | "cuts"
>;

export interface UploadLibrary {
  /** Newest first. */
  list(): Upload[];
  /** Takes a picture; throws what `acceptImage` throws, or `cannot_store`. */
  add(
    bytes: Uint8Array,
    originalName: string | undefined,
    words?: Partial<UploadWords>,
  ): Promise<Upload>;
  /** What the owner says of it; undefined when it is not there. */
  change(id: string, words: Partial<UploadWords>): Promise<Upload | undefined>;
  /** Takes it off the site at once, into the bin. Throws `not_found` when it is not there. */
  remove(id: string): Promise<void>;
  /** Puts a picture of the bin back on the list. Throws `conflict` when that is full. */
  putBack(upload: Upload): Promise<Upload>;
  /**
   * Takes in pictures that an archive lists and this site doesn't: `read` gives each of their files to its
   * argument. All or none. Throws `conflict` when the list is full, and what `read` throws.
   */
  takeIn(
    pictures: readonly Upload[],
    read: (take: (name: string, bytes: Uint8Array) => Promise<void>) => Promise<void>,
  ): Promise<void>;
  /** Measures the light of photographs that were stored before it was measured. */
  measure(): Promise<void>;
  /** The list was changed, here or by another instance. */
  changed(): void;
  /** Removes the files of a picture that left the bin for good. */
  removeFiles(upload: Upload): Promise<void>;
  /** A small picture of one in the bin, for its owner. */
  findBinned(upload: Upload): Promise<ServableFile | undefined>;
  /** Tries what storing a picture needs. Throws `cannot_store`. */
  health(): Promise<void>;
  /** Whether it is the name of a listed picture's file, or of one of its variants. */
  has(name: string): boolean;
  /** The file of a listed picture or of one of its variants. Throws `cannot_store`. */
  find(name: string): Promise<ServableFile | undefined>;
}

export const LIBRARY_FULL = `The site holds at most ${uploads.limit.toLocaleString("en-GB")} files. Delete some first.`;

interface LibraryContext {
  readonly files: UploadFiles;
  /** Lists the pictures. */
  readonly document: Document<Content<"uploads">>;
  readonly bin: Bin;
  readonly clock?: Clock;
  /** Looks at what is added before anything else does; default: nobody. */
  readonly scan?: Scan | undefined;
}

export function uploadLibrary({
  files,
  document,
  bin,
  clock = Date.now,
  scan,
}: LibraryContext): UploadLibrary {
  const takeOff = (id: string) =>
    document.update((uploads) =>
      uploads.some((each) => each.id === id) ? uploads.filter((each) => each.id !== id) : uploads,
    );
  const discard = ({ filename }: Upload) => files.removeUpload(filename).catch(() => undefined);
  const has = (name: string) =>
    document
      .read()
      .value.some((each) => stemOf(each.filename) === stemOf(name) && filesOf(each).includes(name));
  return {
    list: () => document.read().value.toReversed(),
    async add(bytes, originalName, words) {
      if (bytes.length <= MAX_UPLOAD_BYTES) await scan?.(bytes);
      const stored = await store(files, bytes, originalName, isoTime(clock));
      const upload = { ...stored, ...words };
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
    async change(id, words) {
      const { value } = await document.update((uploads) =>
        uploads.some((each) => each.id === id)
          ? uploads.map((each) => (each.id === id ? { ...each, ...words } : each))
          : uploads,
      );
      return value.find((each) => each.id === id);
    },
    remove: (id) =>
      bin.discard(entities.uploads, id, async () => {
        const upload = document.read().value.find((each) => each.id === id);
        if (!upload) throw gone(entities.uploads);
        // Hidden first: a kill then leaves a hidden file that is listed, which the next start shows again.
        await files.hide(upload.filename).catch(unavailable);
        try {
          await takeOff(id);
        } catch (error) {
          await files.show(upload.filename).catch(() => undefined);
          throw error;
        }
        return upload;
      }),
    health: () => files.health(),
    async putBack(upload) {
      await document.update((all) => {
        if (all.length >= uploads.limit) throw conflict(LIBRARY_FULL);
        return [...all, upload].sort((a, b) => (a.id < b.id ? -1 : 1));
      });
      try {
        await files.show(upload.filename).catch(unavailable);
      } catch (error) {
        await takeOff(upload.id).catch(() => undefined);
        throw error;
      }
      return upload;
    },
    async takeIn(pictures, read) {
      try {
        await read((name, bytes) => files.takeIn(name, bytes).catch(unavailable));
        await document.update((all) => {
          const ids = new Set(all.map(({ id }) => id));
          const added = pictures.filter(({ id }) => !ids.has(id));
          if (all.length + added.length > uploads.limit) throw conflict(LIBRARY_FULL);
          return [...all, ...added].sort((a, b) => (a.id < b.id ? -1 : 1));
        });
      } catch (error) {
        for (const picture of pictures) await discard(picture);
        throw error;
      }
      for (const { filename } of pictures) await files.show(filename).catch(unavailable);
    },
    async measure() {
      const measured = new Map<string, string>();
      for (const upload of document.read().value)
        if (!upload.light && !upload.tone)
          measured.set(upload.id, await lightOfStored(files, upload));
      if (![...measured.values()].some(Boolean)) return;
      await document.update((uploads) =>
        uploads.map((each) => ({ ...each, light: measured.get(each.id) ?? each.light })),
      );
    },
    changed: () => files.keepOnly(new Set(document.read().value.map(({ filename }) => filename))),
    async removeFiles({ filename }) {
      await files.removeUpload(filename).catch(unavailable);
    },
    async findBinned({ filename, widths }) {
      const smallest = widths[0] && (await files.findServable(variantName(filename, widths[0])));
      return smallest || files.findHidden(filename);
    },
    has,
    find: async (name) => (has(name) ? files.findServable(name).catch(unreadable) : undefined),
  };
}

/** The names of its files. */
const filesOf = ({ filename, widths }: Upload) => [
  filename,
  ...widths.map((width) => variantName(filename, width)),
];

/** Of its smallest variant; empty when that can't be read, and it is tried again at the next start. */
async function lightOfStored(files: UploadFiles, { filename, widths }: Upload): Promise<string> {
  const smallest = widths[0] === undefined ? filename : variantName(filename, widths[0]);
  const file = await files.findServable(smallest);
  if (!file) return "";
  const bytes = new Uint8Array(await Bun.file(file.path).arrayBuffer());
  return inDecodeSlot(0, () => lightOf(bytes)).catch(() => "");
}

async function store(
  files: UploadFiles,
  bytes: Uint8Array,
  originalName: string | undefined,
  createdAt: string,
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
    createdAt,
    url: `/uploads/${stored.filename}`,
    width: image.width,
    height: image.height,
    widths: stored.variants.map((variant) => variant.width),
    placeholder: image.placeholder,
    tone: image.tone,
    light: image.light,
    alt: "",
    decorative: false,
    // What one can see through is a logo most of the time.
    kind: image.tone ? "logo" : "photo",
    focus: null,
    cuts: null,
  };
}

function unreadable(error: unknown): never {
  throw cannotStore("This picture can't be shown just now. Try again in a few minutes.", error);
}

function unavailable(error: unknown): never {
  throw cannotStore(
    "The picture couldn't be stored, so nothing was changed. Try again in a few minutes.",
    error,
  );
}

// oxlint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u001f\u007f]/g;

/**
 * The name as people saw it, without folders, invisible characters and excess length. A part with
 * `filename=""` has none: Bun then leaves out the name that the type promises.
 */
function plainName(name: string | undefined): string {
  const file = (name ?? "").replace(/^.*[/\\]/, "").replace(CONTROL, "");
  return harmless(file.trim().slice(0, 200)) || "picture";
}
