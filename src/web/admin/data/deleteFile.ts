/** File sizes as spec section 9 shows them: B, KB, MB or GB with one decimal place. */
import { toastFailure, toastSuccess } from "./messages.ts";
import type { Upload } from "./uploads.ts";
import { deleteItem, write } from "./writes.ts";

// Deletes an upload; the toast offers to put it back.

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

const UNITS = ["B", "KB", "MB", "GB"] as const;

/** "312.4 KB" for a number of bytes. */
export function fileSize(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(Math.floor(Math.log(bytes) / Math.log(1024)), 3);
  return `${(bytes / 1024 ** power).toFixed(1)} ${UNITS[power]}`;
}
