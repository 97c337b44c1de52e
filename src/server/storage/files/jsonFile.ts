/** A JSON file, read and written with lowdb: checked when read, durable once written. */
import { type Adapter, Low } from "lowdb";
import type { DataFolder } from "./dataFolder.ts";
import { orUndefinedIfMissing, writeDurably } from "../disk/disk.ts";
import { decodeEnvelope, encodeEnvelope, type Envelope, matchesChecksum } from "../envelope.ts";
import { deepFreeze, type StoredFormat } from "../storedValue.ts";
import type { Snapshot } from "../store.ts";

/** A file's path and format. */
export interface FileLocation<T> {
  readonly folder: DataFolder;
  readonly path: string;
  readonly format: StoredFormat<T>;
}

/** A file's new content: a value, or the value's JSON. */
type NewContent<T> = Pick<Snapshot<T>, "revision" | "savedAt"> &
  ({ readonly value: T; readonly json?: undefined } | { readonly json: string });

/** What lowdb holds of a file: the decoded content, or the content to write. */
type LowdbData<T> =
  | { readonly envelope: Envelope<T>; readonly version: number; readonly seal: string | undefined }
  | { readonly written: NewContent<T> };

export class JsonFile<T> {
  private constructor(
    readonly location: FileLocation<T>,
    /** Deeply frozen, of the current schema. */
    readonly envelope: Envelope<T>,
    /** The schema version the file was written with. */
    readonly version: number,
    /** The file's checksum; undefined for content edited by hand. */
    readonly seal: string | undefined,
    /** True if the envelope isn't in the file yet. */
    readonly isBehind = false,
  ) {}

  /**
   * Undefined if there is no file. `acceptsEdits`: content edited by hand is accepted if it fits the schema. Throws
   * `cannot_open` for a version without a migration, what the disk throws, and any other Error for a damaged file.
   */
  static async read<T>(
    location: FileLocation<T>,
    acceptsEdits = false,
  ): Promise<JsonFile<T> | undefined> {
    const low = new Low<LowdbData<T> | null>(createAdapter(location, { acceptsEdits }), null);
    await low.read();
    if (!low.data || "written" in low.data) return undefined;
    const { envelope, version, seal } = low.data;
    // Lists keep the text of records in memory, not the objects.
    const frozen = location.format.isTrusted ? envelope : deepFreeze(envelope);
    return new JsonFile(location, frozen, version, seal);
  }

  /**
   * Throws `cannot_store`, in which case the old file is unchanged. `hasCopy`: also writes the second copy, which all
   * files but the history have. `isNeeded`: may use the space reserved for a full disk.
   */
  static async write<T>(
    location: FileLocation<T>,
    written: NewContent<T>,
    { hasCopy = true, isNeeded = hasCopy }: { hasCopy?: boolean; isNeeded?: boolean } = {},
  ): Promise<void> {
    const low = new Low<LowdbData<T> | null>(createAdapter(location, { hasCopy }), { written });
    await location.folder.write(location.format.entity, () => low.write(), isNeeded);
  }

  /** Writes a file that doesn't exist yet. Throws `cannot_store`. */
  static async create<T>(location: FileLocation<T>, first: Snapshot<T>): Promise<JsonFile<T>> {
    const { entity, version } = location.format;
    await JsonFile.write(location, first);
    return new JsonFile(location, deepFreeze({ entity, version, ...first }), version, "");
  }

  /** This file at another location, to which the caller has copied the bytes. */
  atLocation(location: FileLocation<T>): JsonFile<T> {
    return new JsonFile(location, this.envelope, this.version, this.seal);
  }

  /** This file with new content, which the caller writes later. */
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
  hasSameBytes(bytes: Uint8Array): boolean {
    return this.seal !== undefined && matchesChecksum(this.seal, bytes);
  }
}

function createAdapter<T>(
  { folder, path, format }: FileLocation<T>,
  { hasCopy = false, acceptsEdits = false },
): Adapter<LowdbData<T> | null> {
  return {
    async read() {
      const bytes = await orUndefinedIfMissing(folder.disk.read(path));
      return bytes ? decodeEnvelope(format, bytes, acceptsEdits) : null;
    },
    async write(data) {
      if (!data || !("written" in data)) return;
      const { entity, version, place } = format;
      const { written } = data;
      const bytes = encodeEnvelope(
        place,
        { entity, version, value: undefined, ...written },
        written.json,
      );
      await writeDurably(folder.disk, path, bytes, hasCopy);
    },
  };
}
