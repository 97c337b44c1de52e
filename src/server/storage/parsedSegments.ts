/** A few segments of one kind of records, parsed and kept in memory. */
import { cannotStore } from "../shared/errors.ts";
import { reasonOf } from "./dataFolder.ts";
import { isWhole } from "./envelope.ts";
import { type FilePlace, JsonFile } from "./jsonFile.ts";

const KEPT_PARSED = 8;

export class ParsedSegments<T> {
  /** The most recently used last. */
  readonly #parsed = new Map<number, Promise<JsonFile<T[]>>>();
  #pinned: number | undefined;

  constructor(readonly placeOf: (number: number) => FilePlace<T[]>) {}

  /** The segment that is being written, or was last. */
  get pinned(): number | undefined {
    return this.#pinned;
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
      if (oldest !== this.#pinned) this.#parsed.delete(oldest);
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
