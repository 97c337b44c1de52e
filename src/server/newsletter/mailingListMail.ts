/**
 * Messages sent because an address was typed on the site: the links to confirm and to leave, a welcome. A visitor's
 * request only records the pending message, in the one write it makes anyway, so that neither its timing nor its
 * response reveals who is on the list; the message is written here.
 */
import { entities, type Item } from "../../schema/index.ts";
import { renderMessage } from "../mail/messages/messageTemplate.tsx";
import type { LettersContext } from "./context.ts";
import type { ListLinks } from "./links.ts";
import { linkMessage, type ListMessage, createWelcomeMessage } from "./subscriptionMessages.ts";
import { type ShouldContinue, type PeriodicJob, startSiteJob } from "../shared/periodicJob.ts";
import type { HandleOf, Transaction } from "../storage/store.ts";
import { type DueSubscription, type SignupMailPlan, planSignupMail } from "./signupMailLimits.ts";
import { DAY, MINUTE } from "../shared/time.ts";

type Subscription = Item<"emailSubscriptions">;
type DueMessage = NonNullable<Subscription["owed"]>;

/** The lifetime of a confirmation link and its pending subscription. */
export const CONFIRMATION_TTL_MS = 7 * DAY;
const CHECK_INTERVAL_MS = MINUTE;

export class MailingListMail {
  readonly #context: LettersContext;
  readonly #links: ListLinks;
  readonly #subscriptions: HandleOf<typeof entities.emailSubscriptions>;
  readonly #rounds: PeriodicJob;
  #waitingCount = 0;

  /** Begins to send. */
  constructor(context: LettersContext, links: ListLinks) {
    const { store, log } = context;
    this.#context = context;
    this.#links = links;
    this.#subscriptions = store.of(entities.emailSubscriptions);
    this.#rounds = startSiteJob({
      store,
      name: "mailing list",
      intervalMs: CHECK_INTERVAL_MS,
      runRound: (shouldContinue) => this.#sendDue(shouldContinue),
      onError: () => log(NOT_QUEUED_MESSAGE),
      onSkipped: async () => void (this.canMailLinks() && (await this.#createPlan())),
    });
    this.#rounds.runNow();
  }

  /** Checks now for pending messages. */
  readonly checkNow = (): void => this.#rounds.runNow();
  /** Whether so many people join that messages are delayed. */
  readonly notices = () => (this.#waitingCount === 0 ? [] : [FLOOD_NOTICE]);

  /** True: new subscribers are pending until they press the button behind the link. */
  isDoubleOptIn(): boolean {
    return this.canMailLinks() && this.#settings().doubleOptIn;
  }

  /** True: leaving takes a link, so that nobody can remove someone else. Without an address there are no links. */
  canMailLinks(): boolean {
    const { mail } = this.#context;
    return mail.account() !== undefined && mail.stationery().siteUrl !== undefined;
  }

  /** The pending message to a new active subscriber. */
  dueWelcomeMessage(): DueMessage | null {
    return this.canMailLinks() && this.#settings().welcome ? "welcome" : null;
  }

  stop(): Promise<void> {
    return this.#rounds.stop();
  }

  readonly #settings = () => this.#context.store.of(entities.letterSettings).read().value;

  #createMessage(due: DueMessage, { id }: Subscription): ListMessage {
    const site = this.#context.mail.stationery();
    const whole = (path: string) => `${site.siteUrl}${path}`;
    if (due === "confirm")
      return linkMessage(site, due, whole(this.#links.confirm(id, this.#context.clock())));
    const leave = whole(this.#links.unsubscribe(id));
    return due === "leave"
      ? linkMessage(site, due, leave)
      : createWelcomeMessage(site, this.#settings().welcomeText, leave);
  }

  /** Queues the message and clears `owed` at once. */
  async #queueMessage(subscription: Subscription): Promise<void> {
    const { id, email: to, owed, askedAt } = subscription;
    if (owed === null) return;
    const about = `${owed} ${id} ${askedAt}`;
    const { frame, ...message } = this.#createMessage(owed, subscription);
    const messages = [{ kind: owed, to, about, ...message, ...renderMessage(frame) }];
    // Nobody erased meanwhile is written to.
    await this.#context.mail.outbox.addInTransaction(async (transaction) =>
      (await this.#clearPendingInTransaction(transaction, subscription, this.#context.clock()))
        ? messages
        : [],
    );
  }

  readonly #clearPending = (subscription: Subscription) =>
    this.#context.store.transaction((transaction) =>
      this.#clearPendingInTransaction(transaction, subscription),
    );

  /**
   * Clears the pending message. `at`: the time when it was written, if it was. Returns whether the
   * subscription exists.
   */
  async #clearPendingInTransaction(
    transaction: Transaction,
    { id, owed, askedAt }: Subscription,
    at?: number,
  ): Promise<boolean> {
    const updated = await transaction.of(entities.emailSubscriptions).update(id, (row) => ({
      ...row,
      owed: row.owed === owed && row.askedAt === askedAt ? null : row.owed,
      written: [
        ...row.written.filter((each) => this.#context.clock() - each < DAY),
        ...(at === undefined || owed === "welcome" ? [] : [at]),
      ],
    }));
    return updated !== undefined;
  }

  /** Whether a typed address alone causes it. With double opt-in a welcome follows a counted message. */
  readonly #isFromTypedAddress = ({ owed }: Pick<DueSubscription, "owed">) =>
    owed !== "welcome" || !this.#settings().doubleOptIn;

  async #createPlan(): Promise<SignupMailPlan> {
    const candidates = await this.#subscriptions.keys({ owed: { not: null } });
    const kinds = (["confirm", "leave", "welcome"] as const).filter((kind) =>
      this.#isFromTypedAddress({ owed: kind }),
    );
    const createdAt = { from: new Date(this.#context.clock() - DAY).toISOString() };
    const written = await this.#context.store
      .of(entities.outbox)
      .keys(kinds.map((kind) => ({ kind, createdAt })));
    const { due, ...others } = planSignupMail(
      candidates.filter(this.#isFromTypedAddress),
      written.map(({ kind, to, createdAt: at }) => ({ kind, to, at: Date.parse(at ?? "") })),
      this.#context.clock(),
    );
    this.#waitingCount = others.waiting.length;
    return {
      ...others,
      due: [...candidates.filter((each) => !this.#isFromTypedAddress(each)), ...due],
    };
  }

  async #sendDue(shouldContinue: ShouldContinue): Promise<void> {
    if (this.canMailLinks()) {
      const { due, dropped } = await this.#createPlan();
      const steps = [
        ...due.map(({ id }) => ({ id, deal: (row: Subscription) => this.#queueMessage(row) })),
        ...dropped.map(({ id }) => ({ id, deal: this.#clearPending })),
      ];
      /* oxlint-disable no-await-in-loop -- each is a write */
      for (const { id, deal } of steps.slice(0, BATCH_SIZE)) {
        if (!(await shouldContinue())) return;
        const subscription = await this.#subscriptions.get(id);
        if (subscription) await deal(subscription);
      }
      /* oxlint-enable no-await-in-loop */
      if (steps.length > BATCH_SIZE) this.#rounds.runNow();
    }
    await this.#removeUnconfirmed();
  }

  /** Removes subscribers who never confirmed; unreachable addresses are retained. */
  async #removeUnconfirmed(): Promise<void> {
    const before = new Date(
      (this.#context.trustedClock ?? this.#context.clock)() - CONFIRMATION_TTL_MS,
    ).toISOString();
    const isOver = { status: "pending", owed: null, subscribedAt: { before } } as const;
    const forgotten = await this.#subscriptions.deleteWhere({ ...isOver, unreachable: null });
    if (forgotten > 0) await this.#context.store.purgeOldVersions();
    await this.#subscriptions.updateWhere(isOver, (row) => ({ ...row, status: "unsubscribed" }));
  }
}

const BATCH_SIZE = 20;
const NOT_QUEUED_MESSAGE =
  "Messages to subscribers couldn't be queued. Limelight will try again in a minute.";

const FLOOD_NOTICE = {
  code: "mailing_list_crowd",
  title: "Unusually many sign-ups",
  message:
    "Some confirmation emails are delayed, because only a limited number go out per hour and day. They will be sent automatically. If you weren't expecting this, someone may be entering other people's addresses.",
};
