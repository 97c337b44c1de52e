/** The owner's pictures: accepted, listed, moved to the bin and restored. */
import { type Content, entities, type Item } from "../../schema/index.ts";
import { formatNumber } from "../../schema/core/formatNumber.ts";
import { MAX_UPLOAD_BYTES } from "../../schema/pictures/uploadLimits.ts";
import { uploads } from "../../schema/pictures/uploads.ts";
import { type Clock, isoTime } from "../shared/clock.ts";
import { cannotStore, conflict, noLongerExists } from "../shared/errors.ts";
import type { Bin } from "../bin/bin.ts";
import { letterPictureName, stemOf, variantName } from "../storage/pictures/pictureNames.ts";
import type { Document, Transaction } from "../storage/store.ts";
import { measureBrightness } from "./pictureAnalysis.ts";
import { inDecodeTurn, letterCopyOf, newUpload } from "./acceptImage.ts";
import type { Scan } from "./scanner.ts";
import type { ServableFile, UploadFiles } from "./uploadFiles.ts";

export type Upload = Item<"uploads">;

/** The fields of a picture that the owner edits. */
export type UploadFields = Pick<
  Upload,
  "originalName" | "alt" | "decorative" | "kind" | "focus" | "cuts"
>;

/** Checks the list, oldest first, inside the write that is about to change it. */
type CheckList = (list: readonly Upload[]) => void;

/** The list before and after a write, oldest first. */
export interface ChangedList {
  readonly before: readonly Upload[];
  readonly after: readonly Upload[];
}

interface ChangedUpload extends ChangedList {
  readonly upload: Upload;
}

export interface UploadLibrary {
  /** Newest first. */
  list(): Upload[];
  /**
   * Adds a picture; `fields` fills in those that are already known. Throws what `acceptImage` and `check` throw,
   * `conflict` when the list is full, or `cannot_store`.
   */
  add(
    bytes: Uint8Array,
    originalName: string | undefined,
    known?: {
      readonly fields: (stored: Upload) => Partial<UploadFields>;
      readonly check?: CheckList;
    },
  ): Promise<Upload>;
  /** Removes a picture just added, which nobody has seen, bypassing the bin. Throws `cannot_store`. */
  undoAdd(upload: Upload): Promise<void>;
  /** Edits a picture; undefined when it isn't there. Throws what `check` throws, and `cannot_store`. */
  change(
    id: string,
    fields: Partial<UploadFields>,
    check?: CheckList,
  ): Promise<ChangedUpload | undefined>;
  /**
   * Moves a picture to the bin, off the site at once. Returns the list before and after. Throws `not_found` when it
   * isn't there, what `check` throws, and `cannot_store`.
   */
  remove(id: string, check?: CheckList): Promise<ChangedList>;
  /** Puts a picture from the bin back into the list; call `show` next. Throws `conflict` when the list is full. */
  restoreFromBin(upload: Upload, transaction: Transaction): Promise<Upload>;
  /** Makes the file of a restored picture servable again. Throws `cannot_store`. */
  show(upload: Upload): Promise<void>;
  /**
   * Adds an archive's pictures that this site doesn't list: `read` passes each of their files to its argument. All or
   * none are added, and they leave the bin. Throws `conflict` when the list is full, and what `read` throws.
   */
  importPictures(
    pictures: readonly Upload[],
    read: (take: (name: string, bytes: Uint8Array) => Promise<void>) => Promise<void>,
  ): Promise<void>;
  /** Measures the light of photos stored before that existed. */
  measureBrightness(): Promise<void>;
  /** Call it when the list has changed, here or at another instance. */
  changed(): void;
  /** Removes the files of a picture deleted for good. */
  removeFiles(upload: Upload): Promise<void>;
  /** A thumbnail of a picture in the bin, for its owner. */
  findBinned(upload: Upload): Promise<ServableFile | undefined>;
  /** Tests whether pictures can be stored. Throws `cannot_store`. */
  health(): Promise<void>;
  /** Whether it is the file name of a listed picture or of one of its variants. */
  has(name: string): boolean;
  /** The file of a listed picture or of one of its variants. Throws `cannot_store`. */
  find(name: string): Promise<ServableFile | undefined>;
}

const LIBRARY_FULL = `The site holds at most ${formatNumber(uploads.limit)} files. Delete some first.`;

const IS_THERE = "The site already has this image.";

interface LibraryContext {
  readonly files: UploadFiles;
  /** The list of pictures. */
  readonly document: Document<Content<"uploads">>;
  readonly bin: Bin;
  readonly clock?: Clock;
  /** Scans uploads before anything else; default: no scan. */
  readonly scan?: Scan | undefined;
}

/** A site's library: its list in the store, its files in `files`, deleted pictures in the bin. */
export function uploadLibrary({
  files,
  document,
  bin,
  clock = Date.now,
  scan,
}: LibraryContext): UploadLibrary {
  const takeOff = (id: string) => document.update((uploads) => without(uploads, id));
  const discard = ({ filename }: Upload) => files.removeUpload(filename).catch(() => undefined);
  const uploadOf = (name: string) => byStem(document.read().value).get(stemOf(name));
  /** Takes pictures off the list, which may have them, and then their files; a listed picture's files stay. */
  const discardUnlisted = async (pictures: readonly Upload[]) => {
    for (const picture of pictures)
      await takeOff(picture.id).then(
        () => discard(picture),
        () => undefined,
      );
  };
  const has = (name: string) => {
    const upload = uploadOf(name);
    return upload !== undefined && filesOf(upload).includes(name);
  };
  /** Makes the copy for messages when it is first requested, so that older letters and pictures have one. */
  async function findLetterCopy(upload: Upload, name: string) {
    const [made, original] = [
      await files.findServable(name),
      await files.findServable(upload.filename),
    ];
    if (made || !original || uploadOf(name) !== upload) return made;
    const bytes = await Bun.file(original.path).bytes();
    await files.addVariant(name, await letterCopyOf(bytes, upload));
    return files.findServable(name);
  }
  const findFile = (name: string) => {
    const upload = uploadOf(name);
    return upload && letterPictureName(upload) === name
      ? inDecodeTurn(() => findLetterCopy(upload, name))
      : files.findServable(name);
  };
  return {
    list: () => document.read().value.toReversed(),
    async add(bytes, originalName, known) {
      // Checked again when it is stored; this avoids decoding a picture for a full list.
      requireRoom(document.read().value, 1);
      if (bytes.length <= MAX_UPLOAD_BYTES) await scan?.(bytes);
      const stored = await newUpload(bytes, originalName, isoTime(clock), (image, variants) =>
        files.storeUpload(image, variants).catch(unavailable),
      );
      const upload = { ...stored, ...known?.fields(stored) };
      try {
        await document.update((uploads) => {
          known?.check?.(uploads);
          return withMore(uploads, [upload]);
        });
        await files.makeServable(upload.filename).catch(unavailable);
      } catch (error) {
        await discardUnlisted([upload]);
        throw error;
      }
      return upload;
    },
    async undoAdd(upload) {
      // Hidden first: after a kill, its name says that it is nobody's, or that it is still to be shown.
      await files.hide(upload.filename).catch(unavailable);
      await takeOff(upload.id).catch(async (error: unknown) => {
        await files.makeServable(upload.filename).catch(() => undefined);
        throw error;
      });
      await discard(upload);
    },
    async change(id, fields, check) {
      let before: readonly Upload[] = [];
      const { value: after } = await document.update((uploads) => {
        before = uploads;
        if (!uploads.some((each) => each.id === id)) return uploads;
        check?.(uploads);
        return uploads.map((each) => (each.id === id ? { ...each, ...fields } : each));
      });
      const upload = after.find((each) => each.id === id);
      return upload && { upload, before, after };
    },
    async remove(id, check) {
      const listed = document.read().value;
      // Checked before anything is hidden or moved to the bin.
      if (listed.some((each) => each.id === id)) check?.(listed);
      let before = listed;
      let after = listed;
      const take = async (transaction: Transaction) => {
        let upload: Upload | undefined;
        const saved = await transaction.of(entities.uploads).update((uploads) => {
          before = uploads;
          check?.(uploads);
          upload = uploads.find((each) => each.id === id);
          return without(uploads, id);
        });
        after = saved.value;
        if (!upload) throw noLongerExists(entities.uploads);
        return upload;
      };
      // Hidden first: after a kill, the next start shows the hidden but listed file again.
      const hide = async () => {
        const upload = document.read().value.find((each) => each.id === id);
        if (!upload) throw noLongerExists(entities.uploads);
        await files.hide(upload.filename).catch(unavailable);
        return () => files.makeServable(upload.filename);
      };
      await bin.discard(entities.uploads, take, hide);
      return { before, after };
    },
    health: () => files.health(),
    async restoreFromBin(upload, transaction) {
      await transaction.of(entities.uploads).update((all) => {
        if (all.some(({ id }) => id === upload.id)) throw conflict(IS_THERE);
        return inOrder(withMore(all, [upload]));
      });
      return upload;
    },
    show: ({ filename }) => files.makeServable(filename).catch(unavailable),
    // Pictures about to be deleted for good have the same files, so sweeping has to wait.
    importPictures: (pictures, read) =>
      bin.whileSweepPaused(async (list) => {
        try {
          await read((name, bytes) => files.takeIn(name, bytes).catch(unavailable));
          await list([entities.uploads], async (transaction) => {
            await transaction.of(entities.uploads).update((all) => {
              const ids = new Set(all.map(({ id }) => id));
              const missing = pictures.filter(({ id }) => !ids.has(id));
              return inOrder(withMore(all, missing));
            });
          });
        } catch (error) {
          await discardUnlisted(pictures);
          throw error;
        }
        for (const { filename } of pictures) await files.makeServable(filename).catch(unavailable);
      }),
    async measureBrightness() {
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
      return smallest || files.findOriginal(filename);
    },
    has,
    find: async (name) => (has(name) ? findFile(name).catch(unreadable) : undefined),
  };
}

const without = (uploads: Upload[], id: string) =>
  uploads.some((each) => each.id === id) ? uploads.filter((each) => each.id !== id) : uploads;

/** Throws `conflict` when the list is full. */
function withMore(list: readonly Upload[], more: readonly Upload[]): Upload[] {
  requireRoom(list, more.length);
  return [...list, ...more];
}

function requireRoom({ length }: readonly Upload[], more: number): void {
  if (length + more > uploads.limit) throw conflict(LIBRARY_FULL);
}

/** Ids increase with time. */
const inOrder = (list: Upload[]) => list.sort((a, b) => (a.id < b.id ? -1 : 1));

/** Cached by list, which is immutable: it is needed for every picture served. */
const stems = new WeakMap<readonly Upload[], ReadonlyMap<string, Upload>>();

function byStem(list: readonly Upload[]): ReadonlyMap<string, Upload> {
  const known = stems.get(list);
  if (known) return known;
  const made = new Map(list.map((upload) => [stemOf(upload.filename), upload]));
  stems.set(list, made);
  return made;
}

/** The names of its files. */
const filesOf = (upload: Upload) => [
  upload.filename,
  ...upload.widths.map((width) => variantName(upload.filename, width)),
  letterPictureName(upload),
];

/** Of its smallest variant; empty if unreadable, and tried again at the next start. */
async function lightOfStored(files: UploadFiles, { filename, widths }: Upload): Promise<string> {
  const smallest = widths[0] === undefined ? filename : variantName(filename, widths[0]);
  try {
    const file = await files.findServable(smallest);
    if (!file) return "";
    const bytes = await Bun.file(file.path).bytes();
    return await inDecodeTurn(() => measureBrightness(bytes));
  } catch {
    return "";
  }
}

/** Throws `cannot_store` for what a disk or a bucket didn't take. */
function unavailable(error: unknown): never {
  throw cannotStore(
    "The image couldn't be stored, so nothing was changed. Try again in a few minutes.",
    error,
  );
}

function unreadable(error: unknown): never {
  throw cannotStore("This image can't be shown right now. Try again in a few minutes.", error);
}
