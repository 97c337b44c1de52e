/** One value in one file: reads come from memory, changes go through a shared durable write. */
import { canonical } from "./canonical.ts";
import type { EnvelopeFile } from "./envelopeFile.ts";
import { GroupCommit, type Change } from "./groupCommit.ts";
import type { RevisionArchive } from "./revisionArchive.ts";
import type { Document, DocumentSpec, RevisionSummary, Snapshot } from "./store.ts";

interface Stage<T> {
  snapshot: Snapshot<T>;
  dirty: boolean;
}

export class DocumentFile<T> implements Document<T> {
  #snapshot: Snapshot<T>;
  readonly #commits: GroupCommit<Stage<T>, Change<Stage<T>, unknown>>;

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

  #stage(stage: Stage<T>, change: (current: T, snapshot: Snapshot<T>) => T): Snapshot<T> {
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
