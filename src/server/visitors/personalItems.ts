/** Finds and erases the items about a person: in lists, in their earlier versions and in the bin. */
import {
  type AnyRecords,
  type Collection,
  type Entity,
  type ItemOf,
  hasPersonalData,
  type StoredItem,
} from "../../schema/entities/entity.ts";
import { allEntities, entities, findEntityByName } from "../../schema/index.ts";
import type { ErasedItem } from "../../schema/people/siteMaintenance.ts";
import type { Bin, DeletableEntity } from "../bin/bin.ts";
import type { ListTransform, Store, Transaction } from "../storage/store.ts";
import {
  createErasedCheckSince,
  createErasedMatcher,
  recordErasedEnquiries,
  type CreatePersonMatcher,
} from "./erasures.ts";

type PersonalItems = ReadonlyMap<DeletableEntity, PersonalItemIds>;

interface PersonalItemIds {
  /** The items in the list or in the bin. */
  readonly currentIds: ReadonlySet<string>;
  /** The items that are about the person only in earlier versions. Their current versions aren't erased. */
  readonly earlierIds: ReadonlySet<string>;
}

/** Finds a person's items in all entities, faster if `email` is known. */
export async function findPersonalItems(
  store: Store,
  bin: Bin,
  createMatcher: CreatePersonMatcher,
  email?: string,
): Promise<PersonalItems> {
  const items = new Map<DeletableEntity, PersonalItemIds>();
  for (const entity of allEntities) {
    if (entity.shape === "singleton" || !hasPersonalData(entity)) continue;
    const [currentIds, earlierIds] = [new Set<string>(), new Set<string>()];
    for await (const { item, isEarlier } of findMatchesIn(
      store,
      bin,
      entity,
      createMatcher(entity),
      email,
    ))
      if (!isEarlier) currentIds.add(item.id);
      else if (!currentIds.has(item.id)) earlierIds.add(item.id);
    if (currentIds.size + earlierIds.size > 0) items.set(entity, { currentIds, earlierIds });
  }
  return items;
}

/** Returns a person's items of one entity: from the list, from the bin, then from earlier versions. */
export async function findItemsOfPerson<E extends DeletableEntity>(
  store: Store,
  bin: Bin,
  entity: E,
  email: string,
): Promise<(ItemOf<E> & { id: string })[]> {
  const items = new Map<string, StoredItem>();
  const isAboutPerson = createEmailMatcher(entity, email);
  for await (const { item } of findMatchesIn(store, bin, entity, isAboutPerson, email))
    if (!items.has(item.id)) items.set(item.id, item);
  return [...items.values()] as (ItemOf<E> & { id: string })[];
}

/** Yields the matching items of a list, of the bin and of earlier versions, newest first. */
async function* findMatchesIn(
  store: Store,
  bin: Bin,
  entity: DeletableEntity,
  isAboutPerson: (item: StoredItem) => boolean,
  email: string | undefined,
): AsyncGenerator<{ readonly item: StoredItem; readonly isEarlier: boolean }> {
  const isEarlier = false;
  if (entity.shape === "collection")
    for (const item of store.of(entity).read().value.filter(isAboutPerson))
      yield { item, isEarlier };
  else if (entity.uniqueField && email !== undefined) {
    const item = await store.of<AnyRecords>(entity).findUnique(email);
    if (item) yield { item, isEarlier };
  } else
    for await (const item of store.of<AnyRecords>(entity).scan({ newestFirst: true }))
      if (isAboutPerson(item)) yield { item, isEarlier };
  for await (const item of bin.readAll(entity)) if (isAboutPerson(item)) yield { item, isEarlier };
  if (entity.shape !== "collection") return;
  const document = store.of(entity);
  for (const { revision } of await document.listRevisions())
    for (const item of (await document.readRevision(revision))?.value ?? [])
      if (isAboutPerson(item)) yield { item, isEarlier: true };
}

export type ErasedCounts = ReadonlyMap<DeletableEntity, number>;

/**
 * Erases items and the messages about them, together with `changeInTransaction`. Resolves to the number of erased items
 * by entity, once no file contains them. After an interruption, the next erasure or startup finishes the work.
 */
export async function erasePersonalItems(
  store: Store,
  items: PersonalItems,
  changeInTransaction: (transaction: Transaction) => Promise<void>,
): Promise<ErasedCounts> {
  const erasedCounts = await store.transaction(async (transaction) => {
    const counts = new Map<DeletableEntity, number>();
    for (const [entity, { currentIds, earlierIds }] of items)
      counts.set(
        entity,
        (await removeEverywhere(transaction, entity, currentIds)) + earlierIds.size,
      );
    const ids = [...items.values()].flatMap(({ currentIds }) => [...currentIds]);
    const about = { oneOf: new Set<string | null>(ids) };
    await transaction.of(entities.outbox).deleteWhere({ about });
    const enquiries = items.get(entities.formSubmissions)?.currentIds ?? [];
    await recordErasedEnquiries(transaction, [...enquiries]);
    const historyItems = toErasedItems(items);
    if (historyItems.length > 0)
      await transaction
        .of(entities.erasureMark)
        .update((mark) => ({ ...mark, unfinished: [...mark.unfinished, ...historyItems] }));
    await changeInTransaction(transaction);
    return counts;
  });
  if (!(await finishErasures(store))) await store.purgeOldVersions();
  return erasedCounts;
}

/** Returns the items of lists with earlier versions, which may contain them as well. */
const toErasedItems = (items: PersonalItems): ErasedItem[] =>
  [...items].flatMap(([entity, { currentIds, earlierIds }]) =>
    entity.shape === "collection" && entity.hasHistory
      ? [...currentIds, ...earlierIds].map((id) => ({ entity: entity.name, id }))
      : [],
  );

/**
 * Deletes erased items from the earlier versions of their lists, so that no file contains them. Returns false if no
 * erasure is unfinished. Throws `cannot_store`; the next call then continues.
 */
export async function finishErasures(store: Store): Promise<boolean> {
  const { unfinished } = store.of(entities.erasureMark).read().value;
  if (unfinished.length === 0) return false;
  const changes = new Map<Collection, ListTransform>();
  for (const [name, items] of Map.groupBy(unfinished, ({ entity }) => entity)) {
    const entity = findEntityByName(name);
    const ids = new Set(items.map(({ id }) => id));
    if (entity?.shape === "collection")
      changes.set(entity, (earlierItems) => removeByIds(earlierItems, ids));
  }
  await store.rewriteHistory(changes);
  const finishedIds = new Set(unfinished.map(({ id }) => id));
  await store.of(entities.erasureMark).update((mark) => ({
    ...mark,
    unfinished: mark.unfinished.filter(({ id }) => !finishedIds.has(id)),
  }));
  return true;
}

/** Returns a backup's values without people who were erased after `lastSeenErasureId`, the last erasure in it. */
export async function removeErasedItems<E extends Entity>(
  store: Store,
  values: ReadonlyMap<E, unknown>,
  lastSeenErasureId: string | null,
): Promise<Map<E, unknown>> {
  const createMatcher = createErasedMatcher(await createErasedCheckSince(store, lastSeenErasureId));
  return new Map(
    [...values].map(([entity, value]) => [
      entity,
      entity.shape === "collection" && Array.isArray(value) && hasPersonalData(entity)
        ? value.filter((item) => !createMatcher(entity)(item))
        : value,
    ]),
  );
}

/** Removes items from their list and from the bin. Returns their number. */
async function removeEverywhere(
  transaction: Transaction,
  entity: DeletableEntity,
  ids: ReadonlySet<string>,
): Promise<number> {
  const binItems = transaction.of(entities.bin);
  if (entity.shape === "collection") {
    await transaction.of(entity).update((items) => removeByIds(items, ids));
    for (const id of ids) await binItems.delete(id);
    return ids.size;
  }
  const list = transaction.of<AnyRecords>(entity);
  let count = 0;
  for (const id of ids) {
    const results = [await list.delete(id), await binItems.delete(id)];
    if (results.some((each) => each !== undefined)) count++;
  }
  return count;
}

/** Returns a list without these items; the same object if it contains none. */
const removeByIds = (items: StoredItem[], ids: ReadonlySet<string>): StoredItem[] =>
  items.some(({ id }) => ids.has(id)) ? items.filter(({ id }) => !ids.has(id)) : items;

/**
 * Creates a function that is true for items about a person. In a list with unique addresses, that address decides; in
 * other lists, any text with the address as a whole word.
 */
export function createEmailMatcher(
  entity: DeletableEntity,
  email: string,
): (item: StoredItem) => boolean {
  const uniqueField = entity.shape === "records" ? entity.uniqueField : undefined;
  if (uniqueField) return (record) => record[uniqueField] === email;
  return createErasedMatcher((address) => address === email)(entity);
}
