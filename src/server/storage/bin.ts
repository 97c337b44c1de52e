/**
 * The bin: what the owner has deleted in the last 30 days, so that it can be put back. A deletion is two
 * durable steps, so that nothing is lost or doubled wherever a kill or a full disk comes in between:
 *
 * 1. Write the item into the bin. 2. Take it out of its list.
 *
 * Putting back is the same the other way round. What a kill leaves in both is in its list, and `settle`
 * takes it out of the bin. What belongs to a deleted item (the steps and submissions of a form) stays
 * where it is, out of sight, until the item goes for good; only what is in the bin ever goes that way.
 */
import * as v from "valibot";
import pLimit from "p-limit";
import { BIN_DAYS } from "../../schema/bin.ts";
import { itemSchema } from "../../schema/check.ts";
import type { AnyRecords, StoredItem } from "../../schema/entity.ts";
import { allEntities, entities, entityWith, type Item } from "../../schema/index.ts";
import { type Clock, isoTime } from "../shared/clock.ts";
import { conflict, gone } from "../shared/errors.ts";
import { whenFree } from "../shared/instances.ts";
import { migrated } from "./envelope.ts";
import { isListed, type Listed, listed, listedAmong } from "./listedItems.ts";
import type { Store } from "./store.ts";
import type { Where } from "./where.ts";

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
   * Deletes an item. `remove` takes it out of its list, and returns it as it was then; throws what that
   * throws, `not_found` when there is no such item, and `cannot_store`.
   */
  discard(entity: Listed, id: string, remove: () => Promise<StoredItem>): Promise<void>;
  /**
   * Has `insert` put an item into its list again, once; undefined when it is not, or no longer, here.
   * Throws what `insert` throws, and keeps the item then.
   */
  putBack<R>(id: string, insert: (binned: Binned) => Promise<R>): Promise<R | undefined>;
  /** One of those that can be put back. */
  get(id: string): Promise<Binned | undefined>;
  /** A page of those that can be put back, what was deleted last first; of some entities only. */
  page(request: BinPage): Promise<{ items: Binned[]; total: number }>;
  /** How many can be put back, by the key of their entity. */
  counts(): Promise<Record<string, number>>;
  /** From now on these, or all, can't be put back; the next `sweep` has them go for good. Returns how many. */
  letGo(ids?: readonly string[]): Promise<number>;
  /**
   * Has `work` list items in another way than out of the bin, such as an earlier version of their list: nothing
   * goes for good meanwhile, and what is listed then leaves the bin.
   */
  whileListing<R>(work: () => Promise<R>): Promise<R>;
  /** All of an entity, whether they can still be put back or not. */
  of(entity: Listed): AsyncIterable<StoredItem>;
  /** Changes deleted items of an entity; `change` returns the item itself to leave it. Returns how many changed. */
  change(entity: Listed, change: (item: StoredItem) => StoredItem): Promise<number>;
  /**
   * For a person's data: while `work` erases it elsewhere, nothing is deleted or put back, and what
   * matches is erased here. Returns what `work` returned and how many went here, by entity.
   */
  erase(
    matches: (entity: AnyRecords, item: StoredItem) => boolean,
    work: () => Promise<void>,
  ): Promise<Record<string, number>>;
  /**
   * What is in its list is not in the bin: to be called at the start, and now and then. Of one entity, or
   * of all, which waits until all that is stored has been read.
   */
  settle(only?: Listed): Promise<void>;
  /** Has go what is due, in turn with all else that changes the bin. Throws `cannot_store`. */
  sweep(remove: Remove): Promise<void>;
}

/** As `letGo` of the bin, for who has its turn already. */
export type LetGo = Bin["letGo"];

/** Takes along what belongs to an item that goes for good. */
type Remove = (binned: Binned, letGo: LetGo) => Promise<void>;

export interface BinPage {
  /** The keys of these only. */
  readonly entities?: readonly string[] | undefined;
  readonly offset: number;
  readonly limit: number;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** The bin of a store, which all that changes it goes through; `believed` is the time of `siteTime`. */
export function openBin(store: Store, clock: Clock = Date.now, believed: Clock = clock): Bin {
  const rows = store.of(entities.bin);
  // One at a time: an item is in one step of one deletion, and nothing comes back while a person is erased.
  const limit = pLimit(1);
  const inTurn = <R>(work: () => Promise<R>) =>
    limit(() => whenFree(store.instances, "bin", PATIENCE_MS, work));

  /** What can be put back, of what else is said: what a kill left in its list as well is there. */
  async function visible(more: BinWhere = {}): Promise<BinWhere> {
    const where = { until: { after: isoTime(believed) }, ...more };
    const both = await listedAmong(store, await rows.keys(where));
    return both.size === 0 ? where : { ...where, id: { ...more.id, noneOf: both } };
  }

  async function keep(entity: Listed, item: StoredItem): Promise<void> {
    const { id } = item;
    const { key, version } = entity;
    if ((await rows.present([id])).size > 0) await rows.delete(id);
    const [deletedAt, until] = [isoTime(clock), isoTime(() => clock() + BIN_DAYS * DAY_MS)];
    await rows.insert({ id, entity: key, version, item, deletedAt, until });
  }

  const drop = (ids: ReadonlySet<string>) => rows.deleteWhere({ id: { oneOf: ids } });

  async function letGo(ids?: readonly string[]): Promise<number> {
    await store.read();
    const where = await visible(ids && { id: { oneOf: new Set(ids) } });
    const until = isoTime(believed);
    return rows.updateWhere(where, (row) => ({ ...row, until }));
  }

  async function settle(only?: Listed): Promise<void> {
    const where = only && { entity: only.key };
    if ((await rows.keys(where)).length === 0) return;
    if (only?.shape !== "collection") await store.read();
    const both = await listedAmong(store, await rows.keys(where));
    if (both.size > 0) await drop(both);
  }

  /** Those of `ids` that haven't come back since; returns what is left for another turn. */
  async function removeDue(ids: ReadonlySet<string>, remove: Remove): Promise<Set<string>> {
    const due = await rows.keys({ id: { oneOf: ids }, until: { upTo: isoTime(believed) } });
    const both = await listedAmong(store, due);
    const left = new Set(due.flatMap(({ id }) => (both.has(id) ? [] : id)));
    const over = new Set<string>();
    const end = clock() + LONGEST_TURN_MS;
    for await (const row of rows.scan({ where: { id: { oneOf: left } } })) {
      if (over.size > 0 && clock() > end) break;
      const binned = readable(row);
      if (binned) await remove(binned, letGo);
      over.add(row.id);
    }
    // By id: what was let go in the same millisecond has not gone with what belongs to it.
    await drop(over);
    return left.difference(over);
  }

  async function visibleRow(id: string): Promise<Row | undefined> {
    await store.read();
    const row = await rows.get(id);
    const isKept = row && (row.until ?? "") > isoTime(believed);
    return isKept && !(await isListed(store, row.entity, id)) ? row : undefined;
  }

  return {
    discard: (entity, id, remove) =>
      inTurn(async () => {
        await store.read();
        const item = await listed(store, entity, id);
        if (!item) throw gone(entity);
        await keep(entity, item);
        try {
          const removed = await remove();
          // Changed at the same moment: as it was in the end.
          if (!Bun.deepEquals(removed, item))
            await rows.update(id, (row) => ({ ...row, item: removed }));
        } catch (error) {
          // If that fails as well it is in both, which `settle` ends.
          if (await isListed(store, entity.key, id))
            await drop(new Set([id])).catch(() => undefined);
          throw error;
        }
      }),
    putBack: (id, insert) =>
      inTurn(async () => {
        const row = await visibleRow(id);
        if (!row) return undefined;
        const result = await insert(binnedOf(row));
        await drop(new Set([id])).catch(() => undefined);
        return result;
      }),
    async get(id) {
      const row = await visibleRow(id);
      return row && binnedOf(row);
    },
    async page({ entities: wanted, ...range }) {
      await store.read();
      const where = await visible(wanted && { entity: { oneOf: new Set(wanted) } });
      const { items, total } = await rows.page({ where, newestFirst: true, ...range });
      return { items: items.flatMap((row) => readable(row) ?? []), total };
    },
    async counts() {
      await store.read();
      const counts: Record<string, number> = {};
      for (const { entity } of await rows.keys(await visible()))
        counts[entity] = (counts[entity] ?? 0) + 1;
      return counts;
    },
    letGo: (ids) => inTurn(() => letGo(ids)),
    whileListing: (work) =>
      inTurn(async () => {
        const result = await work();
        // What fails here stays in both, which `settle` ends.
        await settle().catch(() => undefined);
        return result;
      }),
    async *of(entity) {
      for await (const row of rows.scan({ where: { entity: entity.key } })) {
        const binned = readable(row);
        if (binned) yield binned.item;
      }
    },
    change: (entity, change) =>
      inTurn(() =>
        rows.updateWhere({ entity: entity.key }, (row) => {
          const item = readable(row)?.item;
          const next = item && change(item);
          return next === item ? row : { ...row, version: entity.version, item: next! };
        }),
      ),
    erase: (matches, work) =>
      inTurn(async () => {
        const counts: Record<string, number> = {};
        const theirs = new Set<string>();
        for await (const row of rows.scan({ where: OF_VISITORS })) {
          const { entity, item } = readable(row) ?? {};
          if (!entity || !matches(entity as AnyRecords, item!)) continue;
          theirs.add(row.id);
          counts[entity.key] = (counts[entity.key] ?? 0) + 1;
        }
        // Last, so that `work` still finds what belongs to them.
        await work();
        if (theirs.size > 0) await drop(theirs);
        return counts;
      }),
    settle: (only) => inTurn(() => settle(only)),
    async sweep(remove) {
      const due = await rows.keys({ until: { upTo: isoTime(believed) } });
      if (due.length === 0) return;
      await store.read();
      let left = new Set(due.map(({ id }) => id));
      while (left.size > 0) left = await inTurn(() => removeDue(left, remove));
    },
  };
}

/** What a row of the bin can be asked for. */
interface BinWhere {
  readonly id?: { readonly oneOf?: ReadonlySet<string>; readonly noneOf?: ReadonlySet<string> };
  readonly entity?: { readonly oneOf: ReadonlySet<string> };
  readonly until?: { readonly after: string };
}

const OF_VISITORS: Where<Pick<Row, "entity">> = {
  entity: {
    oneOf: new Set(allEntities.flatMap(({ key, shape }) => (shape === "records" ? key : []))),
  },
};

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
    if (!found.success) return undefined;
    return { entity, item: found.output as StoredItem, deletedAt: deletedAt!, until: until! };
  } catch {
    return undefined;
  }
}
