/** Moves and deletions within a list: each saves at once, says so, and offers the way back. */
import { entities, type EntityKey } from "../../../schema/index.ts";
import { messagesFor } from "../../../schema/messages.ts";
import { queryClient } from "./client.ts";
import { bringDraftsBack, type DraftState, setDraftsAside } from "./drafts.ts";
import { announce, toastFailure, toastSuccess } from "../../ui/messages.ts";
import { queryKeyOf } from "./useEntity.ts";
import { deleteItem, refresh, restoreItem, sendOrder, withToast } from "./writes.ts";

/** The least an item of an arranged list has. */
export interface ArrangedItem {
  readonly id: string;
}

export interface Arranged<T extends ArrangedItem> {
  readonly entity: EntityKey;
  readonly parent?: string | undefined;
  readonly nameOf: (item: T) => string;
  /** Which items of the entity are in this list; default: all. */
  readonly isListed?: ((item: T) => boolean) | undefined;
  /** What a sequence of its items leads to, in words; by default that it is stored. */
  readonly movedWords?: ((ids: readonly string[]) => string | undefined) | undefined;
}

/** What of a list is stored and what is wanted, as ids, while its moves are being saved. */
interface Saving {
  stored: readonly string[];
  wanted: readonly string[];
}

/** By the list's name in the cache: of two writes under way either could be the last to arrive. */
const saving = new Map<string, Saving>();

/** Moves an item a place up (-1) or down from where it stands now, which the page may not show yet. */
export function moveBy<T extends ArrangedItem>(list: Arranged<T>, id: string, step: 1 | -1): void {
  const ids = movedBy(idsShown(list), id, step);
  if (ids) void arrange(list, ids, id);
}

/** The ids with this one a place further up (-1) or down; undefined where there is no such place. */
export function movedBy(ids: readonly string[], id: string, step: 1 | -1): string[] | undefined {
  const from = ids.indexOf(id);
  const passed = ids[from + step];
  if (from < 0 || passed === undefined) return undefined;
  return ids.with(from, passed).with(from + step, id);
}

/**
 * Shows and saves a new sequence; the item `moved` is announced. What is moved while one is being saved
 * goes after it in one write, with one Undo for all. When one fails, what is stored is shown again.
 */
export async function arrange<T extends ArrangedItem>(
  list: Arranged<T>,
  ids: readonly string[],
  moved: string,
): Promise<void> {
  const before = idsShown(list);
  announceMove(list, ids, moved);
  show(list, ids);
  const name = queryKeyOf(list.entity, list.parent).join("/");
  const underWay = saving.get(name);
  if (underWay) {
    underWay.wanted = ids;
    return;
  }
  const words = messagesFor(entities[list.entity], "reorder");
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
    const undo = () => void arrange(list, before, moved);
    const told = list.movedWords?.(moves.stored) ?? words.success;
    toastSuccess(told, { label: "Undo", onPress: undo });
  } catch (error) {
    saving.delete(name);
    show(list, moves.stored);
    announce("The list is back in its old order.");
    toastFailure(error, words.failure);
    await refresh(list.entity);
  }
}

function announceMove<T extends ArrangedItem>(
  list: Arranged<T>,
  ids: readonly string[],
  moved: string,
): void {
  const item = itemsShown(list).find(({ id }) => id === moved);
  if (item)
    announce(`${list.nameOf(item)} moved to position ${ids.indexOf(moved) + 1} of ${ids.length}`);
}

/** The list's items as the cache has them, before the page shows what was changed last. */
function itemsShown<T extends ArrangedItem>({ entity, parent }: Arranged<T>): readonly T[] {
  const known: { value: readonly T[] } | undefined = queryClient.getQueryData(
    queryKeyOf(entity, parent),
  );
  return known?.value ?? [];
}

const idsShown = <T extends ArrangedItem>(list: Arranged<T>): string[] => {
  const { isListed = () => true } = list;
  return itemsShown(list)
    .filter(isListed)
    .map(({ id }) => id);
};

/** A read under way would bring the sequence back that was stored before. */
function show<T extends ArrangedItem>(list: Arranged<T>, ids: readonly string[]): void {
  const queryKey = queryKeyOf(list.entity, list.parent);
  void queryClient.cancelQueries({ queryKey });
  const value = itemsShown(list).toSorted((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id));
  queryClient.setQueryData(queryKey, (known: any) => known && { ...known, value });
}

/**
 * Deletes an item, which stays in the bin for 30 days. What was typed into it, and into what belongs to it
 * (`belonging`, by id), goes with it and comes back with it. `words` say what comes of it. Resolves to whether it is
 * gone from its list.
 */
export async function deleteWithUndo(
  key: EntityKey,
  { id }: { readonly id: string },
  belonging: readonly string[] = [],
  words = messagesFor(entities[key], "delete"),
): Promise<boolean> {
  const ids = [id, ...belonging];
  let typed: DraftState[] = [];
  const undo = async () => {
    // First, so that it stands on what putting the item back makes of the list.
    bringDraftsBack(typed);
    if (!(await putBack(key, id))) typed = setDraftsAside(ids);
  };
  const remove = () =>
    deleteItem(key, id, () => {
      typed = setDraftsAside(ids);
    });
  return (await withToast(words, remove, () => void undo())) !== undefined;
}

/** Puts a deleted item back where it was. Resolves to whether it is there. */
export async function putBack(key: EntityKey, id: string): Promise<boolean> {
  // A letter's declaration is the server's alone.
  const label = key === "letters" ? "Letter" : entities[key].label;
  const words = {
    success: `${label} restored`,
    failure: `Failed to restore ${label.toLowerCase()}`,
  };
  return (await withToast(words, () => restoreItem(key, id))) !== undefined;
}
