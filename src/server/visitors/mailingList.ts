/** The mailing list's public routes: join and leave, alike for known and unknown addresses. */
import { Elysia } from "elysia";
import * as v from "valibot";
import { consentTo } from "../../schema/consent.ts";
import { harmlessIn } from "../../schema/harmless.ts";
import type { StoredItem } from "../../schema/entity.ts";
import { entities, type Item } from "../../schema/index.ts";
import { VISITOR_REFUSALS } from "../../schema/refusals.ts";
import { emailSubscriptions, NEVER_WRITTEN_TO } from "../../schema/visitors.ts";
import { wordsFor } from "../../web/words/all.ts";
import { PUBLIC_JSON, readJson } from "../http/body.ts";
import type { RateLimits } from "../http/limits.ts";
import type { Visitor, VisitorPlugin } from "../http/visitor.ts";
import { type Clock, isoTime } from "../shared/clock.ts";
import { invalid } from "../shared/errors.ts";
import type { Bin } from "../bin/bin.ts";
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
  readonly mailingList: ListMail;
}

/** What is written to those who join and leave, where the site has mail. */
export interface ListMail {
  /** True: who joins is pending until they confirm. */
  confirms(): boolean;
  /** True: who leaves is sent a link, so that nobody takes somebody else off the list. */
  works(): boolean;
  /** What somebody who is active from now on is owed. */
  greeting(): Subscription["owed"];
  /** Writes what is owed. */
  wake(): void;
}

/**
 * POST /api/email-subscriptions `{email, name?}`: 201 `{status}`; POST …/unsubscribe: 200 `{status}`.
 * Both take `website` (honeypot): filled in, the response is the same and nothing changes.
 */
export function mailingListRoutes({ visitors, rateLimit, ...to }: MailingListContext) {
  const limits = mailingListLimits(rateLimit);
  const list = to.mailingList;
  const wakeLater = later(list.wake);
  const take = (visitor: Visitor) => {
    limits.calls.take(visitor);
    if (list.works()) limits.messages.take(visitor);
  };
  return new Elysia({ name: "mailing-list" })
    .use(visitors)
    .post(
      "/api/email-subscriptions",
      async ({ request, visitor, status }) => {
        const body = await fieldsOf(request);
        take(visitor);
        const joining = readJoining(body);
        await inEqualTime(async () => {
          if (!body.website) await subscribe(to, joining, visitor);
        });
        wakeLater();
        return status(201, { status: list.confirms() ? "pending" : "active" });
      },
      { parse: "none" },
    )
    .post(
      "/api/email-subscriptions/unsubscribe",
      async ({ request, visitor }) => {
        const body = await fieldsOf(request);
        take(visitor);
        const { email } = readJoining(body);
        await inEqualTime(async () => {
          if (!body.website) await unsubscribe(to, email);
        });
        wakeLater();
        return { status: "unsubscribed" };
      },
      { parse: "none" },
    );
}

/** Milliseconds after an answer, and up to how many more. */
const WRITTEN = { after: 250, within: 750 } as const;

/**
 * What is owed to somebody who is on the list is written when the answer is out, at no moment that could be waited
 * for: so no answer, neither the own nor the next one, takes longer for it. A kill before it loses nothing.
 */
function later(wake: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return () => {
    timer ??= setTimeout(
      () => {
        timer = undefined;
        wake();
      },
      WRITTEN.after + WRITTEN.within * Math.random(),
    ).unref();
  };
}

/**
 * 20 calls at once, then two a minute; of the whole site 300 at once, then one a second. Where each may send
 * a message to somebody, 8 at once, then one in five minutes.
 */
function mailingListLimits(limits: RateLimits) {
  const shared = {
    wholeSite: { burst: 300, perMinute: 60 },
    reserve: reserve(2),
    message: VISITOR_REFUSALS.tooManyTries,
  };
  return {
    calls: limits({ ...shared, name: "mailing list", perVisitor: { burst: 20, perMinute: 2 } }),
    messages: limits({
      ...shared,
      name: "mailing list messages",
      perVisitor: { burst: 8, perMinute: 0.2 },
    }),
  };
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
  if (email.success && name.success)
    return { email: email.output.toLowerCase(), name: name.output || null };
  const fields = Object.fromEntries(
    Object.entries({ email, name }).flatMap(([field, { issues }]) =>
      issues ? [[field, issues[0].message]] : [],
    ),
  );
  const [first = ""] = Object.values(fields);
  throw invalid(first, fields);
}

export type Subscription = Item<"emailSubscriptions">;

interface SubscriptionStore {
  readonly store: Store;
  readonly clock: Clock;
  readonly room: VisitorsRoom;
  readonly mailingList: ListMail;
}

/**
 * Adds an address, or makes it active again; there is one row per address. A full list refuses
 * known addresses too, so that the response tells nobody who is on it. Where the site has mail, nobody
 * changes the name of an active one by its address alone, and who complained of a letter gets none.
 */
export async function subscribe(
  { store, clock, room, mailingList: list }: SubscriptionStore,
  joining: Joining,
  visitor: Visitor,
): Promise<void> {
  const now = isoTime(clock);
  const { name, language } = store.of(entities.site).read().value;
  const fresh: Subscription = {
    ...NEVER_WRITTEN_TO,
    written: [],
    id: Bun.randomUUIDv7(),
    ...joining,
    status: list.confirms() ? "pending" : "active",
    source: "website",
    subscribedAt: now,
    ipAddress: visitor.address,
    userAgent: visitor.userAgent,
    consent: consentTo(wordsFor(language).words.mailingList, name),
    owed: list.confirms() ? "confirm" : list.greeting(),
    askedAt: now,
  };
  // As if it were new: what a known address would take less must not be seen.
  await room.take("emailSubscriptions", fresh, visitor);
  await store
    .of(entities.emailSubscriptions)
    .upsert(joining.email, (known) => joined(known, fresh, list.works()));
}

function joined(
  known: Subscription | undefined,
  fresh: Subscription,
  isGuarded: boolean,
): Subscription {
  if (!known) return fresh;
  // A copy, so that it is written as any other: the same one would cost no write, and that could be seen.
  if (known.unreachable === "complained") return { ...known };
  const name = fresh.name ?? known.name;
  if (known.status === "active") return isGuarded ? { ...known } : { ...known, name };
  const { id, written } = known;
  const unreachable = fresh.status === "pending" ? known.unreachable : null;
  return { ...fresh, id, name, written, unreachable };
}

/**
 * Takes an address off the list, or notes that it is owed the link that does; one that isn't on it costs
 * the same write, as the time would tell. Who was deleted by the owner and leaves is not put back as
 * somebody who wants letters.
 */
async function unsubscribe(
  { store, bin, clock, mailingList }: Omit<MailingListContext, "visitors" | "rateLimit">,
  email: string,
): Promise<void> {
  const { emailSubscriptions } = entities;
  const askedAt = isoTime(clock);
  const leave = (row: Subscription): Subscription => {
    if (!mailingList.works()) return { ...row, status: "unsubscribed", owed: null };
    return row.status === "active" ? { ...row, owed: "leave", askedAt } : row;
  };
  await store.transaction(async (transaction) => {
    await transaction.of(emailSubscriptions).updateUnique(email, leave);
    const left = (row: StoredItem) =>
      row["email"] === email && row["status"] !== "unsubscribed"
        ? { ...row, status: "unsubscribed" }
        : row;
    await bin.change(emailSubscriptions, left, transaction);
  });
}

const GRID_MS = 50;

/**
 * Runs `work`, and is done at the first tick after it of a clock that ticks every 50 ms since its start. When a tick
 * comes doesn't depend on the work: a sleep for what is left of the 50 ms would, since timers are whole
 * milliseconds, and tell by fractions of one how long it took. So small differences, such as the size of the file that an
 * address is in, can't be seen from outside.
 */
export async function inEqualTime<T>(work: () => Promise<T>): Promise<T> {
  let atTick: (() => void) | undefined;
  const ticks = setInterval(() => atTick?.(), GRID_MS);
  try {
    return await work();
  } finally {
    await new Promise<void>((resolve) => (atTick = resolve));
    clearInterval(ticks);
  }
}
