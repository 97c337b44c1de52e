/** The mailing list's public routes: join and leave, alike for known and unknown addresses. */
import { Elysia } from "elysia";
import * as v from "valibot";
import { harmlessIn } from "../../schema/harmless.ts";
import { entities, type Item } from "../../schema/index.ts";
import { emailSubscriptions } from "../../schema/visitors.ts";
import { PUBLIC_JSON, readJson } from "../http/body.ts";
import type { RateLimits } from "../http/limits.ts";
import type { Visitor, VisitorPlugin } from "../http/visitor.ts";
import { type Clock, isoTime } from "../shared/clock.ts";
import { invalid } from "../shared/errors.ts";
import type { Bin } from "../storage/bin.ts";
import type { Store } from "../storage/store.ts";
import { reserve } from "./floodGuards.ts";
import type { VisitorsRoom } from "./room.ts";

interface MailingListContext {
  readonly store: Store;
  readonly bin: Bin;
  readonly clock: Clock;
  readonly visitors: VisitorPlugin;
  readonly rateLimit: RateLimits;
  readonly room: VisitorsRoom;
}

/**
 * POST /api/email-subscriptions `{email, name?}`: 201 `{status}`; POST …/unsubscribe: 200 `{status}`.
 * Both take `website` (honeypot): filled in, the response is the same and nothing changes.
 */
export function mailingListRoutes({ visitors, rateLimit, ...to }: MailingListContext) {
  const limit = mailingListLimit(rateLimit);
  return new Elysia({ name: "mailing-list" })
    .use(visitors)
    .post(
      "/api/email-subscriptions",
      async ({ request, visitor, status }) => {
        const body = await fieldsOf(request);
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
        const body = await fieldsOf(request);
        limit.take(visitor);
        const { email } = readJoining(body);
        await inEqualTime(async () => {
          if (!body.website) await unsubscribe(to, email);
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
    reserve: reserve(2),
    message: "Too many tries in a short time. Please wait a moment and try again.",
  });
}

type Body = Readonly<Record<string, unknown>>;

async function fieldsOf(request: Request): Promise<Body> {
  const body = await readJson(request, PUBLIC_JSON);
  if (typeof body === "object" && body !== null && !Array.isArray(body)) return body as Body;
  throw invalid("Send the fields as a JSON object.");
}

/** What a visitor sends (specification, section 7.2), trimmed, the address in lower case. */
interface Joining {
  readonly email: string;
  readonly name: string | null;
}

/** Reads a visitor's body. Throws a 422 with a message for each field. */
function readJoining(body: Readonly<Record<string, unknown>>): Joining {
  const email = v.safeParse(emailSubscriptions.fields.email.schema, harmlessIn(body.email ?? ""));
  const name = v.safeParse(emailSubscriptions.fields.name.schema, harmlessIn(body.name ?? null));
  const fields: Record<string, string> = {};
  if (!email.success) fields.email = email.issues[0].message;
  if (!name.success) fields.name = name.issues[0].message;
  if (!email.success || !name.success) throw invalid(Object.values(fields)[0]!, fields);
  return { email: email.output.toLowerCase(), name: name.output || null };
}

export type Subscription = Item<"emailSubscriptions">;

interface SubscriptionStore {
  readonly store: Store;
  readonly clock: Clock;
  readonly room: VisitorsRoom;
}

/**
 * Adds an address, or makes it active again; there is one row per address. A full list refuses
 * known addresses too, so that the response tells nobody who is on it.
 */
export async function subscribe(
  { store, clock, room }: SubscriptionStore,
  joining: Joining,
  visitor: Visitor,
): Promise<void> {
  const subscribedAt = isoTime(clock);
  // As if it were new: what a known address would take less must not be seen.
  room.take("emailSubscriptions", joined(undefined, joining, visitor, subscribedAt), visitor);
  await store
    .of(entities.emailSubscriptions)
    .upsert(joining.email, (known) =>
      known?.status === "active"
        ? { ...known, name: joining.name ?? known.name }
        : joined(known, joining, visitor, subscribedAt),
    );
}

function joined(
  known: Subscription | undefined,
  joining: Joining,
  visitor: Visitor,
  subscribedAt: string,
): Subscription {
  return {
    id: known?.id ?? Bun.randomUUIDv7(),
    email: joining.email,
    name: joining.name ?? known?.name ?? null,
    status: "active",
    source: "website",
    subscribedAt,
    ipAddress: visitor.address,
    userAgent: visitor.userAgent,
  };
}

/**
 * Takes an address off the list; one that isn't on it costs the same write, as the time would tell. Who
 * was deleted by the owner and leaves is not put back as somebody who wants letters.
 */
async function unsubscribe(
  { store, bin }: Pick<MailingListContext, "store" | "bin">,
  email: string,
): Promise<void> {
  const { emailSubscriptions } = entities;
  await store
    .of(emailSubscriptions)
    .updateUnique(email, (row) => ({ ...row, status: "unsubscribed" }));
  await bin.change(emailSubscriptions, (row) =>
    row.email === email && row.status !== "unsubscribed" ? { ...row, status: "unsubscribed" } : row,
  );
}

const GRID_MS = 50;

/**
 * Runs `work` and waits for the next multiple of 50 ms since its start: small differences, such as
 * the size of the file that an address is in, can't be seen from outside.
 */
export async function inEqualTime<T>(work: () => Promise<T>): Promise<T> {
  const start = performance.now();
  try {
    return await work();
  } finally {
    const passed = performance.now() - start;
    await Bun.sleep(Math.ceil(passed / GRID_MS) * GRID_MS - passed);
  }
}
