/** The interface to a site's data. Each entity is a document (one value) or records (a list of any length). */
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
  /** Throws an Error if the store wasn't opened with this entity. */
  of<E extends Entity>(entity: E): HandleOf<E>;
  /** Calls `listener` with an entity's name after each stored write. Returns a function that removes the listener. */
  onChange(listener: (name: string) => void): () => void;
  readonly coordinator: InstanceCoordinator;
  /** False if opening the store created the site, so this is its first start. */
  readonly isInstalled: boolean;
  /** The site's id. The picture storage is marked with the same id. */
  readonly siteId: string;
  /** The 32 random bytes that sign sessions and links, generated at the first start. */
  readSecret(): Promise<Uint8Array>;
  /**
   * Stores either all changes that `work` makes through its argument or none. `work` may run more than once. `work`
   * must await nothing but calls of its argument, because all other changes wait for it. Throws `cannot_store`, and
   * what `work` throws.
   */
  transaction<R>(work: (transaction: Transaction) => Promise<R>): Promise<R>;
  /** Removes all overwritten and deleted data from the storage. Call before an erasure is confirmed. */
  purgeOldVersions(): Promise<void>;
  /**
   * Removes the copies left by damage, migrations and killed backups, since they may contain personal data. Returns
   * the places that still contain `text`. Call after `purgeOldVersions`. Throws `cannot_store`.
   */
  eraseCopies(text: string): Promise<string[]>;
  /**
   * Changes the earlier revisions of lists, to remove erased items. Revisions that can't be read are deleted. Call
   * after changing the current lists. Resolves once the storage has no old version. Throws `cannot_store`.
   */
  rewriteHistory(changes: ReadonlyMap<Collection, ListTransform>): Promise<void>;
  /** Tests whether data can be read and written. Throws `cannot_store` if not. */
  checkHealth(): Promise<void>;
  /** Finishes pending writes, then releases the lock so that another process can open the data. */
  close(): Promise<void>;
}

export type ListTransform = (items: StoredItem[]) => StoredItem[];

/** The argument of a transaction's `work`. Reads include the earlier changes of the same transaction. */
export interface Transaction {
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
  /** Inserts the record. If a record with this id exists, does nothing. */
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

/** The fields in the entity's `keys`, which a `where` can use. */
type KeysOf<E extends Entity> =
  E extends RecordsEntity<any, infer K>
    ? string extends K
      ? Readonly<Record<string, unknown>>
      : Readonly<Pick<ItemOf<E>, K & keyof ItemOf<E>>>
    : never;

/** A document: one value, such as a section's content or the settings. */
export interface Document<T> {
  /** Returns the value from memory. */
  read(): Snapshot<T>;
  /**
   * Replaces the value by the result of `change`, unless `change` returns the same reference. Resolves once the new
   * value would survive a power failure. Throws `cannot_store`, `invalid_value`, or what `change` throws.
   */
  update(change: (current: T, snapshot: Snapshot<T>) => T): Promise<Snapshot<T>>;
  /** Lists the last 50 earlier revisions, newest first. Returns none for an entity without history. */
  listRevisions(): Promise<RevisionSummary[]>;
  /** Reads the current or an earlier revision, migrated to the current schema; undefined if it isn't stored. */
  readRevision(number: number): Promise<Snapshot<T> | undefined>;
}

export interface RevisionSummary {
  /** The revision's number, which increases with every change. */
  readonly revision: number;
  /** The time of the change, in ISO 8601, UTC. */
  readonly savedAt: string;
}

/** A revision of a document. The value is deeply frozen, so no caller can change the value in memory. */
export interface Snapshot<T> extends RevisionSummary {
  readonly value: T;
}

/** Records in order of insertion. Changes throw `cannot_store`, `invalid_value` and what `change` throws. */
export interface Records<T extends { id: string }, K> {
  count(where?: Where<K>): Promise<number>;
  /** Returns the number of records for each existing combination of facets (`RecordsSpec.facets`). */
  countByFacet(): Promise<FacetCount<K>[]>;
  /** Returns the approximate size of all records in bytes, without copies. */
  measureBytes(): Promise<number>;
  /** Returns the keys of all matching records, oldest first. */
  readKeys(where?: Where<K>): Promise<readonly K[]>;
  get(id: string): Promise<T | undefined>;
  /** Finds a record by its unique key. Unique keys are stored trimmed and in lower case. */
  findUnique(uniqueKey: string): Promise<T | undefined>;
  /** Inserts a record. Throws `conflict` if another record has the same id or unique key. */
  insert(record: T): Promise<T>;
  /** Changes the record with this unique key, or inserts one, atomically. `change` must keep the unique key. */
  upsert(uniqueKey: string, change: (existing: T | undefined) => T): Promise<T>;
  /** Changes the record with this unique key. Takes as long if there is none, to hide whether the record exists. */
  updateUnique(uniqueKey: string, change: (record: T) => T): Promise<void>;
  /** Changes a record; undefined if it doesn't exist. `change` must keep the id. */
  update(id: string, change: (record: T) => T): Promise<T | undefined>;
  /** Changes records in batches, and returns their number. After an error, call again to change the rest. */
  updateWhere(where: Where<K>, change: (record: T) => T): Promise<number>;
  /** Deletes and returns a record. Copies may remain in the storage until `purgeOldVersions` resolves. */
  delete(id: string): Promise<T | undefined>;
  /** Deletes records in batches, and returns their number. After an error, call again to delete the rest. */
  deleteWhere(where: Where<K>): Promise<number>;
  /** Reads a page of records. Without a search, only the records of the page are read. */
  readPage(request: PageRequest<K>): Promise<Page<T>>;
  /** Reads all matching records. Other work can run in between. */
  scan(options?: { where?: Where<K>; newestFirst?: boolean }): AsyncIterable<T>;
}

export interface FacetCount<K> {
  readonly facets: Partial<K>;
  readonly count: number;
}

export interface PageRequest<K> {
  where?: Where<K>;
  /** A text that a searchable text of the record must contain, ignoring case and accents. */
  search?: string | undefined;
  /** True for newest first. Default: oldest first. */
  newestFirst?: boolean;
  offset: number;
  limit: number;
}

export interface Page<T> {
  items: T[];
  /** The number of matching records on all pages. */
  total: number;
}

/** Returns a page of the records that `matches` accepts, newest first. Reads all records, so lists must be short. */
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
