/** Moves and deletions within a list: each saves at once, says so, and offers the way back. */
import { entities, type EntityKey } from "../../../schema/index.ts";
import { messagesFor } from "../../../schema/messages.ts";
import { queryClient } from "./client.ts";
import { bringDraftsBack, type DraftState, setDraftsAside } from "./drafts.ts";
import { announce, toastFailure, toastSuccess } from "./messages.ts";
import { entityQuery } from "./useEntity.ts";
import { deleteItem, reorderItems, restoreItem, withToast } from "./writes.ts";

/** The least an item of an arranged list has. */
export interface ArrangedItem {
  readonly id: string;
}

export interface Arranged<T extends ArrangedItem> {
  readonly entity: EntityKey;
  readonly parent?: string | undefined;
  readonly nameOf: (item: T) => string;
}

/** Shows and saves a new sequence; `moved` is the id that is announced. Taken back when it fails. */
export async function arrange<T extends ArrangedItem>(
  list: Arranged<T>,
  before: readonly T[],
  ids: readonly string[],
  moved: string,
): Promise<void> {
  const words = messagesFor(entities[list.entity], "reorder");
  const item = before.find(({ id }) => id === moved);
  if (item)
    announce(`${list.nameOf(item)} moved to position ${ids.indexOf(moved) + 1} of ${ids.length}`);
  const after = ids.map((id) => before.find((item) => item.id === id)!);
  show(list, after);
  const idsBefore = before.map(({ id }) => id);
  try {
    await reorderItems(list.entity, ids);
    const undo = () => void arrange(list, after, idsBefore, moved);
    toastSuccess(words.success, { label: "Undo", onPress: undo });
  } catch (error) {
    show(list, before);
    announce("The list is back in its old order.");
    toastFailure(error, words.failure);
  }
}

function show<T extends ArrangedItem>({ entity, parent }: Arranged<T>, items: readonly T[]): void {
  const { queryKey } = entityQuery(entity, parent);
  queryClient.setQueryData(queryKey, (known: any) => known && { ...known, value: items });
}

/**
 * Deletes an item, which stays in the bin for 30 days. What was typed into it, and into what belongs to it
 * (`belonging`, by id), goes with it and comes back with it. Resolves to whether it is gone from its list.
 */
export async function deleteWithUndo(
  key: EntityKey,
  { id }: { readonly id: string },
  belonging: readonly string[] = [],
): Promise<boolean> {
  const words = messagesFor(entities[key], "delete");
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
