/** Downloads that require the user's password. */
import { api } from "./client.ts";

/**
 * Confirms the password before the browser itself requests the file, since the browser couldn't. Throws CallError if
 * the user declines.
 */
export async function downloadAfterConfirming(path: string): Promise<void> {
  await api.get("/api/auth/proof");
  const link = document.createElement("a");
  link.href = path;
  link.download = "";
  link.click();
}
