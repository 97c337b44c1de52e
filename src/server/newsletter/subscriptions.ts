/** The public routes to subscribe and to unsubscribe. They respond in the same way to known and unknown addresses. */
import { Elysia } from "elysia";
import * as v from "valibot";
import { createConsentText } from "../../schema/enquiry/consent.ts";
import { removeInvisibleIn } from "../../schema/core/invisibleCharacters.ts";
import { getInitialValues } from "../../schema/entities/check.ts";
import type { StoredItem } from "../../schema/entities/entity.ts";
import { entities, type Item } from "../../schema/index.ts";
import { VISITOR_REFUSALS } from "../../schema/core/refusals.ts";
import { emailSubscriptions } from "../../schema/enquiry/visitors.ts";
import { getWords } from "../../web/words/allWords.ts";
import { type BodyFields, isObject, MAX_PUBLIC_JSON_BYTES, readJson } from "../http/body.ts";
import type { CreateRateLimit } from "../http/rateLimits.ts";
import type { Visitor, VisitorPlugin } from "../http/visitor.ts";
import { type Clock, getTimestamp } from "../shared/clock.ts";
import { invalidInput } from "../shared/errors.ts";
import type { Bin } from "../bin/bin.ts";
import type { Store, Transaction } from "../storage/store.ts";
import { createReserve } from "../visitors/enquiryRateLimits.ts";
import type { MailingListMail } from "./mailingListMail.ts";
import type { VisitorQuota } from "../visitors/visitorQuota.ts";

interface MailingListContext {
  readonly store: Store;
  readonly bin: Bin;
  readonly clock: Clock;
  readonly visitorPlugin: VisitorPlugin;
  readonly createRateLimit: CreateRateLimit;
  readonly visitorQuota: VisitorQuota;
  readonly mailingList: SubscriptionMail;
}

export type SubscriptionMail = Pick<
  MailingListMail,
  "isDoubleOptIn" | "canMailLinks" | "findDueWelcome" | "checkNow"
>;

/**
 * POST `/api/email-subscriptions {email, name?}` and `…/unsubscribe`. If the honeypot `website` is filled in, nothing
 * changes, but the response is the same.
 */
export function createMailingListRoutes({
  visitorPlugin,
  createRateLimit,
  ...context
}: MailingListContext) {
  const limits = createMailingListLimits(createRateLimit);
  const mailingList = context.mailingList;
  const sendLater = createDelayedCall(mailingList.checkNow);
  /** Counts a request, and reads its body. Requests that may send a message have an additional limit. */
  const readLimitedBody = async (request: Request, visitor: Visitor) => {
    limits.calls.consume(visitor);
    const body = await readBody(request);
    if (mailingList.canMailLinks()) limits.messages.consume(visitor);
    return body;
  };
  return new Elysia({ name: "mailing-list" })
    .use(visitorPlugin)
    .post(
      "/api/email-subscriptions",
      async ({ request, visitor, status }) => {
        const body = await readLimitedBody(request, visitor);
        context.visitorQuota.assertOpen();
        const input = readSubscriptionInput(body);
        await runWithRoundedDuration(async () => {
          if (!body.website) await subscribe(context, input, visitor);
        });
        sendLater();
        return status(201, { status: mailingList.isDoubleOptIn() ? "pending" : "active" });
      },
      { parse: "none" },
    )
    .post(
      "/api/email-subscriptions/unsubscribe",
      async ({ request, visitor }) => {
        const body = await readLimitedBody(request, visitor);
        const { email } = readSubscriptionInput(body);
        await runWithRoundedDuration(async () => {
          if (!body.website) await unsubscribe(context, email);
        });
        sendLater();
        return { status: "unsubscribed" };
      },
      { parse: "none" },
    );
}

/** The minimum and maximum delay between a response and its message. */
const SEND_DELAYS_MS = { min: 250, max: 1000 } as const;

/**
 * Returns a function that calls `send` after a random delay. Without the delay, the next response would take longer if
 * a message is due. A crash during the delay loses no message, since `owed` is stored.
 */
function createDelayedCall(send: () => void): () => void {
  const { min, max } = SEND_DELAYS_MS;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const run = () => {
    timer = undefined;
    send();
  };
  return () => {
    timer ??= setTimeout(run, min + (max - min) * Math.random()).unref();
  };
}

function createMailingListLimits(createRateLimit: CreateRateLimit) {
  const sharedOptions = {
    wholeSite: { burst: 300, perMinute: 60 },
    reserve: createReserve(2),
    message: VISITOR_REFUSALS.tooManyTries,
  };
  return {
    calls: createRateLimit({
      ...sharedOptions,
      name: "mailing list",
      perVisitor: { burst: 20, perMinute: 2 },
    }),
    messages: createRateLimit({
      ...sharedOptions,
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

/** Checked input (specification, section 7.2): trimmed, and with the address in lower case. */
interface SubscriptionInput {
  readonly email: string;
  readonly name: string | null;
}

/** Throws a 422 with a message for each invalid field. */
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
  const [firstMessage = ""] = Object.values(fields);
  throw invalidInput(firstMessage, fields);
}

export type Subscription = Item<"emailSubscriptions">;

/**
 * Adds or reactivates an address. A full list refuses known addresses as well, so that the response reveals nobody. If
 * the site sends mail, typing a subscriber's address doesn't change their name. Somebody who complained about a letter
 * isn't subscribed again.
 */
export async function subscribe(
  {
    store,
    clock,
    visitorQuota,
    mailingList,
  }: Pick<MailingListContext, "store" | "clock" | "visitorQuota" | "mailingList">,
  input: SubscriptionInput,
  visitor: Visitor,
): Promise<void> {
  const now = getTimestamp(clock);
  const { name, language } = store.of(entities.site).read().value;
  const newSubscription: Subscription = {
    ...getInitialValues(emailSubscriptions.fields),
    id: Bun.randomUUIDv7(),
    ...input,
    status: mailingList.isDoubleOptIn() ? "pending" : "active",
    source: "website",
    subscribedAt: now,
    ipAddress: visitor.address,
    userAgent: visitor.userAgent,
    consent: createConsentText(getWords(language).words.mailingList, name),
    owed: mailingList.isDoubleOptIn() ? "confirm" : mailingList.findDueWelcome(),
    askedAt: now,
  };
  // Counts a known address like a new one. Otherwise the quota would be used up later, which would reveal the address.
  await visitorQuota.consume("emailSubscriptions", newSubscription, visitor);
  await store
    .of(entities.emailSubscriptions)
    .upsert(input.email, (existing) =>
      mergeSubscription(existing, newSubscription, mailingList.canMailLinks()),
    );
}

function mergeSubscription(
  existing: Subscription | undefined,
  newSubscription: Subscription,
  canMailLinks: boolean,
): Subscription {
  if (!existing) return newSubscription;
  // Returns a copy, so that the row is written: skipping the write would be noticeably faster.
  if (existing.unreachable === "complained") return { ...existing };
  const name = newSubscription.name ?? existing.name;
  if (existing.status === "active") return canMailLinks ? { ...existing } : { ...existing, name };
  const unreachable = newSubscription.status === "pending" ? existing.unreachable : null;
  return { ...newSubscription, id: existing.id, name, unreachable };
}

/**
 * Unsubscribes an address; if the site can mail links, only records that the link is due. An unknown address causes the
 * same write, since a shorter duration would reveal that it is unknown.
 */
async function unsubscribe(
  { store, bin, clock, mailingList }: Omit<MailingListContext, "visitorPlugin" | "createRateLimit">,
  email: string,
): Promise<void> {
  const requestedAt = getTimestamp(clock);
  const markUnsubscribed = (row: Subscription): Subscription => {
    if (!mailingList.canMailLinks()) return { ...row, status: "unsubscribed", owed: null };
    return row.status === "active" ? { ...row, owed: "leave", askedAt: requestedAt } : row;
  };
  await store.transaction(async (transaction) => {
    await transaction.of(entities.emailSubscriptions).updateUnique(email, markUnsubscribed);
    await unsubscribeInBin(bin, (row) => row["email"] === email, transaction);
  });
}

/** Marks people in the bin as unsubscribed, so that a restore doesn't subscribe them again. */
export const unsubscribeInBin = (
  bin: Bin,
  matches: (row: StoredItem) => boolean,
  transaction: Transaction,
): Promise<unknown> =>
  bin.changeItems(
    entities.emailSubscriptions,
    (row) =>
      matches(row) && row["status"] !== "unsubscribed" ? { ...row, status: "unsubscribed" } : row,
    transaction,
  );

const RESPONSE_TIME_STEP_MS = 50;

/**
 * Runs `work`, and resolves at a multiple of 50 ms, which hides small differences in duration. Uses an interval: timers
 * count whole milliseconds, so a sleep for the rest of the 50 ms would reveal a fraction.
 */
export async function runWithRoundedDuration<T>(work: () => Promise<T>): Promise<T> {
  let onTick: (() => void) | undefined;
  const timer = setInterval(() => onTick?.(), RESPONSE_TIME_STEP_MS);
  try {
    return await work();
  } finally {
    await new Promise<void>((resolve) => (onTick = resolve));
    clearInterval(timer);
  }
}
