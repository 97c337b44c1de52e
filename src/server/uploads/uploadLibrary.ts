/** The library of a site's pictures: adds, lists, changes, removes and restores them. */
import { type Content, entities, type Item } from "../../schema/index.ts";
import { formatNumber } from "../../schema/core/formatNumber.ts";
import { MAX_UPLOAD_BYTES } from "../../schema/pictures/uploadLimits.ts";
import { uploads } from "../../schema/pictures/uploads.ts";
import { type Clock, getTimestamp } from "../shared/clock.ts";
import { cannotStore, conflict, noLongerExists } from "../shared/errors.ts";
import type { Bin } from "../bin/bin.ts";
import { createLetterPictureName } from "../../schema/pictures/letterPicture.ts";
import { getPictureStem, createVariantName } from "../storage/pictures/pictureNames.ts";
import type { Document, Transaction } from "../storage/store.ts";
import { decodeQueue, createLetterCopy, acceptUpload } from "./acceptImage.ts";
import type { ScanFile } from "./scanner.ts";
import type { ServableFile, UploadFiles } from "./uploadFiles.ts";

export type Upload = Item<"uploads">;

/** The fields that an owner edits. */
export type UploadFields = Pick<
  Upload,
  "originalName" | "alt" | "decorative" | "kind" | "focus" | "cuts"
>;

/** Throws to refuse a write. The check is called within the write, with the current list, oldest first. */
type ListCheck = (list: readonly Upload[]) => void;

/** The lists before and after a write, oldest first. */
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
  readonly document: Document<Content<"uploads">>;
  readonly bin: Bin;
  readonly clock?: Clock;
  /** Scans uploads before they are decoded. Default: no scan. */
  readonly scanFile?: ScanFile | undefined;
}

export class UploadLibrary {
  readonly #files: UploadFiles;
  readonly #document: LibraryContext["document"];

  constructor(private readonly context: LibraryContext) {
    this.#files = context.files;
    this.#document = context.document;
  }

  /** The listed pictures, newest first. */
  list(): Upload[] {
    return this.#listedUploads.toReversed();
  }

  /**
   * Adds a picture. `replacement.createFields` returns the fields that the new picture takes over from the replaced
   * picture. Throws what `acceptImage` and `check` throw, `conflict` if the list is full, and `cannot_store`.
   */
  async addPicture(
    bytes: Uint8Array,
    originalName: string | undefined,
    replacement?: {
      readonly createFields: (stored: Upload) => Partial<UploadFields>;
      readonly check?: ListCheck;
    },
  ): Promise<Upload> {
    const { scanFile, clock = Date.now } = this.context;
    // Avoids decoding a picture that would be refused. The write below checks the capacity again.
    assertCapacity(this.#listedUploads, 1);
    if (bytes.length <= MAX_UPLOAD_BYTES) await scanFile?.(bytes);
    const stored = await acceptUpload(bytes, originalName, getTimestamp(clock), (image, variants) =>
      this.#files.storeUpload(image, variants).catch(throwUnavailable("stored")),
    );
    const upload = { ...stored, ...replacement?.createFields(stored) };
    try {
      await this.#document.update((uploads) => {
        replacement?.check?.(uploads);
        return appendUploads(uploads, [upload]);
      });
      await this.#makeServable(upload, "stored");
    } catch (error) {
      await this.#discardUnlisted([upload]);
      throw error;
    }
    return upload;
  }

  /** Removes a picture that was just added. It skips the bin, since nobody has seen it. Throws `cannot_store`. */
  async undoAdd(upload: Upload): Promise<void> {
    // The file is hidden first. After a kill, the next start makes a listed file servable and removes others.
    await this.#files.hide(upload.filename).catch(throwUnavailable("deleted"));
    await this.#unlist(upload.id).catch(async (error: unknown) => {
      await this.#files.makeServable(upload.filename).catch(() => undefined);
      throw error;
    });
    await this.#discard(upload);
  }

  /** Changes a picture. Undefined if it is missing. Throws what `check` throws, and `cannot_store`. */
  async changePicture(
    id: string,
    fields: Partial<UploadFields>,
    check?: ListCheck,
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

  /** Moves a picture to the bin. Throws `not_found`, what `check` throws, and `cannot_store`. */
  async removePicture(id: string, check?: ListCheck): Promise<ChangedList> {
    const listedUploads = this.#listedUploads;
    // Checks before the file is hidden. The write below checks again.
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
    // The file is hidden before the list changes. After a kill in between, the next start makes it servable again.
    const hide = async () => {
      const upload = this.#listedUploads.find((each) => each.id === id);
      if (!upload) throw noLongerExists(entities.uploads);
      await this.#files.hide(upload.filename).catch(throwUnavailable("deleted"));
      return () => this.#files.makeServable(upload.filename);
    };
    await this.context.bin.moveToBin(entities.uploads, removeEntry, hide);
    return { before, after };
  }

  checkHealth(): Promise<void> {
    return this.#files.checkHealth();
  }

  /** Moves a picture from the bin to the list. Call `makeServable` next. Throws `conflict`. */
  async restoreFromBin(upload: Upload, transaction: Transaction): Promise<Upload> {
    await transaction.of(entities.uploads).update((all) => {
      if (all.some(({ id }) => id === upload.id)) throw conflict(ALREADY_UPLOADED_MESSAGE);
      return sortByCreation(appendUploads(all, [upload]));
    });
    return upload;
  }

  /** Makes a restored picture's file servable again. Throws `cannot_store`. */
  makeServable(upload: Upload): Promise<void> {
    return this.#makeServable(upload, "restored");
  }

  /**
   * Adds the pictures of an archive that aren't listed, all or none, and removes them from the bin. `readFiles` calls
   * its argument with each file. Throws `conflict` if the list is full, and what `readFiles` throws.
   */
  importPictures(
    pictures: readonly Upload[],
    readFiles: (accept: (name: string, bytes: Uint8Array) => Promise<void>) => Promise<void>,
  ): Promise<void> {
    return this.context.bin.runWithSweepPaused(async (changeLists) => {
      const listedIds = new Set(this.#listedUploads.map(({ id }) => id));
      try {
        await readFiles((name, bytes) =>
          this.#files.importFile(name, bytes).catch(throwUnavailable("restored")),
        );
        await changeLists([entities.uploads], async (transaction) => {
          await transaction.of(entities.uploads).update((all) => {
            const ids = new Set(all.map(({ id }) => id));
            const missing = pictures.filter(({ id }) => !ids.has(id));
            return sortByCreation(appendUploads(all, missing));
          });
        });
        for (const picture of pictures) await this.makeServable(picture);
      } catch (error) {
        await this.#discardUnlisted(pictures.filter(({ id }) => !listedIds.has(id)));
        throw error;
      }
    });
  }

  /** Removes cached copies of unlisted pictures. Call this when any instance has changed the list. */
  pruneCache(): void {
    this.#files.limitCacheTo(new Set(this.#listedUploads.map(({ filename }) => filename)));
  }

  /** Removes the files of a picture that is permanently deleted. */
  async removeFiles({ filename }: Upload): Promise<void> {
    await this.#files.removeUpload(filename).catch(throwUnavailable("deleted"));
  }

  /** Finds the smallest file of a picture in the bin, for its thumbnail. */
  async findThumbnail({ filename, widths }: Upload): Promise<ServableFile | undefined> {
    const smallest =
      widths[0] && (await this.#files.findPublicFile(createVariantName(filename, widths[0])));
    return smallest || this.#files.findOriginal(filename);
  }

  /** Whether a file name is that of a listed picture or of one of its variants. */
  hasFile(name: string): boolean {
    const upload = this.#findUpload(name);
    return upload !== undefined && listFileNames(upload).includes(name);
  }

  /** Finds the file of a listed picture or of one of its variants. Throws `cannot_store`. */
  async findFile(name: string): Promise<ServableFile | undefined> {
    if (!this.hasFile(name)) return undefined;
    const upload = this.#findUpload(name);
    const match =
      upload && createLetterPictureName(upload) === name
        ? decodeQueue(() => this.#findLetterCopy(upload, name))
        : this.#files.findPublicFile(name);
    return match.catch(throwUnreadable);
  }

  get #listedUploads(): readonly Upload[] {
    return this.#document.read().value;
  }

  #findUpload(name: string): Upload | undefined {
    return indexByStem(this.#listedUploads).get(getPictureStem(name));
  }

  #makeServable({ filename }: Upload, action: StorageAction): Promise<void> {
    return this.#files.makeServable(filename).catch(throwUnavailable(action));
  }

  #unlist(id: string) {
    return this.#document.update((uploads) => removeById(uploads, id));
  }

  #discard({ filename }: Upload) {
    return this.#files.removeUpload(filename).catch(() => undefined);
  }

  /** Removes pictures from the list, and then their files. If the list can't be written, the files stay. */
  async #discardUnlisted(pictures: readonly Upload[]): Promise<void> {
    for (const picture of pictures)
      await this.#unlist(picture.id).then(
        () => this.#discard(picture),
        () => undefined,
      );
  }

  /** Finds the copy of a picture for emails and shared links. The first request creates the copy. */
  async #findLetterCopy(upload: Upload, name: string): Promise<ServableFile | undefined> {
    const [letterCopy, original] = [
      await this.#files.findPublicFile(name),
      await this.#files.findPublicFile(upload.filename),
    ];
    if (letterCopy || !original || this.#findUpload(name) !== upload) return letterCopy;
    const bytes = await Bun.file(original.path).bytes();
    await this.#files.addVariant(name, await createLetterCopy(bytes, upload));
    return this.#files.findPublicFile(name);
  }
}

const removeById = (uploads: Upload[], id: string) =>
  uploads.some((each) => each.id === id) ? uploads.filter((each) => each.id !== id) : uploads;

function appendUploads(list: readonly Upload[], added: readonly Upload[]): Upload[] {
  assertCapacity(list, added.length);
  return [...list, ...added];
}

function assertCapacity({ length }: readonly Upload[], addedCount: number): void {
  if (length + addedCount > uploads.maxItems) throw conflict(LIBRARY_FULL_MESSAGE);
}

/** Sorts pictures by their creation: their ids are UUIDv7, which increase with time. */
const sortByCreation = (list: Upload[]) => list.sort((a, b) => (a.id < b.id ? -1 : 1));

/** A list's pictures by the stem of their file names, for all requests. Lists never change, so the maps stay valid. */
const stemCache = new WeakMap<readonly Upload[], ReadonlyMap<string, Upload>>();

function indexByStem(list: readonly Upload[]): ReadonlyMap<string, Upload> {
  const cached = stemCache.get(list);
  if (cached) return cached;
  const uploadsByStem = new Map(list.map((upload) => [getPictureStem(upload.filename), upload]));
  stemCache.set(list, uploadsByStem);
  return uploadsByStem;
}

const listFileNames = (upload: Upload) => [
  upload.filename,
  ...upload.widths.map((width) => createVariantName(upload.filename, width)),
  createLetterPictureName(upload),
];

type StorageAction = "stored" | "restored" | "deleted";

const throwUnavailable =
  (action: StorageAction) =>
  (error: unknown): never => {
    throw cannotStore(
      `The image couldn't be ${action}, so nothing was changed. Try again in a few minutes.`,
      error,
    );
  };

function throwUnreadable(error: unknown): never {
  throw cannotStore("This image can't be shown right now. Try again in a few minutes.", error);
}
