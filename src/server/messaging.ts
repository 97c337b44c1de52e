/** Assembles the site's mail, notifications, and the messages about enquiries, calls and testimonials. */
import { chooseReadableTextColor } from "../schema/core/color.ts";
import { entities } from "../schema/index.ts";
import { type Clocks, getTimestamp } from "./shared/clock.ts";
import type { Notice } from "./shared/notice.ts";
import type { Config } from "./shared/config.ts";
import type { MessageBranding } from "./shared/message.ts";
import { startSiteJob } from "./shared/periodicJob.ts";
import { MAIL_SECRET_PURPOSE, type Seal, createSeal, createDataKey } from "./shared/secrets.ts";
import {
  LETTER_PICTURE_WIDTH_PX,
  createLetterPictureName,
} from "../schema/pictures/letterPicture.ts";
import { getPictureStem } from "./storage/pictures/pictureNames.ts";
import type { Store } from "./storage/store.ts";
import {
  createFloodNotices,
  createDailyMail,
  createEnquiryStore,
  createOwnerEmails,
} from "./enquiries/enquiryNotifications.ts";
import { CurrentAccount } from "./mail/currentAccount.ts";
import type { OwnerMailContext } from "./mail/messages/ownerMessages.ts";
import { getMinIntervalMs } from "./mail/transports/mailer.ts";
import { createAccountMessages } from "./mail/messages/accountMessages.ts";
import type { PasswordLinks } from "./accounts/passwordReset.ts";
import { createBookingLinks } from "./bookings/bookingLinks.ts";
import { Bookings } from "./bookings/bookings.ts";
import { createCallMessages } from "./bookings/callMessages.ts";
import { type LinkKeys, openLinkKeys } from "./mail/messages/linkKeys.ts";
import { Outbox } from "./mail/queue/outbox.ts";
import { createFollowUpReminders } from "./enquiries/followUpReminders.ts";
import { createMailNotices, createLostSecretNotices } from "./mail/messages/mailNotices.ts";
import { createOwnerNotifier } from "./mail/messages/ownerNotifier.ts";
import { PushNotifications } from "./notifications/push.ts";
import { createReplyMessages } from "./enquiries/replyMessages.ts";
import { createSelfTest } from "./mail/messages/selfTest.ts";
import { createTestimonialNotifications } from "./testimonials/testimonialNotifications.ts";
import { createThankYouMail } from "./enquiries/thankYou.ts";
import { SiteWebhook } from "./notifications/webhook.ts";
import { MINUTE } from "./shared/time.ts";

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
  readonly passwordLinks: PasswordLinks;
  /** False: messages are queued but not sent. Default: true. */
  readonly isSending?: boolean;
}

/** Opens the outbox and starts sending. */
export async function openMessaging(options: MessagingOptions) {
  const { store, config, clock, trustedClock, log, isSending = true } = options;
  const settings = store.of(entities.mailSettings);
  const seal = createSeal(await store.readSecret(), MAIL_SECRET_PURPOSE);
  const linkKeys = await openLinkKeys(store, createDataKey(config.dataKey), log);
  const account = new CurrentAccount({ store, config, seal, isSending });
  const { getSendingAccount, isSetUp, createSender, getSenderDomain } = account;
  const outbox = new Outbox({ store, clock, trustedClock, getDomain: getSenderDomain, log });
  const listOwnerAddresses = () => findOwnerAddresses(store);
  const listRecipients = () => {
    const { notifyTo } = settings.read().value;
    return notifyTo === null ? listOwnerAddresses() : [notifyTo];
  };
  const getBranding = () => createBranding(store, config);
  const common = { store, clock, outbox, settings, getBranding, listRecipients, isSetUp };
  const context = { ...options, ...common, isSending, seal, linkKeys, listOwnerAddresses, account };
  const services = createMessageServices(context);
  startSending(context, services);
  const isSetByConfig = config.mailUrl !== undefined;
  // Stores the time of the first start with mail: daily emails contain only what is received later.
  if (isSending && isSetByConfig && settings.read().value.since === null)
    await settings.update((value) => ({ ...value, since: getTimestamp(clock) }));
  const dailyJob = isSending ? startDailyJob(context, services) : undefined;
  dailyJob?.runNow();
  return {
    ...services,
    settings,
    seal,
    linkKeys,
    outbox,
    isSetByConfig,
    getAccount: getSendingAccount,
    createDirectSender: createSender,
    getBranding,
    listOwnerAddresses,
    saveSettings: services.digest.saveSettings,
    readSelfTestState: services.selfTest.readState,
    async queueDueMessages() {
      dailyJob?.runNow();
      await dailyJob?.whenIdle();
    },
    /** Emails the owners about the urgent notices among these. */
    notifyOwners: createOwnerNotifier({ ...common, isSetUp: () => isSending && isSetUp() }),
    findNotices: () => collectNotices(context, services),
    /** When the site stops: aborts messages that are still being sent after this time in milliseconds. */
    setShutdownDeadline: account.setShutdownDeadline,
    /** Stops once the current message is sent. */
    async stop() {
      await dailyJob?.stop();
      await outbox.stop();
      account.close();
    },
  };
}

async function collectNotices(
  context: MessagesContext,
  { push, selfTest }: MessageServices,
): Promise<Notice[]> {
  const { outbox, seal, isSetUp } = context;
  const settings = context.settings.read().value;
  return [
    ...createMailNotices(await outbox.countProblems(), settings.account !== null && !isSetUp()),
    ...(await createFloodNotices(context)),
    ...createLostSecretNotices(settings.webhook, seal, push.listLostDeviceNames()),
    ...(isSetUp() ? await selfTest.findNotices() : []),
  ];
}

interface MessagesContext extends MessagingOptions, OwnerMailContext {
  readonly seal: Seal;
  readonly linkKeys: LinkKeys;
  readonly listOwnerAddresses: () => readonly string[];
  readonly account: CurrentAccount;
  readonly isSending: boolean;
}

type MessageServices = ReturnType<typeof createMessageServices>;

function createMessageServices(context: MessagesContext) {
  const { config, account } = context;
  const { signal: stopSignal, getSendingAccount } = account;
  const outgoingContext = {
    ...context,
    stopSignal,
    canUsePrivateNetwork: config.privateCalls ?? false,
  };
  const webhook = new SiteWebhook(outgoingContext);
  const push = new PushNotifications(outgoingContext);
  const callMessages = createCallMessages({ ...context, getSendingAccount });
  const createPushMessages = push.createBookingNotifications;
  const calls = {
    bookings: new Bookings({ ...context, messages: callMessages, createPushMessages }),
    links: createBookingLinks(context.linkKeys.getLinkSecret),
    renderMessage: callMessages.renderMessage,
  };
  const messageCreators = [
    createOwnerEmails(context),
    createThankYouMail(context),
    webhook.createMessages,
    push.createMessages,
  ];
  return {
    webhook,
    push,
    calls,
    accountMail: createAccountMessages({ ...context, isRateLimited: config.rateLimit }),
    selfTest: createSelfTest(context),
    replies: createReplyMessages({ ...context, links: calls.links }),
    storeEnquiry: createEnquiryStore({ ...context, messageCreators }),
    testimonials: createTestimonialNotifications({ ...context, push }),
    digest: createDailyMail(context),
    followUps: createFollowUpReminders({ ...context, push }),
  };
}

function startSending({ outbox, account }: MessagesContext, services: MessageServices): void {
  const { push, webhook, digest, followUps, accountMail, replies, calls } = services;
  outbox.startSending({
    transports: {
      mail: {
        createSender: account.createSender,
        getMinIntervalMs: () => getMinIntervalMs(account.getSendingAccount()?.credentials.account),
      },
      push: push.transport,
      webhook: webhook.transport,
    },
    renderers: {
      digest: digest.renderMessage,
      followUp: followUps.renderMessage,
      password: accountMail.renderMessage,
      reply: replies.renderMessage,
      call: calls.renderMessage,
      push: push.renderNotification,
      webhook: webhook.renderBody,
    },
  });
}

/** Starts the job that queues daily messages and removes devices of former owners. It runs every minute. */
function startDailyJob(
  { store, log }: MessagesContext,
  { push, digest, followUps, selfTest }: MessageServices,
) {
  const steps = [
    () => push.removeStaleDevices(),
    digest.queueDueMessage,
    followUps.queueDueMessage,
    selfTest.queueDueMessage,
  ];
  return startSiteJob({
    store,
    name: "mail",
    intervalMs: MINUTE,
    async runOnce(shouldContinue) {
      for (const step of steps) if (await shouldContinue()) await step(); // oxlint-disable-line no-await-in-loop -- in this order
    },
    onError: () => log(NOT_QUEUED_MESSAGE),
  });
}

const NOT_QUEUED_MESSAGE =
  "The daily emails couldn't be queued. Limelight will try again in a minute.";

function findOwnerAddresses(store: Store): string[] {
  return store
    .of(entities.users)
    .read()
    .value.filter(({ role }) => role === "admin")
    .map(({ email }) => email);
}

function createBranding(
  store: Store,
  { siteUrl, uploadsPublicUrl: pictureOrigin }: MessagingOptions["config"],
): MessageBranding {
  const { primaryColor } = store.of(entities.styles).read().value;
  const { name, language } = store.of(entities.site).read().value;
  const pictures = store.of(entities.uploads).read().value;
  return {
    siteName: name,
    language,
    color: primaryColor,
    onColor: chooseReadableTextColor(primaryColor),
    siteUrl,
    pictureOrigin,
    findPictureByName(filename) {
      const picture = pictures.find(
        (each) => getPictureStem(each.filename) === getPictureStem(filename),
      );
      return (
        picture && {
          filename: createLetterPictureName(picture),
          width: Math.min(picture.width, LETTER_PICTURE_WIDTH_PX / 2),
        }
      );
    },
  };
}
