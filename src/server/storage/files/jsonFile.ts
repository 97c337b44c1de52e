/** A JSON file behind lowdb: read strictly, written durably. */
import { type Adapter, Low } from "lowdb";
import type { DataFolder } from "./dataFolder.ts";
import { undefinedIfMissing, writeDurably } from "../disk/disk.ts";
import { decode, encodeText, type Envelope, matchesChecksum, type Trust } from "../envelope.ts";
import { deepFreeze, type Format } from "../storedValue.ts";
import type { Snapshot } from "../store.ts";

/** A file's path and format. */
export interface FileLocation<T> {
  readonly folder: DataFolder;
  readonly path: string;
  readonly format: Format<T>;
}

/** A file's new content: a value, or its JSON. */
type Written<T> = Pick<Snapshot<T>, "revision" | "savedAt"> &
  ({ readonly value: T } | { readonly text: string });

/** lowdb's data of a file: what was read, or what to write. */
type Held<T> =
  | { readonly envelope: Envelope<T>; readonly version: number; readonly seal: string | undefined }
  | { readonly written: Written<T> };

export class JsonFile<T> {
  private constructor(
    readonly location: FileLocation<T>,
    /** Deeply frozen, of the current schema. */
    readonly envelope: Envelope<T>,
    /** The schema version the file was written with. */
    readonly version: number,
    /** Its checksum; undefined for content edited by hand. */
    readonly seal: string | undefined,
    /** Memory is ahead of the file, which needs writing. */
    readonly isBehind = false,
  ) {}

  /**
   * Undefined if there is no file. Throws `cannot_open` for a version without a migration, what the disk throws, and
   * any other Error for a damaged file.
   */
  static async read<T>(location: FileLocation<T>, trust?: Trust): Promise<JsonFile<T> | undefined> {
    const low = new Low<Held<T> | null>(adapterOf(location, { trust }), null);
    await low.read();
    if (!low.data || "written" in low.data) return undefined;
    const { envelope, version, seal } = low.data;
    // Of records only the text is stored in memory.
    const frozen = location.format.isTrusted ? envelope : deepFreeze(envelope);
    return new JsonFile(location, frozen, version, seal);
  }

  /**
   * Throws `cannot_store`, and then the old file is unchanged. `hasCopy`: everything but the history has a
   * second copy. `isNeeded`: even on a full disk.
   */
  static async write<T>(
    location: FileLocation<T>,
    written: Written<T>,
    { hasCopy = true, isNeeded = hasCopy }: { hasCopy?: boolean; isNeeded?: boolean } = {},
  ): Promise<void> {
    const low = new Low<Held<T> | null>(adapterOf(location, { hasCopy }), { written });
    await location.folder.write(location.format.entity, () => low.write(), isNeeded);
  }

  /** Throws `cannot_store`. */
  static async create<T>(location: FileLocation<T>, first: Snapshot<T>): Promise<JsonFile<T>> {
    const { entity, version } = location.format;
    await JsonFile.write(location, first);
    return new JsonFile(location, deepFreeze({ entity, version, ...first }), version, "");
  }

  /** The same content elsewhere, where the caller has put the same bytes. */
  atLocation(location: FileLocation<T>): JsonFile<T> {
    return new JsonFile(location, this.envelope, this.version, this.seal);
  }

  /** With new content that isn't in the file yet. */
  withContent({ revision, savedAt, value }: Snapshot<T>): JsonFile<T> {
    const { entity, version } = this.location.format;
    const envelope = deepFreeze({ entity, version, revision, savedAt, value });
    return new JsonFile(this.location, envelope, this.version, this.seal, true);
  }

  get snapshot(): Snapshot<T> {
    const { revision, savedAt, value } = this.envelope;
    return Object.freeze({ revision, savedAt, value });
  }

  /** Whether it was read from these bytes. */
  isSameAs(bytes: Uint8Array): boolean {
    return this.seal !== undefined && matchesChecksum(this.seal, bytes);
  }
}

function adapterOf<T>(
  { folder, path, format }: FileLocation<T>,
  { hasCopy = false, trust }: { readonly hasCopy?: boolean; readonly trust?: Trust | undefined },
): Adapter<Held<T> | null> {
  return {
    async read() {
      const bytes = await undefinedIfMissing(folder.disk.read(path));
      return bytes ? decode(format, bytes, trust) : null;
    },
    async write(held) {
      if (!held || !("written" in held)) return;
      const { entity, version, place } = format;
      const { revision, savedAt } = held.written;
      const text = "text" in held.written ? held.written.text : JSON.stringify(held.written.value);
      const bytes = encodeText(place, { entity, version, revision, savedAt, text });
      await writeDurably(folder.disk, path, bytes, hasCopy);
    },
  };
}
