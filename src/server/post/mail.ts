/** The site's mail: account and sender, automatic messages, and notices for the owner. */
import { readableOn } from "../../schema/contrast.ts";
import { entities, type Item } from "../../schema/index.ts";
import { type Clocks, isoTime } from "../shared/clock.ts";
import type { Config } from "../shared/config.ts";
import { dataKeyOf } from "../shared/dataKey.ts";
import type { FullAccount, Sender } from "../shared/mailUrl.ts";
import type { Stationery } from "../shared/message.ts";
import { type GoesOn, siteJob } from "../shared/siteJob.ts";
import type { Notice, NoticeSource } from "../shared/notice.ts";
import { type Seal, sealOf } from "../shared/seal.ts";
import { LETTER_WIDTH, letterPictureName, stemOf } from "../storage/pictures/pictureNames.ts";
import type { Document, Store } from "../storage/store.ts";
import {
  crowdNotices,
  dailyMail,
  type EnquiryNews,
  enquiryNews,
  noteChosenWay,
  ownerMail,
} from "./messages/enquiryNews.ts";
import { apartBy, type Mailer, mailer, type SendMessage } from "./carriers/mailer.ts";
import {
  type AccountMessages,
  accountMessages,
  type PasswordLink,
} from "./messages/accountMessages.ts";
import { type Calls, openCalls } from "./calls/calls.ts";
import { type LinkKeys, openLinkKeys } from "./messages/linkKeys.ts";
import { openOutbox, type Outbox } from "./queue/outbox.ts";
import { followUpNews } from "./messages/followUpNews.ts";
import { mailNotices, sealedNotices } from "./messages/mailNotices.ts";
import { ownerNotices } from "./messages/ownerNotices.ts";
import { type Push, pushDevices } from "./messages/push.ts";
import { type ReplyPost, replyPost } from "./messages/replyPost.ts";
import { selfTest, type SelfTest } from "./messages/selfTest.ts";
import { type TestimonialNews, testimonialNews } from "./messages/testimonialNews.ts";
import { thankYou } from "./messages/thankYou.ts";
import { webhooks, type Webhooks } from "./messages/webhook.ts";
import { MINUTE } from "../shared/time.ts";

export type MailSettings = Item<"mailSettings">;

/** The account and the sender. */
export interface SendingAccount {
  readonly full: FullAccount;
  readonly from: Sender;
}

export interface Mail {
  readonly settings: Document<MailSettings>;
  readonly seal: Seal;
  readonly keys: LinkKeys;
  readonly outbox: Outbox;
  /** True: set by MAIL_URL, so it can't be changed here. */
  readonly isFixed: boolean;
  /** Undefined while mail isn't set up, or if its secret is from another installation. */
  sending(): SendingAccount | undefined;
  /** Sends past the outbox, for code that keeps its own record; undefined when `sending` is. */
  sender(): SendMessage | undefined;
  stationery(): Stationery;
  /** The owners' addresses. */
  owners(): readonly string[];
  /** Stores an enquiry with the messages about it. */
  readonly storeEnquiry: EnquiryNews["storeWith"];
  readonly webhook: Webhooks;
  readonly push: Push;
  readonly replies: ReplyPost;
  readonly calls: Calls;
  readonly testimonials: TestimonialNews;
  readonly accounts: AccountMessages;
  readonly selfTest: SelfTest["state"];
  readonly notices: NoticeSource;
  /** Given all notices of the site, writes to the owners about urgent ones. */
  notifyOwners(notices: readonly Notice[]): Promise<void>;
  /** Queues now what is due: messages missed because of a kill, and the daily message. */
  look(): Promise<void>;
  /** The site is stopping: messages under way have this long, in milliseconds. */
  endsWithin(time: number): void;
  /** Stops after the message under way. */
  stop(): Promise<void>;
}

interface MailOptions extends Clocks {
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
  readonly passwordLink: PasswordLink;
  /** False: messages are queued but not sent. Default true. */
  readonly sends?: boolean;
}

const LOOK_EVERY = MINUTE;
/** Later, thanks are unexpected. */
const THANKED_LATE = 10 * MINUTE;

/** Opens the outbox and starts sending. */
export async function openMail(options: MailOptions): Promise<Mail> {
  const { store, config, clock, trustedClock, log, passwordLink, sends = true } = options;
  const settings = store.of(entities.mailSettings);
  const seal = sealOf(await store.secret(), "limelight mail secret");
  const keys = await openLinkKeys(store, dataKeyOf(config.dataKey), log);
  const isFixed = config.mailUrl !== undefined;
  let open: { key: string; mailer: Mailer } | undefined;
  const ending = new AbortController();
  let cuts: ReturnType<typeof setTimeout> | undefined;

  const sending = () =>
    config.mailUrl && config.mailFrom
      ? { full: config.mailUrl, from: config.mailFrom }
      : storedSending(settings.read().value, seal);

  function currentMailer(): Mailer | undefined {
    const now = sending();
    const key = JSON.stringify(now);
    if (now && open?.key === key) return open.mailer;
    open?.mailer.close();
    open = now && { key, mailer: mailer(now.full, now.from, { ended: ending.signal }) };
    return open?.mailer;
  }

  const outbox = await openOutbox({
    store,
    clock,
    trustedClock,
    domain: () => sending()?.from.address.split("@")[1] ?? "localhost",
    log,
  });
  const owners = () => ownersOf(store);
  const recipients = () => {
    const { notifyTo } = settings.read().value;
    return notifyTo === null ? owners() : [notifyTo];
  };
  const stationery = () => stationeryOf(store, config);

  const isSetUp = () => sending() !== undefined;
  const owner = { store, clock, outbox, settings, stationery, recipients, isSetUp };
  const accounts = accountMessages({ ...owner, limited: config.rateLimit, passwordLink });
  const thanks = thankYou({ ...options, outbox, stationery });
  const mayBeInside = config.privateCalls ?? false;
  const ended = ending.signal;
  const calling = { store, clock, settings, outbox, seal, stationery, sends, mayBeInside, ended };
  const webhook = webhooks(calling);
  const push = pushDevices({ ...calling, owners });
  const tested = selfTest(owner);
  const calls = openCalls({ ...owner, sending, push: push.ofTimes, linkSecret: keys.linkSecret });
  const replies = replyPost({ store, outbox, stationery, suggesting: calls.suggesting });
  const news = enquiryNews({
    store,
    clock,
    outbox,
    log,
    listeners: [
      ownerMail(owner),
      { since: () => (isSetUp() ? clock() - THANKED_LATE : undefined), messages: thanks },
      webhook,
      push,
    ],
  });
  const digest = dailyMail(owner);
  const followUps = followUpNews({ ...owner, push });
  const sender = () => (sends ? currentMailer()?.send : undefined);
  outbox.start({
    carriers: {
      mail: { send: sender, pace: () => apartBy(sending()?.full.account) },
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

  /** Queues messages missed because of a kill and the daily one, if due; removes devices of former owners. */
  async function look(goesOn: GoesOn): Promise<void> {
    const steps = [
      push.look,
      () => noteChosenWay(owner),
      () => news.look(goesOn),
      digest.look,
      followUps.look,
      tested.look,
    ];
    for (const step of steps) if (await goesOn()) await step(); // oxlint-disable-line no-await-in-loop -- in this order
  }
  // Only once mail works: a site without it never needs it.
  if (sends && isFixed && settings.read().value.since === null)
    await settings.update((value) => ({ ...value, since: isoTime(clock) }));
  const { instances } = store;
  const failed = () => log(NOT_LOOKED);
  const rounds = sends
    ? siteJob({ instances, name: "mail", every: LOOK_EVERY, round: look, failed })
    : undefined;
  rounds?.wake();

  return {
    settings,
    seal,
    keys,
    outbox,
    isFixed,
    sending,
    sender,
    stationery,
    owners,
    storeEnquiry: news.storeWith,
    webhook,
    push,
    replies,
    calls,
    testimonials: testimonialNews({ ...owner, push }),
    accounts,
    selfTest: tested.state,
    async look() {
      rounds?.wake();
      await rounds?.settled();
    },
    notifyOwners: ownerNotices({
      store,
      clock,
      outbox,
      stationery,
      recipients,
      isSetUp: () => sends && isSetUp(),
    }),
    notices: async () => [
      ...mailNotices(outbox, settings.read().value, isSetUp()),
      ...sealedNotices(settings.read().value.webhook, seal, push.lost()),
      ...crowdNotices(owner),
      ...(isSetUp() ? await tested.notices() : []),
    ],
    endsWithin(time) {
      cuts ??= setTimeout(() => ending.abort(), time);
    },
    async stop() {
      await rounds?.stop();
      await outbox.stop();
      clearTimeout(cuts);
      open?.mailer.close();
    },
  };
}

const NOT_LOOKED =
  "Emails about submissions couldn't be queued. Limelight will try again in a minute.";

function storedSending(settings: MailSettings, seal: Seal): SendingAccount | undefined {
  const { account, sealedSecret, fromName, fromAddress } = settings;
  if (account === null || fromAddress === "") return undefined;
  const secret = sealedSecret === null ? "" : seal.open(sealedSecret);
  if (secret === undefined) return undefined;
  return { full: { account, secret }, from: { name: fromName, address: fromAddress } };
}

function ownersOf(store: Store): string[] {
  return store
    .of(entities.users)
    .read()
    .value.filter(({ role }) => role === "admin")
    .map(({ email }) => email);
}

function stationeryOf(
  store: Store,
  { siteUrl, uploadsPublicUrl: picturesFrom }: MailOptions["config"],
): Stationery {
  const { primaryColor } = store.of(entities.styles).read().value;
  const { name, language } = store.of(entities.site).read().value;
  const pictures = store.of(entities.uploads).read().value;
  return {
    siteName: name,
    language,
    color: primaryColor,
    onColor: readableOn(primaryColor),
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
