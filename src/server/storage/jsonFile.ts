/** One file behind lowdb: what readers see is swapped only after the write has reached the disk. */
import { type Adapter, Low } from "lowdb";
import type { DataFolder } from "./dataFolder.ts";
import { type Disk, ifThere, type KeepOld, writeDurably } from "./disk.ts";
import { decode, deepFreeze, encode, type Envelope, type Format } from "./envelope.ts";

// lowdb's adapter for one file: reads strictly, writes durably.

export class DurableAdapter<T> implements Adapter<Envelope<T>> {
  /** What the next write does with the file as it is; `untouched` until there is one. */
  backup: KeepOld["backup"] = "untouched";
  /** Where the file as it is stays after the next write, if anywhere. */
  history: string | undefined;
  /** The schema version of the file last read. */
  storedVersion: number;
  /** The size of the file last read or written, in bytes. */
  size = 0;

  constructor(
    readonly disk: Disk,
    readonly path: string,
    readonly format: Format<T>,
  ) {
    this.storedVersion = format.version;
  }

  /** Null when there is no file; raises what `decode` and the disk raise. */
  async read(): Promise<Envelope<T> | null> {
    return (await this.readFrom(this.path)) ?? null;
  }

  async readFrom(path: string): Promise<Envelope<T> | undefined> {
    const bytes = await ifThere(this.disk.read(path));
    if (!bytes) return undefined;
    const { envelope, storedVersion } = decode(this.format, bytes);
    this.storedVersion = storedVersion;
    this.size = bytes.length;
    return envelope;
  }

  async write(envelope: Envelope<T>): Promise<void> {
    const bytes = encode(envelope);
    const { backup, history } = this;
    await writeDurably(this.disk, this.path, bytes, { backup, history });
    this.size = bytes.length;
    this.storedVersion = this.format.version;
  }
}

/** Freezes what will be shown to callers. */
export function frozen<T>(envelope: Envelope<T>): Envelope<T> {
  deepFreeze(envelope.value);
  return Object.freeze(envelope);
}

interface Replacement<T> {
  value: T;
  revision: number;
  savedAt: string;
  /** Default `previous`. */
  backup?: KeepOld["backup"];
  /** The path under which the earlier revision stays. */
  history?: string | undefined;
}

export class EnvelopeFile<T> {
  readonly #low: Low<Envelope<T>>;
  #published: Envelope<T>;

  /** `envelope` is what is on the disk. */
  constructor(
    readonly folder: DataFolder,
    readonly adapter: DurableAdapter<T>,
    envelope: Envelope<T>,
  ) {
    this.#published = frozen(envelope);
    this.#low = new Low<Envelope<T>>(adapter, this.#published);
  }

  get published(): Envelope<T> {
    return this.#published;
  }

  /** Throws `cannot_store`, with the published state as it was. */
  async replace(next: Replacement<T>): Promise<void> {
    const { entity, version } = this.#published;
    const { value, revision, savedAt } = next;
    this.adapter.backup = next.backup ?? "previous";
    this.adapter.history = next.history;
    this.#low.data = frozen({ entity, version, revision, savedAt, value });
    try {
      await this.folder.write(entity, () => this.#low.write());
      this.#published = this.#low.data;
    } finally {
      this.#low.data = this.#published;
    }
  }
}
