/** Finds and stores the recipients of a letter. */
import { getInitialValues } from "../../schema/entities/check.ts";
import { entities } from "../../schema/index.ts";
import type { Audience } from "../../schema/people/letters.ts";
import type { ShouldContinue } from "../shared/periodicJob.ts";
import { getSiteTimeZone } from "../shared/siteZone.ts";
import type { Store } from "../storage/store.ts";

/** Returns the active, reachable subscribers of an audience, in the order in which they subscribed. */
export const findAudience = (store: Store, audience: Audience) =>
  store.of(entities.emailSubscriptions).readKeys({
    ...REACHABLE_SUBSCRIBER_FILTER,
    ...createAudienceFilter(audience, getSiteTimeZone(store)),
  });

export const REACHABLE_SUBSCRIBER_FILTER = { status: "active", unreachable: null } as const;

function createAudienceFilter(audience: Audience, zone: string) {
  switch (audience.kind) {
    case "all":
      return {};
    case "source":
      return { source: audience.source };
    case "since":
      return { subscribedAt: { from: getStartOfDay(audience.since, zone) } };
  }
}

/** Returns a day's start in a time zone, in the format of stored timestamps. */
function getStartOfDay(day: string, zone: string): string {
  const { epochMilliseconds } = Temporal.PlainDate.from(day).toZonedDateTime(zone);
  return new Date(epochMilliseconds).toISOString();
}

/** The number of recipients stored in one write. Larger writes would delay page requests. */
const BATCH_SIZE = 100;

/** Stores a letter's recipients in the order of sending. Returns undefined if `shouldContinue` returned false. */
export async function storeRecipients(
  store: Store,
  letterId: string,
  audience: Audience,
  now: number,
  shouldContinue: ShouldContinue,
): Promise<number | undefined> {
  const recipients = store.of(entities.letterRecipients);
  await recipients.deleteWhere({ letterId });
  const subscribers = await findAudience(store, audience);
  for (let offset = 0; offset < subscribers.length; offset += BATCH_SIZE) {
    /* oxlint-disable no-await-in-loop -- a batch shares one write */
    if (!(await shouldContinue())) return undefined;
    await Promise.all(
      subscribers.slice(offset, offset + BATCH_SIZE).map((subscriber, index) =>
        recipients.insert({
          ...getInitialValues(entities.letterRecipients.fields),
          // The times in the ids increase, so that ids sort in the order of sending.
          id: Bun.randomUUIDv7("hex", now + offset + index),
          letterId,
          subscriptionId: subscriber.id,
          to: subscriber.email,
        }),
      ),
    );
    /* oxlint-enable no-await-in-loop */
  }
  return subscribers.length;
}
