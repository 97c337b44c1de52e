/**
 * What every storage engine offers once it is opened: of each entity a document (one value) or
 * records (a list without end).
 */
import type {
  AnyRecords,
  Collection,
  Entity,
  ItemOf,
  RecordsEntity,
  Singleton,
  StoredItem,
} from "../../schema/entity.ts";
import type { Instances } from "../shared/instances.ts";
import type { Where } from "./where.ts";

export interface Store {
  /** Throws an Error for an entity that the store was not opened with. */
  of<E extends Entity>(entity: E): HandleOf<E>;
  /**
   * The listener hears of an entity's name after each committed write of it, before the writer does.
   * Returns the function that ends this.
   */
  onChange(listener: (name: string) => void): () => void;
  /**
   * Which of these ids are there, in any of some lists. Many that ask at the same moment cost hardly more than one.
   * Throws `cannot_store`.
   */
  present(lists: readonly AnyRecords[], ids: readonly string[]): Promise<ReadonlySet<string>>;
  readonly instances: Instances;
  /** False only when this open made the site (a fresh installation). */
  readonly installed: boolean;
  /** Of the site, made at its first start: what is kept elsewhere for it carries it too. */
  readonly siteId: string;
  /** 32 random bytes made at the first start, for signing; kept with the data, for nobody else. */
  secret(): Promise<Uint8Array>;
  /**
   * Changes several entities at once: all of it is stored, or nothing. `work` changes them through what it is given
   * and awaits nothing else: until it resolves, no other change is made. It may run more than once. Returns what `work` returned; throws what that threw,
   * and `cannot_store`.
   */
  transaction<R>(work: (transaction: Transaction) => Promise<R>): Promise<R>;
  /**
   * Resolves once all that was deleted or changed before is nowhere in the storage in its earlier form: to be awaited before an
   * erasure is answered. Throws `cannot_store`.
   */
  writeDown(): Promise<void>;
  /**
   * Changes the earlier revisions of a list, so that what `change` takes out of one is in none of them any more; it
   * returns the list itself to leave it. One that can't be read goes. To be called once it is out of the present list,
   * and before `writeDown`. Throws `cannot_store`.
   */
  rewriteHistory(list: Collection, change: ChangeOfList): Promise<void>;
  /** Throws `cannot_store` when nothing can be read and written. */
  health(): Promise<void>;
  /** Finishes the writes under way, then lets another process open the data. */
  close(): Promise<void>;
}

export type ChangeOfList = (items: StoredItem[]) => StoredItem[];

/** What several entities are changed through at once; it sees what it has changed itself. */
export interface Transaction {
  /** Throws an Error for an entity that the store was not opened with. */
  of<E extends Entity>(entity: E): ChangesOf<HandleOf<E>>;
}

export type ChangesOf<H> =
  H extends Document<infer T>
    ? DocumentChanges<T>
    : H extends Records<infer T, infer K>
      ? RecordChanges<T, K>
      : never;

/** A document within a transaction. */
export interface DocumentChanges<T> extends Pick<Document<T>, "update" | "put"> {
  read(): Promise<Snapshot<T>>;
}

/** A list without end within a transaction. */
export interface RecordChanges<T extends { id: string }, K> extends Pick<
  Records<T, K>,
  | "get"
  | "findUnique"
  | "keys"
  | "insert"
  | "upsert"
  | "update"
  | "updateUnique"
  | "updateWhere"
  | "delete"
  | "deleteWhere"
> {
  /** As `insert`, and leaves the record that has this id as it is. */
  insertMissing(record: T): Promise<void>;
}

/**
 * How what is stored of an entity is read and written: a document for a singleton or a collection,
 * else records. Typed by the declaration as far as it is known.
 */
export type HandleOf<E extends Entity> = [E] extends [RecordsEntity<any, any>]
  ? Records<ItemOf<E> & { id: string }, KeyOf<E>>
  : [E] extends [Collection<any>]
    ? Document<ItemOf<E>[]>
    : [E] extends [Singleton<any>]
      ? Document<ItemOf<E>>
      : [E] extends [Singleton<any> | Collection<any>]
        ? Document<unknown>
        : Document<unknown> | Records<StoredItem, Readonly<Record<string, unknown>>>;

/** What of a record of an entity stays in memory: the fields that it names in `keys`. */
type KeyOf<E extends Entity> =
  E extends RecordsEntity<any, infer K>
    ? string extends K
      ? Readonly<Record<string, unknown>>
      : Readonly<Pick<ItemOf<E>, K & keyof ItemOf<E>>>
    : never;

/** One value: the owner's content, settings. */
export interface Document<T> {
  /** From memory, and always what is stored. */
  read(): Snapshot<T>;
  /**
   * Replaces the value and resolves once a power cut would leave it. `change` gets the latest value;
   * returning the same reference writes nothing, a throw rejects this caller only. Changes that
   * share one write each get a revision and a snapshot of their own.
   * Throws `cannot_store`, `invalid_value`, or what `change` threw.
   */
  update(change: (current: T, snapshot: Snapshot<T>) => T): Promise<Snapshot<T>>;
  /**
   * Changes one item of a list, or puts it at the end where none has this id, as `update` would, for a fraction of
   * its cost where there is no history. `change` keeps the id; returning what it was given writes nothing.
   * Throws as `update` does.
   */
  put(
    id: string,
    change: (item: ItemIn<T> | undefined) => ItemIn<T> | undefined,
  ): Promise<Snapshot<T>>;
  /** The last 50 earlier revisions, newest first; empty for an entity without history. */
  history(): Promise<RevisionSummary[]>;
  /** The present or an earlier revision, brought to the present schema; undefined when not kept. */
  revision(number: number): Promise<Snapshot<T> | undefined>;
}

/** What a document that is a list holds. */
export type ItemIn<T> = T extends readonly (infer I extends { id: string })[] ? I : never;

/** One state of a document. Values are deeply frozen: memory changes by a write only. */
export interface Snapshot<T> {
  /** Grows with every change. */
  readonly revision: number;
  /** ISO 8601, UTC. */
  readonly savedAt: string;
  readonly value: T;
}

/** An earlier revision, without its value. */
export interface RevisionSummary {
  readonly revision: number;
  readonly savedAt: string;
}

/**
 * A list without end, in order of insertion. `K` is what of a record can be asked for in a `where`.
 * Every write throws `cannot_store`, `invalid_value`, and what its `change` threw.
 */
export interface Records<T extends { id: string }, K> {
  count(where?: Where<K>): Promise<number>;
  /** How many there are for each combination of facets that occurs: the keys that are the parent, a choice, or yes or no. */
  groups(): Promise<Group<K>[]>;
  /** What all records take, about. A copy that the engine keeps isn't counted. */
  bytes(): Promise<number>;
  /** Which of these ids are there. */
  present(ids: Iterable<string>): Promise<ReadonlySet<string>>;
  /** The keys of all that match, oldest first. */
  keys(where?: Where<K>): Promise<readonly K[]>;
  get(id: string): Promise<T | undefined>;
  /** By the key that only one record may have, as it is stored: trimmed and in lower case. */
  findUnique(unique: string): Promise<T | undefined>;
  /** Throws `conflict` when the id or the unique key is taken. */
  insert(record: T): Promise<T>;
  /** Inserts or changes the record with this unique key, atomically; `change` must keep the key. */
  upsert(unique: string, change: (existing: T | undefined) => T): Promise<T>;
  /**
   * Changes the record with this unique key, if there is one. Does the same work if there is none, so
   * that the time it takes doesn't tell.
   */
  updateUnique(unique: string, change: (record: T) => T): Promise<void>;
  /** Undefined when there is no such record; `change` must keep the id. */
  update(id: string, change: (record: T) => T): Promise<T | undefined>;
  /**
   * Changes every match, many at a time; `change` returns the record itself to leave it. Returns how many changed;
   * after an error, call it again for the rest.
   */
  updateWhere(where: Where<K>, change: (record: T) => T): Promise<number>;
  /** Returns what was deleted. It is nowhere in the storage once `writeDown` of the store has resolved, or some time later. */
  delete(id: string): Promise<T | undefined>;
  /** As `delete`. Returns how many went; after an error, call it again for the rest. */
  deleteWhere(where: Where<K>): Promise<number>;
  /** Reads no more than the page needs, however many there are. */
  page(request: PageRequest<K>): Promise<Page<T>>;
  /** All records, giving way to other work now and then. */
  scan(options?: { where?: Where<K>; newestFirst?: boolean }): AsyncIterable<T>;
}

/** How many records have these values in their facets. */
export interface Group<K> {
  readonly key: Partial<K>;
  readonly count: number;
}

export interface PageRequest<K> {
  where?: Where<K>;
  /** Only what holds this in a text that names the person; in lower case. */
  search?: string | undefined;
  /** Default false: oldest first. */
  newestFirst?: boolean;
  offset: number;
  limit: number;
}

export interface Page<T> {
  items: T[];
  /** How many records match, on all pages together. */
  total: number;
}

/**
 * A page, newest first, of the records that `matches` accepts as well, which only reading them can
 * tell: for short lists. Gives way to other work now and then.
 */
export async function searchPage<T extends { id: string }, K>(
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

/** Is told of each file that does not get into an archive, and why; not of what passes by itself. */
export type LeftOut = (path: string, why: string) => void;

/** One file of what is stored. */
export interface StoredFile {
  /** Unique; folders with slashes. */
  readonly path: string;
  readonly bytes: Uint8Array;
}
