/** Reorders and deletes within a list: each is saved at once, with a toast and Undo. */
import { entities, type EntityKey } from "../../../schema/index.ts";
import { getWriteMessages } from "../../../schema/entities/messages.ts";
import { queryClient } from "./client.ts";
import { restoreDrafts, type DraftState, removeDrafts } from "./drafts.ts";
import { announce, toastFailure, toastSuccess } from "../../ui/messages.ts";
import { entityQueryKey } from "./useEntity.ts";
import { deleteItem, refetchEntity, restoreItem, sendOrder, runWithToast } from "./writes.ts";

/** The minimum of an arranged list's item. */
export interface ArrangedItem {
  readonly id: string;
}

export interface ReorderableList<T extends ArrangedItem> {
  readonly entity: EntityKey;
  readonly parent?: string | undefined;
  readonly nameOf: (item: T) => string;
  /** The filter of the entity's items in this list; default: all. */
  readonly isListed?: ((item: T) => boolean) | undefined;
  /** The toast for a new order; by default that it is saved. */
  readonly movedMessage?: ((ids: readonly string[]) => string | undefined) | undefined;
}

/** A list's stored and wanted order, as ids, while moves are being saved. */
interface PendingOrder {
  stored: readonly string[];
  wanted: readonly string[];
}

/** By the list's name in the cache: two concurrent writes could arrive in any order. */
const pendingOrders = new Map<string, PendingOrder>();

/** Moves an item up (-1) or down from its current position, which the page may not show yet. */
export function moveItem<T extends ArrangedItem>(
  list: ReorderableList<T>,
  id: string,
  step: 1 | -1,
): void {
  const ids = moveId(cachedIds(list), id, step);
  if (ids) void reorderList(list, ids, id);
}

/** The ids with this one moved up (-1) or down; undefined at the end of the list. */
export function moveId(ids: readonly string[], id: string, step: 1 | -1): string[] | undefined {
  const from = ids.indexOf(id);
  const passed = ids[from + step];
  if (from < 0 || passed === undefined) return undefined;
  return ids.with(from, passed).with(from + step, id);
}

/**
 * Shows and saves a new order; `moved` is announced. Moves during a save follow in one write, with one Undo for all. If
 * a write fails, the stored order is shown again.
 */
export async function reorderList<T extends ArrangedItem>(
  list: ReorderableList<T>,
  ids: readonly string[],
  moved: string,
): Promise<void> {
  const before = cachedIds(list);
  announceMove(list, ids, moved);
  showOrder(list, ids);
  const name = entityQueryKey(list.entity, list.parent).join("/");
  const running = pendingOrders.get(name);
  if (running) {
    running.wanted = ids;
    return;
  }
  const messages = getWriteMessages(entities[list.entity], "reorder");
  const moves: PendingOrder = { stored: before, wanted: ids };
  pendingOrders.set(name, moves);
  try {
    while (moves.stored !== moves.wanted) {
      const { wanted } = moves;
      await sendOrder(list.entity, wanted); // oxlint-disable-line no-await-in-loop
      moves.stored = wanted;
    }
    pendingOrders.delete(name);
    await refetchEntity(list.entity);
    const undo = () => void reorderList(list, before, moved);
    const success = list.movedMessage?.(moves.stored) ?? messages.success;
    toastSuccess(success, { label: "Undo", onPress: undo });
  } catch (error) {
    pendingOrders.delete(name);
    showOrder(list, moves.stored);
    announce("The previous order was restored.");
    toastFailure(error, messages.failure);
    await refetchEntity(list.entity);
  }
}

function announceMove<T extends ArrangedItem>(
  list: ReorderableList<T>,
  ids: readonly string[],
  moved: string,
): void {
  const item = cachedItems(list).find(({ id }) => id === moved);
  if (item)
    announce(`${list.nameOf(item)} moved to position ${ids.indexOf(moved) + 1} of ${ids.length}`);
}

/** The cached items, before the page shows the latest change. */
function cachedItems<T extends ArrangedItem>({ entity, parent }: ReorderableList<T>): readonly T[] {
  const cached: { value: readonly T[] } | undefined = queryClient.getQueryData(
    entityQueryKey(entity, parent),
  );
  return cached?.value ?? [];
}

const cachedIds = <T extends ArrangedItem>(list: ReorderableList<T>): string[] => {
  const { isListed = () => true } = list;
  return cachedItems(list)
    .filter(isListed)
    .map(({ id }) => id);
};

/** Cancels reads under way, which would restore the old order. */
function showOrder<T extends ArrangedItem>(list: ReorderableList<T>, ids: readonly string[]): void {
  const queryKey = entityQueryKey(list.entity, list.parent);
  void queryClient.cancelQueries({ queryKey });
  const value = cachedItems(list).toSorted((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id));
  queryClient.setQueryData(queryKey, (cached: any) => cached && { ...cached, value });
}

/**
 * Deletes an item, which is then in the bin for 30 days. Drafts of it and of its children (`belonging`, by id) are
 * removed and restored with it. `messages` describe the result. Resolves to whether it was deleted.
 */
export async function deleteWithUndo(
  key: EntityKey,
  { id }: { readonly id: string },
  belonging: readonly string[] = [],
  messages = getWriteMessages(entities[key], "delete"),
): Promise<boolean> {
  const ids = [id, ...belonging];
  let typed: DraftState[] = [];
  const undo = async () => {
    // First, so that it is based on the list with the item restored.
    restoreDrafts(typed);
    if (!(await undoDelete(key, id))) typed = removeDrafts(ids);
  };
  const remove = () =>
    deleteItem(key, id, () => {
      typed = removeDrafts(ids);
    });
  return (await runWithToast(messages, remove, () => void undo())) !== undefined;
}

/** Restores a deleted item to its position. Resolves to whether it worked. */
export async function undoDelete(key: EntityKey, id: string): Promise<boolean> {
  const { label } = entities[key];
  const messages = {
    success: `${label} restored`,
    failure: `Couldn't restore ${label.toLowerCase()}`,
  };
  return (await runWithToast(messages, () => restoreItem(key, id))) !== undefined;
}
