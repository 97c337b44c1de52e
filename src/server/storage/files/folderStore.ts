/** The store of a data folder that this process has opened and locked. */
import type { Collection, Entity, StoredItem } from "../../../schema/entities/entity.ts";
import { cannotStore } from "../../shared/errors.ts";
import { SINGLE_INSTANCE } from "../../shared/instances.ts";
import { type DataFolder, getErrorReason } from "./dataFolder.ts";
import type { CommitLog, StagedCommit, Stageable } from "./commits.ts";
import { findFilesContaining, findLeftoverCopies, removeCopies } from "./folderContents.ts";
import { waitForSnapshots } from "./folderSnapshot.ts";
import type { Installation } from "./installation.ts";
import type { ListTransform, HandleOf, Store, Transaction } from "../store.ts";
import { runTransaction } from "../transactionSteps.ts";
import { createSaveProbe } from "../disk/saveProbe.ts";
import type { Journal } from "./journal.ts";
import type { SiteSecret } from "../siteSecret.ts";
import { StoredDocument } from "./storedDocument.ts";
import { StoredList } from "./storedList.ts";
import type { Checkpointer } from "./checkpointer.ts";
import { getErrorCause } from "../../shared/errorDetails.ts";

export class FolderStore implements Store {
  readonly isInstalled: boolean;
  readonly instances = SINGLE_INSTANCE;
  readonly siteId: string;
  readonly #probeSaving: () => Promise<void>;
  #closing: Promise<void> | undefined;

  constructor(
    readonly folder: DataFolder,
    readonly opened: OpenedFolder,
    readonly release: () => void,
  ) {
    this.#probeSaving = createSaveProbe(folder.disk, folder.directory);
    this.isInstalled = opened.installation.isInstalled;
    this.siteId = opened.installation.id;
  }

  of<E extends Entity>(entity: E): HandleOf<E> {
    // Safe: the handle was opened with this entity's types.
    const getStageable: object = getHandle(this.opened.handles, entity);
    return getStageable as HandleOf<E>;
  }

  onChange(listener: (name: string) => void): () => void {
    return this.folder.listeners.add(listener);
  }

  transaction<R>(work: (transaction: Transaction) => Promise<R>): Promise<R> {
    const { commits, handles } = this.opened;
    const getStageable = (entity: Entity): Stageable => getHandle(handles, entity);
    // A transaction that awaits another call of the store blocks all writes for good: the log shows that.
    const late = setTimeout(
      () => this.folder.log(SLOW_TRANSACTION_MESSAGE),
      SLOW_TRANSACTION_MS,
    ).unref();
    const run = (commit: StagedCommit) =>
      runTransaction((entity) => commit.getStagedState(getStageable(entity)), work);
    return commits.run(run).finally(() => clearTimeout(late));
  }

  purgeOldVersions(): Promise<void> {
    return this.opened.checkpointer.runNow();
  }

  async eraseCopies(text: string): Promise<string[]> {
    const { directory } = this.folder;
    await waitForSnapshots(directory);
    const copies = (await findLeftoverCopies(directory)).filter(
      ({ by }) => by === "damage" || by === "a migration",
    );
    await removeCopies(directory, copies).catch((error: unknown) => {
      throw cannotStore(undefined, error);
    });
    return findFilesContaining(directory, text);
  }

  /** Changes the revisions in memory before the checkpoint writes them, so each is written once. */
  async rewriteHistory(changes: ReadonlyMap<Collection, ListTransform>): Promise<void> {
    const documents: { document: StoredDocument<StoredItem[]>; change: ListTransform }[] = [];
    for (const [list, change] of changes) {
      const document: object = this.of(list);
      if (document instanceof StoredDocument) documents.push({ document, change });
    }
    await this.opened.checkpointer.whilePaused(
      async () => {
        for (const { document, change } of documents) await document.revisions?.rewrite(change);
      },
      () => {
        for (const { document, change } of documents) document.rewriteUnwritten(change);
      },
    );
  }

  async readSecret(): Promise<Uint8Array> {
    return this.opened.secret.read();
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

  /** Completes the files and removes the journals. If that fails, the next start reads the journals. */
  async #close(): Promise<void> {
    const { commits, checkpointer, journal, installation } = this.opened;
    await commits.close();
    await checkpointer.close();
    try {
      await checkpointer.runNow();
      await installation.requireAtStart([], null);
      await journal.close();
      await journal.removeAll();
    } catch {
      await journal.close();
    } finally {
      this.release();
    }
  }
}

export type Handle = StoredDocument<unknown> | StoredList<StoredItem, unknown>;

export interface OpenedFolder {
  readonly handles: ReadonlyMap<Entity, Handle>;
  readonly installation: Installation;
  readonly secret: SiteSecret;
  readonly journal: Journal;
  readonly commits: CommitLog;
  readonly checkpointer: Checkpointer;
}

/** Throws an Error for an entity the store wasn't opened with. */
function getHandle(handles: ReadonlyMap<Entity, Handle>, entity: Entity): Handle {
  const getStageable = handles.get(entity);
  if (!getStageable) throw new Error(`The store was not opened with the entity "${entity.name}".`);
  return getStageable;
}

const SLOW_TRANSACTION_MS = 10_000;
const SLOW_TRANSACTION_MESSAGE =
  "storage: a transaction has been running for 10 seconds and blocks all other writes; does it await something outside the store?";
