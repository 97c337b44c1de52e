/** A document in a data folder: reads use memory, changes go through the journal, and checkpoints write the file. */
import { join } from "node:path";
import type { Committer, StagedCommit, Stageable } from "./committer.ts";
import type { PendingWrite, DataFolder } from "./dataFolder.ts";
import { createDocumentFileName } from "../archiveEntries.ts";
import { type DocumentSpec, MAX_REVISIONS } from "../entitySpecs.ts";
import { canonicalize, toCanonicalList, migrateItem, migrateStoredValue } from "../storedValue.ts";
import { findDifference, applyDifference } from "../listDifference.ts";
import type { DocumentWrite, ItemsWrite } from "./journalLines.ts";
import { type FileLocation, toSnapshot, writeJsonFile } from "./jsonFile.ts";
import { openOrCreate } from "./recovery.ts";
import { Revisions } from "./revisions.ts";
import type { Document, DocumentChanges, RevisionSummary, Snapshot } from "../store.ts";

type DocumentItems = readonly { readonly id: string }[];

export class StoredDocument<T> implements Document<T>, Stageable {
  #snapshot: Snapshot<T>;
  /** The revision in the document's file. */
  #writtenRevision: number;
  /** The number to add to the revisions in the journal's lines: 1 if the file was migrated at this start, else 0. */
  #revisionOffset = 0;
  /** The earlier revisions, ascending, that may not have been written to the history's files yet. */
  #unwrittenSnapshots: Snapshot<T>[] = [];

  private constructor(
    readonly spec: DocumentSpec<T>,
    readonly location: FileLocation<T>,
    snapshot: Snapshot<T>,
    readonly committer: Committer,
    readonly revisions: Revisions<T> | undefined,
  ) {
    this.#snapshot = snapshot;
    this.#writtenRevision = snapshot.revision;
  }

  /** Opens a document. `wasStored`: it was stored before. Throws `cannot_open` if it is lost or unreadable. */
  static async open<T>(
    folder: DataFolder,
    spec: DocumentSpec<T>,
    wasStored: boolean,
    committer: Committer,
  ): Promise<StoredDocument<T>> {
    const { entity, format, createInitialValue } = spec;
    const revisions = entity.hasHistory ? await Revisions.open(folder, format) : undefined;
    const location = {
      folder,
      path: join(folder.directory, createDocumentFileName(format.entity)),
      format,
    };
    const file = await openOrCreate(location, wasStored, createInitialValue);
    const snapshot = toSnapshot(file.envelope);
    const document = new StoredDocument(spec, location, snapshot, committer, revisions);
    if (file.version !== format.version) {
      // The migrated value gets a new revision, because a browser may have the ETag of the value before the migration.
      document.#revisionOffset = 1;
      document.#snapshot = Object.freeze({ ...snapshot, revision: snapshot.revision + 1 });
      document.#writtenRevision = -1;
    }
    return document;
  }

  /** Applies a change from the journal unless the file has it already. Throws `cannot_open`. */
  replay(write: DocumentWrite | ItemsWrite): void {
    const { savedAt } = write;
    const revision = write.revision + this.#revisionOffset;
    if (revision <= this.#snapshot.revision) return;
    const value = applyWrite(this.spec, this.#snapshot.value, write);
    this.applySnapshot(Object.freeze({ revision, savedAt, value }));
  }

  /** Replaces the value in memory. Call only after the change is stored. */
  applySnapshot(next: Snapshot<T>): void {
    if (this.revisions)
      this.#unwrittenSnapshots = [...this.#unwrittenSnapshots, this.#snapshot].slice(
        -MAX_REVISIONS,
      );
    this.#snapshot = next;
  }

  read(): Snapshot<T> {
    return this.#snapshot;
  }

  update(change: (current: T, snapshot: Snapshot<T>) => T): Promise<Snapshot<T>> {
    return this.committer.run((commit) => commit.getStagedState(this).update(change));
  }

  stage(commit: StagedCommit): StagedDocument<T> {
    return new StagedDocument(this, commit);
  }

  async listRevisions(): Promise<RevisionSummary[]> {
    const storedSummaries = await this.revisions?.listBefore(
      this.#unwrittenSnapshots[0]?.revision ?? this.#snapshot.revision,
    );
    const unwrittenSummaries = this.#unwrittenSnapshots.map(({ revision, savedAt }) => ({
      revision,
      savedAt,
    }));
    return [...unwrittenSummaries.toReversed(), ...(storedSummaries ?? [])].slice(0, MAX_REVISIONS);
  }

  async readRevision(number: number): Promise<Snapshot<T> | undefined> {
    if (number === this.#snapshot.revision) return this.#snapshot;
    const unwrittenSnapshot = this.#unwrittenSnapshots.find(({ revision }) => revision === number);
    const isRetained = number > this.#snapshot.revision - 1 - MAX_REVISIONS;
    return unwrittenSnapshot ?? (isRetained ? this.revisions?.read(number) : undefined);
  }

  /** Changes the earlier revisions in memory. Call only while no checkpoint is writing revisions. */
  rewriteUnwrittenRevisions(change: (value: T) => T): void {
    this.#unwrittenSnapshots = this.#unwrittenSnapshots.map((snapshot) => {
      const value = change(snapshot.value);
      return value === snapshot.value ? snapshot : Object.freeze({ ...snapshot, value });
    });
  }

  get isWritten(): boolean {
    return this.#writtenRevision === this.#snapshot.revision;
  }

  captureContent(): PendingWrite {
    const [snapshot, earlierSnapshots] = [this.#snapshot, this.#unwrittenSnapshots];
    return {
      write: async () => {
        await this.revisions?.add(earlierSnapshots);
        await writeJsonFile(this.location, snapshot, { canUseReserve: this.isNeededOnFullDisk });
        this.#writtenRevision = snapshot.revision;
        this.#unwrittenSnapshots = this.#unwrittenSnapshots.filter(
          ({ revision }) => revision >= snapshot.revision,
        );
        await this.revisions?.removeOldest();
      },
      // `isWritten` is still false, so the next checkpoint captures the content again.
      discard: () => {},
    };
  }

  /** Documents without history, such as sessions and lists of pictures, are stored even on a full disk. */
  get isNeededOnFullDisk(): boolean {
    return !this.spec.entity.hasHistory;
  }
}

/** Returns the value after a change from the journal. If an earlier release wrote the change, it is migrated. */
function applyWrite<T>(spec: DocumentSpec<T>, before: T, write: DocumentWrite | ItemsWrite): T {
  const { format, entity, itemSchema } = spec;
  if ("value" in write) return migrateStoredValue(format, write.version, write.value, true);
  const changedItems = write.put.map((each) => migrateItem(entity, write.version, each));
  const items = itemSchema ? toCanonicalList(itemSchema, entity.name, changedItems) : [];
  return applyDifference(before as DocumentItems, { ...write, put: items as DocumentItems }) as T;
}

class StagedDocument<T> implements DocumentChanges<T> {
  #next: Snapshot<T>;

  constructor(
    readonly document: StoredDocument<T>,
    readonly commit: StagedCommit,
  ) {
    this.#next = document.read();
  }

  async read(): Promise<Snapshot<T>> {
    return this.#next;
  }

  async update(change: (current: T, snapshot: Snapshot<T>) => T): Promise<Snapshot<T>> {
    const before = this.#next;
    const changedValue = change(before.value, before);
    if (changedValue === before.value) return before;
    const { commit, document } = this;
    const value = this.#toCanonical(changedValue);
    const { committedAt: savedAt } = commit;
    const next = Object.freeze({ revision: before.revision + 1, savedAt, value });
    this.#next = next;
    commit.writes.push({
      entity: document.spec.format.entity,
      json: JSON.stringify(this.#createWrite(before, next)),
      isNeededOnFullDisk: document.isNeededOnFullDisk,
      afterCommit: () => document.applySnapshot(next),
    });
    return next;
  }

  #createWrite(
    before: Snapshot<T>,
    { revision, savedAt, value }: Snapshot<T>,
  ): DocumentWrite | ItemsWrite {
    const { entity, version } = this.document.spec.format;
    const header = { entity, version, revision, savedAt };
    if (!this.document.spec.itemSchema) return { ...header, value };
    return { ...header, ...findDifference(before.value as DocumentItems, value as DocumentItems) };
  }

  #toCanonical(next: T): T {
    const { itemSchema, format } = this.document.spec;
    if (!itemSchema || !Array.isArray(next))
      return canonicalize(format.schema, format.entity, next);
    return toCanonicalList(itemSchema, format.entity, next) as T;
  }
}
