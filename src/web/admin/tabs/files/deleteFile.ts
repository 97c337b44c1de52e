/** Deletes an upload; the toast offers to put it back. */
import { toastFailure, toastSuccess } from "../../queries/toasts.ts";
import type { Upload } from "../../queries/useUploads.ts";
import { deleteItem, write } from "../../queries/writes.ts";

/** Deletes and toasts (spec section 8). */
export async function deleteFile({ id }: Upload): Promise<void> {
  try {
    await deleteItem("uploads", id);
    toastSuccess("File deleted successfully", { label: "Undo", onPress: () => void putBack(id) });
  } catch (error) {
    toastFailure(error, "Failed to delete file");
  }
}

async function putBack(id: string): Promise<void> {
  try {
    await write("uploads", `/api/uploads/${id}/restore`, { method: "POST" });
    toastSuccess("File restored");
  } catch (error) {
    toastFailure(error, "Failed to restore file");
  }
}
