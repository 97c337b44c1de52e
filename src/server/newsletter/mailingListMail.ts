/**
 * Messages to typed addresses: the links to confirm and to unsubscribe, and a welcome. A request only stores in `owed`
 * which message is due. The job in this file sends it later, so that neither a request's duration nor its response
 * reveals who is on the list.
 */
import { entities, type Item } from "../../schema/index.ts";
import { renderMessage } from "../mail/messages/messageTemplate.tsx";
import type { LettersContext } from "./context.ts";
import { type SubscriptionLinks, createUnsubscribeHeaders } from "./subscriptionLinks.ts";
import { type ShouldContinue, type PeriodicJob, startSiteJob } from "../shared/periodicJob.ts";
import type { HandleOf } from "../storage/store.ts";
import { type DueSubscription, type SignupMailPlan, planSignupMail } from "./signupMailLimits.ts";
import { DAY, MINUTE } from "../shared/time.ts";
import { getWords } from "../../web/words/allWords.ts";
import { fillPlaceholders } from "../../web/words/placeholders.ts";
import type { MessageContent, MessageBranding } from "../shared/message.ts";

type Subscription = Item<"emailSubscriptions">;
type DueMessageKind = NonNullable<Subscription["owed"]>;

/** The time for which a confirmation link works. Unconfirmed subscriptions are then removed. */
export const CONFIRMATION_TTL_MS = 7 * DAY;
const CHECK_INTERVAL_MS = MINUTE;

export class MailingListMail {
  readonly #context: LettersContext;
  readonly #links: SubscriptionLinks;
  readonly #subscriptions: HandleOf<typeof entities.emailSubscriptions>;
  readonly #job: PeriodicJob;
  #waitingCount = 0;

  constructor(context: LettersContext, links: SubscriptionLinks) {
    const { store, log } = context;
    this.#context = context;
    this.#links = links;
    this.#subscriptions = store.of(entities.emailSubscriptions);
    this.#job = startSiteJob({
      store,
      name: "mailing list",
      intervalMs: CHECK_INTERVAL_MS,
      runOnce: (shouldContinue) => this.#queueDueMessages(shouldContinue),
      onError: () => log(NOT_QUEUED_MESSAGE),
      onSkipped: async () => void (this.canMailLinks() && (await this.#createPlan())),
    });
    this.#job.runNow();
  }

  /** Queues due messages now, before the next regular check. */
  readonly checkNow = (): void => this.#job.runNow();
  /** Returns a notice if messages are delayed, because unusually many people subscribe. */
  readonly findNotices = () => (this.#waitingCount === 0 ? [] : [FLOOD_NOTICE]);

  /** Whether new subscribers get letters only after they confirm by a link. */
  isDoubleOptIn(): boolean {
    return this.canMailLinks() && this.#readSettings().doubleOptIn;
  }

  /** Whether mail and the site's URL are configured. If so, nobody can unsubscribe others by typing their address. */
  canMailLinks(): boolean {
    return this.#context.mail.accountMail.canSendLinks();
  }

  /** Returns the value of `owed` for a new active subscriber. */
  findDueWelcome(): DueMessageKind | null {
    return this.canMailLinks() && this.#readSettings().welcome ? "welcome" : null;
  }

  stop(): Promise<void> {
    return this.#job.stop();
  }

  readonly #readSettings = () => this.#context.store.of(entities.letterSettings).read().value;

  #createMessage(kind: DueMessageKind, { id }: Subscription): SubscriptionMessage {
    const site = this.#context.mail.getBranding();
    const confirmPath = this.#links.createConfirmPath(id, this.#context.clock());
    if (kind === "confirm") return createLinkMessage(site, kind, `${site.siteUrl}${confirmPath}`);
    const unsubscribeUrl = `${site.siteUrl}${this.#links.createUnsubscribePath(id)}`;
    return kind === "leave"
      ? createLinkMessage(site, kind, unsubscribeUrl)
      : createWelcomeMessage(site, this.#readSettings().welcomeText, unsubscribeUrl);
  }

  async #queueMessage(subscription: Subscription): Promise<void> {
    const { id, email: to, owed: dueKind, askedAt } = subscription;
    if (dueKind === null) return;
    const about = `${dueKind} ${id} ${askedAt}`;
    const { frame, ...message } = this.#createMessage(dueKind, subscription);
    const messages = [{ kind: dueKind, to, about, ...message, ...renderMessage(frame) }];
    // Queues nothing if the subscriber was erased in the meantime.
    await this.#context.mail.outbox.addInTransaction(async (transaction) => {
      const subscriptions = transaction.of(entities.emailSubscriptions);
      return (await subscriptions.update(id, clearDueMessage(subscription))) ? messages : [];
    });
  }

  /** Whether typing an address can cause this message. With double opt-in, only a confirmation causes a welcome. */
  readonly #isFromTypedAddress = ({ owed }: Pick<DueSubscription, "owed">) =>
    owed !== "welcome" || !this.#readSettings().doubleOptIn;

  async #createPlan(): Promise<SignupMailPlan> {
    const candidates = await this.#subscriptions.readKeys({ owed: { not: null } });
    const kinds = (["confirm", "leave", "welcome"] as const).filter((kind) =>
      this.#isFromTypedAddress({ owed: kind }),
    );
    const createdAt = { from: new Date(this.#context.clock() - DAY).toISOString() };
    const recentMessages = await this.#context.store
      .of(entities.outbox)
      .readKeys(kinds.map((kind) => ({ kind, createdAt })));
    const { due, ...others } = planSignupMail(
      candidates.filter(this.#isFromTypedAddress),
      recentMessages.map(({ kind, to, createdAt: at }) => ({ kind, to, at: Date.parse(at ?? "") })),
      this.#context.clock(),
    );
    this.#waitingCount = others.waiting.length;
    return {
      ...others,
      due: [...candidates.filter((each) => !this.#isFromTypedAddress(each)), ...due],
    };
  }

  async #queueDueMessages(shouldContinue: ShouldContinue): Promise<void> {
    if (this.canMailLinks()) {
      const { due, dropped } = await this.#createPlan();
      const steps = [
        ...due.map(({ id }) => ({ id, isDropped: false })),
        ...dropped.map(({ id }) => ({ id, isDropped: true })),
      ];
      /* oxlint-disable no-await-in-loop -- each is a write */
      for (const { id, isDropped } of steps.slice(0, BATCH_SIZE)) {
        if (!(await shouldContinue())) return;
        const subscription = await this.#subscriptions.get(id);
        if (subscription && isDropped)
          await this.#subscriptions.update(id, clearDueMessage(subscription));
        else if (subscription) await this.#queueMessage(subscription);
      }
      /* oxlint-enable no-await-in-loop */
      if (steps.length > BATCH_SIZE) this.#job.runNow();
    }
    await this.#removeUnconfirmed();
  }

  /** Removes subscribers who haven't confirmed in time. Unreachable addresses stay in the list as unsubscribed. */
  async #removeUnconfirmed(): Promise<void> {
    const { trustedClock, store } = this.#context;
    const before = new Date(trustedClock() - CONFIRMATION_TTL_MS).toISOString();
    const expiredFilter = { status: "pending", owed: null, subscribedAt: { before } } as const;
    const removed = await this.#subscriptions.deleteWhere({ ...expiredFilter, unreachable: null });
    if (removed > 0) await store.purgeOldVersions();
    await this.#subscriptions.updateWhere(expiredFilter, (row) => ({
      ...row,
      status: "unsubscribed",
    }));
  }
}

/** Clears `owed`, unless another message was requested in the meantime. */
const clearDueMessage =
  ({ owed, askedAt }: Subscription) =>
  (row: Subscription): Subscription =>
    row.owed === owed && row.askedAt === askedAt ? { ...row, owed: null } : row;

/** The maximum number of messages queued in a run. If more are due, the next run starts at once. */
const BATCH_SIZE = 20;
const NOT_QUEUED_MESSAGE =
  "Messages to subscribers couldn't be queued. Limelight will try again in a minute.";

const FLOOD_NOTICE = {
  code: "mailing_list_crowd",
  title: "Unusually many sign-ups",
  message:
    "Some confirmation emails are delayed, because only a limited number go out per hour and day. They will be sent automatically. If you weren't expecting this, someone may be entering other people's addresses.",
};

interface SubscriptionMessage {
  readonly subject: string;
  readonly frame: MessageContent;
  readonly headers: Readonly<Record<string, string>>;
}

function getSubscriptionMessageTexts(site: MessageBranding) {
  const { words, lang } = getWords(site.language);
  return {
    ...words,
    language: lang ?? site.language,
    fillSiteName: (sentence: string) => fillPlaceholders(sentence, { name: site.siteName }),
  };
}

/** Creates the message to a new subscriber. An empty `text` stands for the default text. */
function createWelcomeMessage(
  site: MessageBranding,
  text: string,
  unsubscribeUrl: string,
): SubscriptionMessage {
  const { mail, mailingList, letters, withColon, fillSiteName, language } =
    getSubscriptionMessageTexts(site);
  return {
    headers: createUnsubscribeHeaders(unsubscribeUrl),
    subject: fillSiteName(mail.welcomeSubject),
    frame: {
      ...site,
      ...(text === "" && { language }),
      colonFormat: withColon,
      title: mail.welcomeTitle,
      blocks: [{ kind: "text", text: text || fillSiteName(mail.welcomeText) }],
      footer: fillSiteName(letters.foot),
      links: [{ label: mailingList.unsubscribe, url: unsubscribeUrl }],
    },
  };
}

/** Creates the message with a link to confirm or to unsubscribe. `url` is absolute. */
function createLinkMessage(
  site: MessageBranding,
  kind: "confirm" | "leave",
  url: string,
): SubscriptionMessage {
  const { mail, mailingList, subscriptionPages, withColon, fillSiteName, language } =
    getSubscriptionMessageTexts(site);
  const isConfirming = kind === "confirm";
  const label = isConfirming ? subscriptionPages.confirm : mailingList.unsubscribe;
  // Omits the recipient's name, since somebody else may have typed it.
  return {
    headers: {},
    subject: fillSiteName(mail[`${kind}Subject`]),
    frame: {
      ...site,
      language,
      colonFormat: withColon,
      title: isConfirming ? subscriptionPages.confirmTitle : mailingList.unsubscribeTitle,
      blocks: [
        { kind: "text", text: fillSiteName(mail[`${kind}Text`]) },
        { kind: "button", label, url },
        { kind: "small", text: mail[`${kind}NotYou`] },
      ],
      footer: fillSiteName(mail[`${kind}Foot`]),
    },
  };
}
