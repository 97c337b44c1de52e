/** The interface of an open storage engine: each entity is a document (one value) or records (an unlimited list). */
import type {
  Collection,
  Entity,
  ItemOf,
  RecordsEntity,
  Singleton,
  StoredItem,
} from "../../schema/entities/entity.ts";
import type { InstanceCoordinator } from "../shared/instanceCoordinator.ts";
import type { Where } from "./where.ts";

export interface Store {
  /** Throws an Error for an entity the store wasn't opened with. */
  of<E extends Entity>(entity: E): HandleOf<E>;
  /** Calls the listener with an entity's name after each stored write. Returns a function that unsubscribes. */
  onChange(listener: (name: string) => void): () => void;
  readonly coordinator: InstanceCoordinator;
  /** False only if opening the store created the site (a fresh installation). */
  readonly isInstalled: boolean;
  /** The site's id, created at the first start; the picture storage is marked with it. */
  readonly siteId: string;
  /** The 32 random bytes that sign sessions and links, generated at the first start. */
  readSecret(): Promise<Uint8Array>;
  /**
   * Changes several entities at once, all or nothing. `work` must make its changes through its argument and await
   * nothing else, because all other changes wait for it. `work` may run more than once. Returns what `work` returned;
   * throws what it threw, and `cannot_store`.
   */
  transaction<R>(work: (transaction: Transaction) => Promise<R>): Promise<R>;
  /** Resolves once the storage retains nothing that was overwritten or deleted. Call before confirming an erasure. */
  purgeOldVersions(): Promise<void>;
  /**
   * Removes the copies that damage, migrations and killed backups left beside the data, because they may contain
   * anyone's personal data. Waits for running backups. Returns the remaining places beside the data that contain
   * `text`, such as data that a restore moved away. Call after `purgeOldVersions`. Throws `cannot_store`.
   */
  eraseCopies(text: string): Promise<string[]>;
  /**
   * Removes erased items from the earlier revisions of lists. Each function gets a revision's list and returns the new
   * list, or the same list to leave the revision unchanged. Unreadable revisions are deleted. Call this after removing
   * the items from the current lists. Resolves once no old version is left in the storage. Throws `cannot_store`.
   */
  rewriteHistory(changes: ReadonlyMap<Collection, ListTransform>): Promise<void>;
  /** Throws `cannot_store` if reading or writing fails. */
  checkHealth(): Promise<void>;
  /** Finishes pending writes, then releases the lock so that another process can open the data. */
  close(): Promise<void>;
}

export type ListTransform = (items: StoredItem[]) => StoredItem[];

/** Changes several entities at once. Its reads include its earlier changes. */
export interface Transaction {
  /** Throws an Error for an entity the store wasn't opened with. */
  of<E extends Entity>(entity: E): ChangesOf<HandleOf<E>>;
}

export type ChangesOf<H> =
  H extends Document<infer T>
    ? DocumentChanges<T>
    : H extends Records<infer T, infer K>
      ? RecordChanges<T, K>
      : never;

export interface DocumentChanges<T> extends Pick<Document<T>, "update"> {
  read(): Promise<Snapshot<T>>;
}

export interface RecordChanges<T extends { id: string }, K> extends Omit<
  Records<T, K>,
  "count" | "countByFacet" | "measureBytes" | "readPage" | "scan"
> {
  /** Like `insert`, but leaves an existing record with this id unchanged. */
  insertMissing(record: T): Promise<void>;
}

/** An entity's stored data: a document for a singleton or a collection, else records. */
export type HandleOf<E extends Entity> = [E] extends [RecordsEntity<any, any>]
  ? Records<ItemOf<E> & { id: string }, KeysOf<E>>
  : [E] extends [Collection<any>]
    ? Document<ItemOf<E>[]>
    : [E] extends [Singleton<any>]
      ? Document<ItemOf<E>>
      : [E] extends [Singleton<any> | Collection<any>]
        ? Document<unknown>
        : Document<unknown> | Records<StoredItem, Readonly<Record<string, unknown>>>;

/** The fields in the entity's `keys`, which engines can search. */
type KeysOf<E extends Entity> =
  E extends RecordsEntity<any, infer K>
    ? string extends K
      ? Readonly<Record<string, unknown>>
      : Readonly<Pick<ItemOf<E>, K & keyof ItemOf<E>>>
    : never;

/** A document: one value, such as a section's content or the settings. */
export interface Document<T> {
  /** Returns the value from memory, which is always the stored value. */
  read(): Snapshot<T>;
  /**
   * Replaces the value and resolves once it would survive a power failure. `change` gets the latest value. If it
   * returns the same reference, nothing is written; if it throws, only this call is rejected. Even changes that share a
   * write each get a revision and a snapshot. Throws `cannot_store`, `invalid_value`, or what `change` threw.
   */
  update(change: (current: T, snapshot: Snapshot<T>) => T): Promise<Snapshot<T>>;
  /** The last 50 earlier revisions, newest first; empty for entities without history. */
  listRevisions(): Promise<RevisionSummary[]>;
  /** The current or an earlier revision, migrated to the current schema; undefined if it isn't stored. */
  readRevision(number: number): Promise<Snapshot<T> | undefined>;
}

export interface RevisionSummary {
  /** Increases with every change. */
  readonly revision: number;
  /** ISO 8601, UTC. */
  readonly savedAt: string;
}

/** A state of a document. Values are deeply frozen: only writes change memory. */
export interface Snapshot<T> extends RevisionSummary {
  readonly value: T;
}

/**
 * An unlimited list, in order of insertion. `K` has the keys that a `where` can use. Writes throw `cannot_store`,
 * `invalid_value` and what `change` throws.
 */
export interface Records<T extends { id: string }, K> {
  count(where?: Where<K>): Promise<number>;
  /** Counts for each existing combination of facets: the keys that are the parent, a choice, or a boolean. */
  countByFacet(): Promise<FacetCount<K>[]>;
  /** The approximate size of all records, without the engine's copies. */
  measureBytes(): Promise<number>;
  /** The keys of all matches, oldest first. */
  readKeys(where?: Where<K>): Promise<readonly K[]>;
  get(id: string): Promise<T | undefined>;
  /** Finds a record by its unique key, which is stored trimmed and in lower case. */
  findUnique(uniqueKey: string): Promise<T | undefined>;
  /** Throws `conflict` if the id or the unique key is in use. */
  insert(record: T): Promise<T>;
  /** Inserts or changes the record with this unique key, atomically; `change` must not change the key. */
  upsert(uniqueKey: string, change: (existing: T | undefined) => T): Promise<T>;
  /** Changes the record with this unique key. Takes as long if there is none, so the time reveals nothing. */
  updateUnique(uniqueKey: string, change: (record: T) => T): Promise<void>;
  /** Returns undefined if the record doesn't exist. `change` must not change the id. */
  update(id: string, change: (record: T) => T): Promise<T | undefined>;
  /**
   * Changes matching records in batches. Returns the number of changed records. After an error, call again for the
   * remaining records.
   */
  updateWhere(where: Where<K>, change: (record: T) => T): Promise<number>;
  /** Returns the deleted record. Copies of the record may stay in the storage until `purgeOldVersions` resolves. */
  delete(id: string): Promise<T | undefined>;
  /** Deletes matching records in batches. Returns their number. After an error, call again to delete the rest. */
  deleteWhere(where: Where<K>): Promise<number>;
  /** Reads only the records of the page, however long the list is. */
  readPage(request: PageRequest<K>): Promise<Page<T>>;
  /** All records, yielding to other work regularly. */
  scan(options?: { where?: Where<K>; newestFirst?: boolean }): AsyncIterable<T>;
}

/** The number of records that have these facet values. */
export interface FacetCount<K> {
  readonly facets: Partial<K>;
  readonly count: number;
}

export interface PageRequest<K> {
  where?: Where<K>;
  /** Restricts the matches to records that contain this text in a searchable text, ignoring case and accents. */
  search?: string | undefined;
  /** Default: false, oldest first. */
  newestFirst?: boolean;
  offset: number;
  limit: number;
}

export interface Page<T> {
  items: T[];
  /** The number of matching records on all pages. */
  total: number;
}

/** Returns a page of the records that `matches` accepts, newest first. Reads all records, so only for short lists. */
export async function readSearchPage<T extends { id: string }, K>(
  records: Records<T, K>,
  matches: (record: T) => boolean,
  { where, offset, limit }: { where: Where<K>; offset: number; limit: number },
): Promise<Page<T>> {
  const items: T[] = [];
  let total = 0;
  for await (const record of records.scan({ newestFirst: true, where })) {
    if (!matches(record)) continue;
    if (total >= offset && items.length < limit) items.push(record);
    total++;
  }
  return { items, total };
}

/** Finds the item with this id in a collection; undefined if there is none. */
export const findItem = <E extends Collection>(
  store: Store,
  entity: E,
  id: string | null | undefined,
): ItemOf<E> | undefined =>
  (store.of<Collection>(entity).read().value as ItemOf<E>[]).find((each) => each.id === id);

/** Called with the path of a file that is left out of an archive, and the reason. */
export type ReportExcluded = (path: string, reason: string) => void;

export interface StoredFile {
  /** A unique relative path with slashes between folders. */
  readonly path: string;
  readonly bytes: Uint8Array;
}
