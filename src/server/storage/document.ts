/** Opens a document's file, or makes it with the initial value. */
import { join } from "node:path";
import { cannotOpen } from "../errors.ts";
import { type DataFolder, reasonOf } from "./dataFolder.ts";
import { ensureFolder, ifThere, listIfThere } from "./disk.ts";
import { canonical, decode, type Envelope, type Format } from "./envelope.ts";
import { type Change, GroupCommit } from "./groupCommit.ts";
import { DurableAdapter, EnvelopeFile, frozen } from "./jsonFile.ts";
import { openEnvelope } from "./recovery.ts";
import type { DocumentSpec } from "./entitySpecs.ts";
import { type Document, type RevisionSummary, type Snapshot } from "./store.ts";

// The earlier revisions of one document, each a file of its own; the last 50 stay.

const KEPT = 50;

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

// One value in one file: reads come from memory, changes go through a shared durable write.

interface StagedDocument<T> {
  snapshot: Snapshot<T>;
  dirty: boolean;
}

export class DocumentFile<T> implements Document<T> {
  #snapshot: Snapshot<T>;
  readonly #commits: GroupCommit<StagedDocument<T>, Change<StagedDocument<T>, unknown>>;

  constructor(
    readonly spec: DocumentSpec<T>,
    readonly file: EnvelopeFile<T>,
    readonly archive: RevisionArchive<T> | undefined,
  ) {
    const { revision, savedAt, value } = file.published;
    this.#snapshot = Object.freeze({ revision, savedAt, value });
    this.#commits = new GroupCommit({
      begin: () => ({ snapshot: this.#snapshot, dirty: false }),
      commit: (stage) => this.#commit(stage.snapshot),
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

  #stage(stage: StagedDocument<T>, change: (current: T, snapshot: Snapshot<T>) => T): Snapshot<T> {
    const { snapshot } = stage;
    const next = change(snapshot.value, snapshot);
    if (next === snapshot.value) return snapshot;
    const value = canonical(this.spec.schema, this.spec.name, next);
    const savedAt = new Date().toISOString();
    stage.snapshot = Object.freeze({ revision: snapshot.revision + 1, savedAt, value });
    stage.dirty = true;
    return stage.snapshot;
  }

  async #commit(next: Snapshot<T>): Promise<void> {
    const earlier = this.#snapshot;
    const history = this.archive?.pathOf(earlier.revision);
    // What came before is in the history: the `.bak` is a second copy of what was answered for.
    await this.file.replace({ ...next, history, backup: "same" });
    this.#snapshot = next;
    await this.archive?.added(earlier);
    this.file.folder.announce(this.spec.name);
  }

  async history(): Promise<RevisionSummary[]> {
    return (await this.archive?.before(this.#snapshot.revision)) ?? [];
  }

  async revision(number: number): Promise<Snapshot<T> | undefined> {
    if (number === this.#snapshot.revision) return this.#snapshot;
    const envelope = await this.archive?.read(number);
    if (!envelope) return undefined;
    const { revision, savedAt, value } = envelope;
    return Object.freeze({ revision, savedAt, value });
  }

  /** Resolves when every change taken is answered. */
  close(): Promise<void> {
    return this.#commits.close();
  }
}

/** `expected`: it was stored before, so a missing file is a loss and never a reason for defaults. */
export async function openDocument<T>(
  folder: DataFolder,
  spec: DocumentSpec<T>,
  expected: boolean,
): Promise<DocumentFile<T>> {
  const { name, version, schema, migrations } = spec;
  const format: Format<T> = { entity: name, version, schema, migrations };
  const archive = spec.keepHistory ? await RevisionArchive.open(folder, format) : undefined;
  const file = await openFile(folder, format, expected, spec.initial);
  return new DocumentFile(spec, file, archive);
}

/** Throws `cannot_open` when an expected file is missing. */
export async function openFile<T>(
  folder: DataFolder,
  format: Format<T>,
  expected: boolean,
  initial: () => T,
  path = join(folder.directory, `${format.entity}.json`),
): Promise<EnvelopeFile<T>> {
  const adapter = new DurableAdapter(folder.disk, path, format);
  const envelope =
    (await openEnvelope(folder, adapter, (from, revision) =>
      join(folder.directory, "migrations", `${format.entity}.v${from}-r${revision}.json`),
    )) ?? (expected ? missing(path) : await createFile(folder, adapter, initial()));
  return new EnvelopeFile(folder, adapter, envelope);
}

function missing(path: string): never {
  throw cannotOpen(
    `${path} is missing, and so is its copy ${path}.bak. Put the file back or restore a backup with "limelight restore", then start again. Nothing was changed.`,
  );
}

async function createFile<T>(folder: DataFolder, adapter: DurableAdapter<T>, initial: T) {
  const { entity, version, schema } = adapter.format;
  const value = canonical(schema, entity, initial);
  const savedAt = new Date().toISOString();
  const envelope: Envelope<T> = { entity, version, revision: 1, savedAt, value };
  adapter.backup = "same";
  await folder.write(entity, () => adapter.write(envelope));
  return envelope;
}
