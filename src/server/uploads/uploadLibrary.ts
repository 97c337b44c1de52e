/** The owner's pictures: accepted, listed, moved to the bin and restored. */
import { type Content, entities, type Item } from "../../schema/index.ts";
import { formatNumber } from "../../schema/core/formatNumber.ts";
import { MAX_UPLOAD_BYTES } from "../../schema/pictures/uploadLimits.ts";
import { uploads } from "../../schema/pictures/uploads.ts";
import { type Clock, isoTime } from "../shared/clock.ts";
import { cannotStore, conflict, noLongerExists } from "../shared/errors.ts";
import type { Bin } from "../bin/bin.ts";
import { letterPictureName, pictureStem, variantName } from "../storage/pictures/pictureNames.ts";
import type { Document, Transaction } from "../storage/store.ts";
import { decodeQueue, createLetterCopy, acceptUpload } from "./acceptImage.ts";
import type { ScanFile } from "./scanner.ts";
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

const LIBRARY_FULL_MESSAGE = `The site holds at most ${formatNumber(uploads.maxItems)} files. Delete some first.`;

const ALREADY_UPLOADED_MESSAGE = "The site already has this image.";

interface LibraryContext {
  readonly files: UploadFiles;
  /** The list of pictures. */
  readonly document: Document<Content<"uploads">>;
  readonly bin: Bin;
  readonly clock?: Clock;
  /** Scans uploads before anything else; default: no scan. */
  readonly scanFile?: ScanFile | undefined;
}

/** A site's library: its list in the store, its files in `files`, deleted pictures in the bin. */
export class UploadLibrary {
  readonly #files: UploadFiles;
  readonly #document: LibraryContext["document"];

  constructor(private readonly context: LibraryContext) {
    this.#files = context.files;
    this.#document = context.document;
  }

  /** Newest first. */
  list(): Upload[] {
    return this.#listedUploads.toReversed();
  }

  /**
   * Adds a picture; `fields` fills in those already set. Throws what `acceptImage` and `check` throw, `conflict`
   * when the list is full, or `cannot_store`.
   */
  async addPicture(
    bytes: Uint8Array,
    originalName: string | undefined,
    existing?: {
      readonly fields: (stored: Upload) => Partial<UploadFields>;
      readonly check?: CheckList;
    },
  ): Promise<Upload> {
    const { scanFile, clock = Date.now } = this.context;
    // Checked again when it is stored; this avoids decoding a picture for a full list.
    assertRoom(this.#listedUploads, 1);
    if (bytes.length <= MAX_UPLOAD_BYTES) await scanFile?.(bytes);
    const stored = await acceptUpload(bytes, originalName, isoTime(clock), (image, variants) =>
      this.#files.storeUpload(image, variants).catch(throwUnavailable),
    );
    const upload = { ...stored, ...existing?.fields(stored) };
    try {
      await this.#document.update((uploads) => {
        existing?.check?.(uploads);
        return addMore(uploads, [upload]);
      });
      await this.makeServable(upload);
    } catch (error) {
      await this.#discardUnlisted([upload]);
      throw error;
    }
    return upload;
  }

  /** Removes a picture just added, which nobody has seen, bypassing the bin. Throws `cannot_store`. */
  async undoAdd(upload: Upload): Promise<void> {
    // Hidden first: after a kill, its name marks it as unlisted, or as still to be shown.
    await this.#files.hide(upload.filename).catch(throwUnavailable);
    await this.#unlist(upload.id).catch(async (error: unknown) => {
      await this.#files.makeServable(upload.filename).catch(() => undefined);
      throw error;
    });
    await this.#discard(upload);
  }

  /** Edits a picture; undefined when it is missing. Throws what `check` throws, and `cannot_store`. */
  async changePicture(
    id: string,
    fields: Partial<UploadFields>,
    check?: CheckList,
  ): Promise<ChangedUpload | undefined> {
    let before: readonly Upload[] = [];
    const { value: after } = await this.#document.update((uploads) => {
      before = uploads;
      if (!uploads.some((each) => each.id === id)) return uploads;
      check?.(uploads);
      return uploads.map((each) => (each.id === id ? { ...each, ...fields } : each));
    });
    const upload = after.find((each) => each.id === id);
    return upload && { upload, before, after };
  }

  /**
   * Moves a picture to the bin, off the site at once. Returns the list before and after. Throws `not_found` when it
   * is missing, what `check` throws, and `cannot_store`.
   */
  async removePicture(id: string, check?: CheckList): Promise<ChangedList> {
    const listedUploads = this.#listedUploads;
    // Checked before anything is hidden or moved to the bin.
    if (listedUploads.some((each) => each.id === id)) check?.(listedUploads);
    let before = listedUploads;
    let after = listedUploads;
    const removeEntry = async (transaction: Transaction) => {
      let upload: Upload | undefined;
      const saved = await transaction.of(entities.uploads).update((uploads) => {
        before = uploads;
        check?.(uploads);
        upload = uploads.find((each) => each.id === id);
        return removeById(uploads, id);
      });
      after = saved.value;
      if (!upload) throw noLongerExists(entities.uploads);
      return upload;
    };
    // Hidden first: after a kill, the next start shows the hidden but listed file again.
    const hide = async () => {
      const upload = this.#listedUploads.find((each) => each.id === id);
      if (!upload) throw noLongerExists(entities.uploads);
      await this.#files.hide(upload.filename).catch(throwUnavailable);
      return () => this.#files.makeServable(upload.filename);
    };
    await this.context.bin.discardItems(entities.uploads, removeEntry, hide);
    return { before, after };
  }

  /** Tests whether pictures can be stored. Throws `cannot_store`. */
  checkHealth(): Promise<void> {
    return this.#files.health();
  }

  /** Puts a picture from the bin back into the list; call `makeServable` next. Throws `conflict` when the list is full. */
  async restoreFromBin(upload: Upload, transaction: Transaction): Promise<Upload> {
    await transaction.of(entities.uploads).update((all) => {
      if (all.some(({ id }) => id === upload.id)) throw conflict(ALREADY_UPLOADED_MESSAGE);
      return sortByCreation(addMore(all, [upload]));
    });
    return upload;
  }

  /** Makes the file of a restored picture servable again. Throws `cannot_store`. */
  makeServable({ filename }: Upload): Promise<void> {
    return this.#files.makeServable(filename).catch(throwUnavailable);
  }

  // Pictures about to be permanently deleted have the same files, so sweeping has to wait.
  /**
   * Adds an archive's pictures that this site doesn't list: `read` passes each of their files to its argument. All or
   * none are added, and they leave the bin. Throws `conflict` when the list is full, and what `read` throws.
   */
  importPictures(
    pictures: readonly Upload[],
    read: (accept: (name: string, bytes: Uint8Array) => Promise<void>) => Promise<void>,
  ): Promise<void> {
    return this.context.bin.whileSweepPaused(async (list) => {
      try {
        await read((name, bytes) => this.#files.importFile(name, bytes).catch(throwUnavailable));
        await list([entities.uploads], async (transaction) => {
          await transaction.of(entities.uploads).update((all) => {
            const ids = new Set(all.map(({ id }) => id));
            const missing = pictures.filter(({ id }) => !ids.has(id));
            return sortByCreation(addMore(all, missing));
          });
        });
      } catch (error) {
        await this.#discardUnlisted(pictures);
        throw error;
      }
      for (const picture of pictures) await this.makeServable(picture);
    });
  }

  /** Call it when the list has changed, here or at another instance. */
  invalidate(): void {
    this.#files.retainOnly(new Set(this.#listedUploads.map(({ filename }) => filename)));
  }

  /** Removes the files of a permanently deleted picture. */
  async removeFiles({ filename }: Upload): Promise<void> {
    await this.#files.removeUpload(filename).catch(throwUnavailable);
  }

  /** A thumbnail of a picture in the bin, for its owner. */
  async findBinned({ filename, widths }: Upload): Promise<ServableFile | undefined> {
    const smallest =
      widths[0] && (await this.#files.findServable(variantName(filename, widths[0])));
    return smallest || this.#files.findOriginal(filename);
  }

  /** Whether it is the file name of a listed picture or of one of its variants. */
  hasFile(name: string): boolean {
    const upload = this.#findUpload(name);
    return upload !== undefined && fileNames(upload).includes(name);
  }

  /** The file of a listed picture or of one of its variants. Throws `cannot_store`. */
  async findFile(name: string): Promise<ServableFile | undefined> {
    if (!this.hasFile(name)) return undefined;
    const upload = this.#findUpload(name);
    const match =
      upload && letterPictureName(upload) === name
        ? decodeQueue(() => this.#findLetterCopy(upload, name))
        : this.#files.findServable(name);
    return match.catch(throwUnreadable);
  }

  get #listedUploads(): readonly Upload[] {
    return this.#document.read().value;
  }

  #findUpload(name: string): Upload | undefined {
    return uploadsByStem(this.#listedUploads).get(pictureStem(name));
  }

  #unlist(id: string) {
    return this.#document.update((uploads) => removeById(uploads, id));
  }

  #discard({ filename }: Upload) {
    return this.#files.removeUpload(filename).catch(() => undefined);
  }

  /**
   * Removes pictures from the list, if it has them, and then their files; a listed picture's files are
   * retained.
   */
  async #discardUnlisted(pictures: readonly Upload[]): Promise<void> {
    for (const picture of pictures)
      await this.#unlist(picture.id).then(
        () => this.#discard(picture),
        () => undefined,
      );
  }

  /** Makes the copy for messages when it is first requested, so that older letters and pictures have one. */
  async #findLetterCopy(upload: Upload, name: string): Promise<ServableFile | undefined> {
    const [made, original] = [
      await this.#files.findServable(name),
      await this.#files.findServable(upload.filename),
    ];
    if (made || !original || this.#findUpload(name) !== upload) return made;
    const bytes = await Bun.file(original.path).bytes();
    await this.#files.addVariant(name, await createLetterCopy(bytes, upload));
    return this.#files.findServable(name);
  }
}

const removeById = (uploads: Upload[], id: string) =>
  uploads.some((each) => each.id === id) ? uploads.filter((each) => each.id !== id) : uploads;

/** Throws `conflict` when the list is full. */
function addMore(list: readonly Upload[], more: readonly Upload[]): Upload[] {
  assertRoom(list, more.length);
  return [...list, ...more];
}

function assertRoom({ length }: readonly Upload[], more: number): void {
  if (length + more > uploads.maxItems) throw conflict(LIBRARY_FULL_MESSAGE);
}

/** Ids increase with time. */
const sortByCreation = (list: Upload[]) => list.sort((a, b) => (a.id < b.id ? -1 : 1));

/** Cached by list, which is immutable: it is needed for every picture served. */
const stemCache = new WeakMap<readonly Upload[], ReadonlyMap<string, Upload>>();

function uploadsByStem(list: readonly Upload[]): ReadonlyMap<string, Upload> {
  const cached = stemCache.get(list);
  if (cached) return cached;
  const made = new Map(list.map((upload) => [pictureStem(upload.filename), upload]));
  stemCache.set(list, made);
  return made;
}

const fileNames = (upload: Upload) => [
  upload.filename,
  ...upload.widths.map((width) => variantName(upload.filename, width)),
  letterPictureName(upload),
];

/** Throws `cannot_store` for what a disk or a bucket didn't take. */
function throwUnavailable(error: unknown): never {
  throw cannotStore(
    "The image couldn't be stored, so nothing was changed. Try again in a few minutes.",
    error,
  );
}

function throwUnreadable(error: unknown): never {
  throw cannotStore("This image can't be shown right now. Try again in a few minutes.", error);
}
