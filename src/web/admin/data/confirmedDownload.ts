/** Downloads that require the user's password. */
import { api } from "./client.ts";

/**
 * Downloads a file after the user has confirmed the password. The password is requested before the download, since the
 * browser downloads without this page's code and couldn't show the dialog. Throws CallError if the user cancels.
 */
export async function downloadAfterConfirming(path: string): Promise<void> {
  await api.get("/api/auth/proof");
  const link = document.createElement("a");
  link.href = path;
  link.download = "";
  link.click();
}
