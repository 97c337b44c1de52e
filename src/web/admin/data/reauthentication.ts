/** Confirms the user's password when the server requires it (`proof_needed`). */
import { callApi } from "../../shared/api.ts";
import { api } from "./client.ts";

/** POST /api/auth/proof. Throws CallError with the server's message. */
export async function confirmPassword(password: string): Promise<void> {
  await callApi("/api/auth/proof", { method: "POST", body: { password } });
}

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
