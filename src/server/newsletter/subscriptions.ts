/** The mailing list's public routes: join and leave, with the same response for known and unknown addresses. */
import { Elysia } from "elysia";
import * as v from "valibot";
import { consentText } from "../../schema/enquiry/consent.ts";
import { removeInvisibleIn } from "../../schema/core/invisibleCharacters.ts";
import type { StoredItem } from "../../schema/entities/entity.ts";
import { entities, type Item } from "../../schema/index.ts";
import { VISITOR_REFUSALS } from "../../schema/core/refusals.ts";
import { emailSubscriptions, NEW_SUBSCRIPTION_FIELDS } from "../../schema/enquiry/visitors.ts";
import { getWords } from "../../web/words/all.ts";
import { type BodyFields, isObject, MAX_PUBLIC_JSON_BYTES, readJson } from "../http/body.ts";
import type { RateLimits } from "../http/rateLimits.ts";
import type { Visitor, VisitorPlugin } from "../http/visitor.ts";
import { type Clock, isoTime } from "../shared/clock.ts";
import { invalidInput } from "../shared/errors.ts";
import type { Bin } from "../bin/bin.ts";
import type { Store } from "../storage/store.ts";
import { createReserve } from "../visitors/enquiryRateLimits.ts";
import type { MailingListMail } from "./mailingListMail.ts";
import type { VisitorQuota } from "../visitors/visitorQuota.ts";

interface MailingListContext {
  readonly store: Store;
  readonly bin: Bin;
  readonly clock: Clock;
  readonly visitors: VisitorPlugin;
  readonly rateLimit: RateLimits;
  readonly room: VisitorQuota;
  readonly mailingList: ListMail;
}

/** The messages to subscribers, where the site sends mail. */
export type ListMail = Pick<
  MailingListMail,
  "isDoubleOptIn" | "canMailLinks" | "dueWelcomeMessage" | "checkNow"
>;

/**
 * POST /api/email-subscriptions `{email, name?}`: 201 `{status}`; POST …/unsubscribe: 200 `{status}`. Both accept
 * `website` (honeypot): if filled in, the response is the same and nothing changes.
 */
export function mailingListRoutes({ visitors, rateLimit, ...to }: MailingListContext) {
  const limits = createMailingListLimits(rateLimit);
  const list = to.mailingList;
  const wakeLater = createDelayedWake(list.checkNow);
  /** The body, read once the call is counted; one that may send a message is counted again. */
  const subscribeVisitor = async (request: Request, visitor: Visitor) => {
    limits.calls.consume(visitor);
    const body = await readBody(request);
    if (list.canMailLinks()) limits.messages.consume(visitor);
    return body;
  };
  return new Elysia({ name: "mailing-list" })
    .use(visitors)
    .post(
      "/api/email-subscriptions",
      async ({ request, visitor, status }) => {
        const body = await subscribeVisitor(request, visitor);
        to.room.assertOpen();
        const joining = readSubscriptionInput(body);
        await runInEqualTime(async () => {
          if (!body.website) await subscribe(to, joining, visitor);
        });
        wakeLater();
        return status(201, { status: list.isDoubleOptIn() ? "pending" : "active" });
      },
      { parse: "none" },
    )
    .post(
      "/api/email-subscriptions/unsubscribe",
      async ({ request, visitor }) => {
        const body = await subscribeVisitor(request, visitor);
        const { email } = readSubscriptionInput(body);
        await runInEqualTime(async () => {
          if (!body.website) await unsubscribe(to, email);
        });
        wakeLater();
        return { status: "unsubscribed" };
      },
      { parse: "none" },
    );
}

/** The delay after a response in milliseconds, and the range of its random part. */
const SEND_DELAY_MS = { after: 250, within: 750 } as const;

/**
 * Messages are sent with a random delay after the response, so that no response, neither this one nor the next,
 * takes longer for a known address. A kill before that loses nothing.
 */
function createDelayedWake(wake: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return () => {
    timer ??= setTimeout(
      () => {
        timer = undefined;
        wake();
      },
      SEND_DELAY_MS.after + SEND_DELAY_MS.within * Math.random(),
    ).unref();
  };
}

/**
 * Per visitor a burst of 20 calls, then two a minute; for the whole site 300, then one a second. If calls may
 * send a message, 8 at once, then one every five minutes.
 */
function createMailingListLimits(limits: RateLimits) {
  const shared = {
    wholeSite: { burst: 300, perMinute: 60 },
    reserve: createReserve(2),
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

async function readBody(request: Request): Promise<BodyFields> {
  const body = removeInvisibleIn(await readJson(request, MAX_PUBLIC_JSON_BYTES));
  if (isObject(body)) return body;
  throw invalidInput("Send the fields as a JSON object.");
}

/** A visitor's input (specification, section 7.2), trimmed, the address in lower case. */
interface SubscriptionInput {
  readonly email: string;
  readonly name: string | null;
}

/** Reads a visitor's body. Throws a 422 with a message for each field. */
function readSubscriptionInput(body: Readonly<Record<string, unknown>>): SubscriptionInput {
  const email = v.safeParse(emailSubscriptions.fields.email.schema, body.email ?? "");
  const name = v.safeParse(emailSubscriptions.fields.name.schema, body.name ?? null);
  if (email.success && name.success)
    return { email: email.output.toLowerCase(), name: name.output || null };
  const fields = Object.fromEntries(
    Object.entries({ email, name }).flatMap(([field, { issues }]) =>
      issues ? [[field, issues[0].message]] : [],
    ),
  );
  const [first = ""] = Object.values(fields);
  throw invalidInput(first, fields);
}

export type Subscription = Item<"emailSubscriptions">;

interface SubscriptionStore {
  readonly store: Store;
  readonly clock: Clock;
  readonly room: VisitorQuota;
  readonly mailingList: ListMail;
}

/**
 * Adds an address or reactivates it; there is one row per address. A full list refuses known addresses too, so that
 * the response reveals nobody. Where the site sends mail, nobody can change an active subscriber's name just by
 * knowing the address, and nobody who complained about a letter gets one.
 */
export async function subscribe(
  { store, clock, room, mailingList: list }: SubscriptionStore,
  joining: SubscriptionInput,
  visitor: Visitor,
): Promise<void> {
  const now = isoTime(clock);
  const { name, language } = store.of(entities.site).read().value;
  const fresh: Subscription = {
    ...NEW_SUBSCRIPTION_FIELDS,
    written: [],
    id: Bun.randomUUIDv7(),
    ...joining,
    status: list.isDoubleOptIn() ? "pending" : "active",
    source: "website",
    subscribedAt: now,
    ipAddress: visitor.address,
    userAgent: visitor.userAgent,
    consent: consentText(getWords(language).words.mailingList, name),
    owed: list.isDoubleOptIn() ? "confirm" : list.dueWelcomeMessage(),
    askedAt: now,
  };
  // Counted as new: a smaller amount for a known address would be noticeable.
  await room.consume("emailSubscriptions", fresh, visitor);
  await store
    .of(entities.emailSubscriptions)
    .upsert(joining.email, (existing) => createJoinedRecord(existing, fresh, list.canMailLinks()));
}

function createJoinedRecord(
  existing: Subscription | undefined,
  fresh: Subscription,
  isGuarded: boolean,
): Subscription {
  if (!existing) return fresh;
  // A copy, because the same object would cause no write, which would be noticeable.
  if (existing.unreachable === "complained") return { ...existing };
  const name = fresh.name ?? existing.name;
  if (existing.status === "active") return isGuarded ? { ...existing } : { ...existing, name };
  const { id, written } = existing;
  const unreachable = fresh.status === "pending" ? existing.unreachable : null;
  return { ...fresh, id, name, written, unreachable };
}

/**
 * Unsubscribes an address, or marks it as due the link that does; an unknown one costs the same write, since the time
 * would reveal it. Somebody in the bin who unsubscribes is restored, if at all, as unsubscribed.
 */
async function unsubscribe(
  { store, bin, clock, mailingList }: Omit<MailingListContext, "visitors" | "rateLimit">,
  email: string,
): Promise<void> {
  const { emailSubscriptions } = entities;
  const requestedAt = isoTime(clock);
  const leave = (row: Subscription): Subscription => {
    if (!mailingList.canMailLinks()) return { ...row, status: "unsubscribed", owed: null };
    return row.status === "active" ? { ...row, owed: "leave", askedAt: requestedAt } : row;
  };
  await store.transaction(async (transaction) => {
    await transaction.of(emailSubscriptions).updateUnique(email, leave);
    const hasUnsubscribed = (row: StoredItem) =>
      row["email"] === email && row["status"] !== "unsubscribed"
        ? { ...row, status: "unsubscribed" }
        : row;
    await bin.changeItems(emailSubscriptions, hasUnsubscribed, transaction);
  });
}

const RESPONSE_GRID_MS = 50;

/**
 * Runs `work` and resolves at the next tick of a 50 ms clock that started with it. Sleeping for the rest of the 50 ms
 * would reveal fractions of a millisecond, since timers are in whole ones. This hides small differences, such as the
 * size of the file that an address is in.
 */
export async function runInEqualTime<T>(work: () => Promise<T>): Promise<T> {
  let atTick: (() => void) | undefined;
  const ticks = setInterval(() => atTick?.(), RESPONSE_GRID_MS);
  try {
    return await work();
  } finally {
    await new Promise<void>((resolve) => (atTick = resolve));
    clearInterval(ticks);
  }
}
