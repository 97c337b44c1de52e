/** The owner's calls on the mailing list: read, delete, take back a deletion. */
import { Elysia } from "elysia";
import { SUBSCRIPTION_STATUSES } from "../../schema/subscriptions.ts";
import type { OwnerGuard } from "../accounts/guard.ts";
import { type ListQuery, readListQuery } from "../http/listQuery.ts";
import { notFound } from "../http/refusal.ts";
import type { Bin } from "../storage/bin.ts";
import { type Page, searchPage, type Store } from "../storage/store.ts";
import { type Subscription, type SubscriptionKey, subscriptionRecords } from "./mailingList.ts";

/** What the calls stand on. */
export interface OwnerListParts {
  readonly store: Store;
  readonly guard: OwnerGuard;
  readonly deleted: Bin<Subscription>;
}

const GONE = "This subscription is no longer there.";
const NOT_KEPT = "This subscription can no longer be brought back.";

/**
 * GET /api/email-subscriptions?offset&limit&status&search, newest first, with X-Total-Count;
 * DELETE …/{id}; POST …/{id}/restore within ten minutes (409 when the address joined again).
 */
export function ownerListCalls({ store, guard, deleted }: OwnerListParts) {
  const records = subscriptionRecords(store);
  return new Elysia({ name: "owner-list-calls" })
    .use(guard)
    .get(
      "/api/email-subscriptions",
      async ({ request, set }) => {
        const query = readListQuery(request.url, SUBSCRIPTION_STATUSES);
        const { items, total } = await listSubscriptions(store, query);
        set.headers["x-total-count"] = String(total);
        return items;
      },
      { owner: true },
    )
    .delete(
      "/api/email-subscriptions/:id",
      async ({ params: { id }, status }) => {
        const record = await records.delete(id);
        if (!record) throw notFound(GONE);
        deleted.keep(record);
        return status(204, undefined);
      },
      { owner: true },
    )
    .post(
      "/api/email-subscriptions/:id/restore",
      async ({ params: { id }, status }) => {
        const restored = await deleted.take(id, (record) => records.insert(record));
        if (!restored) throw notFound(NOT_KEPT);
        return status(201, restored);
      },
      { owner: true, parse: "none" },
    );
}

function listSubscriptions(
  store: Store,
  { offset, limit, status, search }: ListQuery,
): Promise<Page<Subscription>> {
  const records = subscriptionRecords(store);
  const where = (key: SubscriptionKey) => status === undefined || key.status === status;
  const request = { where, newestFirst: true, offset, limit };
  if (search === undefined) return records.page(request);
  const holds = (text: string | null) => text?.toLowerCase().includes(search) ?? false;
  return searchPage(records, ({ email, name }) => holds(email) || holds(name), request);
}
