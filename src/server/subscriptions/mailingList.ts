/** The mailing list: who is on it, by address in lower case (design.md section 5). */
import * as v from "valibot";
import type { Item } from "../../schema/index.ts";
import { emailSubscriptions } from "../../schema/subscriptions.ts";
import { type Clock, isoTime } from "../http/clock.ts";
import { invalid, tooManyRequests } from "../http/refusal.ts";
import type { Visitor } from "../http/visitor.ts";
import type { Records, Store } from "../storage/store.ts";

/** A stored subscription. */
export type Subscription = Item<"emailSubscriptions">;

/** What is known of a subscription without reading its file. */
export type SubscriptionKey = Pick<Subscription, "id" | "email" | "status" | "subscribedAt">;

/** What a visitor sends (spec section 3), trimmed, the address in lower case. */
export interface Joining {
  readonly email: string;
  readonly name: string | null;
}

/** No more are stored than this (security.md, a cap). */
const MOST_SUBSCRIPTIONS = 200_000;
const TRY_AGAIN_SECONDS = 3600;
const FULL = "No more subscriptions can be taken at the moment. Please try again later.";

/** Where subscriptions go, and when it is. */
export interface SubscriptionStore {
  readonly store: Store;
  readonly clock: Clock;
}

/** All subscriptions. */
export function subscriptionRecords(store: Store): Records<Subscription, SubscriptionKey> {
  return store.records<Subscription, SubscriptionKey>("email-subscriptions");
}

/** Reads a visitor's body; raises a Refusal with the words for each field. */
export function readJoining(body: Readonly<Record<string, unknown>>): Joining {
  const email = v.safeParse(emailSubscriptions.fields.email.schema, body.email ?? "");
  const name = v.safeParse(emailSubscriptions.fields.name.schema, body.name ?? null);
  const fields: Record<string, string> = {};
  if (!email.success) fields.email = email.issues[0].message;
  if (!name.success) fields.name = name.issues[0].message;
  if (!email.success || !name.success) throw invalid(Object.values(fields)[0]!, fields);
  return { email: email.output.toLowerCase(), name: name.output || null };
}

/**
 * Puts an address on the list, or makes it active again; twice is one row. Refuses when the list is
 * full, known or not, so that the answer tells nobody who is on it.
 */
export async function subscribe(
  { store, clock }: SubscriptionStore,
  joining: Joining,
  visitor: Visitor,
): Promise<void> {
  const records = subscriptionRecords(store);
  if (records.count() >= MOST_SUBSCRIPTIONS) throw tooManyRequests(FULL, TRY_AGAIN_SECONDS);
  await records.upsert(joining.email, (known) =>
    known?.status === "active"
      ? { ...known, name: joining.name ?? known.name }
      : joined(known, joining, visitor, isoTime(clock)),
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

/** Takes an address off the list; does nothing for one that isn't on it. */
export async function unsubscribe(store: Store, email: string): Promise<void> {
  const records = subscriptionRecords(store);
  const known = await records.findUnique(email);
  if (known) await records.update(known.id, (row) => ({ ...row, status: "unsubscribed" }));
}
