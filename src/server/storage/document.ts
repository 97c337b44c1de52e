/** One value in one file: reads come from memory, changes go through a shared durable write. */
import { join } from "node:path";
import { type DataFolder, reasonOf } from "./dataFolder.ts";
import { ifThere, ensureFolder, listIfThere } from "./disk.ts";
import { documentFile } from "./documentFiles.ts";
import type { Line } from "./lineLog.ts";
import { type ChangeOfItem, itemIn, withItem } from "./listedItem.ts";
import type { DocumentSpec } from "./entitySpecs.ts";
import { canonical, canonicalList, type Format } from "./envelope.ts";
import { type Change, GroupCommit } from "./groupCommit.ts";
import { JsonFile } from "./jsonFile.ts";
import { openOrCreate } from "./recovery.ts";
import type { Document, RevisionSummary, Snapshot } from "./store.ts";

/** `expected`: it was stored before. Throws `cannot_open` when it is lost or can't be read. */
export async function openDocument<T>(
  folder: DataFolder,
  spec: DocumentSpec<T>,
  expected: boolean,
): Promise<DocumentFile<T>> {
  const { format, initial, keepHistory } = spec;
  const archive = keepHistory ? await RevisionArchive.open(folder, format) : undefined;
  const path = join(folder.directory, documentFile(format.entity));
  const file = await openOrCreate({ folder, path, format }, expected, initial);
  return new DocumentFile(spec, file, archive);
}

/** The next snapshot, while changes are collected for its write. */
interface Stage<T> {
  snapshot: Snapshot<T>;
  dirty: boolean;
  /** All that leads to the snapshot; undefined where it can't be told in lines. */
  lines: readonly Line[] | undefined;
}

export class DocumentFile<T> implements Document<T> {
  #snapshot: Snapshot<T>;
  readonly #file: JsonFile<T>;
  readonly #archive: RevisionArchive<T> | undefined;
  readonly #commits: GroupCommit<Stage<T>, Change<Stage<T>, unknown>>;

  constructor(
    readonly spec: DocumentSpec<T>,
    file: JsonFile<T>,
    archive: RevisionArchive<T> | undefined,
  ) {
    this.#file = file;
    this.#archive = archive;
    this.#snapshot = snapshotOf(file);
    this.#commits = new GroupCommit({
      begin: () => ({ snapshot: this.#snapshot, dirty: false, lines: archive ? undefined : [] }),
      commit: (stage) => this.#commit(stage),
    });
  }

  read(): Snapshot<T> {
    return this.#snapshot;
  }

  update(change: (current: T, snapshot: Snapshot<T>) => T): Promise<Snapshot<T>> {
    return this.#commits.run<Snapshot<T>>({
      joins: () => true,
      apply: (stage) => this.#stage(stage, change),
    });
  }

  put(id: string, change: ChangeOfItem<T>): Promise<Snapshot<T>> {
    return this.#commits.run<Snapshot<T>>({
      joins: () => true,
      apply: (stage) => this.#stageItem(stage, id, change),
    });
  }

  #stageItem(stage: Stage<T>, id: string, change: ChangeOfItem<T>): Snapshot<T> {
    const { lines, snapshot } = stage;
    const next = this.#stage(stage, (list) => withItem(list, id, change));
    if (next === snapshot) return snapshot;
    const { revision, savedAt } = next;
    stage.lines = lines && [...lines, { revision, savedAt, item: itemIn(next.value, id) }];
    return next;
  }

  #stage(stage: Stage<T>, change: (current: T, snapshot: Snapshot<T>) => T): Snapshot<T> {
    const { snapshot } = stage;
    const next = change(snapshot.value, snapshot);
    if (next === snapshot.value) return snapshot;
    const value = this.#canonical(next);
    const savedAt = new Date().toISOString();
    stage.snapshot = Object.freeze({ revision: snapshot.revision + 1, savedAt, value });
    stage.dirty = true;
    stage.lines = undefined;
    return stage.snapshot;
  }

  /** Throws `invalid_value`. */
  #canonical(next: T): T {
    const { item, format } = this.spec;
    if (!item || !Array.isArray(next)) return canonical(format.schema, format.entity, next);
    return canonicalList(item, format.entity, next) as T;
  }

  async #commit({ snapshot: next, lines }: Stage<T>): Promise<void> {
    const earlier = this.#snapshot;
    const history = this.#archive?.pathOf(earlier.revision);
    // Earlier values are in the history, so the `.bak` is a second copy of the present one.
    const keep = { backup: "same", history } as const;
    await (lines ? this.#file.put(next, lines, keep) : this.#file.replace(next, keep));
    this.#snapshot = next;
    await this.#archive?.added(earlier);
    const { folder, format } = this.#file.place;
    folder.announce(format.entity);
  }

  async history(): Promise<RevisionSummary[]> {
    return (await this.#archive?.before(this.#snapshot.revision)) ?? [];
  }

  async revision(number: number): Promise<Snapshot<T> | undefined> {
    return number === this.#snapshot.revision ? this.#snapshot : this.#archive?.read(number);
  }

  /** All of it was read at the start. */
  assertWhole(): void {}

  /** Resolves when every change taken is settled. */
  async close(): Promise<void> {
    await this.#commits.close();
    await this.#file.close({ backup: "same" });
  }
}

/** How many earlier revisions of a document are kept. */
const KEPT = 50;

/** The earlier revisions of one document, each a file of its own. */
class RevisionArchive<T> {
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

  /** Call it once the revision is in place; revisions beyond the limit are deleted. */
  async added({ revision, savedAt }: RevisionSummary): Promise<void> {
    if (!this.#numbers.includes(revision)) this.#numbers.push(revision);
    this.#savedAt.set(revision, savedAt);
    while (this.#numbers.length > KEPT) await this.#forget(this.#numbers.shift()!);
  }

  async #forget(revision: number): Promise<void> {
    this.#savedAt.delete(revision);
    const path = this.pathOf(revision);
    try {
      await ifThere(this.folder.disk.remove(path));
    } catch (error) {
      // The change itself is stored; the next start finds the file and counts it again.
      this.folder.log(
        `storage: removing ${path} failed (${reasonOf(error)}); it can be deleted by hand`,
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
  async read(number: number): Promise<Snapshot<T> | undefined> {
    if (!this.#numbers.includes(number)) return undefined;
    const { folder, format } = this;
    const path = this.pathOf(number);
    try {
      // Those of releases before checksums stay as they were.
      const file = await JsonFile.read({ folder, path, format }, { unsealed: true });
      if (file && file.envelope.revision !== number)
        throw new Error(`holds revision ${file.envelope.revision}`);
      return file && snapshotOf(file);
    } catch (error) {
      folder.log(`storage: ${path} can't be read (${reasonOf(error)}); it is left out`);
      return undefined;
    }
  }
}

function snapshotOf<T>({ envelope }: JsonFile<T>): Snapshot<T> {
  const { revision, savedAt, value } = envelope;
  return Object.freeze({ revision, savedAt, value });
}
