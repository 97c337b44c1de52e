/** The earlier revisions of one document, each a file of its own; the last 50 stay. */
import { join } from "node:path";
import { reasonOf, type DataFolder } from "./dataFolder.ts";
import { ifThere, listIfThere } from "./disk.ts";
import { frozen } from "./durableAdapter.ts";
import { ensureFolder } from "./ensureFolder.ts";
import { decode, type Envelope, type Format } from "./envelope.ts";
import type { RevisionSummary } from "./store.ts";

const KEPT = 50;

export class RevisionArchive<T> {
  /** Ascending. */
  #numbers: number[] = [];
  readonly #savedAt = new Map<number, string>();

  private constructor(
    readonly folder: DataFolder,
    readonly format: Format<T>,
    readonly directory: string,
  ) {}

  static async open<T>(folder: DataFolder, format: Format<T>): Promise<RevisionArchive<T>> {
    const directory = join(folder.directory, "history", format.entity);
    const archive = new RevisionArchive(folder, format, directory);
    await ensureFolder(folder.disk, directory);
    const names = await listIfThere(folder.disk, directory);
    archive.#numbers = names
      .flatMap((name) => /^(\d+)\.json$/.exec(name)?.[1] ?? [])
      .map(Number)
      .sort((one, other) => one - other);
    return archive;
  }

  pathOf(revision: number): string {
    return join(this.directory, `${revision}.json`);
  }

  /** To be called once the revision is in its place; forgets what is over the bound. */
  async added({ revision, savedAt }: RevisionSummary): Promise<void> {
    if (!this.#numbers.includes(revision)) this.#numbers.push(revision);
    this.#savedAt.set(revision, savedAt);
    while (this.#numbers.length > KEPT) await this.#forget(this.#numbers.shift()!);
  }

  async #forget(revision: number): Promise<void> {
    this.#savedAt.delete(revision);
    try {
      await ifThere(this.folder.disk.remove(this.pathOf(revision)));
    } catch (error) {
      // The change itself is stored; the next start finds the file and counts it again.
      this.folder.log(
        `storage: removing ${this.pathOf(revision)} failed (${reasonOf(error)}); it can be deleted by hand`,
      );
    }
  }

  /** Newest first, only those before `current`. */
  async before(current: number): Promise<RevisionSummary[]> {
    const summaries: RevisionSummary[] = [];
    for (const revision of this.#numbers.toReversed()) {
      const savedAt = this.#savedAt.get(revision) ?? (await this.read(revision))?.savedAt;
      if (savedAt === undefined || revision >= current) continue;
      this.#savedAt.set(revision, savedAt);
      summaries.push({ revision, savedAt });
    }
    return summaries;
  }

  /** Brought to the present schema; undefined when it is not kept or can't be read any more. */
  async read(revision: number): Promise<Envelope<T> | undefined> {
    if (!this.#numbers.includes(revision)) return undefined;
    const path = this.pathOf(revision);
    try {
      const bytes = await ifThere(this.folder.disk.read(path));
      return bytes && frozen(decode(this.format, bytes).envelope);
    } catch (error) {
      this.folder.log(`storage: ${path} can't be read (${reasonOf(error)}); it is left out`);
      return undefined;
    }
  }
}
