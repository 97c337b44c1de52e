/** Proves the user's identity again when the server asks for it (`proof_needed`). */
import { callApi } from "../../shared/api.ts";
import { api } from "./client.ts";

/** POST /api/auth/proof. Throws CallError with the server's message. */
export async function confirmPassword(password: string): Promise<void> {
  await callApi("/api/auth/proof", { method: "POST", body: { password } });
}

/**
 * Downloads something that needs a proof: the browser makes the request, and couldn't ask. Throws CallError if the
 * owner declines.
 */
export async function downloadAfterConfirming(path: string): Promise<void> {
  await api.get("/api/auth/proof");
  const link = document.createElement("a");
  link.href = path;
  link.download = "";
  link.click();
}
