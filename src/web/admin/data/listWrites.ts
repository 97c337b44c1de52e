/** Reorders and deletes within a list: each is saved at once, with a toast and Undo. */
import { entities, type EntityKey } from "../../../schema/index.ts";
import { messagesFor } from "../../../schema/entities/messages.ts";
import { queryClient } from "./client.ts";
import { returnDrafts, type DraftState, extractDrafts } from "./drafts.ts";
import { announce, toastFailure, toastSuccess } from "../../ui/messages.ts";
import { queryKeyOf } from "./useEntity.ts";
import { deleteItem, refresh, restoreItem, sendOrder, withToast } from "./writes.ts";

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
interface Saving {
  stored: readonly string[];
  wanted: readonly string[];
}

/** By the list's name in the cache: two concurrent writes could arrive in any order. */
const saving = new Map<string, Saving>();

/** Moves an item up (-1) or down from its current position, which the page may not show yet. */
export function moveBy<T extends ArrangedItem>(
  list: ReorderableList<T>,
  id: string,
  step: 1 | -1,
): void {
  const ids = moveId(idsShown(list), id, step);
  if (ids) void reorder(list, ids, id);
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
export async function reorder<T extends ArrangedItem>(
  list: ReorderableList<T>,
  ids: readonly string[],
  moved: string,
): Promise<void> {
  const before = idsShown(list);
  announceMove(list, ids, moved);
  show(list, ids);
  const name = queryKeyOf(list.entity, list.parent).join("/");
  const running = saving.get(name);
  if (running) {
    running.wanted = ids;
    return;
  }
  const messages = messagesFor(entities[list.entity], "reorder");
  const moves: Saving = { stored: before, wanted: ids };
  saving.set(name, moves);
  try {
    while (moves.stored !== moves.wanted) {
      const { wanted } = moves;
      await sendOrder(list.entity, wanted); // oxlint-disable-line no-await-in-loop
      moves.stored = wanted;
    }
    saving.delete(name);
    await refresh(list.entity);
    const undo = () => void reorder(list, before, moved);
    const success = list.movedMessage?.(moves.stored) ?? messages.success;
    toastSuccess(success, { label: "Undo", onPress: undo });
  } catch (error) {
    saving.delete(name);
    show(list, moves.stored);
    announce("The previous order was restored.");
    toastFailure(error, messages.failure);
    await refresh(list.entity);
  }
}

function announceMove<T extends ArrangedItem>(
  list: ReorderableList<T>,
  ids: readonly string[],
  moved: string,
): void {
  const item = itemsShown(list).find(({ id }) => id === moved);
  if (item)
    announce(`${list.nameOf(item)} moved to position ${ids.indexOf(moved) + 1} of ${ids.length}`);
}

/** The cached items, before the page shows the latest change. */
function itemsShown<T extends ArrangedItem>({ entity, parent }: ReorderableList<T>): readonly T[] {
  const cached: { value: readonly T[] } | undefined = queryClient.getQueryData(
    queryKeyOf(entity, parent),
  );
  return cached?.value ?? [];
}

const idsShown = <T extends ArrangedItem>(list: ReorderableList<T>): string[] => {
  const { isListed = () => true } = list;
  return itemsShown(list)
    .filter(isListed)
    .map(({ id }) => id);
};

/** Cancels reads under way, which would restore the old order. */
function show<T extends ArrangedItem>(list: ReorderableList<T>, ids: readonly string[]): void {
  const queryKey = queryKeyOf(list.entity, list.parent);
  void queryClient.cancelQueries({ queryKey });
  const value = itemsShown(list).toSorted((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id));
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
  messages = messagesFor(entities[key], "delete"),
): Promise<boolean> {
  const ids = [id, ...belonging];
  let typed: DraftState[] = [];
  const undo = async () => {
    // First, so that it is based on the list with the item restored.
    returnDrafts(typed);
    if (!(await undoDelete(key, id))) typed = extractDrafts(ids);
  };
  const remove = () =>
    deleteItem(key, id, () => {
      typed = extractDrafts(ids);
    });
  return (await withToast(messages, remove, () => void undo())) !== undefined;
}

/** Restores a deleted item to its position. Resolves to whether it worked. */
export async function undoDelete(key: EntityKey, id: string): Promise<boolean> {
  const { label } = entities[key];
  const messages = {
    success: `${label} restored`,
    failure: `Couldn't restore ${label.toLowerCase()}`,
  };
  return (await withToast(messages, () => restoreItem(key, id))) !== undefined;
}
