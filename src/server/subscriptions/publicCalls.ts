/** The mailing list's public calls: join and leave, alike for known and unknown addresses. */
import { Elysia } from "elysia";
import { PUBLIC_JSON, readJson } from "../http/body.ts";
import { invalid } from "../http/refusal.ts";
import type { Clock } from "../http/clock.ts";
import type { RateLimits } from "../http/rateLimit.ts";
import type { VisitorPlugin } from "../http/visitorPlugin.ts";
import type { Store } from "../storage/store.ts";
import { inEqualTime } from "./inEqualTime.ts";
import { readJoining, subscribe, unsubscribe } from "./mailingList.ts";

/** What the calls stand on. */
export interface PublicListParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly visitors: VisitorPlugin;
  readonly rateLimit: RateLimits;
}

type Body = Readonly<Record<string, unknown>>;

/**
 * POST /api/email-subscriptions `{email, name?}`: 201 `{status}`; POST …/unsubscribe: 200 `{status}`.
 * Both take `website` (honeypot): filled in, the answer is the same and nothing changes.
 */
export function publicListCalls({ store, clock, visitors, rateLimit }: PublicListParts) {
  const limit = mailingListLimit(rateLimit);
  const to = { store, clock };
  return new Elysia({ name: "public-list-calls" })
    .use(visitors)
    .post(
      "/api/email-subscriptions",
      async ({ request, visitor, status }) => {
        const body = await bodyOf(request);
        limit.take(visitor);
        const joining = readJoining(body);
        await inEqualTime(async () => {
          if (!body.website) await subscribe(to, joining, visitor);
        });
        return status(201, { status: "active" });
      },
      { parse: "none" },
    )
    .post(
      "/api/email-subscriptions/unsubscribe",
      async ({ request, visitor }) => {
        const body = await bodyOf(request);
        limit.take(visitor);
        const { email } = readJoining(body);
        await inEqualTime(async () => {
          if (!body.website) await unsubscribe(store, email);
        });
        return { status: "unsubscribed" };
      },
      { parse: "none" },
    );
}

/** 20 at once, then two a minute; of the whole site 300 at once, then one a second. */
function mailingListLimit(limits: RateLimits) {
  return limits({
    perVisitor: { burst: 20, perMinute: 2 },
    wholeSite: { burst: 300, perMinute: 60 },
    words: "Too many tries in a short time. Wait a little and try again.",
  });
}

async function bodyOf(request: Request): Promise<Body> {
  const body = await readJson(request, PUBLIC_JSON);
  if (typeof body === "object" && body !== null && !Array.isArray(body)) return body as Body;
  throw invalid("Send the fields as a JSON object.");
}
