/**
 * The bin: items that the owner deleted in the last 30 days and can restore. One transaction moves an item between its
 * list and the bin. The children of a deleted item, such as a form's submissions, stay in their lists: hidden, and
 * deleted together with the item.
 */
import pLimit from "p-limit";
import { BIN_RETENTION_DAYS } from "../../schema/people/bin.ts";
import type { StoredItem } from "../../schema/entities/entity.ts";
import { entities } from "../../schema/index.ts";
import { type Clock, getTimestamp } from "../shared/clock.ts";
import { conflict } from "../shared/errors.ts";
import { runWhenUnlocked } from "../shared/instanceCoordinator.ts";
import type { HandleOf, Store, Transaction } from "../storage/store.ts";
import { type BinItem, type BinRecord, parseBinItem } from "./binItem.ts";
import { type DeletableEntity, getListedItem, removeFromList } from "./listedItems.ts";
import { DAY } from "../shared/time.ts";

export type { BinItem, DeletableEntity };

/** Moves an item to the bin. First runs `before` in the same transaction. */
export type DeleteItem = (before?: (transaction: Transaction) => Promise<void>) => Promise<void>;

/** Moves an item to the bin and makes related changes. Returns a description of these changes for the audit log. */
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

/** The `until` of an expired item. A time in 1970 keeps the item unrestorable even if the clock is set back. */
const EXPIRED_AT = getTimestamp(() => 0);

/** Makes all changes to the bin. `trustedClock` decides which items have expired (`upkeep/trustedClock.ts`). */
export class Bin {
  readonly #records: HandleOf<typeof entities.bin>;
  /** Runs one operation at a time, because each reads files and children before the transaction that deletes them. */
  readonly #limitToOne = pLimit(1);
  #isSweepUnfinished = false;

  constructor(
    private readonly store: Store,
    private readonly clock: Clock = Date.now,
    private readonly trustedClock: Clock = clock,
  ) {
    this.#records = store.of(entities.bin);
  }

  /**
   * Moves items to the bin. First, `prepare` does the work outside the store, such as moving files, and returns a
   * function that undoes it. Then `remove` removes the items from their list and returns them. Throws `cannot_store`,
   * and the errors of both functions.
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
   * Restores an item; returns undefined if the bin has no such item. `insert` inserts the item into its list, then
   * `followUp` does the work outside the store. If one of them throws, the item stays in the bin, and the error is
   * thrown.
   */
  restoreItem<R>(
    id: string,
    insert: (binItem: BinItem, transaction: Transaction) => Promise<R>,
    followUp?: (binItem: BinItem) => Promise<unknown>,
  ): Promise<R | undefined> {
    return this.#runExclusively(async () => {
      const restored = await this.store.transaction(async (transaction) => {
        const bin = transaction.of(entities.bin);
        const row = await bin.get(id);
        if (!row || !this.#isRestorable(row)) return undefined;
        const binItem = requireBinItem(row);
        const result = await insert(binItem, transaction);
        await bin.delete(id);
        return { row, binItem, result };
      });
      if (!restored) return undefined;
      const { row, binItem, result } = restored;
      try {
        await followUp?.(binItem);
      } catch (error) {
        await this.store.transaction(async (transaction) => {
          await removeFromList(transaction, binItem.entity, id);
          await transaction.of(entities.bin).insert(row);
        });
        throw error;
      }
      return result;
    });
  }

  async getItem(id: string): Promise<BinItem | undefined> {
    const row = await this.#records.get(id);
    return row && this.#isRestorable(row) ? requireBinItem(row) : undefined;
  }

  async readPage({
    entities: entityKeys,
    ...range
  }: BinPageQuery): Promise<{ items: BinItem[]; total: number }> {
    const where = this.#createRestorableFilter(
      entityKeys && { entity: { oneOf: new Set(entityKeys) } },
    );
    const { items, total } = await this.#records.readPage({ where, newestFirst: true, ...range });
    return { items: items.flatMap((row) => parseBinItem(row) ?? []), total };
  }

  async countByEntity(): Promise<Record<string, number>> {
    const countByEntity: Record<string, number> = {};
    for (const { entity } of await this.#records.readKeys(this.#createRestorableFilter()))
      countByEntity[entity] = (countByEntity[entity] ?? 0) + 1;
    return countByEntity;
  }

  /** Makes these items (default: all) expired, so that `deleteExpired` deletes them. Returns their number. */
  expireItems(ids?: readonly string[]): Promise<number> {
    return this.#expireWhere(this.#createRestorableFilter(ids && { id: { oneOf: new Set(ids) } }));
  }

  /**
   * Pauses permanent deletion while `work` runs. `work` may restore an earlier version of a list with `changeLists`,
   * which removes the list's items from the bin.
   */
  runWithSweepPaused<R>(work: (changeLists: ChangeLists) => Promise<R>): Promise<R> {
    return this.#runExclusively(() => work(this.#changeLists));
  }

  /** Yields all items of an entity in the bin, including expired items. */
  async *readAll(entity: DeletableEntity): AsyncIterable<StoredItem> {
    for await (const row of this.#records.scan({ where: { entity: entity.key } })) {
      const binItem = parseBinItem(row);
      if (binItem) yield binItem.item;
    }
  }

  /** Changes an entity's deleted items. `change` may return the item unchanged. Returns the number of changed items. */
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

  /** Permanently deletes expired items and their old versions. Throws `cannot_store`. */
  async deleteExpired(prepareRemoval: PrepareRemoval): Promise<void> {
    const expiredFilter = { until: { upTo: getTimestamp(this.trustedClock) } };
    let remainingIds = new Set((await this.#records.readKeys(expiredFilter)).map(({ id }) => id));
    if (remainingIds.size === 0 && !this.#isSweepUnfinished) return;
    this.#isSweepUnfinished = true;
    await this.#expireWhere({ id: { oneOf: remainingIds } });
    while (remainingIds.size > 0)
      remainingIds = await this.#runExclusively(() =>
        this.#removeExpired(remainingIds, prepareRemoval),
      );
    await this.store.purgeOldVersions();
    this.#isSweepUnfinished = false;
  }

  #runExclusively<R>(work: () => Promise<R>): Promise<R> {
    return this.#limitToOne(() => runWhenUnlocked(this.store, "bin", LOCK_TIMEOUT_MS, work));
  }

  #createRestorableFilter(filter: BinFilter = {}): BinFilter {
    return { until: { after: getTimestamp(this.trustedClock) }, ...filter };
  }

  #isRestorable({ until }: BinRecord): boolean {
    return (until ?? "") > getTimestamp(this.trustedClock);
  }

  async #addToBin(
    transaction: Transaction,
    entity: DeletableEntity,
    item: StoredItem,
  ): Promise<void> {
    const { id } = item;
    const { key, version } = entity;
    const bin = transaction.of(entities.bin);
    await bin.delete(id);
    const now = this.clock();
    const deletedAt = new Date(now).toISOString();
    const until = new Date(now + BIN_RETENTION_DAYS * DAY).toISOString();
    await bin.insert({ id, entity: key, version, item, deletedAt, until });
  }

  #expireWhere(where: BinFilter): Promise<number> {
    return this.#records.updateWhere(where, (row) =>
      row.until === EXPIRED_AT ? row : { ...row, until: EXPIRED_AT },
    );
  }

  readonly #changeLists: ChangeLists = (changedEntities, change) =>
    this.store.transaction(async (transaction) => {
      const result = await change(transaction);
      const bin = transaction.of(entities.bin);
      for (const entity of changedEntities)
        for (const { id } of await bin.readKeys({ entity: entity.key }))
          if (await getListedItem(transaction, entity, id)) await bin.delete(id);
      return result;
    });

  /** Deletes a batch of these items, except restored ones. Returns the remaining ids for the next batch. */
  async #removeExpired(
    ids: ReadonlySet<string>,
    prepareRemoval: PrepareRemoval,
  ): Promise<Set<string>> {
    const expiredKeys = await this.#records.readKeys({ id: { oneOf: ids }, until: EXPIRED_AT });
    const remainingIds = new Set(expiredKeys.map(({ id }) => id));
    const handledIds = new Set<string>();
    const removals: Awaited<ReturnType<PrepareRemoval>>[] = [];
    const deadline = this.clock() + MAX_UNINTERRUPTED_WORK_MS;
    for await (const row of this.#records.scan({ where: { id: { oneOf: remainingIds } } })) {
      if (handledIds.size > 0 && this.clock() > deadline) break;
      const binItem = parseBinItem(row);
      if (binItem) removals.push(await prepareRemoval(binItem));
      handledIds.add(row.id);
    }
    await this.store.transaction(async (transaction) => {
      for (const removeData of removals) await removeData(transaction);
      const bin = transaction.of(entities.bin);
      for (const id of handledIds) await bin.delete(id);
    });
    return remainingIds.difference(handledIds);
  }
}

interface BinFilter {
  readonly id?: { readonly oneOf: ReadonlySet<string> };
  readonly entity?: { readonly oneOf: ReadonlySet<string> };
  readonly until?: { readonly after: string };
}

/** The maximum wait while another instance of the site uses the bin. */
const LOCK_TIMEOUT_MS = 10_000;
/** The maximum duration of a batch of `#removeExpired`, which deletes at least one item. */
const MAX_UNINTERRUPTED_WORK_MS = 1000;

/** Parses a row's item. Throws `conflict` if this release can't read it. */
function requireBinItem(row: BinRecord): BinItem {
  const binItem = parseBinItem(row);
  if (!binItem)
    throw conflict(
      "This was deleted in another version of Limelight. To restore it, switch to that version.",
    );
  return binItem;
}
