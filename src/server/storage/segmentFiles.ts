/** The files of one kind of records: numbered segments, a few of them kept parsed in memory. */
import { join } from "node:path";
import * as v from "valibot";
import { cannotStore } from "../errors.ts";
import { type DataFolder, reasonOf } from "./dataFolder.ts";
import { ifThere } from "./disk.ts";
import type { Format } from "./envelope.ts";
import { DurableAdapter, EnvelopeFile } from "./jsonFile.ts";
import type { Migrations } from "../../schema/entity.ts";
import type { RecordsSpec } from "./entitySpecs.ts";

const KEPT_PARSED = 8;

export class SegmentFiles<T extends { id: string }> {
  readonly directory: string;
  readonly format: Format<T[]>;
  /** Copies kept aside at the start (damaged, before a migration), by segment. */
  readonly copies = new Map<number, string[]>();
  /** The most recently used last. */
  readonly #parsed = new Map<number, Promise<EnvelopeFile<T[]>>>();
  #pinned: number | undefined;

  constructor(
    readonly folder: DataFolder,
    spec: RecordsSpec<T, never>,
  ) {
    this.directory = join(folder.directory, spec.name);
    this.format = {
      entity: spec.name,
      version: spec.version,
      schema: v.array(spec.schema),
      migrations: ofEach(spec.migrations),
    };
  }

  pathOf(number: number): string {
    return join(this.directory, `${String(number).padStart(6, "0")}.json`);
  }

  adapter(number: number): DurableAdapter<T[]> {
    return new DurableAdapter(this.folder.disk, this.pathOf(number), this.format);
  }

  /** For a write: stays in memory until the next one is asked for, so readers never see it half-way. */
  async forWriting(number: number): Promise<EnvelopeFile<T[]>> {
    this.#pinned = number;
    return this.#cached(number);
  }

  isReadable(number: number): Promise<boolean> {
    return this.#cached(number).then(
      () => true,
      () => false,
    );
  }

  async records(number: number): Promise<readonly T[]> {
    return (await this.#cached(number)).published.value;
  }

  /** As `records`, without pushing others out of memory. */
  async recordsOnce(number: number): Promise<readonly T[]> {
    return (await (this.#parsed.get(number) ?? this.#load(number))).published.value;
  }

  #cached(number: number): Promise<EnvelopeFile<T[]>> {
    const file = this.#parsed.get(number) ?? this.#load(number);
    this.#parsed.delete(number);
    this.#parsed.set(number, file);
    file.catch(() => this.#parsed.delete(number));
    for (const oldest of this.#parsed.keys()) {
      if (this.#parsed.size <= KEPT_PARSED) break;
      if (oldest !== this.#pinned) this.#parsed.delete(oldest);
    }
    return file;
  }

  async #load(number: number): Promise<EnvelopeFile<T[]>> {
    const adapter = this.adapter(number);
    try {
      const envelope = await adapter.read();
      if (!envelope) throw new Error("is missing");
      return new EnvelopeFile(this.folder, adapter, envelope);
    } catch (error) {
      const reason = reasonOf(error);
      this.folder.log(
        `storage: reading ${adapter.path} failed (${reason}); a new start tries its .bak`,
      );
      throw cannotStore("The stored records could not be read. Try again in a few minutes.", error);
    }
  }

  /** Before records are deleted: what was kept aside would keep them (security.md, personal data). */
  async removeCopies(number: number): Promise<void> {
    const copies = this.copies.get(number);
    if (!copies) return;
    await this.folder.write(this.format.entity, async () => {
      for (const path of copies) await ifThere(this.folder.disk.remove(path));
    });
    this.copies.delete(number);
  }
}

function ofEach(migrations: Migrations): Migrations {
  const lifted = Object.entries(migrations).map(([version, step]) => [
    version,
    (value: unknown) => (value as unknown[]).map((record) => step(record)),
  ]);
  return Object.fromEntries(lifted) as Migrations;
}
