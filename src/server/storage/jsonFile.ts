/** One JSON file behind lowdb: read strictly, written durably, and seen by readers once it is stored. */
import { type Adapter, Low } from "lowdb";
import type { DataFolder } from "./dataFolder.ts";
import { type Disk, ifThere, type KeepOld, writeDurably } from "./disk.ts";
import {
  decode,
  deepFreeze,
  encode,
  type Envelope,
  type Format,
  isSealedBy,
  type Trust,
} from "./envelope.ts";
import { type Line, LineLog } from "./lineLog.ts";
import type { Snapshot } from "./store.ts";

/** Where a file is and how it is read. */
export interface FilePlace<T> {
  readonly folder: DataFolder;
  readonly path: string;
  readonly format: Format<T>;
}

/** What lowdb holds of a file. */
interface Held<T> {
  readonly envelope: Envelope<T>;
  /** The version of the schema that the file was written with. */
  readonly version: number;
  /** Its checksum; undefined for a file of a release before checksums, and for what is still to be written. */
  readonly seal: string | undefined;
  /** What its write does with the file before it. */
  readonly keep: KeepOld;
  /** In bytes; of what is still to be written, unknown. */
  size: number;
}

export class JsonFile<T> {
  readonly #low: Low<Held<T> | null>;
  /** What readers see: lowdb's data, once it is on the disk. */
  #stored!: Held<T>;
  /** What the file itself says, without the lines in its log. */
  #written!: Envelope<T>;
  /** A write that was refused may have reached the disk all the same: then no line can follow. */
  #isSure = true;
  #log: LineLog | undefined;

  private constructor(
    readonly place: FilePlace<T>,
    trust: Trust = { unsealed: false },
  ) {
    this.#low = new Low<Held<T> | null>(adapterOf(place, trust), null);
  }

  /**
   * Undefined when there is no file. Throws `cannot_open` for a version it has no way from, what
   * the disk throws, and any other Error for a damaged file.
   */
  static async read<T>(place: FilePlace<T>, trust?: Trust): Promise<JsonFile<T> | undefined> {
    const file = new JsonFile(place, trust ?? { unsealed: place.folder.takesUnsealed });
    await file.#low.read();
    if (!file.#low.data) return undefined;
    file.#stored = frozen(file.#low.data);
    file.#written = file.#stored.envelope;
    return file;
  }

  /** Throws `cannot_store`. */
  static async create<T>(
    place: FilePlace<T>,
    first: Snapshot<T>,
    backup: KeepOld["backup"] = "same",
  ): Promise<JsonFile<T>> {
    const file = new JsonFile(place);
    await file.replace(first, { backup });
    return file;
  }

  /** The same content in another place, where the caller has put the same bytes. */
  movedTo(place: FilePlace<T>): JsonFile<T> {
    const moved = new JsonFile(place);
    moved.#low.data = moved.#stored = this.#stored;
    moved.#written = this.#written;
    return moved;
  }

  /** As it is on the disk, deeply frozen. */
  get envelope(): Envelope<T> {
    return this.#stored.envelope;
  }

  /** The version of the schema that the file was written with. */
  get version(): number {
    return this.#stored.version;
  }

  /** False for a file of a release before checksums. */
  get sealed(): boolean {
    return this.#stored.seal !== undefined;
  }

  /** Whether these are the bytes that it was read from. */
  isSameAs(bytes: Uint8Array): boolean {
    const { seal } = this.#stored;
    return seal !== undefined && isSealedBy(seal, bytes);
  }

  /** In bytes, with its log. */
  get size(): number {
    return this.#stored.size + (this.#log?.size ?? 0);
  }

  /** Whether some of it is in its log alone. */
  get hasLines(): boolean {
    return (this.#log?.size ?? 0) > 0;
  }

  /**
   * Writes another state; throws `cannot_store`, and readers see the one before then. `isNeeded`: also
   * on a full disk. By default sessions and lists of pictures are, content isn't.
   */
  async replace(
    { revision, savedAt, value }: Snapshot<T>,
    keep: KeepOld,
    isNeeded = keep.backup === "same" && keep.history === undefined,
  ): Promise<void> {
    const { folder, format } = this.place;
    const { entity, version } = format;
    const next = frozen({
      envelope: { entity, version, revision, savedAt, value },
      version,
      seal: undefined,
      keep,
      size: 0,
    });
    // lowdb writes its data; a write that failed must leave no trace there.
    const before = this.#low.data;
    this.#low.data = next;
    this.#isSure = false;
    try {
      await folder.write(entity, () => this.#low.write(), isNeeded);
    } catch (error) {
      this.#low.data = before;
      throw error;
    }
    this.#stored = next;
    this.#written = next.envelope;
    this.#isSure = true;
    await this.#log?.clear(entity);
  }

  /**
   * Writes another state that differs by these items alone, each put in the place of the one with its id or at the
   * end: as lines in its log where that can be, else as `replace` does. Throws `cannot_store`.
   */
  async put(
    { revision, savedAt, value }: Snapshot<T>,
    lines: readonly Line[],
    keep: KeepOld,
    isNeeded?: boolean,
  ): Promise<void> {
    const { folder, path, format } = this.place;
    this.#log ??= new LineLog(folder, path);
    const base = { ...this.#written, place: format.place };
    if (!this.#isSure || !(await this.#log.append(base, lines)))
      return this.replace({ revision, savedAt, value }, keep, isNeeded);
    const { entity, version } = format;
    // Its items are frozen; to freeze a list of 200 takes longer than to write one of them.
    const envelope = Object.freeze({ entity, version, revision, savedAt, value });
    this.#low.data = this.#stored = { ...this.#stored, envelope };
  }

  /** Ends its log, with all lines in the file. Throws `cannot_store`, and the log goes on then. */
  async settle(keep: KeepOld): Promise<void> {
    if (this.hasLines) await this.replace(this.envelope, keep);
    await this.#log?.close();
    this.#log = undefined;
  }

  /** As `settle`, which an earlier release needs, for it knows of no lines; where it fails, the next start does it. */
  async close(keep: KeepOld): Promise<void> {
    await this.settle(keep).catch(() => this.#log?.close());
  }
}

/** lowdb's way to one file. */
function adapterOf<T>(
  { folder, path, format }: FilePlace<T>,
  trust: Trust,
): Adapter<Held<T> | null> {
  return {
    read: () => readHeld(folder.disk, path, format, trust),
    async write(held) {
      const bytes = encode(format.place, held!.envelope);
      await writeDurably(folder.disk, path, bytes, held!.keep);
      held!.size = bytes.length;
    },
  };
}

async function readHeld<T>(
  disk: Disk,
  path: string,
  format: Format<T>,
  trust: Trust,
): Promise<Held<T> | null> {
  const bytes = await ifThere(disk.read(path));
  if (!bytes) return null;
  const { envelope, version, seal } = decode(format, bytes, trust);
  return { envelope, version, seal, keep: { backup: "untouched" }, size: bytes.length };
}

function frozen<T>(held: Held<T>): Held<T> {
  deepFreeze(held.envelope);
  return held;
}
