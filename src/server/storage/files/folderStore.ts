/** The store of a data folder that this process has opened and locked. */
import type { Collection, Entity, StoredItem } from "../../../schema/entities/entity.ts";
import { cannotStore } from "../../shared/errors.ts";
import { SINGLE_INSTANCE_COORDINATOR } from "../../shared/instanceCoordinator.ts";
import { type DataFolder, getErrorReason } from "./dataFolder.ts";
import type { Committer, StagedCommit, Stageable } from "./committer.ts";
import { findFilesContaining, findLeftoverCopies, removeCopies } from "./folderContents.ts";
import { waitForSnapshots } from "./folderSnapshot.ts";
import type { Installation } from "./installation.ts";
import type { ListTransform, HandleOf, Store, Transaction } from "../store.ts";
import { getHandle, runTransaction } from "../runTransaction.ts";
import { createSaveProbe } from "../disk/saveProbe.ts";
import type { Journal } from "./journal.ts";
import type { SiteSecret } from "../siteSecret.ts";
import { StoredDocument } from "./storedDocument.ts";
import { StoredList } from "./storedList.ts";
import type { Checkpointer } from "./checkpointer.ts";
import { getErrorCause } from "../../shared/errorDetails.ts";

export class FolderStore implements Store {
  readonly isInstalled: boolean;
  readonly coordinator = SINGLE_INSTANCE_COORDINATOR;
  readonly siteId: string;
  readonly #probeSaving: () => Promise<void>;
  #closing: Promise<void> | undefined;

  constructor(
    readonly folder: DataFolder,
    readonly openedFolder: OpenedFolder,
    readonly releaseLock: () => void,
  ) {
    this.#probeSaving = createSaveProbe(folder.disk, folder.directory);
    this.isInstalled = openedFolder.installation.isInstalled;
    this.siteId = openedFolder.installation.id;
  }

  of<E extends Entity>(entity: E): HandleOf<E> {
    // The cast is safe, since the handle was opened with this entity's types.
    const handle: object = getHandle(this.openedFolder.handles, entity);
    return handle as HandleOf<E>;
  }

  onChange(listener: (name: string) => void): () => void {
    return this.folder.listeners.add(listener);
  }

  transaction<R>(work: (transaction: Transaction) => Promise<R>): Promise<R> {
    const { committer, handles } = this.openedFolder;
    const getStageable = (entity: Entity): Stageable => getHandle(handles, entity);
    // Helps to find a transaction that awaits another call of the store, and thus blocks all writes forever.
    const slowTimer = setTimeout(
      () => this.folder.log(SLOW_TRANSACTION_MESSAGE),
      SLOW_TRANSACTION_MS,
    ).unref();
    const run = (commit: StagedCommit) =>
      runTransaction((entity) => commit.getStagedState(getStageable(entity)), work);
    return committer.run(run).finally(() => clearTimeout(slowTimer));
  }

  purgeOldVersions(): Promise<void> {
    return this.openedFolder.checkpointer.runNow();
  }

  async eraseCopies(text: string): Promise<string[]> {
    const { directory } = this.folder;
    await waitForSnapshots(directory);
    const copies = (await findLeftoverCopies(directory)).filter(
      ({ origin }) => origin === "damage" || origin === "a migration",
    );
    await removeCopies(directory, copies).catch((error: unknown) => {
      throw cannotStore(undefined, error);
    });
    return findFilesContaining(directory, text);
  }

  /** Changes the revisions in memory before the checkpoint writes them, so that each is written only once. */
  async rewriteHistory(changes: ReadonlyMap<Collection, ListTransform>): Promise<void> {
    const documents: { document: StoredDocument<StoredItem[]>; change: ListTransform }[] = [];
    for (const [list, change] of changes) {
      const document: object = this.of(list);
      if (document instanceof StoredDocument) documents.push({ document, change });
    }
    await this.openedFolder.checkpointer.whilePaused(
      () => {
        for (const { document, change } of documents) document.rewriteUnwrittenRevisions(change);
      },
      async () => {
        for (const { document, change } of documents) await document.revisions?.rewrite(change);
      },
    );
  }

  async readSecret(): Promise<Uint8Array> {
    return this.openedFolder.secret.read();
  }

  async checkHealth(): Promise<void> {
    this.folder.assertWritable();
    try {
      await this.#probeSaving();
    } catch (error) {
      this.folder.log(
        `storage: the data folder can't be used (${getErrorReason(getErrorCause(error))})`,
      );
      throw error;
    }
  }

  close(): Promise<void> {
    return (this.#closing ??= this.#close());
  }

  /** If a write fails, the journals stay for the next start. */
  async #close(): Promise<void> {
    const { committer, checkpointer, journal, installation } = this.openedFolder;
    await committer.close();
    await checkpointer.close();
    try {
      await checkpointer.runNow();
      await installation.saveRequirements([], null);
      await journal.close();
      await journal.removeAll();
    } catch {
      await journal.close();
    } finally {
      this.releaseLock();
    }
  }
}

export type Handle = StoredDocument<unknown> | StoredList<StoredItem, unknown>;

export interface OpenedFolder {
  readonly handles: ReadonlyMap<Entity, Handle>;
  readonly installation: Installation;
  readonly secret: SiteSecret;
  readonly journal: Journal;
  readonly committer: Committer;
  readonly checkpointer: Checkpointer;
}

const SLOW_TRANSACTION_MS = 10_000;
const SLOW_TRANSACTION_MESSAGE =
  "storage: a transaction has been running for 10 seconds and blocks all other writes; does it await something outside the store?";
