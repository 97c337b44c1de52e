/**
 * What the writing calls of a list do; each is one update of the store, so it happens whole or not at
 * all. If-Match is compared with the owner's list, inside that update.
 */
import { initialValues } from "../../schema/check.ts";
import type { Collection } from "../../schema/entity.ts";
import { isoTime } from "../http/clock.ts";
import { conflict, notFound } from "../http/refusal.ts";
import type { StoredItem } from "../storage/entitySpecs.ts";
import { deleteChildren } from "./cascade.ts";
import { changedValues, newValues, type Values } from "./checkContent.ts";
import { requireMatch } from "./ifMatch.ts";
import { requireKnownParent } from "./parents.ts";
import { itemsOf, type ContentParts } from "./parts.ts";
import { readPlaces, reordered, sharedParent } from "./reorder.ts";
import { stamps } from "./stamps.ts";
import { ownersList } from "./ownersList.ts";

/** An item after a write, and the owner's list that it is in. */
export interface Written {
  readonly item: StoredItem;
  readonly list: StoredItem[];
}

/** A list and what its writes need. */
export interface ListParts extends ContentParts {
  readonly entity: Collection;
}

/** Adds an item. Raises 409 when the list is full, 412, 422. */
export async function createItem(parts: ListParts, request: Request, sent: unknown) {
  const { entity, store, clock } = parts;
  const values = newValues(entity, sent);
  const id = Bun.randomUUIDv7();
  const saved = await itemsOf(store, entity).update((items) => {
    requireKnownParent(store, entity, values);
    const siblings = listWith(entity, items, values);
    requireMatch(request, siblings);
    requireRoom(entity, items.length);
    const place = placeOfNew(entity, sent, siblings.length);
    const moments = stamps(entity, "create", isoTime(clock));
    return [...items, { ...initialValues(entity.fields), ...values, ...place, ...moments, id }];
  });
  return written(entity, saved.value, id);
}

/** Merges what is sent into an item. Raises 404, 412, 422. */
export async function changeItem(parts: ListParts, request: Request, id: string, sent: unknown) {
  const { entity, store, clock } = parts;
  const values = changedValues(entity, sent);
  const saved = await itemsOf(store, entity).update((items) => {
    const item = found(entity, items, id);
    requireMatch(request, listWith(entity, items, item));
    requireKnownParent(store, entity, values);
    const next = { ...item, ...values, ...stamps(entity, "save", isoTime(clock)) };
    return Bun.deepEquals(next, item) ? items : items.with(items.indexOf(item), next);
  });
  return written(entity, saved.value, id);
}

/** Deletes an item and what hangs on it; gives the list that is left. Raises 404, 412. */
export async function removeItem({ entity, store }: ListParts, request: Request, id: string) {
  let removed: StoredItem | undefined;
  const saved = await itemsOf(store, entity).update((items) => {
    const item = found(entity, items, id);
    requireMatch(request, listWith(entity, items, item));
    removed = item;
    return items.filter((each) => each !== item);
  });
  await deleteChildren(store, entity.name, new Set([id])).catch(leftForTheStart);
  return listWith(entity, saved.value, removed!);
}

/** The item itself is gone for good, so its deletion is no failure; `sweepOrphans` finishes it. */
function leftForTheStart(error: unknown): void {
  if ((error as { code?: unknown } | null)?.code !== "storage_unavailable") throw error;
}

/** Puts a list into another order and gives it. Raises 412, 422. */
export async function reorderItems({ entity, store }: ListParts, request: Request, sent: unknown) {
  const places = readPlaces(entity, sent);
  let parentId: string | undefined;
  const saved = await itemsOf(store, entity).update((items) => {
    parentId = sharedParent(entity, items, places);
    requireMatch(request, ownersList(entity, items, parentId));
    const next = reordered(entity, items, places, parentId);
    return Bun.deepEquals(next, items) ? items : next;
  });
  return ownersList(entity, saved.value, parentId);
}

function written(entity: Collection, items: readonly StoredItem[], id: string): Written {
  const item = found(entity, items, id);
  return { item, list: listWith(entity, items, item) };
}

/** The owner's list that an item is in. */
function listWith(entity: Collection, items: readonly StoredItem[], item: Values): StoredItem[] {
  const parentId = entity.parent && (item[entity.parent.field] as string);
  return ownersList(entity, items, parentId);
}

function found({ label }: Collection, items: readonly StoredItem[], id: string): StoredItem {
  const item = items.find((each) => each.id === id);
  if (!item) throw notFound(`There is no such ${label.toLowerCase()} any more.`);
  return item;
}

function requireRoom({ limit, label }: Collection, count: number): void {
  if (count < limit) return;
  const kind = label.toLowerCase();
  throw conflict(`There is room for ${limit} and the list is full. Delete a ${kind} first.`);
}

/** Where a client names no place, a new item goes to the end (spec section 4). */
function placeOfNew({ arrangement }: Collection, sent: unknown, count: number): Values {
  if (!arrangement || (sent as Values)[arrangement.field] !== undefined) return {};
  return { [arrangement.field]: count + arrangement.first };
}
