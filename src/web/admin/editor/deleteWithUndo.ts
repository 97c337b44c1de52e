/** Deletes an item of a list; the toast offers to bring it back (look/admin.md). */
import { clientFields } from "../../../schema/check.ts";
import { entities, type EntityKey } from "../../../schema/index.ts";
import { toastFailure, toastSuccess } from "../queries/toasts.ts";
import { wordsFor } from "../queries/words.ts";
import { createItem, deleteItem } from "../queries/writes.ts";

/** Deletes and toasts; answers whether it is gone. `restorable` is false where more goes with it. */
export async function deleteWithUndo(
  key: EntityKey,
  item: { readonly id: string },
  restorable = true,
): Promise<boolean> {
  const words = wordsFor(key, "delete");
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
