/** Moves and deletions within a list: each saves at once, says so, and offers the way back. */
import { clientFields } from "../../../schema/check.ts";
import { entities, type EntityKey } from "../../../schema/index.ts";
import { messagesFor } from "../../../schema/messages.ts";
import { queryClient } from "./client.ts";
import { announce, toastFailure, toastSuccess } from "./messages.ts";
import { entityQuery } from "./useEntity.ts";
import { createItem, deleteItem, reorderItems, restoreItem, withToast } from "./writes.ts";

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

/** Deletes an item. Resolves to whether it is gone. `undoable` is false where more goes with it. */
export async function deleteWithUndo(
  key: EntityKey,
  item: { readonly id: string },
  undoable = true,
): Promise<boolean> {
  const undo = undoable ? () => void bringBack(key, item) : undefined;
  const gone = await withToast(
    messagesFor(entities[key], "delete"),
    () => deleteItem(key, item.id),
    undo,
  );
  return gone !== undefined;
}

/** Files and what visitors sent come back as they were; an item of a list is created again. */
async function bringBack(key: EntityKey, item: { readonly id: string }): Promise<void> {
  const { label, fields, shape } = entities[key];
  const words = {
    success: `${label} restored`,
    failure: `Failed to restore ${label.toLowerCase()}`,
  };
  const values = item as Readonly<Record<string, unknown>>;
  const sent = clientFields(fields).map(([name]) => [name, values[name]]);
  await withToast(words, () =>
    shape === "records" || key === "uploads"
      ? restoreItem(key, item.id)
      : createItem(key, Object.fromEntries(sent)),
  );
}
