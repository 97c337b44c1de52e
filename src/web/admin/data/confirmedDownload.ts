/** Downloads that require the user's password. */
import { api } from "./client.ts";

/**
 * Downloads a file after the user has confirmed the password. The password dialog is shown before the download, because
 * a download that the browser has started can't show a dialog. Throws CallError if the user cancels.
 */
export async function downloadAfterConfirming(path: string): Promise<void> {
  await api.get("/api/auth/proof");
  const link = document.createElement("a");
  link.href = path;
  link.download = "";
  link.click();
}
