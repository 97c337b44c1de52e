/** Stores the earlier revisions of a document, each in a file in the folder `history`. */
import { assertDefined } from "../../../schema/core/assertDefined.ts";
import { join } from "node:path";
import { type DataFolder, getErrorReason } from "./dataFolder.ts";
import { ensureFolder, ignoreMissing, listOrEmpty } from "../disk/disk.ts";
import { forEachConcurrently } from "../../shared/concurrency.ts";
import { MAX_REVISIONS } from "../entitySpecs.ts";
import type { StoredFormat } from "../storedValue.ts";
import { readJsonFile, toSnapshot, writeJsonFile } from "./jsonFile.ts";
import type { RevisionSummary, Snapshot } from "../store.ts";

export class Revisions<T> {
  /** The numbers of the stored revisions, ascending. */
  #numbers: number[] = [];

  private constructor(
    readonly folder: DataFolder,
    readonly format: StoredFormat<T>,
    readonly directory: string,
  ) {}

  static async open<T>(folder: DataFolder, format: StoredFormat<T>): Promise<Revisions<T>> {
    const directory = join(folder.directory, "history", format.entity);
    const revisions = new Revisions(folder, format, directory);
    await ensureFolder(folder.disk, directory);
    const names = await listOrEmpty(folder.disk, directory);
    revisions.#numbers = names
      .flatMap((name) => /^(\d+)\.json$/.exec(name)?.[1] ?? [])
      .map(Number)
      .toSorted((one, other) => one - other);
    return revisions;
  }

  #getLocation(revision: number) {
    return {
      folder: this.folder,
      path: join(this.directory, `${revision}.json`),
      format: this.format,
    };
  }

  /** Writes the snapshots that aren't stored yet. Throws `cannot_store`. */
  async add(snapshots: readonly Snapshot<T>[]): Promise<void> {
    const newSnapshots = snapshots.filter(({ revision }) => !this.#numbers.includes(revision));
    await forEachConcurrently(newSnapshots, (snapshot) =>
      writeJsonFile(this.#getLocation(snapshot.revision), snapshot, { hasCopy: false }),
    );
    this.#numbers.push(...newSnapshots.map(({ revision }) => revision));
  }

  /** Removes the oldest revisions beyond the limit. Call only after the current revision is in the document's file. */
  async removeOldest(): Promise<void> {
    while (this.#numbers.length > MAX_REVISIONS)
      await this.#removeFile(assertDefined(this.#numbers.shift(), "revision"));
  }

  /** Changes all stored revisions with `change`. Deletes the revisions that can't be read. Throws `cannot_store`. */
  async rewrite(change: (value: T) => T): Promise<void> {
    // The loop reads a copy of the list, because it removes unreadable revisions from the list.
    await forEachConcurrently(this.#numbers.slice(), async (number) => {
      const snapshot = await this.read(number);
      const value = snapshot && change(snapshot.value);
      if (snapshot && value === snapshot.value) return;
      if (snapshot && value !== undefined) {
        const options = { hasCopy: false, canUseReserve: true };
        await writeJsonFile(this.#getLocation(number), { ...snapshot, value }, options);
      } else {
        this.#numbers = this.#numbers.filter((each) => each !== number);
        await this.#removeFile(number);
      }
    });
  }

  async #removeFile(revision: number): Promise<void> {
    const { path } = this.#getLocation(revision);
    try {
      await ignoreMissing(this.folder.disk.remove(path));
    } catch (error) {
      // The error is only logged, since the next start finds the file again and removes it later.
      this.folder.log(
        `storage: removing ${path} failed (${getErrorReason(error)}); it can be deleted by hand`,
      );
    }
  }

  /** Lists the stored revisions before `revision`, newest first. */
  async listBefore(revision: number): Promise<RevisionSummary[]> {
    const summaries: RevisionSummary[] = [];
    for (const number of this.#numbers.toReversed()) {
      const snapshot = number < revision ? await this.read(number) : undefined;
      if (snapshot) summaries.push({ revision: number, savedAt: snapshot.savedAt });
    }
    return summaries;
  }

  /** Reads a revision, migrated to the current schema; undefined if the revision isn't stored or can't be read. */
  async read(number: number): Promise<Snapshot<T> | undefined> {
    if (!this.#numbers.includes(number)) return undefined;
    const location = this.#getLocation(number);
    try {
      const file = await readJsonFile(location);
      if (file && file.envelope.revision !== number)
        throw new Error(`contains revision ${file.envelope.revision}`);
      return file && toSnapshot(file.envelope);
    } catch (error) {
      this.folder.log(
        `storage: ${location.path} can't be read (${getErrorReason(error)}); it is skipped`,
      );
      return undefined;
    }
  }
}
