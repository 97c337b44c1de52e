/** Reorders lists and deletes items. Each change is saved at once, and its toast offers Undo. */
import { entities, type EntityKey } from "../../../schema/index.ts";
import { getWriteMessages } from "../../../schema/entities/messages.ts";
import { queryClient } from "./client.ts";
import { restoreDrafts, type DraftState, removeDraftsOf } from "./drafts.ts";
import { announce, toastFailure, toastSuccess } from "../../ui/messages.ts";
import { createEntityQueryKey } from "./useEntity.ts";
import { deleteItem, refetchEntity, restoreItem, sendOrder, runWithToast } from "./entityWrites.ts";

export interface ArrangedItem {
  readonly id: string;
}

export interface ReorderableList<T extends ArrangedItem> {
  readonly entity: EntityKey;
  readonly parent?: string | undefined;
  readonly getName: (item: T) => string;
  /** Default: every item of the entity is in the list. */
  readonly isListed?: ((item: T) => boolean) | undefined;
  /** Returns the message of the toast. Default: the entity's message. */
  readonly createOrderMessage?: ((ids: readonly string[]) => string | undefined) | undefined;
}

interface PendingOrder {
  stored: readonly string[];
  wanted: readonly string[];
}

/** The lists whose order is being saved, by query key. Moves during a save only change `wanted`. */
const pendingOrders = new Map<string, PendingOrder>();

/** Moves an item up (-1) or down (1) from its cached position. The page may not show the latest move yet. */
export function moveItem<T extends ArrangedItem>(
  list: ReorderableList<T>,
  id: string,
  step: 1 | -1,
): void {
  const ids = moveId(getCachedIds(list), id, step);
  if (ids) void reorderList(list, ids, id);
}

/** Returns `ids` with one id moved up (-1) or down (1). Undefined if the id can't move further. */
export function moveId(ids: readonly string[], id: string, step: 1 | -1): string[] | undefined {
  const from = ids.indexOf(id);
  const neighborId = ids[from + step];
  if (from < 0 || neighborId === undefined) return undefined;
  return ids.with(from, neighborId).with(from + step, id);
}

/** Shows a new order at once and saves it. Moves made during a save are saved together, with one Undo for all. */
export async function reorderList<T extends ArrangedItem>(
  list: ReorderableList<T>,
  ids: readonly string[],
  movedId: string,
): Promise<void> {
  const previousIds = getCachedIds(list);
  announceMove(list, ids, movedId);
  showOrder(list, ids);
  const listKey = createEntityQueryKey(list.entity, list.parent).join("/");
  const pendingOrder = pendingOrders.get(listKey);
  if (pendingOrder) {
    pendingOrder.wanted = ids;
    return;
  }
  const messages = getWriteMessages(entities[list.entity], "reorder");
  const order: PendingOrder = { stored: previousIds, wanted: ids };
  pendingOrders.set(listKey, order);
  try {
    while (order.stored !== order.wanted) {
      const { wanted } = order;
      await sendOrder(list.entity, wanted); // oxlint-disable-line no-await-in-loop
      order.stored = wanted;
    }
    pendingOrders.delete(listKey);
    await refetchEntity(list.entity);
    const undo = () => void reorderList(list, previousIds, movedId);
    const success = list.createOrderMessage?.(order.stored) ?? messages.success;
    toastSuccess(success, { label: "Undo", onPress: undo });
  } catch (error) {
    pendingOrders.delete(listKey);
    showOrder(list, order.stored);
    announce("The previous order was restored.");
    toastFailure(error, messages.failure);
    await refetchEntity(list.entity);
  }
}

function announceMove<T extends ArrangedItem>(
  list: ReorderableList<T>,
  ids: readonly string[],
  movedId: string,
): void {
  const item = getCachedItems(list).find(({ id }) => id === movedId);
  if (item)
    announce(
      `${list.getName(item)} moved to position ${ids.indexOf(movedId) + 1} of ${ids.length}`,
    );
}

/** Returns the list's items from the cache, which may be newer than the page. */
function getCachedItems<T extends ArrangedItem>({
  entity,
  parent,
}: ReorderableList<T>): readonly T[] {
  const cached: { value: readonly T[] } | undefined = queryClient.getQueryData(
    createEntityQueryKey(entity, parent),
  );
  return cached?.value ?? [];
}

const getCachedIds = <T extends ArrangedItem>(list: ReorderableList<T>): string[] => {
  const { isListed = () => true } = list;
  return getCachedItems(list)
    .filter(isListed)
    .map(({ id }) => id);
};

/** Shows an order before it is saved. Cancels reads in progress, which would show the old order again. */
function showOrder<T extends ArrangedItem>(list: ReorderableList<T>, ids: readonly string[]): void {
  const queryKey = createEntityQueryKey(list.entity, list.parent);
  void queryClient.cancelQueries({ queryKey });
  const value = getCachedItems(list).toSorted((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id));
  queryClient.setQueryData(queryKey, (cached: any) => cached && { ...cached, value });
}

/**
 * Deletes an item and its drafts, and those of its children (`descendantIds`). Undo restores them all. Resolves to
 * whether the item was deleted.
 */
export async function deleteWithUndo(
  key: EntityKey,
  { id }: { readonly id: string },
  descendantIds: readonly string[] = [],
  messages = getWriteMessages(entities[key], "delete"),
): Promise<boolean> {
  const ids = [id, ...descendantIds];
  let removedDrafts: DraftState[] = [];
  const undo = async () => {
    // The drafts come first, so that restoring the item also updates their ETags (`rebaseDrafts`).
    restoreDrafts(removedDrafts);
    if (!(await undoDelete(key, id))) removedDrafts = removeDraftsOf(ids);
  };
  const remove = () =>
    deleteItem(key, id, () => {
      removedDrafts = removeDraftsOf(ids);
    });
  return (await runWithToast(messages, remove, () => void undo())) !== undefined;
}

/** Restores a deleted item. Resolves to whether this succeeded. */
export async function undoDelete(key: EntityKey, id: string): Promise<boolean> {
  const { label } = entities[key];
  const messages = {
    success: `${label} restored`,
    failure: `Couldn't restore ${label.toLowerCase()}`,
  };
  return (await runWithToast(messages, () => restoreItem(key, id))) !== undefined;
}
