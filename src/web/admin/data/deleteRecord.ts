/** Deletes a record after the browser has asked; the toast offers to bring it back for ten minutes. */
import { entities } from "../../../schema/index.ts";
import { messagesFor } from "../../../schema/messages.ts";
import { toastFailure, toastSuccess } from "./messages.ts";
import { pathOf } from "./useEntity.ts";
import { deleteItem, write } from "./writes.ts";

/** The lists whose rows can be brought back as they were. */
export type RecordKey = "formSubmissions" | "emailSubscriptions";

/** `question` is the browser's confirmation (spec section 5). Answers whether the record is gone. */
export async function deleteRecord(key: RecordKey, id: string, question: string): Promise<boolean> {
  if (!window.confirm(question)) return false;
  const words = messagesFor(entities[key], "delete");
  try {
    await deleteItem(key, id);
    toastSuccess(words.success, { label: "Undo", onPress: () => void restore(key, id) });
    return true;
  } catch (error) {
    toastFailure(error, words.failure);
    return false;
  }
}

async function restore(key: RecordKey, id: string): Promise<void> {
  const { label } = entities[key];
  try {
    await write(key, `${pathOf(key)}/${encodeURIComponent(id)}/restore`, { method: "POST" });
    toastSuccess(`${label} restored`);
  } catch (error) {
    toastFailure(error, `Failed to restore ${label.toLowerCase()}`);
  }
}
