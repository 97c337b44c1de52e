/** A few segments of one kind of records, parsed and kept in memory. */
import { cannotStore } from "../shared/errors.ts";
import { reasonOf } from "./dataFolder.ts";
import { isWhole } from "./envelope.ts";
import { type FilePlace, JsonFile } from "./jsonFile.ts";
import type { Line } from "./lineLog.ts";
import type { Snapshot } from "./store.ts";

const KEPT_PARSED = 8;

export class ParsedSegments<T> {
  /** The most recently used last. */
  readonly #parsed = new Map<number, Promise<JsonFile<T[]>>>();
  #pinned: number | undefined;
  /** The one segment that has a log, and what is in that in memory alone. */
  #followed: { readonly number: number; readonly file: JsonFile<T[]> } | undefined;

  constructor(readonly placeOf: (number: number) => FilePlace<T[]>) {}

  /** As `settle`; where it fails, the next start does it. */
  async close(): Promise<void> {
    await this.#followed?.file.close({ backup: "copy" });
  }

  /** Whether a segment is being written, was last, or has lines that its file doesn't hold. */
  isPinned(number: number): boolean {
    return number === this.#pinned || number === this.#followed?.number;
  }

  /**
   * Writes records that were put behind those of a segment, which `forWriting` has returned. Throws `cannot_store`.
   */
  async put(
    number: number,
    file: JsonFile<T[]>,
    next: Snapshot<T[]>,
    { lines, needed }: { readonly lines: readonly Line[]; readonly needed: boolean },
  ): Promise<void> {
    if (this.#followed?.file !== file) await this.settle();
    this.#followed = { number, file };
    await file.put(next, lines, { backup: "copy" }, needed);
  }

  /**
   * Has the file of the segment with a log hold all of it, and returns its size in bytes. Throws `cannot_store`; it
   * stays in memory then.
   */
  async settle(): Promise<{ readonly number: number; readonly size: number } | undefined> {
    if (!this.#followed) return undefined;
    const { number, file } = this.#followed;
    await file.settle({ backup: "copy" });
    this.#followed = undefined;
    return { number, size: file.size };
  }

  /**
   * For a write. Stays in memory until the next one is requested, so readers never see it half
   * done.
   */
  async forWriting(number: number): Promise<JsonFile<T[]>> {
    this.#pinned = number;
    return this.#cached(number);
  }

  isReadable(number: number): Promise<boolean> {
    return this.#cached(number).then(
      () => true,
      () => false,
    );
  }

  /** Throws `cannot_store`. */
  async records(number: number): Promise<readonly T[]> {
    return (await this.#cached(number)).envelope.value;
  }

  /** Like `records`, but doesn't push other segments out of memory. */
  async recordsOnce(number: number): Promise<readonly T[]> {
    return (await (this.#parsed.get(number) ?? this.#read(number))).envelope.value;
  }

  holds(number: number): boolean {
    return this.#parsed.has(number);
  }

  /**
   * The bytes of a segment's file, to look through before its records are made of them, which takes many
   * times as long; undefined for one that can't be read, or is not as it was written.
   */
  async bytes(number: number): Promise<Uint8Array | undefined> {
    const { folder, path } = this.placeOf(number);
    const bytes = await folder.disk.read(path).catch(() => undefined);
    return bytes && isWhole(bytes) ? bytes : undefined;
  }

  #cached(number: number): Promise<JsonFile<T[]>> {
    const file = this.#parsed.get(number) ?? this.#read(number);
    this.#parsed.delete(number);
    this.#parsed.set(number, file);
    file.catch(() => this.#parsed.delete(number));
    for (const oldest of this.#parsed.keys()) {
      if (this.#parsed.size <= KEPT_PARSED) break;
      if (!this.isPinned(oldest)) this.#parsed.delete(oldest);
    }
    return file;
  }

  async #read(number: number): Promise<JsonFile<T[]>> {
    const place = this.placeOf(number);
    try {
      const file = await JsonFile.read(place);
      if (!file) throw new Error("is missing");
      return file;
    } catch (error) {
      const reason = reasonOf(error);
      place.folder.log(
        `storage: reading ${place.path} failed (${reason}); a new start tries its .bak`,
      );
      throw cannotStore("The stored records couldn't be read. Try again in a few minutes.", error);
    }
  }
}
