/**
 * Writes to a list; each is one update of the store, so it happens completely or not at all. If-Match is compared
 * with the owner's list inside that update.
 */
import { assertDefined } from "../../schema/core/assertDefined.ts";
import { initialValues } from "../../schema/entities/check.ts";
import {
  type Collection,
  countOf,
  parentIdOf,
  positionAfterLast,
  type StoredItem,
} from "../../schema/entities/entity.ts";
import { entities } from "../../schema/index.ts";
import type { AccessGuard, Proof, SessionUser } from "../accounts/guard.ts";
import { requireIfMatch } from "../http/conditional.ts";
import { type Clock, isoTime } from "../shared/clock.ts";
import { conflict, noLongerExists } from "../shared/errors.ts";
import type { Bin } from "../bin/bin.ts";
import { requireParent } from "../bin/requireParent.ts";
import type { DocumentChanges, Store, Transaction } from "../storage/store.ts";
import {
  checkChangedValues,
  sanitizeValues,
  labelsOfChanged,
  checkNewValues,
  requirePermissions,
  requireRules,
  timestampsFor,
  type Values,
  withChangeTime,
} from "./inputChecks.ts";
import { renameChoiceInConditions, requireCondition } from "./conditions.ts";
import { requireFreePath, dropUsedPath } from "./formPaths.ts";
import {
  areAncestorsListed,
  type ItemsOf,
  itemsOf,
  ownerView,
  parentLists,
  requireExistingParent,
} from "./parents.ts";
import { fieldsIn } from "../http/body.ts";

export interface ContentContext {
  readonly store: Store;
  readonly guard: AccessGuard;
  readonly proof: Proof;
  readonly clock: Clock;
  readonly bin: Bin;
}

export interface ListContext extends ContentContext {
  readonly entity: Collection;
}

/** A request and its sender. */
interface Caller {
  readonly request: Request;
  readonly user: SessionUser;
}

/** Adds an item. Throws 403 for a field that the user may not set, 409 when the list is full, 412, 422. */
export async function createItem(context: ListContext, { request, user }: Caller, sent: unknown) {
  const { entity, store, clock, proof } = context;
  const values = checkNewValues(entity, sent);
  requirePermissions(entity, { user, proof }, initialValues(entity.fields), values);
  const id = Bun.randomUUIDv7();
  let before: StoredItem[] = [];
  const saved = await store.of(entity).update((items) => {
    requireExistingParent(store, entity, values);
    before = listWith(entity, items, values);
    requireIfMatch(request, before);
    const remaining = withRoom(entity, items, isoTime(clock));
    requireRoom(itemsOf(store), entity, remaining);
    const position = positionOfNew(entity, sent, before);
    const timestamps = timestampsFor(entity, "create", isoTime(clock));
    const item = { ...initialValues(entity.fields), ...values, ...position, ...timestamps, id };
    requireCondition(store, entity, item);
    requireFreePath(entity, items, item);
    return [...remaining, requireRules(entity, item)];
  });
  return { ...writeResult(entity, saved.value, id), before };
}

/**
 * Merges the sent fields into an item. Throws 403 for a field that the user may not change, 404, 412, 422.
 */
export async function changeItem(
  list: ListContext,
  { request, user }: Caller,
  id: string,
  sent: unknown,
) {
  const { entity, store, clock, proof } = list;
  const values = checkChangedValues(entity, sent);
  let changed: string[] = [];
  let before: StoredItem[] = [];
  const change = (items: StoredItem[]) => {
    const item = findOrThrow(list, items, id);
    before = listWith(entity, items, item);
    requireIfMatch(request, before);
    requirePermissions(entity, { user, proof }, item, values);
    requireExistingParent(store, entity, values);
    changed = labelsOfChanged(entity, item, values);
    const saved = { ...item, ...values, ...timestampsFor(entity, "save", isoTime(clock)) };
    const next = withChangeTime(entity, saved, item, clock);
    if (Bun.deepEquals(next, item)) return items;
    requireCondition(store, entity, next, item);
    requireFreePath(entity, items, next, item);
    return items.with(items.indexOf(item), requireRules(entity, next, item));
  };
  const saved =
    entity === entities.formFields && "options" in values
      ? await store.transaction((transaction) => withRenamedConditions(transaction, id, change))
      : await store.of(entity).update(change);
  return { ...writeResult(entity, saved.value, id), before, changed };
}

/** Changes a question, and the conditions that depend on its answer. */
async function withRenamedConditions(
  transaction: Transaction,
  id: string,
  change: (items: StoredItem[]) => StoredItem[],
) {
  const fields: DocumentChanges<StoredItem[]> = transaction.of(entities.formFields as Collection);
  const { value } = await fields.read();
  const saved = await fields.update(change);
  const one = (items: readonly StoredItem[]) => items.find((item) => item.id === id);
  const [was, is] = [one(value), one(saved.value)];
  if (was && is) await renameChoiceInConditions(transaction, was, is);
  return saved;
}

/** Puts an item, with its children, into the bin; `list` is what remains. Throws 404, 412. */
export async function removeItem(context: ListContext, request: Request, id: string) {
  const { entity, bin } = context;
  let list: StoredItem[] = [];
  let before: StoredItem[] = [];
  await bin.discard(entity, async (transaction) => {
    let removed: StoredItem | undefined;
    const saved = await transaction.of(entity).update((all) => {
      removed = findOrThrow(context, all, id);
      before = listWith(entity, all, removed);
      requireIfMatch(request, before);
      return all.filter((each) => each !== removed);
    });
    const item = assertDefined(removed, "item that was removed");
    list = listWith(entity, saved.value, item);
    return item;
  });
  return { list, before };
}

/**
 * Restores a deleted item to its position, with its id; returns it as stored. Throws 409 when that position
 * no longer exists.
 */
export async function restoreItem(
  transaction: Transaction,
  entity: Collection,
  item: StoredItem,
): Promise<StoredItem> {
  await requireParent(transaction, entity, item);
  const lists = await parentLists(transaction, entity);
  let back = item;
  await transaction.of(entity).update((items) => {
    if (items.some(({ id }) => id === item.id)) throw conflict();
    requireRoom(lists, entity, items);
    back = dropUsedPath(entity, items, sanitizeValues(entity, item) as StoredItem);
    return [...items, back];
  });
  return back;
}

/** An item after a write, and its list as the owner sees it. */
interface Written {
  readonly item: StoredItem;
  readonly list: StoredItem[];
}

function writeResult(entity: Collection, items: readonly StoredItem[], id: string): Written {
  const item = assertDefined(
    items.find((each) => each.id === id),
    "item that was written",
  );
  return { item, list: listWith(entity, items, item) };
}

/** The owner's list that contains the item, or did or will. */
export function listWith(
  entity: Collection,
  items: readonly StoredItem[],
  item: Values,
): StoredItem[] {
  const parentId = entity.parent && parentIdOf(entity.parent, item);
  return ownerView(entity, items, parentId);
}

/** The children of a deleted item don't count as found. */
function findOrThrow(
  { store, entity }: ListContext,
  items: readonly StoredItem[],
  id: string,
): StoredItem {
  const item = items.find((each) => each.id === id);
  if (!item || !areAncestorsListed(itemsOf(store), entity, item)) throw noLongerExists(entity);
  return item;
}

/** A full list without the items that may be replaced. */
function withRoom(entity: Collection, items: StoredItem[], now: string): StoredItem[] {
  if (!entity.isReplaceable || countOf(entity, items) < entity.limit) return items;
  return items.filter((item) => !entity.isReplaceable?.(item, now));
}

function requireRoom(lists: ItemsOf, entity: Collection, items: readonly StoredItem[]): void {
  const { limit, label } = entity;
  if (items.length < limit) return;
  // Children of deleted items are still in the list, but don't count.
  const live = items.filter((item) => areAncestorsListed(lists, entity, item));
  if (countOf(entity, live) < limit) return;
  const kind = label.toLowerCase();
  throw conflict(`The list is full: it holds at most ${limit}. Delete a ${kind} first.`);
}

/** Without a position from the client, a new item is appended to `list`. */
function positionOfNew({ arrangement }: Collection, sent: unknown, list: readonly StoredItem[]) {
  if (!arrangement || fieldsIn(sent)[arrangement.field] !== undefined) return {};
  return { [arrangement.field]: positionAfterLast(arrangement, list) };
}
