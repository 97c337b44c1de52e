/** The owners' routes to read and search the audit log. */
import { Elysia } from "elysia";
import { AUDIT_KINDS } from "../../schema/people/audit.ts";
import { type BodyFields, readFields } from "../http/body.ts";
import { invalidField } from "../shared/errors.ts";
import type { Accounts } from "./accounts.ts";
import type { AuditQuery } from "./auditLog.ts";

const PAGE_SIZE = 50;
const MAX_SEARCH_LENGTH = 200;

/**
 * GET `/api/audit-log?offset&kind` returns 50 entries, newest first, with X-Total-Count. POST `…/search` takes the same
 * fields and `search` in its body, because browser histories and proxy logs would store a name in the URL.
 */
export function createAuditRoutes({ guard, audit }: Accounts) {
  const readPage = async (input: BodyFields, headers: Record<string, unknown>) => {
    const query = readQuery(input);
    await audit.whenFlushed();
    const { items, total } = await audit.list(query);
    headers["x-total-count"] = String(total);
    return items;
  };
  return new Elysia({ prefix: "/api/audit-log" })
    .use(guard)
    .get(
      "",
      ({ request, set }) => {
        const { searchParams } = new URL(request.url);
        const { search: _, ...input } = Object.fromEntries(searchParams);
        return readPage(input, set.headers);
      },
      { owner: true },
    )
    .post("/search", async ({ request, set }) => readPage(await readFields(request), set.headers), {
      owner: true,
      parse: "none",
    });
}

function readQuery({ kind, search, offset = 0 }: Record<string, unknown>): AuditQuery {
  const auditKind = AUDIT_KINDS.find(({ value }) => value === kind);
  if (kind && !auditKind) throw invalidField("kind", "Choose one of the options.");
  if (!/^\d{1,9}$/.test(String(offset)))
    throw invalidField("offset", "The offset must be a whole number, 0 or more.");
  const searchText = typeof search === "string" ? search.trim().slice(0, MAX_SEARCH_LENGTH) : "";
  return {
    kind: auditKind?.value,
    search: searchText || undefined,
    offset: Number(offset),
    limit: PAGE_SIZE,
  };
}
