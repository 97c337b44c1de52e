/** lowdb's adapter for one file: reads strictly, writes durably. */
import type { Adapter } from "lowdb";
import { deepFreeze } from "./canonical.ts";
import { ifThere, type Disk } from "./disk.ts";
import { decode, encode, type Envelope, type Format } from "./envelope.ts";
import { writeDurably, type KeepOld } from "./writeDurably.ts";

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
