/** A person's items: found and erased in lists, their earlier versions and the bin. */
import {
  type AnyRecords,
  type Collection,
  type Entity,
  type ItemOf,
  namesIn,
  namesPeople,
  type StoredItem,
} from "../../schema/entity.ts";
import { allEntities, entities } from "../../schema/index.ts";
import type { Bin, Listed } from "../bin/bin.ts";
import type { Store, Transaction } from "../storage/store.ts";
import { everErased, naming, type NoteDone, type Whose } from "./erasures.ts";
import { noteErasedEnquiries } from "./sentOnce.ts";

/** The ids of items that name the person, by entity. */
type Found = ReadonlyMap<Listed, ReadonlySet<string>>;

/** Searches everywhere; a known `email` makes it faster. Yields to other work. */
export async function findAll(
  store: Store,
  bin: Bin,
  whose: Whose,
  email?: string,
): Promise<Found> {
  const found = new Map<Listed, Set<string>>();
  for (const entity of allEntities) {
    if (entity.shape === "singleton" || !namesPeople(entity)) continue;
    const ids = new Set<string>();
    const isTheirs = whose(entity);
    for (const { id } of await listed(store, entity, isTheirs, email)) ids.add(id);
    for await (const item of bin.of(entity)) if (isTheirs(item)) ids.add(item.id);
    if (ids.size > 0) found.set(entity, ids);
  }
  return found;
}

/** The items of `email` in a list, including earlier versions, then those in the bin. */
export async function everythingOf<E extends Listed>(
  store: Store,
  bin: Bin,
  entity: E,
  email: string,
): Promise<(ItemOf<E> & { id: string })[]> {
  const isTheirs = isAbout(entity, email);
  const found = await listed(store, entity, isTheirs, email);
  const ids = new Set(found.map(({ id }) => id));
  for await (const item of bin.of(entity))
    if (isTheirs(item) && !ids.has(item.id)) found.push(item);
  return found as (ItemOf<E> & { id: string })[];
}

const listed = (
  store: Store,
  entity: Listed,
  isTheirs: (item: StoredItem) => boolean,
  email: string | undefined,
): Promise<StoredItem[]> =>
  entity.shape === "records"
    ? recordsOf(store, entity, isTheirs, email)
    : itemsEver(store, entity, isTheirs);

/** An entity's records about the person, newest first. */
async function recordsOf(
  store: Store,
  entity: AnyRecords,
  isTheirs: (record: StoredItem) => boolean,
  email: string | undefined,
): Promise<StoredItem[]> {
  const records = store.of<AnyRecords>(entity);
  const found: StoredItem[] = [];
  if (entity.unique && email !== undefined) {
    const record = await records.findUnique(email);
    if (record) found.push(record);
  } else {
    for await (const record of records.scan({ newestFirst: true }))
      if (isTheirs(record)) found.push(record);
  }
  return found;
}

/** Each item once, from the newest version of the list in which it is theirs. */
async function itemsEver(
  store: Store,
  entity: Collection,
  isTheirs: (item: StoredItem) => boolean,
): Promise<StoredItem[]> {
  const document = store.of(entity);
  const found = new Map<string, StoredItem>();
  const look = (items: readonly StoredItem[]) => {
    for (const item of items.filter(isTheirs)) if (!found.has(item.id)) found.set(item.id, item);
  };
  look(document.read().value);
  for (const { revision } of await document.history())
    look((await document.revision(revision))?.value ?? []);
  return [...found.values()];
}

/** How many items were erased, by entity. */
export type Erased = ReadonlyMap<Listed, number>;

/**
 * Erases what was found, and the messages about it, which hold answers; `more` runs in the same transaction. Resolves
 * once it is in no file, `.bak` included. If it is interrupted after the transaction, the next startup finishes it:
 * `NoteDone` comes last.
 */
export async function erase(
  store: Store,
  found: Found,
  more: (transaction: Transaction) => Promise<NoteDone>,
): Promise<Erased> {
  const lists = [...found].flatMap(([entity, ids]) =>
    entity.shape === "collection" ? [{ entity, ids }] : [],
  );
  const hasHistory = lists.some(({ entity }) => entity.history);
  const { erased, noteDone } = await store.transaction(async (transaction) => {
    const counts = new Map<Listed, number>();
    for (const [entity, ids] of found) counts.set(entity, await take(transaction, entity, ids));
    const about = { oneOf: new Set<string | null>([...found.values()].flatMap((ids) => [...ids])) };
    await transaction.of(entities.outbox).deleteWhere({ about });
    await noteErasedEnquiries(transaction, [...(found.get(entities.formSubmissions) ?? [])]);
    const done = await more(transaction);
    if (!hasHistory) await done(transaction);
    return { erased: counts, noteDone: done };
  });
  if (hasHistory) {
    for (const { entity, ids } of lists)
      await store.rewriteHistory(entity, (items) => without(items, ids));
    await store.transaction(noteDone);
  }
  await store.writeDown();
  return erased;
}

/** Values from an earlier moment, without the items of people erased since. */
export async function withoutErasedItems<E extends Entity>(
  store: Store,
  values: ReadonlyMap<E, unknown>,
): Promise<Map<E, unknown>> {
  const whose = naming(await everErased(store));
  return new Map(
    [...values].map(([entity, value]) => [
      entity,
      entity.shape === "collection" && Array.isArray(value) && namesPeople(entity)
        ? value.filter((item) => !whose(entity)(item))
        : value,
    ]),
  );
}

/** Removes items from their list and the bin. Returns how many were in either, or in an earlier version. */
async function take(
  transaction: Transaction,
  entity: Listed,
  ids: ReadonlySet<string>,
): Promise<number> {
  const binned = transaction.of(entities.bin);
  if (entity.shape === "collection") {
    await transaction.of(entity).update((items) => without(items, ids));
    for (const id of ids) await binned.delete(id);
    return ids.size;
  }
  const list = transaction.of<AnyRecords>(entity);
  let count = 0;
  for (const id of ids) {
    const taken = [await list.delete(id), await binned.delete(id)];
    if (taken.some((each) => each !== undefined)) count++;
  }
  return count;
}

/** Returns the same list if it has none of them. */
const without = (items: StoredItem[], ids: ReadonlySet<string>): StoredItem[] =>
  items.some(({ id }) => ids.has(id)) ? items.filter(({ id }) => !ids.has(id)) : items;

/** Whether an item is about a person: by its unique address, otherwise by the address as a whole word in it. */
export function isAbout(entity: Listed, email: string): (item: StoredItem) => boolean {
  const unique = entity.shape === "records" ? entity.unique : undefined;
  if (unique) return (record) => record[unique] === email;
  // joann@example.com doesn't name ann@example.com.
  const literal = email.replace(/[^a-z0-9]/gi, (sign) => `\\u{${sign.charCodeAt(0).toString(16)}}`);
  const whole = new RegExp(
    `(?<![\\p{L}\\p{N}.+_-])${literal}(?![\\p{L}\\p{N}_-]|\\.[\\p{L}\\p{N}])`,
    "iu",
  );
  const names = namesIn(entity);
  return (item) => names(item).some((text) => whole.test(text));
}
