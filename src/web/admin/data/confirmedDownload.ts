/** Downloads that require the user's password. */
import { api } from "./client.ts";

/**
 * Downloads a file after asking for the password. The browser downloads the file without this page's code, so nothing
 * could ask for the password during the download. Throws CallError if the user declines.
 */
export async function downloadAfterConfirming(path: string): Promise<void> {
  await api.get("/api/auth/proof");
  const link = document.createElement("a");
  link.href = path;
  link.download = "";
  link.click();
}
