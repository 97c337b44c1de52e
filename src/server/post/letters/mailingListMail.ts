/**
 * Messages sent because an address was typed on the site: the links to confirm and to leave, a welcome. A visitor's
 * request only records what is owed, in the one write it makes anyway, so that neither its timing nor its response
 * reveals who is on the list; the message is written here.
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
import { type DueSubscription, type Plan, planned } from "./typedMail.ts";
import { DAY, MINUTE } from "../../shared/time.ts";

type Subscription = Item<"emailSubscriptions">;
type DueMessage = NonNullable<Subscription["owed"]>;

export interface MailingListMail {
  /** True: new subscribers are pending until they press the button behind the link. */
  confirms(): boolean;
  /** True: leaving takes a link, so that nobody can remove someone else. */
  works(): boolean;
  /** The message owed to a new active subscriber. */
  greeting(): DueMessage | null;
  /** Checks now for owed messages. */
  wake(): void;
  /** Whether so many people join that messages are delayed. */
  readonly notices: NoticeSource;
  stop(): Promise<void>;
}

/** How long a confirmation link works, and its subscription waits. */
export const CONFIRM_WITHIN = 7 * DAY;
const LOOK_EVERY = MINUTE;
export function mailingListMail(context: LettersContext, links: ListLinks): MailingListMail {
  const { store, clock, trustedClock = clock, log, mail } = context;
  const subscriptions = store.of(entities.emailSubscriptions);
  const settings = () => store.of(entities.letterSettings).read().value;
  let waiting = 0;
  // Without the site's address, messages couldn't have links.
  const works = () => mail.sending() !== undefined && mail.stationery().siteUrl !== undefined;

  function messageOf(owed: DueMessage, { id }: Subscription): ListMessage {
    const site = mail.stationery();
    const whole = (path: string) => `${site.siteUrl}${path}`;
    if (owed === "confirm") return confirmMessage(site, whole(links.confirm(id, clock())));
    if (owed === "leave") return leaveMessage(site, whole(links.leave(id)));
    return welcomeMessage(site, settings().welcomeText, whole(links.leave(id)));
  }

  /** Queues the message and clears `owed` at once. */
  async function write(subscription: Subscription): Promise<void> {
    const { id, email: to, owed, askedAt } = subscription;
    if (owed === null) return;
    const about = `${owed} ${id} ${askedAt}`;
    const messages: NewMessage[] = [];
    // After a kill, an earlier release may have queued it and left it owed.
    if (!mail.outbox.knows(about, to)) {
      const { frame, ...message } = messageOf(owed, subscription);
      messages.push({ kind: owed, to, about, ...message, ...framed(frame) });
    }
    // Nobody erased meanwhile is written to.
    await mail.outbox.addWith(async (transaction) =>
      (await settled(transaction, subscription, clock())) ? messages : [],
    );
  }

  const letGo = (subscription: Subscription) =>
    store.transaction((transaction) => settled(transaction, subscription));

  /** Clears what is owed. `at`: when it was written, if it was. Returns whether the subscription still exists. */
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

  /** Whether a typed address alone causes it. With double opt-in a welcome follows a counted message. */
  const isTyped = ({ owed }: Pick<DueSubscription, "owed">) =>
    owed !== "welcome" || !settings().doubleOptIn;

  async function plan(): Promise<Plan> {
    const candidates = await subscriptions.keys({ owed: { not: null } });
    const kinds = (["confirm", "leave", "welcome"] as const).filter((owed) => isTyped({ owed }));
    const createdAt = { from: new Date(clock() - DAY).toISOString() };
    const written = await store
      .of(entities.outbox)
      .keys(kinds.map((kind) => ({ kind, createdAt })));
    const { due, ...others } = planned(
      candidates.filter(isTyped),
      written.map(({ kind, to, createdAt: at }) => ({ kind, to, at: Date.parse(at ?? "") })),
      clock(),
    );
    waiting = others.waiting.length;
    return { ...others, due: [...candidates.filter((each) => !isTyped(each)), ...due] };
  }

  async function look(goesOn: GoesOn): Promise<void> {
    if (works()) {
      const { due, dropped } = await plan();
      const steps = [
        ...due.map(({ id }) => ({ id, deal: write })),
        ...dropped.map(({ id }) => ({ id, deal: letGo })),
      ];
      /* oxlint-disable no-await-in-loop -- each is a write */
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

  /** Removes those who never confirmed; addresses known to be unreachable are kept. */
  async function forgetUnconfirmed(): Promise<void> {
    const before = new Date(trustedClock() - CONFIRM_WITHIN).toISOString();
    const all = { status: "pending", owed: null, subscribedAt: { before } } as const;
    const isOver = { ...all, id: { noneOf: await askedLately(await subscriptions.keys(all)) } };
    const forgotten = await subscriptions.deleteWhere({ ...isOver, unreachable: null });
    if (forgotten > 0) await store.writeDown();
    await subscriptions.updateWhere(isOver, (row) => ({ ...row, status: "unsubscribed" }));
  }

  /** Those who joined while mail was down: their links work as long as everybody's. */
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
  "Messages to subscribers couldn't be queued. Limelight will try again in a minute.";

const CROWD = {
  code: "mailing_list_crowd",
  title: "Unusually many sign-ups",
  message:
    "Some confirmation emails are delayed, because only a limited number go out per hour and day. They will be sent automatically. If you haven't announced anything, someone may be entering other people's addresses.",
};
