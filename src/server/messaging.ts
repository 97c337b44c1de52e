/** Assembles what is sent: the site's mail, notifications, and the messages about enquiries, calls and testimonials. */
import { readableTextColor } from "../schema/core/contrast.ts";
import { entities } from "../schema/index.ts";
import { type Clock, type Clocks, isoTime } from "./shared/clock.ts";
import type { Notice } from "./shared/notice.ts";
import type { Config } from "./shared/config.ts";
import type { MessageBranding } from "./shared/message.ts";
import { type ShouldContinue, startSiteJob } from "./shared/periodicJob.ts";
import { MAIL_SECRET, type Seal, sealOf } from "./shared/seal.ts";
import { LETTER_WIDTH, letterPictureName, stemOf } from "./storage/pictures/pictureNames.ts";
import type { Store } from "./storage/store.ts";
import {
  crowdNotices,
  dailyMail,
  enquiryStore,
  ownerMail,
} from "./enquiries/enquiryNotifications.ts";
import { CurrentAccount } from "./mail/currentAccount.ts";
import type { OwnerMailContext } from "./mail/messages/ownerMessages.ts";
import { minIntervalMs } from "./mail/carriers/mailer.ts";
import { accountMessages } from "./mail/messages/accountMessages.ts";
import type { PasswordLinks } from "./accounts/passwordReset.ts";
import { openCalls } from "./bookings/calls.ts";
import { type LinkKeys, openLinkKeys } from "./mail/messages/linkKeys.ts";
import { Outbox } from "./mail/queue/outbox.ts";
import { dataKeyOf } from "./shared/dataKey.ts";
import { followUpNews } from "./enquiries/followUpReminders.ts";
import { mailNotices, lostSecretNotices } from "./mail/messages/mailNotices.ts";
import { ownerNotices } from "./mail/messages/ownerNotices.ts";
import { Push } from "./notifications/push.ts";
import { replyMessages } from "./enquiries/replyMessages.ts";
import { selfTest } from "./mail/messages/selfTest.ts";
import { testimonialNews } from "./testimonials/testimonialNotifications.ts";
import { thankYou } from "./enquiries/thankYou.ts";
import { Webhooks } from "./notifications/webhook.ts";
import { MINUTE } from "./shared/time.ts";

/** The site's mail, and the services that send through it. */
export type Messaging = Awaited<ReturnType<typeof openMessaging>>;

interface MessagingOptions extends Clocks {
  readonly store: Store;
  readonly config: Pick<
    Config,
    | "mailUrl"
    | "mailFrom"
    | "siteUrl"
    | "uploadsPublicUrl"
    | "rateLimit"
    | "privateCalls"
    | "dataKey"
  >;
  readonly log: (line: string) => void;
  readonly passwordLink: PasswordLinks;
  /** False: messages are queued but not sent. Default true. */
  readonly sends?: boolean;
}

const CHECK_INTERVAL_MS = MINUTE;

/** Opens the outbox and starts sending. */
export async function openMessaging(options: MessagingOptions) {
  const { store, config, clock, trustedClock, log, sends = true } = options;
  const settings = store.of(entities.mailSettings);
  const seal = sealOf(await store.secret(), MAIL_SECRET);
  const keys = await openLinkKeys(store, dataKeyOf(config.dataKey), log);
  const account = new CurrentAccount({ store, config, seal, sends });
  const { sending, isSetUp, sender, domain } = account;
  const outbox = new Outbox({ store, clock, trustedClock, domain, log });
  const owners = () => ownersOf(store);
  const recipients = () => {
    const { notifyTo } = settings.read().value;
    return notifyTo === null ? owners() : [notifyTo];
  };
  const stationery = () => stationeryOf(store, config);
  const owner = { store, clock, outbox, settings, stationery, recipients, isSetUp };
  const context = { ...options, ...owner, sends, seal, keys, owners, account };
  const messages = messagesOf(context);
  startSending(context, messages);
  const isFixed = config.mailUrl !== undefined;
  // Only once mail works: a site without it never needs it.
  if (sends && isFixed && settings.read().value.since === null)
    await settings.update((value) => ({ ...value, since: isoTime(clock) }));
  const rounds = sends ? roundsOf(context, messages) : undefined;
  rounds?.wake();
  return {
    ...messages,
    settings,
    seal,
    keys,
    outbox,
    isSetByConfig: isFixed,
    account: sending,
    directSender: sender,
    stationery,
    ownerAddresses: owners,
    saveSettings: messages.digest.saveSettings,
    selfTest: messages.tested.state,
    async queueDueMessages() {
      rounds?.wake();
      await rounds?.whenIdle();
    },
    notifyOwners: ownerNotices({ ...owner, isSetUp: () => sends && isSetUp() }),
    notices: () => noticesOf(context, messages),
    setShutdownDeadline: account.endsWithin,
    async stop() {
      await rounds?.stop();
      await outbox.stop();
      account.close();
    },
  };
}

async function noticesOf(context: MessagesContext, { push, tested }: Messages): Promise<Notice[]> {
  const { outbox, seal, isSetUp } = context;
  const settings = context.settings.read().value;
  return [
    ...mailNotices(await outbox.failureCounts(), settings.account !== null && !isSetUp()),
    ...(await crowdNotices(context)),
    ...lostSecretNotices(settings.webhook, seal, push.lostDevices()),
    ...(isSetUp() ? await tested.notices() : []),
  ];
}

interface MessagesContext extends MessagingOptions, OwnerMailContext {
  readonly store: Store;
  readonly clock: Clock;
  readonly seal: Seal;
  readonly keys: LinkKeys;
  readonly owners: () => readonly string[];
  readonly account: CurrentAccount;
  readonly sends: boolean;
}

type Messages = ReturnType<typeof messagesOf>;

/** Everything that writes messages. */
function messagesOf(context: MessagesContext) {
  const { config, account } = context;
  const { ended, sending } = account;
  const calling = { ...context, ended, mayBeInside: config.privateCalls ?? false };
  const webhook = new Webhooks(calling);
  const push = new Push(calling);
  const calls = openCalls({
    ...context,
    sending,
    push: push.bookingNotifications,
    linkSecret: context.keys.linkSecret,
  });
  const listeners = [ownerMail(context), thankYou(context), webhook.messages, push.messages];
  return {
    webhook,
    push,
    calls,
    accounts: accountMessages({ ...context, limited: config.rateLimit }),
    tested: selfTest(context),
    replies: replyMessages({ ...context, links: calls.links }),
    storeEnquiry: enquiryStore({ ...context, listeners }),
    testimonials: testimonialNews({ ...context, push }),
    digest: dailyMail(context),
    followUps: followUpNews({ ...context, push }),
  };
}

function startSending({ outbox, account }: MessagesContext, messages: Messages): void {
  const { push, webhook, digest, followUps, accounts, replies, calls } = messages;
  outbox.start({
    carriers: {
      mail: { send: account.sender, pace: () => minIntervalMs(account.sending()?.full.account) },
      push: push.carrier,
      webhook: webhook.carrier,
    },
    writers: {
      digest: digest.write,
      followUp: followUps.write,
      password: accounts.write,
      reply: replies.write,
      call: calls.write,
      push: push.write,
      webhook: webhook.write,
    },
  });
}

/** Queues the daily messages, if due; removes devices of former owners. */
function roundsOf({ store, log }: MessagesContext, { push, digest, followUps, tested }: Messages) {
  async function round(shouldContinue: ShouldContinue): Promise<void> {
    const steps = [() => push.check(), digest.look, followUps.check, tested.check];
    for (const step of steps) if (await shouldContinue()) await step(); // oxlint-disable-line no-await-in-loop -- in this order
  }
  const logFailure = () => log(NOT_QUEUED);
  return startSiteJob({
    store,
    name: "mail",
    every: CHECK_INTERVAL_MS,
    round,
    onError: logFailure,
  });
}

const NOT_QUEUED = "The daily emails couldn't be queued. Limelight will try again in a minute.";

function ownersOf(store: Store): string[] {
  return store
    .of(entities.users)
    .read()
    .value.filter(({ role }) => role === "admin")
    .map(({ email }) => email);
}

function stationeryOf(
  store: Store,
  { siteUrl, uploadsPublicUrl: picturesFrom }: MessagingOptions["config"],
): MessageBranding {
  const { primaryColor } = store.of(entities.styles).read().value;
  const { name, language } = store.of(entities.site).read().value;
  const pictures = store.of(entities.uploads).read().value;
  return {
    siteName: name,
    language,
    color: primaryColor,
    onColor: readableTextColor(primaryColor),
    siteUrl,
    picturesFrom,
    pictureNamed(filename) {
      const picture = pictures.find((each) => stemOf(each.filename) === stemOf(filename));
      return (
        picture && {
          filename: letterPictureName(picture),
          width: Math.min(picture.width, LETTER_WIDTH / 2),
        }
      );
    },
  };
}
