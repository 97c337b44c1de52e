/** One file behind lowdb: what readers see is swapped only after the write has reached the disk. */
import { Low } from "lowdb";
import { frozen, type DurableAdapter } from "./durableAdapter.ts";
import type { DataFolder } from "./dataFolder.ts";
import type { Envelope } from "./envelope.ts";
import type { KeepOld } from "./writeDurably.ts";

export interface Replacement<T> {
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

  /** Raises StorageUnavailable, with the published state as it was. */
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
