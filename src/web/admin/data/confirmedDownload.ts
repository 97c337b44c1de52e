/** Downloads that require the user's password. */
import { api } from "./client.ts";

/** Downloads a file. Asks for the password first, since a download can't show the dialog. Throws CallError. */
export async function downloadAfterConfirming(path: string): Promise<void> {
  await api.get("/api/auth/proof");
  const link = document.createElement("a");
  link.href = path;
  link.download = "";
  link.click();
}
