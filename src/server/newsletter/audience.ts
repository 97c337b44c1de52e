/** The recipients of a letter. */
import { entities, type Item } from "../../schema/index.ts";
import type { Audience } from "../../schema/people/letters.ts";
import type { ShouldContinue } from "../shared/periodicJob.ts";
import { getStoreTimeZone } from "../shared/siteZone.ts";
import type { Store } from "../storage/store.ts";

type SubscriptionKey = Pick<Item<"emailSubscriptions">, "id" | "email">;

/** Active, reachable subscribers in the audience, oldest first. */
export async function findAudience(
  store: Store,
  audience: Audience,
): Promise<readonly SubscriptionKey[]> {
  return store.of(entities.emailSubscriptions).keys({
    ...REACHABLE_SUBSCRIBERS,
    ...createAudienceFilter(audience, getStoreTimeZone(store)),
  });
}

/** Subscribers who can get letters. */
export const REACHABLE_SUBSCRIBERS = { status: "active", unreachable: null } as const;

function createAudienceFilter(audience: Audience, zone: string) {
  switch (audience.kind) {
    case "all":
      return {};
    case "source":
      return { source: audience.source };
    case "since":
      return { subscribedAt: { from: startOfDay(audience.since, zone) } };
  }
}

/** When a day begins in a zone, as stored times are written. */
function startOfDay(day: string, zone: string): string {
  const { epochMilliseconds } = Temporal.PlainDate.from(day).toZonedDateTime(zone);
  return new Date(epochMilliseconds).toISOString();
}

/** Larger writes would delay page requests. */
const BATCH_SIZE = 100;
const NEW_RECIPIENT_STATE = {
  state: "waiting",
  attempts: 0,
  nextAt: 0,
  problem: null,
  said: null,
} as const;

/**
 * Stores a letter's recipients in sending order, replacing those of an earlier try. Returns how many; undefined if it
 * must stop early.
 */
export async function storeRecipients(
  store: Store,
  letterId: string,
  audience: Audience,
  now: number,
  shouldContinue: ShouldContinue,
): Promise<number | undefined> {
  const recipients = store.of(entities.letterRecipients);
  await recipients.deleteWhere({ letterId });
  const people = await findAudience(store, audience);
  for (let at = 0; at < people.length; at += BATCH_SIZE) {
    /* oxlint-disable no-await-in-loop -- a batch shares one write */
    if (!(await shouldContinue())) return undefined;
    await Promise.all(
      people.slice(at, at + BATCH_SIZE).map((person, n) =>
        recipients.insert({
          ...NEW_RECIPIENT_STATE,
          // A millisecond apart, so that ids sort in the list's order.
          id: Bun.randomUUIDv7("hex", now + at + n),
          letterId,
          subscriptionId: person.id,
          to: person.email,
        }),
      ),
    );
    /* oxlint-enable no-await-in-loop */
  }
  return people.length;
}
