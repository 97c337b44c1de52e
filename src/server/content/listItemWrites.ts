/** Writes to a list. Each write is one update of the store, and compares If-Match with the owner's list. */
import { assertDefined } from "../../schema/core/assertDefined.ts";
import { getInitialValues } from "../../schema/entities/check.ts";
import {
  type Collection,
  countLimitedItems,
  getParentId,
  computePositionAfterLast,
  type StoredItem,
} from "../../schema/entities/entity.ts";
import { entities } from "../../schema/index.ts";
import type { AccessGuard, Reauthentication, SessionUser } from "../accounts/guard.ts";
import { assertIfMatch } from "../http/conditionalRequests.ts";
import { type Clock, getTimestamp } from "../shared/clock.ts";
import { conflict, noLongerExists } from "../shared/errors.ts";
import type { Bin } from "../bin/bin.ts";
import { assertParentListed } from "../bin/listedItems.ts";
import type { DocumentChanges, Store, Transaction } from "../storage/store.ts";
import {
  checkChangedValues,
  sanitizeValues,
  findChangedFieldLabels,
  checkNewValues,
  assertPermissions,
  assertItemRules,
  createTimestamps,
  type Values,
  setChangeTime,
} from "./inputChecks.ts";
import { renameChoiceInConditions, assertValidCondition } from "./conditions.ts";
import { assertFreePath, removeUsedPath } from "./formPaths.ts";
import {
  areAncestorsPresent,
  type ReadItems,
  createItemReader,
  createOwnerView,
  readParentLists,
  assertExistingParent,
} from "./parents.ts";
import { toFields } from "../http/body.ts";

export interface ContentContext {
  readonly store: Store;
  readonly guard: AccessGuard;
  readonly reauthentication: Reauthentication;
  readonly clock: Clock;
  readonly bin: Bin;
}

export interface ListContext extends ContentContext {
  readonly entity: Collection;
}

interface ContentCaller {
  readonly request: Request;
  readonly user: SessionUser;
}

/** Throws a 403 for a field that the user may not set, a 409 if the list is full, a 412 or a 422. */
export async function createItem(
  context: ListContext,
  { request, user }: ContentCaller,
  input: unknown,
) {
  const { entity, store, clock, reauthentication } = context;
  const values = checkNewValues(entity, input);
  assertPermissions(entity, { user, reauthentication }, getInitialValues(entity.fields), values);
  const id = Bun.randomUUIDv7();
  let before: StoredItem[] = [];
  const saved = await store.of(entity).update((items) => {
    assertExistingParent(store, entity, values);
    before = createOwnerListWith(entity, items, values);
    assertIfMatch(request, before);
    const remaining = removeReplaceable(entity, items, getTimestamp(clock));
    assertBelowLimit(createItemReader(store), entity, remaining);
    const position = computeNewItemPosition(entity, input, before);
    const timestamps = createTimestamps(entity, "create", getTimestamp(clock));
    const item = { ...getInitialValues(entity.fields), ...values, ...position, ...timestamps, id };
    assertValidCondition(store, entity, item);
    assertFreePath(entity, items, item);
    return [...remaining, assertItemRules(entity, item)];
  });
  return { ...toWriteResult(entity, saved.value, id), before };
}

/** Throws a 403 for a field that the user may not change, a 404, a 412 or a 422. */
export async function changeItem(
  context: ListContext,
  { request, user }: ContentCaller,
  id: string,
  input: unknown,
) {
  const { entity, store, clock, reauthentication } = context;
  const values = checkChangedValues(entity, input);
  let changedLabels: string[] = [];
  let before: StoredItem[] = [];
  const applyChange = (items: StoredItem[]) => {
    const item = requireItem(context, items, id);
    before = createOwnerListWith(entity, items, item);
    assertIfMatch(request, before);
    assertPermissions(entity, { user, reauthentication }, item, values);
    assertExistingParent(store, entity, values);
    changedLabels = findChangedFieldLabels(entity, item, values);
    const merged = { ...item, ...values, ...createTimestamps(entity, "save", getTimestamp(clock)) };
    const next = setChangeTime(entity, merged, item, clock);
    if (Bun.deepEquals(next, item)) return items;
    assertValidCondition(store, entity, next, item);
    assertFreePath(entity, items, next, item);
    return items.with(items.indexOf(item), assertItemRules(entity, next, item));
  };
  const saved =
    entity === entities.formFields && "options" in values
      ? await store.transaction((transaction) => changeQuestion(transaction, id, applyChange))
      : await store.of(entity).update(applyChange);
  return { ...toWriteResult(entity, saved.value, id), before, changed: changedLabels };
}

/** Changes a question. If a choice was renamed, also renames it in the conditions that name it. */
async function changeQuestion(
  transaction: Transaction,
  id: string,
  change: (items: StoredItem[]) => StoredItem[],
) {
  const fields: DocumentChanges<StoredItem[]> = transaction.of(entities.formFields as Collection);
  const { value } = await fields.read();
  const saved = await fields.update(change);
  const findQuestion = (items: readonly StoredItem[]) => items.find((item) => item.id === id);
  const [previousQuestion, currentQuestion] = [findQuestion(value), findQuestion(saved.value)];
  if (previousQuestion && currentQuestion)
    await renameChoiceInConditions(transaction, previousQuestion, currentQuestion);
  return saved;
}

/** Moves an item to the bin, and returns the list before and after. Throws a 404 or a 412. */
export async function removeItem(context: ListContext, request: Request, id: string) {
  const { entity, bin } = context;
  let list: StoredItem[] = [];
  let before: StoredItem[] = [];
  await bin.moveToBin(entity, async (transaction) => {
    let removed: StoredItem | undefined;
    const saved = await transaction.of(entity).update((all) => {
      removed = requireItem(context, all, id);
      before = createOwnerListWith(entity, all, removed);
      assertIfMatch(request, before);
      return all.filter((each) => each !== removed);
    });
    const item = assertDefined(removed, "item that was removed");
    list = createOwnerListWith(entity, saved.value, item);
    return item;
  });
  return { list, before };
}

/** Restores a deleted item. Throws a 409 if its parent is deleted, the list is full or its id is in use. */
export async function restoreItem(
  transaction: Transaction,
  entity: Collection,
  item: StoredItem,
): Promise<StoredItem> {
  await assertParentListed(transaction, entity, item);
  const readItems = await readParentLists(transaction, entity);
  let restored = item;
  await transaction.of(entity).update((items) => {
    if (items.some(({ id }) => id === item.id)) throw conflict();
    assertBelowLimit(readItems, entity, items);
    restored = removeUsedPath(entity, items, sanitizeValues(entity, item) as StoredItem);
    return [...items, restored];
  });
  return restored;
}

interface WrittenItem {
  readonly item: StoredItem;
  readonly list: StoredItem[];
}

function toWriteResult(entity: Collection, items: readonly StoredItem[], id: string): WrittenItem {
  const item = assertDefined(
    items.find((each) => each.id === id),
    "item that was written",
  );
  return { item, list: createOwnerListWith(entity, items, item) };
}

/** Returns the owner's list to which an item belongs, whether it contains the item or not. */
export function createOwnerListWith(
  entity: Collection,
  items: readonly StoredItem[],
  item: Values,
): StoredItem[] {
  const parentId = entity.parent && getParentId(entity.parent, item);
  return createOwnerView(entity, items, parentId);
}

/** Throws a 404 for an unknown id, or if the item's parent is deleted. */
function requireItem(
  { store, entity }: ListContext,
  items: readonly StoredItem[],
  id: string,
): StoredItem {
  const item = items.find((each) => each.id === id);
  if (!item || !areAncestorsPresent(createItemReader(store), entity, item))
    throw noLongerExists(entity);
  return item;
}

/** Returns a full list without its replaceable items, or another list unchanged. */
function removeReplaceable(entity: Collection, items: StoredItem[], now: string): StoredItem[] {
  if (!entity.isReplaceable || countLimitedItems(entity, items) < entity.maxItems) return items;
  return items.filter((item) => !entity.isReplaceable?.(item, now));
}

function assertBelowLimit(
  readItems: ReadItems,
  entity: Collection,
  items: readonly StoredItem[],
): void {
  const { maxItems, plural } = entity;
  if (items.length < maxItems) return;
  // Children of deleted items don't count toward the limit.
  const countedItems = items.filter((item) => areAncestorsPresent(readItems, entity, item));
  if (countLimitedItems(entity, countedItems) < maxItems) return;
  throw conflict(
    `The list is full: it holds at most ${maxItems} ${plural.toLowerCase()}. Delete one first.`,
  );
}

/** Returns the position at the end of `list`, or nothing if the request contains a position. */
function computeNewItemPosition(
  { arrangement }: Collection,
  input: unknown,
  list: readonly StoredItem[],
) {
  if (!arrangement || toFields(input)[arrangement.field] !== undefined) return {};
  return { [arrangement.field]: computePositionAfterLast(arrangement, list) };
}
