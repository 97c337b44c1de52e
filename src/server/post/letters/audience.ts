/** To whom a letter goes. */
import { entities, type Item } from "../../../schema/index.ts";
import type { Audience } from "../../../schema/letters.ts";
import type { GoesOn } from "../../shared/siteJob.ts";
import type { Store } from "../../storage/store.ts";

type Key = Pick<Item<"emailSubscriptions">, "id" | "email">;

/** Who is active, can be reached and is meant, oldest first; from memory. */
export async function audienceOf(store: Store, audience: Audience): Promise<readonly Key[]> {
  return store.of(entities.emailSubscriptions).keys({ ...REACHED, ...meant(audience) });
}

/** Who can get a letter. */
export const REACHED = { status: "active", unreachable: null } as const;

function meant(audience: Audience) {
  switch (audience.kind) {
    case "all":
      return {};
    case "source":
      return { source: audience.source };
    case "since":
      return { subscribedAt: { from: audience.since } };
  }
}

/** More in one write would hold up a page for longer. */
const AT_ONCE = 100;
const FRESH = { state: "waiting", attempts: 0, nextAt: 0, problem: null, said: null } as const;

/**
 * Stores to whom a letter goes, in the order in which it goes there, in place of an earlier try. Returns how
 * many; undefined when it is to end before.
 */
export async function storeRecipients(
  store: Store,
  letterId: string,
  audience: Audience,
  now: number,
  goesOn: GoesOn,
): Promise<number | undefined> {
  const recipients = store.of(entities.letterRecipients);
  await recipients.deleteWhere({ letterId });
  const people = await audienceOf(store, audience);
  for (let at = 0; at < people.length; at += AT_ONCE) {
    /* oxlint-disable no-await-in-loop -- so many share a write */
    if (!(await goesOn())) return undefined;
    await Promise.all(
      people.slice(at, at + AT_ONCE).map((person, n) =>
        recipients.insert({
          ...FRESH,
          // A millisecond each, so that ids have the list's order.
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
