/**
 * The bin: items that the owner deleted in the last 30 days and can restore. An item is in its list or in the bin, and
 * moves between them in one transaction. Its children, such as a form's steps and submissions, stay in place, hidden,
 * until the item is permanently deleted.
 */
import pLimit from "p-limit";
import { BIN_RETENTION_DAYS } from "../../schema/people/bin.ts";
import type { StoredItem } from "../../schema/entities/entity.ts";
import { entities, type Item } from "../../schema/index.ts";
import { type Clock, formatIsoTime } from "../shared/clock.ts";
import { conflict } from "../shared/errors.ts";
import { runWhenUnlocked } from "../shared/instances.ts";
import type { HandleOf, Store, Transaction } from "../storage/store.ts";
import { type BinItem, parseBinItem } from "./binItem.ts";
import { type DeletableEntity, getListedItem, removeFromList } from "./listedItems.ts";
import { DAY } from "../shared/time.ts";

export type { BinItem, DeletableEntity };

type BinRecord = Item<"bin">;

/** Deletes an item. `before` makes earlier changes in the same transaction. */
export type DeleteItem = (before?: (transaction: Transaction) => Promise<void>) => Promise<void>;

/** Deletes an item and makes related changes. Returns a description of these for the audit log. */
export type DeleteWithFollowUp = (id: string, deleteItem: DeleteItem) => Promise<string | void>;

type ChangeLists = <R>(
  entities: readonly DeletableEntity[],
  change: (transaction: Transaction) => Promise<R>,
) => Promise<R>;

/** Finds the data that belongs to a permanently deleted item. Returns a function that deletes the data. */
type PrepareRemoval = (binItem: BinItem) => Promise<(transaction: Transaction) => Promise<void>>;

interface BinPageQuery {
  readonly entities?: readonly string[] | undefined;
  readonly offset: number;
  readonly limit: number;
}

/** The end of an expired item's retention, long past, so a clock that is set back doesn't make it restorable. */
const EXPIRED_AT = formatIsoTime(() => 0);

/** All changes to the bin go through this class. `trustedClock` decides what has expired (`upkeep/trustedClock.ts`). */
export class Bin {
  readonly #records: HandleOf<typeof entities.bin>;
  /** Runs one at a time, because files and children are read before the transaction that deletes them. */
  readonly #limitConcurrency = pLimit(1);
  #isSweepUnfinished = false;

  constructor(
    private readonly store: Store,
    private readonly clock: Clock = Date.now,
    private readonly trustedClock: Clock = clock,
  ) {
    this.#records = store.of(entities.bin);
  }

  /**
   * Deletes items. `remove` removes them from their list and returns them. `prepare` does the necessary work outside the
   * store first, and returns its undo. Throws what both throw, and `cannot_store`.
   */
  moveToBin(
    entity: DeletableEntity,
    remove: (transaction: Transaction) => Promise<StoredItem | readonly StoredItem[]>,
    prepare?: () => Promise<() => Promise<unknown>>,
  ): Promise<void> {
    return this.#runExclusively(async () => {
      const undo = await prepare?.();
      try {
        await this.store.transaction(async (transaction) => {
          const removed = [await remove(transaction)].flat();
          for (const item of removed) await this.#addToBin(transaction, entity, item);
        });
      } catch (error) {
        await undo?.().catch(() => undefined);
        throw error;
      }
    });
  }

  /**
   * Restores an item to its list, once; undefined when it isn't in the bin. `followUp` then does the necessary work
   * outside the store. Throws what both throw, in which case the item stays in the bin.
   */
  restoreItem<R>(
    id: string,
    insert: (binItem: BinItem, transaction: Transaction) => Promise<R>,
    followUp?: (binItem: BinItem) => Promise<unknown>,
  ): Promise<R | undefined> {
    return this.#runExclusively(async () => {
      const restored = await this.store.transaction(async (transaction) => {
        const list = transaction.of(entities.bin);
        const row = await list.get(id);
        if (!row || !this.#isRestorable(row)) return undefined;
        const binned = requireBinItem(row);
        const result = await insert(binned, transaction);
        await list.delete(id);
        return { row, binned, result };
      });
      if (!restored) return undefined;
      const { row, binned, result } = restored;
      try {
        await followUp?.(binned);
      } catch (error) {
        await this.store.transaction(async (transaction) => {
          await removeFromList(transaction, binned.entity, id);
          await transaction.of(entities.bin).insert(row);
        });
        throw error;
      }
      return result;
    });
  }

  /** Undefined if no restorable item has this id. */
  async getItem(id: string): Promise<BinItem | undefined> {
    const row = await this.#records.get(id);
    return row && this.#isRestorable(row) ? requireBinItem(row) : undefined;
  }

  /** A page of restorable items, newest deletion first. */
  async readPage({
    entities: keys,
    ...range
  }: BinPageQuery): Promise<{ items: BinItem[]; total: number }> {
    const where = this.#restorableFilter(keys && { entity: { oneOf: new Set(keys) } });
    const { items, total } = await this.#records.readPage({ where, newestFirst: true, ...range });
    return { items: items.flatMap((row) => parseBinItem(row) ?? []), total };
  }

  async countByEntity(): Promise<Record<string, number>> {
    const countByEntity: Record<string, number> = {};
    for (const { entity } of await this.#records.keys(this.#restorableFilter()))
      countByEntity[entity] = (countByEntity[entity] ?? 0) + 1;
    return countByEntity;
  }

  /** Makes these items, or all, unrestorable, so `deleteExpired` deletes them. Returns their number. */
  expireItems(ids?: readonly string[]): Promise<number> {
    return this.#expireWhere(this.#restorableFilter(ids && { id: { oneOf: new Set(ids) } }));
  }

  /**
   * For `work` that may put items back into their lists without `restoreItem`, such as an earlier version of a list:
   * nothing is permanently deleted meanwhile, and items that its argument put back into a list leave the bin.
   */
  whileSweepPaused<R>(work: (list: ChangeLists) => Promise<R>): Promise<R> {
    return this.#runExclusively(() => work(this.#changeLists));
  }

  /** All of an entity's items in the bin, restorable or not. */
  async *readAll(entity: DeletableEntity): AsyncIterable<StoredItem> {
    for await (const row of this.#records.scan({ where: { entity: entity.key } })) {
      const binned = parseBinItem(row);
      if (binned) yield binned.item;
    }
  }

  /**
   * Changes an entity's deleted items. `change` returns the same item to leave it unchanged. Returns the number of
   * changed items.
   */
  changeItems(
    entity: DeletableEntity,
    change: (item: StoredItem) => StoredItem,
    transaction?: Transaction,
  ): Promise<number> {
    const records = transaction?.of(entities.bin) ?? this.#records;
    return records.updateWhere({ entity: entity.key }, (row) => {
      const item = parseBinItem(row)?.item;
      const next = item && change(item);
      return !next || next === item ? row : { ...row, version: entity.version, item: next };
    });
  }

  /** Deletes expired items permanently, with all old versions. Throws `cannot_store`. */
  async deleteExpired(remove: PrepareRemoval): Promise<void> {
    const due = { until: { upTo: formatIsoTime(this.trustedClock) } };
    let remaining = new Set((await this.#records.keys(due)).map(({ id }) => id));
    if (remaining.size === 0 && !this.#isSweepUnfinished) return;
    this.#isSweepUnfinished = true;
    await this.#expireWhere({ id: { oneOf: remaining } });
    while (remaining.size > 0)
      remaining = await this.#runExclusively(() => this.#removeExpired(remaining, remove));
    await this.store.purgeOldVersions();
    this.#isSweepUnfinished = false;
  }

  #runExclusively<R>(work: () => Promise<R>): Promise<R> {
    return this.#limitConcurrency(() => runWhenUnlocked(this.store, "bin", LOCK_TIMEOUT_MS, work));
  }

  #restorableFilter(more: BinFilter = {}): BinFilter {
    return { until: { after: formatIsoTime(this.trustedClock) }, ...more };
  }

  #isRestorable({ until }: BinRecord): boolean {
    return (until ?? "") > formatIsoTime(this.trustedClock);
  }

  async #addToBin(
    transaction: Transaction,
    entity: DeletableEntity,
    item: StoredItem,
  ): Promise<void> {
    const { id } = item;
    const { key, version } = entity;
    const list = transaction.of(entities.bin);
    await list.delete(id);
    const deletedAt = formatIsoTime(this.clock);
    const until = formatIsoTime(() => this.clock() + BIN_RETENTION_DAYS * DAY);
    await list.insert({ id, entity: key, version, item, deletedAt, until });
  }

  #expireWhere(where: BinFilter): Promise<number> {
    return this.#records.updateWhere(where, (row) =>
      row.until === EXPIRED_AT ? row : { ...row, until: EXPIRED_AT },
    );
  }

  readonly #changeLists: ChangeLists = (entitiesToList, changeItems) =>
    this.store.transaction(async (transaction) => {
      const result = await changeItems(transaction);
      const list = transaction.of(entities.bin);
      for (const entity of entitiesToList)
        for (const { id } of await list.keys({ entity: entity.key }))
          if (await getListedItem(transaction, entity, id)) await list.delete(id);
      return result;
    });

  /** Deletes those of `ids` that weren't restored meanwhile. Returns the ids that are left for the next batch. */
  async #removeExpired(ids: ReadonlySet<string>, remove: PrepareRemoval): Promise<Set<string>> {
    const due = await this.#records.keys({ id: { oneOf: ids }, until: EXPIRED_AT });
    const remaining = new Set(due.map(({ id }) => id));
    const handled = new Set<string>();
    const removals: Awaited<ReturnType<PrepareRemoval>>[] = [];
    const end = this.clock() + MAX_UNINTERRUPTED_MS;
    for await (const row of this.#records.scan({ where: { id: { oneOf: remaining } } })) {
      if (handled.size > 0 && this.clock() > end) break;
      const binned = parseBinItem(row);
      if (binned) removals.push(await remove(binned));
      handled.add(row.id);
    }
    await this.store.transaction(async (transaction) => {
      for (const each of removals) await each(transaction);
      const list = transaction.of(entities.bin);
      for (const id of handled) await list.delete(id);
    });
    return remaining.difference(handled);
  }
}

interface BinFilter {
  readonly id?: { readonly oneOf: ReadonlySet<string> };
  readonly entity?: { readonly oneOf: ReadonlySet<string> };
  readonly until?: { readonly after: string };
}

/** The maximum wait for another instance that uses the bin. */
const LOCK_TIMEOUT_MS = 10_000;
/** A long removal yields to other work after this time, but removes at least one item. */
const MAX_UNINTERRUPTED_MS = 1000;

/** Throws `conflict` if this release can't read the item. */
function requireBinItem(row: BinRecord): BinItem {
  const binned = parseBinItem(row);
  if (!binned)
    throw conflict(
      "This was deleted in another version of Limelight. To restore it, switch to that version.",
    );
  return binned;
}
