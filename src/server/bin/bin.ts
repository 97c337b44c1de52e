/**
 * The bin: what the owner has deleted in the last 30 days, so that it can be put back. An item is in its list or
 * in the bin: it goes from one to the other in one transaction. What belongs to a deleted item (the steps and
 * submissions of a form) stays where it is, out of sight, until the item goes for good; only what is in the bin
 * ever goes that way.
 */
import * as v from "valibot";
import pLimit from "p-limit";
import { BIN_DAYS } from "../../schema/bin.ts";
import { itemSchema } from "../../schema/check.ts";
import type { StoredItem } from "../../schema/entity.ts";
import { entities, entityWith, type Item } from "../../schema/index.ts";
import { type Clock, isoTime } from "../shared/clock.ts";
import { conflict } from "../shared/errors.ts";
import { whenFree } from "../shared/instances.ts";
import { migrated } from "../storage/envelope.ts";
import type { Store, Transaction } from "../storage/store.ts";
import { type Listed, listed, listedAmong, takeOut } from "./listedItems.ts";
import { DAY } from "../shared/time.ts";

export type { Listed };

type Row = Item<"bin">;

/** A deleted item. */
export interface Binned {
  readonly entity: Listed;
  /** As that entity stores it today. */
  readonly item: StoredItem;
  readonly deletedAt: string;
  readonly until: string;
}

export interface Bin {
  /**
   * Deletes an item. `take` takes it out of its list and returns it as it was there. `before` does what has to be
   * done outside the store first, and returns what undoes that. Throws what both throw, and `cannot_store`.
   */
  discard(entity: Listed, id: string, take: Take, before?: Before): Promise<void>;
  /**
   * Puts an item into its list again, once; undefined when it is not, or no longer, here. `after` does what has to
   * be done outside the store then. Throws what both throw, and keeps the item then.
   */
  putBack<R>(id: string, insert: Insert<R>, after?: After): Promise<R | undefined>;
  /** One of those that can be put back. */
  get(id: string): Promise<Binned | undefined>;
  /** A page of those that can be put back, what was deleted last first; of some entities only. */
  page(request: BinPage): Promise<{ items: Binned[]; total: number }>;
  /** How many can be put back, by the key of their entity. */
  counts(): Promise<Record<string, number>>;
  /** From now on these, or all, can't be put back; the next `sweep` has them go for good. Returns how many. */
  letGo(ids?: readonly string[]): Promise<number>;
  /**
   * For `work` that lists items in another way than out of the bin, such as an earlier version of their list:
   * nothing goes for good meanwhile, and what is listed by the function that it is given leaves the bin.
   */
  whileListing<R>(work: (list: ListAgain) => Promise<R>): Promise<R>;
  /** All of an entity, whether they can still be put back or not. */
  of(entity: Listed): AsyncIterable<StoredItem>;
  /**
   * Changes deleted items of an entity; `change` returns the item itself to leave it. Returns how many changed.
   * As part of a transaction, where it is given one.
   */
  change(
    entity: Listed,
    change: (item: StoredItem) => StoredItem,
    within?: Transaction,
  ): Promise<number>;
  /**
   * Takes out of the bin what is in its list as well: of an earlier release that was killed between its two
   * writes, or of a backup of before it was put back. To be called at the start.
   */
  settle(): Promise<void>;
  /** Has go what is due; none of it is in any file afterwards. Throws `cannot_store`. */
  sweep(remove: Remove): Promise<void>;
}

type Take = (transaction: Transaction) => Promise<StoredItem>;
type Before = () => Promise<() => Promise<unknown>>;
type Insert<R> = (binned: Binned, transaction: Transaction) => Promise<R>;
type After = (binned: Binned) => Promise<unknown>;

/** Changes the lists of some entities, all of them or none. */
type ListAgain = <R>(
  entities: readonly Listed[],
  change: (transaction: Transaction) => Promise<R>,
) => Promise<R>;

/** Finds what belongs to an item that goes for good; returns what takes that along. */
type Remove = (binned: Binned) => Promise<(transaction: Transaction) => Promise<void>>;

interface BinPage {
  /** The keys of these only. */
  readonly entities?: readonly string[] | undefined;
  readonly offset: number;
  readonly limit: number;
}

/** No clock that is put back has it come back. */
const LET_GO = isoTime(() => 0);

/** The bin of a store, which all that changes it goes through; `trustedClock` is the time of `siteTime`. */
export function openBin(store: Store, clock: Clock = Date.now, trustedClock: Clock = clock): Bin {
  const rows = store.of(entities.bin);
  // One at a time: files and what belongs to an item are looked for before the transaction that it goes in.
  const limit = pLimit(1);
  const inTurn = <R>(work: () => Promise<R>) =>
    limit(() => whenFree(store.instances, "bin", PATIENCE_MS, work));
  let isOwed = false;

  /** What can be put back, of what else is said. */
  const visible = (more: BinWhere = {}): BinWhere => ({
    until: { after: isoTime(trustedClock) },
    ...more,
  });
  const isVisible = ({ until }: Row) => (until ?? "") > isoTime(trustedClock);

  async function keep(transaction: Transaction, entity: Listed, item: StoredItem): Promise<void> {
    const { id } = item;
    const { key, version } = entity;
    const list = transaction.of(entities.bin);
    await list.delete(id);
    const [deletedAt, until] = [isoTime(clock), isoTime(() => clock() + BIN_DAYS * DAY)];
    await list.insert({ id, entity: key, version, item, deletedAt, until });
  }

  const letGo = (where: BinWhere) =>
    rows.updateWhere(where, (row) => (row.until === LET_GO ? row : { ...row, until: LET_GO }));

  const listAgain: ListAgain = (listedIn, change) =>
    store.transaction(async (transaction) => {
      const result = await change(transaction);
      const list = transaction.of(entities.bin);
      for (const entity of listedIn)
        for (const { id } of await list.keys({ entity: entity.key }))
          if (await listed(transaction, entity, id)) await list.delete(id);
      return result;
    });

  /** Those of `ids` that haven't come back since; returns what is left for another turn. */
  async function removeDue(ids: ReadonlySet<string>, remove: Remove): Promise<Set<string>> {
    const due = await rows.keys({ id: { oneOf: ids }, until: LET_GO });
    const left = new Set(due.map(({ id }) => id));
    const over = new Set<string>();
    const removals: Awaited<ReturnType<Remove>>[] = [];
    const end = clock() + LONGEST_TURN_MS;
    for await (const row of rows.scan({ where: { id: { oneOf: left } } })) {
      if (over.size > 0 && clock() > end) break;
      const binned = readable(row);
      if (binned) removals.push(await remove(binned));
      over.add(row.id);
    }
    await store.transaction(async (transaction) => {
      for (const each of removals) await each(transaction);
      const list = transaction.of(entities.bin);
      for (const id of over) await list.delete(id);
    });
    return left.difference(over);
  }

  return {
    discard: (entity, id, take, before) =>
      inTurn(async () => {
        const undo = await before?.();
        try {
          await store.transaction(async (transaction) =>
            keep(transaction, entity, await take(transaction)),
          );
        } catch (error) {
          await undo?.().catch(() => undefined);
          throw error;
        }
      }),
    putBack: (id, insert, after) =>
      inTurn(async () => {
        const back = await store.transaction(async (transaction) => {
          const list = transaction.of(entities.bin);
          const row = await list.get(id);
          if (!row || !isVisible(row)) return undefined;
          const binned = binnedOf(row);
          const result = await insert(binned, transaction);
          await list.delete(id);
          return { row, binned, result };
        });
        if (!back) return undefined;
        const { row, binned, result } = back;
        try {
          await after?.(binned);
        } catch (error) {
          await store.transaction(async (transaction) => {
            await takeOut(transaction, binned.entity, id);
            await transaction.of(entities.bin).insert(row);
          });
          throw error;
        }
        return result;
      }),
    async get(id) {
      const row = await rows.get(id);
      return row && isVisible(row) ? binnedOf(row) : undefined;
    },
    async page({ entities: wanted, ...range }) {
      const where = visible(wanted && { entity: { oneOf: new Set(wanted) } });
      const { items, total } = await rows.page({ where, newestFirst: true, ...range });
      return { items: items.flatMap((row) => readable(row) ?? []), total };
    },
    async counts() {
      const counts: Record<string, number> = {};
      for (const { entity } of await rows.keys(visible()))
        counts[entity] = (counts[entity] ?? 0) + 1;
      return counts;
    },
    letGo: (ids) => letGo(visible(ids && { id: { oneOf: new Set(ids) } })),
    whileListing: (work) => inTurn(() => work(listAgain)),
    async *of(entity) {
      for await (const row of rows.scan({ where: { entity: entity.key } })) {
        const binned = readable(row);
        if (binned) yield binned.item;
      }
    },
    change: (entity, change, within) =>
      (within?.of(entities.bin) ?? rows).updateWhere({ entity: entity.key }, (row) => {
        const item = readable(row)?.item;
        const next = item && change(item);
        return !next || next === item ? row : { ...row, version: entity.version, item: next };
      }),
    async settle() {
      const both = await listedAmong(store, await rows.keys());
      if (both.size > 0) await rows.deleteWhere({ id: { oneOf: both } });
    },
    async sweep(remove) {
      const due = { until: { upTo: isoTime(trustedClock) } };
      let left = new Set((await rows.keys(due)).map(({ id }) => id));
      if (left.size === 0 && !isOwed) return;
      isOwed = true;
      await letGo({ id: { oneOf: left } });
      while (left.size > 0) left = await inTurn(() => removeDue(left, remove));
      await store.writeDown();
      isOwed = false;
    },
  };
}

/** What a row of the bin can be asked for. */
interface BinWhere {
  readonly id?: { readonly oneOf: ReadonlySet<string> };
  readonly entity?: { readonly oneOf: ReadonlySet<string> };
  readonly until?: { readonly after: string };
}

/** As long as it is waited for what another instance does with its bin. */
const PATIENCE_MS = 10_000;
/** Who removes many keeps nobody waiting for longer than this and one of them. */
const LONGEST_TURN_MS = 1000;

/** As the entity stores it today. Throws `conflict` for what has no place in this release. */
function binnedOf(row: Row): Binned {
  const binned = readable(row);
  if (!binned) throw conflict("This was deleted by another release and can't be put back here.");
  return binned;
}

function readable({ entity: key, version, item, deletedAt, until }: Row): Binned | undefined {
  const entity = entityWith(key);
  if (!entity || entity.shape === "singleton" || version > entity.version) return undefined;
  try {
    const found = v.safeParse(itemSchema(entity), migrated(entity, version, item));
    if (!found.success || deletedAt === null || until === null) return undefined;
    return { entity, item: found.output as StoredItem, deletedAt, until };
  } catch {
    return undefined;
  }
}
