/** The store over one data folder, with everything in it opened. */
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { reasonOf, type DataFolder } from "./dataFolder.ts";
import type { DocumentFile } from "./documentFile.ts";
import type { SegmentedRecords } from "./segmentedRecords.ts";
import { StorageUnavailable } from "./storageErrors.ts";
import type { Document, Records, Store } from "./store.ts";

// Each was opened with its own types; the names given to document() and records() bring them back.
// oxlint-disable-next-line typescript/no-explicit-any
export type AnyDocument = DocumentFile<any>;
// oxlint-disable-next-line typescript/no-explicit-any
export type AnyRecords = SegmentedRecords<any, any>;

export interface Opened {
  documents: Map<string, AnyDocument>;
  records: Map<string, AnyRecords>;
  installed: boolean;
  secret: Uint8Array;
  release: () => void;
}

export class FolderStore implements Store {
  readonly installed: boolean;
  readonly #folder: DataFolder;
  readonly #opened: Opened;
  #closing: Promise<void> | undefined;

  constructor(folder: DataFolder, opened: Opened) {
    this.#folder = folder;
    this.#opened = opened;
    this.installed = opened.installed;
  }

  document<T>(name: string): Document<T> {
    return declared(this.#opened.documents, name);
  }

  records<T extends { id: string }, K>(name: string): Records<T, K> {
    return declared(this.#opened.records, name);
  }

  onChange(listener: (name: string) => void): () => void {
    return this.#folder.onChange(listener);
  }

  async secret(): Promise<Uint8Array> {
    return this.#opened.secret.slice();
  }

  async health(): Promise<void> {
    this.#folder.assertWhole();
    try {
      await this.#tryTheFolder();
    } catch (error) {
      this.#folder.log(`storage: the data folder can't be used (${reasonOf(error)})`);
      throw new StorageUnavailable("The data folder can not be read and written.", error);
    }
  }

  async #tryTheFolder(): Promise<void> {
    const { disk, directory } = this.#folder;
    const path = join(directory, `health.${randomUUID()}.tmp`);
    const file = await disk.create(path);
    try {
      await file.write(new TextEncoder().encode(path));
      const read = new TextDecoder().decode(await disk.read(path));
      if (read !== path) throw new Error("reads other than was written");
    } finally {
      await file.close();
      await disk.remove(path);
    }
  }

  close(): Promise<void> {
    return (this.#closing ??= this.#close());
  }

  async #close(): Promise<void> {
    const { documents, records, release } = this.#opened;
    await Promise.all([...documents.values(), ...records.values()].map((entity) => entity.close()));
    release();
  }
}

function declared<V>(entities: Map<string, V>, name: string): V {
  const entity = entities.get(name);
  if (!entity) throw new Error(`"${name}" was not declared when the store was opened.`);
  return entity;
}
