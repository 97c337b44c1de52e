/** The audit log as an owner reads it. */
import type { Caller } from "./site.ts";

/** Returns the entries, newest first, as "who what (detail)". */
export async function readAuditLog(owner: Caller, query = ""): Promise<string[]> {
  const { body } = await owner.get(`/api/audit-log${query}`);
  return body.map(
    ({ who, what, detail }: Record<string, string>) =>
      `${who} ${what}${detail ? ` (${detail})` : ""}`,
  );
}
