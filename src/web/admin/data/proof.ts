/** Showing once more who is there, for what the server asks it for (`proof_needed`). */
import { call } from "../../shared/api.ts";
import { api } from "./client.ts";

/** POST /api/auth/proof. Throws CallFailed with the server's words. */
export async function provePassword(password: string): Promise<void> {
  await call("/api/auth/proof", { method: "POST", body: { password } });
}

/**
 * Downloads what the server asks a proof for: the browser itself fetches it, and could not ask. Throws
 * CallFailed where the owner would not.
 */
export async function downloadProved(path: string): Promise<void> {
  await api.get("/api/auth/proof");
  const link = document.createElement("a");
  link.href = path;
  link.download = "";
  link.click();
}
