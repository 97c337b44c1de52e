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

const LIBRARY_FULL = `The site holds at most ${formatNumber(uploads.limit)} files. Delete some first.`;

const ALREADY_UPLOADED = "The site already has this image.";

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
export class UploadLibrary {
  readonly #files: UploadFiles;
  readonly #document: LibraryContext["document"];

  constructor(private readonly context: LibraryContext) {
    this.#files = context.files;
    this.#document = context.document;
  }

  /** Newest first. */
  list(): Upload[] {
    return this.#listed.toReversed();
  }

  /**
   * Adds a picture; `fields` fills in those already set. Throws what `acceptImage` and `check` throw, `conflict`
   * when the list is full, or `cannot_store`.
   */
  async add(
    bytes: Uint8Array,
    originalName: string | undefined,
    existing?: {
      readonly fields: (stored: Upload) => Partial<UploadFields>;
      readonly check?: CheckList;
    },
  ): Promise<Upload> {
    const { scan, clock = Date.now } = this.context;
    // Checked again when it is stored; this avoids decoding a picture for a full list.
    requireRoom(this.#listed, 1);
    if (bytes.length <= MAX_UPLOAD_BYTES) await scan?.(bytes);
    const stored = await newUpload(bytes, originalName, isoTime(clock), (image, variants) =>
      this.#files.storeUpload(image, variants).catch(unavailable),
    );
    const upload = { ...stored, ...existing?.fields(stored) };
    try {
      await this.#document.update((uploads) => {
        existing?.check?.(uploads);
        return withMore(uploads, [upload]);
      });
      await this.show(upload);
    } catch (error) {
      await this.#discardUnlisted([upload]);
      throw error;
    }
    return upload;
  }

  /** Removes a picture just added, which nobody has seen, bypassing the bin. Throws `cannot_store`. */
  async undoAdd(upload: Upload): Promise<void> {
    // Hidden first: after a kill, its name marks it as unlisted, or as still to be shown.
    await this.#files.hide(upload.filename).catch(unavailable);
    await this.#unlist(upload.id).catch(async (error: unknown) => {
      await this.#files.makeServable(upload.filename).catch(() => undefined);
      throw error;
    });
    await this.#discard(upload);
  }

  /** Edits a picture; undefined when it is missing. Throws what `check` throws, and `cannot_store`. */
  async change(
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
  async remove(id: string, check?: CheckList): Promise<ChangedList> {
    const listed = this.#listed;
    // Checked before anything is hidden or moved to the bin.
    if (listed.some((each) => each.id === id)) check?.(listed);
    let before = listed;
    let after = listed;
    const removeEntry = async (transaction: Transaction) => {
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
      const upload = this.#listed.find((each) => each.id === id);
      if (!upload) throw noLongerExists(entities.uploads);
      await this.#files.hide(upload.filename).catch(unavailable);
      return () => this.#files.makeServable(upload.filename);
    };
    await this.context.bin.discard(entities.uploads, removeEntry, hide);
    return { before, after };
  }

  /** Tests whether pictures can be stored. Throws `cannot_store`. */
  health(): Promise<void> {
    return this.#files.health();
  }

  /** Puts a picture from the bin back into the list; call `show` next. Throws `conflict` when the list is full. */
  async restoreFromBin(upload: Upload, transaction: Transaction): Promise<Upload> {
    await transaction.of(entities.uploads).update((all) => {
      if (all.some(({ id }) => id === upload.id)) throw conflict(ALREADY_UPLOADED);
      return inOrder(withMore(all, [upload]));
    });
    return upload;
  }

  /** Makes the file of a restored picture servable again. Throws `cannot_store`. */
  show({ filename }: Upload): Promise<void> {
    return this.#files.makeServable(filename).catch(unavailable);
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
        await read((name, bytes) => this.#files.importFile(name, bytes).catch(unavailable));
        await list([entities.uploads], async (transaction) => {
          await transaction.of(entities.uploads).update((all) => {
            const ids = new Set(all.map(({ id }) => id));
            const missing = pictures.filter(({ id }) => !ids.has(id));
            return inOrder(withMore(all, missing));
          });
        });
      } catch (error) {
        await this.#discardUnlisted(pictures);
        throw error;
      }
      for (const picture of pictures) await this.show(picture);
    });
  }

  /** Call it when the list has changed, here or at another instance. */
  changed(): void {
    this.#files.retainOnly(new Set(this.#listed.map(({ filename }) => filename)));
  }

  /** Removes the files of a permanently deleted picture. */
  async removeFiles({ filename }: Upload): Promise<void> {
    await this.#files.removeUpload(filename).catch(unavailable);
  }

  /** A thumbnail of a picture in the bin, for its owner. */
  async findBinned({ filename, widths }: Upload): Promise<ServableFile | undefined> {
    const smallest =
      widths[0] && (await this.#files.findServable(variantName(filename, widths[0])));
    return smallest || this.#files.findOriginal(filename);
  }

  /** Whether it is the file name of a listed picture or of one of its variants. */
  has(name: string): boolean {
    const upload = this.#uploadOf(name);
    return upload !== undefined && filesOf(upload).includes(name);
  }

  /** The file of a listed picture or of one of its variants. Throws `cannot_store`. */
  async find(name: string): Promise<ServableFile | undefined> {
    if (!this.has(name)) return undefined;
    const upload = this.#uploadOf(name);
    const match =
      upload && letterPictureName(upload) === name
        ? inDecodeTurn(() => this.#findLetterCopy(upload, name))
        : this.#files.findServable(name);
    return match.catch(unreadable);
  }

  get #listed(): readonly Upload[] {
    return this.#document.read().value;
  }

  #uploadOf(name: string): Upload | undefined {
    return byStem(this.#listed).get(stemOf(name));
  }

  #unlist(id: string) {
    return this.#document.update((uploads) => without(uploads, id));
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
    if (made || !original || this.#uploadOf(name) !== upload) return made;
    const bytes = await Bun.file(original.path).bytes();
    await this.#files.addVariant(name, await letterCopyOf(bytes, upload));
    return this.#files.findServable(name);
  }
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
  const cached = stems.get(list);
  if (cached) return cached;
  const made = new Map(list.map((upload) => [stemOf(upload.filename), upload]));
  stems.set(list, made);
  return made;
}

const filesOf = (upload: Upload) => [
  upload.filename,
  ...upload.widths.map((width) => variantName(upload.filename, width)),
  letterPictureName(upload),
];

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
