/**
 * What goes to somebody because their address was typed on the site: the link that confirms, the one that
 * leaves, a welcome. A visitor's call only notes in the subscription what is owed, in the one write that it
 * costs anyway, so that neither its time nor its response tells who is on the list; here it is written.
 */
import { entities, type Item } from "../../schema/index.ts";
import type { LettersContext } from "./context.ts";
import type { ListLinks } from "./links.ts";
import { confirmMessage, leaveMessage, type ListMessage, welcomeMessage } from "./listMessages.ts";
import { mailboxOf } from "../shared/mailbox.ts";
import { type GoesOn, siteJob } from "../shared/siteJob.ts";

type Subscription = Item<"emailSubscriptions">;
type Owed = NonNullable<Subscription["owed"]>;

export interface MailingListMail {
  /** True: who joins is pending until the button behind the link is pressed. */
  confirms(): boolean;
  /** True: leaving takes a link, so that nobody takes somebody else off the list. */
  works(): boolean;
  /** What somebody who is active from now on is owed. */
  greeting(): Owed | null;
  /** Looks now for what is owed. */
  wake(): void;
  stop(): Promise<void>;
}

const DAY = 24 * 60 * 60 * 1000;
/** How long a link to confirm works, and its subscription waits. */
export const CONFIRM_WITHIN = 7 * DAY;
const LOOK_EVERY = 60_000;
/** Messages in a day that one mailbox gets because somebody typed it, however it is written. */
const PER_MAILBOX = 3;
const MAILBOXES = 10_000;

export function mailingListMail(context: LettersContext, links: ListLinks): MailingListMail {
  const { store, clock, believed = clock, log, mail, framed } = context;
  const subscriptions = store.of(entities.emailSubscriptions);
  const settings = () => store.of(entities.letterSettings).read().value;
  const mailboxes = mailboxLimit(clock);
  // Without an address of the site's no message could have a link.
  const works = () => mail.sending() !== undefined && mail.stationery().siteUrl !== undefined;

  function messageOf(owed: Owed, { id }: Subscription): ListMessage {
    const site = mail.stationery();
    const whole = (path: string) => `${site.siteUrl}${path}`;
    if (owed === "confirm") return confirmMessage(site, whole(links.confirm(id, clock())));
    if (owed === "leave") return leaveMessage(site, whole(links.leave(id)));
    return welcomeMessage(site, settings().welcomeText, whole(links.leave(id)));
  }

  /** The message first: a kill after it finds that it was written. */
  async function write(subscription: Subscription): Promise<void> {
    const { id, email: to, owed, askedAt } = subscription;
    if (owed === null) return;
    const about = `${owed} ${id} ${askedAt}`;
    const now = clock();
    const lately = subscription.written.filter((at) => now - at < DAY);
    // A welcome follows a press in a message that was counted.
    const isAllowed = owed === "welcome" || (lately.length < PER_MAILBOX && mailboxes.take(to));
    if (isAllowed && !mail.outbox.knows(about, to)) {
      const { frame, ...message } = messageOf(owed, subscription);
      await mail.outbox.add({ kind: owed, to, about, ...message, ...framed(frame) });
    }
    await subscriptions.update(id, (row) => ({
      ...row,
      owed: row.owed === owed && row.askedAt === askedAt ? null : row.owed,
      written: isAllowed && owed !== "welcome" ? [...lately, now] : lately,
    }));
  }

  async function look(goesOn: GoesOn): Promise<void> {
    if (works()) {
      const { items } = await subscriptions.page({
        where: { owed: { not: null } },
        offset: 0,
        limit: AT_ONCE,
      });
      /* oxlint-disable no-await-in-loop -- each a write */
      for (const each of items) {
        if (!(await goesOn())) return;
        await write(each);
      }
      /* oxlint-enable no-await-in-loop */
      if (items.length === AT_ONCE) rounds.wake();
    }
    await forgetUnconfirmed();
  }

  /** Who did not press the button is removed; whose mailbox is known to be gone stays known. */
  async function forgetUnconfirmed(): Promise<void> {
    const before = new Date(believed() - CONFIRM_WITHIN).toISOString();
    const all = { status: "pending", owed: null, subscribedAt: { before } } as const;
    const isOver = { ...all, id: { noneOf: await askedLately(await subscriptions.keys(all)) } };
    await subscriptions.deleteWhere({ ...isOver, unreachable: null });
    await subscriptions.updateWhere(isOver, (row) => ({ ...row, status: "unsubscribed" }));
  }

  /** Of those who joined while mail stood still: their links work as long as everybody's. */
  async function askedLately(keys: readonly { readonly id: string }[]): Promise<Set<string>> {
    const lately = new Set<string>();
    for (const { id } of keys) {
      const [at = 0] = (await subscriptions.get(id))?.written.slice(-1) ?? []; // oxlint-disable-line no-await-in-loop -- once each, mostly
      if (clock() - at < CONFIRM_WITHIN) lately.add(id);
    }
    return lately;
  }

  const rounds = siteJob({
    instances: store.instances,
    name: "mailing list",
    every: LOOK_EVERY,
    round: look,
    failed: () => log(NOT_WRITTEN),
  });
  rounds.wake();
  return {
    works,
    confirms: () => works() && settings().doubleOptIn,
    greeting: () => (works() && settings().welcome ? "welcome" : null),
    wake: rounds.wake,
    stop: rounds.stop,
  };
}

const AT_ONCE = 20;
const NOT_WRITTEN =
  "Messages to subscribers couldn't be written. Limelight will try again in a minute.";

/** Counts per mailbox: ann+1@example.com and a.nn@gmail.com are one with ann. */
function mailboxLimit(clock: () => number) {
  const kept = new Map<string, number[]>();
  return {
    take(address: string): boolean {
      const key = mailboxOf(address);
      const lately = (kept.get(key) ?? []).filter((at) => clock() - at < DAY);
      kept.delete(key);
      if (kept.size >= MAILBOXES) kept.delete(kept.keys().next().value!);
      const isFree = lately.length < PER_MAILBOX;
      kept.set(key, isFree ? [...lately, clock()] : lately);
      return isFree;
    },
  };
}
