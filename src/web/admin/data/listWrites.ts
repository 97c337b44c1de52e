/** Deletes an item of a list; the toast offers to bring it back (look/admin.md). */
import { clientFields } from "../../../schema/check.ts";
import { entities, type EntityKey } from "../../../schema/index.ts";
import { messagesFor } from "../../../schema/messages.ts";
import { queryClient } from "./client.ts";
import { announce, toastFailure, toastSuccess } from "./messages.ts";
import { entityQuery } from "./useEntity.ts";
import { createItem, deleteItem, reorderItems } from "./writes.ts";

// Moves within a list: at once on the screen, then saved, taken back with words when that fails.

/** The least an item of an arranged list has. */
export interface ArrangedItem {
  readonly id: string;
}

/** Which list is arranged. */
export interface Arranged<T extends ArrangedItem> {
  readonly entity: EntityKey;
  readonly parent?: string | undefined;
  readonly nameOf: (item: T) => string;
}

/** Saves a new sequence; the toast offers the one before. `moved` is the id that is announced. */
export async function arrange<T extends ArrangedItem>(
  list: Arranged<T>,
  before: readonly T[],
  ids: readonly string[],
  moved: string,
): Promise<void> {
  const words = messagesFor(entities[list.entity], "reorder");
  const item = before.find(({ id }) => id === moved);
  if (item) announce(placeWords(list.nameOf(item), ids.indexOf(moved), ids.length));
  const after = ids.map((id) => before.find((item) => item.id === id)!);
  show(list, after);
  try {
    await reorderItems(list.entity, ids);
    const undo = () =>
      void arrange(
        list,
        after,
        before.map((item) => item.id),
        moved,
      );
    toastSuccess(words.success, { label: "Undo", onPress: undo });
  } catch (error) {
    show(list, before);
    announce("The list is as it was before.");
    toastFailure(error, words.failure);
  }
}

function placeWords(name: string, at: number, count: number): string {
  return `${name} moved to place ${at + 1} of ${count}`;
}

function show<T extends ArrangedItem>({ entity, parent }: Arranged<T>, items: readonly T[]): void {
  const { queryKey } = entityQuery(entity, parent);
  queryClient.setQueryData(queryKey, (known: any) => known && { ...known, value: items });
}

/** Deletes and toasts; answers whether it is gone. `restorable` is false where more goes with it. */
export async function deleteWithUndo(
  key: EntityKey,
  item: { readonly id: string },
  restorable = true,
): Promise<boolean> {
  const words = messagesFor(entities[key], "delete");
  const undo = { label: "Undo", onPress: () => void bringBack(key, item) };
  try {
    await deleteItem(key, item.id);
    toastSuccess(words.success, restorable ? undo : undefined);
    return true;
  } catch (error) {
    toastFailure(error, words.failure);
    return false;
  }
}

async function bringBack(key: EntityKey, item: object): Promise<void> {
  const { label, fields } = entities[key];
  const values = item as Readonly<Record<string, unknown>>;
  const sent = clientFields(fields).map(([name]) => [name, values[name]]);
  try {
    await createItem(key, Object.fromEntries(sent));
    toastSuccess(`${label} restored`);
  } catch (error) {
    toastFailure(error, `Failed to restore ${label.toLowerCase()}`);
  }
}
