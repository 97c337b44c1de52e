/** People on the mailing list. */
import pLimit from "p-limit";
import type { Item } from "../../src/schema/index.ts";
import { getInitialValues } from "../../src/schema/entities/check.ts";
import { emailSubscriptions } from "../../src/schema/enquiry/visitors.ts";
import type { Callers } from "./site.ts";

/** Creates a confirmed subscriber, as stored. */
export const createSubscriber = (
  email: string,
  more: Partial<Item<"emailSubscriptions">> = {},
): Item<"emailSubscriptions"> => ({
  ...getInitialValues(emailSubscriptions.fields),
  id: Bun.randomUUIDv7(),
  email,
  name: null,
  status: "active",
  source: "website",
  subscribedAt: "2026-11-20T10:00:00.000Z",
  ipAddress: null,
  userAgent: null,
  ...more,
});

/** The number of concurrent requests. The program accepts 32 unfinished requests from an address. */
const MAX_CONCURRENT = 20;

/** Adds people in parallel, since each response waits for a tick of 50 ms. */
export async function subscribeAll(
  { visitor }: Pick<Callers, "visitor">,
  people: readonly object[],
) {
  const limit = pLimit(MAX_CONCURRENT);
  await Promise.all(
    people.map((person) => limit(() => visitor().post("/api/email-subscriptions", person))),
  );
}
