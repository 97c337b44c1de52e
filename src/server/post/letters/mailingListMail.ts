/**
 * What goes to somebody because their address was typed on the site: the link that confirms, the one that
 * leaves, a welcome. A visitor's call only notes in the subscription what is owed, in the one write that it
 * costs anyway, so that neither its time nor its response tells who is on the list; here it is written.
 */
import { entities, type Item } from "../../../schema/index.ts";
import { framed } from "../messages/frame.tsx";
import type { NewMessage } from "../queue/outbox.ts";
import type { LettersContext } from "./context.ts";
import type { ListLinks } from "./links.ts";
import { confirmMessage, leaveMessage, type ListMessage, welcomeMessage } from "./listMessages.ts";
import type { NoticeSource } from "../../shared/notice.ts";
import { type GoesOn, siteJob } from "../../shared/siteJob.ts";
import type { Transaction } from "../../storage/store.ts";
import { type Owing, type Plan, planned } from "./typedMail.ts";
import { DAY, MINUTE } from "../../shared/time.ts";

type Subscription = Item<"emailSubscriptions">;
type DueMessage = NonNullable<Subscription["owed"]>;

export interface MailingListMail {
  /** True: who joins is pending until the button behind the link is pressed. */
  confirms(): boolean;
  /** True: leaving takes a link, so that nobody takes somebody else off the list. */
  works(): boolean;
  /** What somebody who is active from now on is owed. */
  greeting(): DueMessage | null;
  /** Looks now for what is owed. */
  wake(): void;
  /** Whether so many join that some wait for their message. */
  readonly notices: NoticeSource;
  stop(): Promise<void>;
}

/** How long a link to confirm works, and its subscription waits. */
export const CONFIRM_WITHIN = 7 * DAY;
const LOOK_EVERY = MINUTE;
export function mailingListMail(context: LettersContext, links: ListLinks): MailingListMail {
  const { store, clock, trustedClock = clock, log, mail } = context;
  const subscriptions = store.of(entities.emailSubscriptions);
  const settings = () => store.of(entities.letterSettings).read().value;
  let waiting = 0;
  // Without an address of the site's no message could have a link.
  const works = () => mail.sending() !== undefined && mail.stationery().siteUrl !== undefined;

  function messageOf(owed: DueMessage, { id }: Subscription): ListMessage {
    const site = mail.stationery();
    const whole = (path: string) => `${site.siteUrl}${path}`;
    if (owed === "confirm") return confirmMessage(site, whole(links.confirm(id, clock())));
    if (owed === "leave") return leaveMessage(site, whole(links.leave(id)));
    return welcomeMessage(site, settings().welcomeText, whole(links.leave(id)));
  }

  /** The message, and that it isn't owed any more, at once. */
  async function write(subscription: Subscription): Promise<void> {
    const { id, email: to, owed, askedAt } = subscription;
    if (owed === null) return;
    const about = `${owed} ${id} ${askedAt}`;
    const messages: NewMessage[] = [];
    // Of an earlier release a kill may have left it written and still owed.
    if (!mail.outbox.knows(about, to)) {
      const { frame, ...message } = messageOf(owed, subscription);
      messages.push({ kind: owed, to, about, ...message, ...framed(frame) });
    }
    // Who was erased meanwhile is not written to.
    await mail.outbox.addWith(async (transaction) =>
      (await settled(transaction, subscription, clock())) ? messages : [],
    );
  }

  const letGo = (subscription: Subscription) =>
    store.transaction((transaction) => settled(transaction, subscription));

  /** Nothing is owed any more. `at`: when it was written; without it nothing was. Returns whether the subscription is there. */
  async function settled(
    transaction: Transaction,
    { id, owed, askedAt }: Subscription,
    at?: number,
  ): Promise<boolean> {
    const there = await transaction.of(entities.emailSubscriptions).update(id, (row) => ({
      ...row,
      owed: row.owed === owed && row.askedAt === askedAt ? null : row.owed,
      written: [
        ...row.written.filter((each) => clock() - each < DAY),
        ...(at === undefined || owed === "welcome" ? [] : [at]),
      ],
    }));
    return there !== undefined;
  }

  /** A welcome follows a press in a message that was counted, where who joins is asked to confirm. */
  const isTyped = ({ owed }: Pick<Owing, "owed">) => owed !== "welcome" || !settings().doubleOptIn;

  async function plan(): Promise<Plan> {
    const owing = await subscriptions.keys({ owed: { not: null } });
    const kinds = (["confirm", "leave", "welcome"] as const).filter((owed) => isTyped({ owed }));
    const createdAt = { from: new Date(clock() - DAY).toISOString() };
    const written = await store
      .of(entities.outbox)
      .keys(kinds.map((kind) => ({ kind, createdAt })));
    const { due, ...others } = planned(
      owing.filter(isTyped),
      written.map(({ kind, to, createdAt: at }) => ({ kind, to, at: Date.parse(at ?? "") })),
      clock(),
    );
    waiting = others.waiting.length;
    return { ...others, due: [...owing.filter((each) => !isTyped(each)), ...due] };
  }

  async function look(goesOn: GoesOn): Promise<void> {
    if (works()) {
      const { due, dropped } = await plan();
      const steps = [
        ...due.map(({ id }) => ({ id, deal: write })),
        ...dropped.map(({ id }) => ({ id, deal: letGo })),
      ];
      /* oxlint-disable no-await-in-loop -- each a write */
      for (const { id, deal } of steps.slice(0, AT_ONCE)) {
        if (!(await goesOn())) return;
        const subscription = await subscriptions.get(id);
        if (subscription) await deal(subscription);
      }
      /* oxlint-enable no-await-in-loop */
      if (steps.length > AT_ONCE) rounds.wake();
    }
    await forgetUnconfirmed();
  }

  /** Who did not press the button is removed; whose mailbox is known to be gone stays known. */
  async function forgetUnconfirmed(): Promise<void> {
    const before = new Date(trustedClock() - CONFIRM_WITHIN).toISOString();
    const all = { status: "pending", owed: null, subscribedAt: { before } } as const;
    const isOver = { ...all, id: { noneOf: await askedLately(await subscriptions.keys(all)) } };
    const forgotten = await subscriptions.deleteWhere({ ...isOver, unreachable: null });
    if (forgotten > 0) await store.writeDown();
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
    elsewhere: async () => void (works() && (await plan())),
  });
  rounds.wake();
  return {
    works,
    confirms: () => works() && settings().doubleOptIn,
    greeting: () => (works() && settings().welcome ? "welcome" : null),
    wake: rounds.wake,
    notices: () => (waiting === 0 ? [] : [CROWD]),
    stop: rounds.stop,
  };
}

const AT_ONCE = 20;
const NOT_WRITTEN =
  "Messages to subscribers couldn't be written. Limelight will try again in a minute.";

const CROWD = {
  code: "mailing_list_crowd",
  title: "Many join the mailing list at once",
  message:
    "Some wait for their message about the mailing list, since only so many go out in an hour and in a day. It goes out by itself, a little later. If you have announced nothing, somebody may be typing in other people's addresses.",
};
