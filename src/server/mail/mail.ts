/** The site's mail: who sends it and as whom, what goes out by itself, and what the owner should know of it. */
import { readableOn } from "../../schema/contrast.ts";
import { entities, type Item } from "../../schema/index.ts";
import { type Clock, isoTime } from "../shared/clock.ts";
import type { Config } from "../shared/config.ts";
import type { FullAccount, Sender } from "../shared/mailUrl.ts";
import type { Notice, NoticeSource } from "../shared/notice.ts";
import type { Document, Store } from "../storage/store.ts";
import type { Stationery } from "./frame.tsx";
import { digestMessage, enquiryMessage, type ToldEnquiry } from "./ownerMessages.ts";
import { type Mailer, mailer, type SendMessage } from "./mailer.ts";
import { openOutbox, type Outbox } from "./outbox.ts";
import { ownerNotices } from "./ownerNotices.ts";
import { type Seal, sealOf } from "./sealed.ts";
import { thankYou } from "./thankYou.ts";

export type MailSettings = Item<"mailSettings">;
type Submission = Item<"formSubmissions">;

/** An account to send by, and the sender. */
export interface Sending {
  readonly full: FullAccount;
  readonly from: Sender;
}

export interface Mail {
  readonly settings: Document<MailSettings>;
  readonly seal: Seal;
  readonly outbox: Outbox;
  /** True: set by MAIL_URL, and not to be changed here. */
  readonly isFixed: boolean;
  /** Undefined while mail is not set up, or its secret is of another installation. */
  sending(): Sending | undefined;
  /** Hands a message in past the outbox, for what keeps its own account of what went; undefined as `sending`. */
  sender(): SendMessage | undefined;
  stationery(): Stationery;
  /** The owners' own addresses. */
  owners(): readonly string[];
  /** Tells the owner of an enquiry that was just stored, as they want it. Never throws, holds nobody up. */
  enquiryArrived(submission: Submission): void;
  readonly notices: NoticeSource;
  /** Given all notices of the site, writes to the owners of what can't wait. */
  tellOfNotices(notices: readonly Notice[]): Promise<void>;
  /** Writes now what is due: what a kill has kept from being written, and the daily message. */
  look(): Promise<void>;
  stop(): Promise<void>;
}

interface MailOptions {
  readonly store: Store;
  readonly config: Pick<Config, "mailUrl" | "mailFrom" | "siteUrl" | "rateLimit">;
  readonly clock: Clock;
  readonly log: (line: string) => void;
  /** False: what is to be sent is written, and waits. Default true. */
  readonly sends?: boolean;
}

const DAY = 24 * 60 * 60 * 1000;
const LOOK_EVERY = 60_000;
/** An enquiry whose message a kill kept from being written is told of if it is not older. */
const TOLD_LATE = 2 * DAY;
/** Later nobody expects to be thanked. */
const THANKED_LATE = 10 * 60_000;
/** The hour of the daily message, on the server's clock. */
const DIGEST_HOUR = 7;

/** Opens the outbox and begins to send. */
export async function openMail(options: MailOptions): Promise<Mail> {
  const { store, config, clock, log, sends = true } = options;
  const settings = store.of(entities.mailSettings);
  const seal = sealOf(await store.secret());
  const isFixed = config.mailUrl !== undefined;
  let open: { key: string; mailer: Mailer } | undefined;

  const sending = () =>
    config.mailUrl && config.mailFrom
      ? { full: config.mailUrl, from: config.mailFrom }
      : storedSending(settings.read().value, seal);

  function currentMailer(): Mailer | undefined {
    const now = sending();
    const key = JSON.stringify(now);
    if (now && open?.key === key) return open.mailer;
    open?.mailer.close();
    open = now && { key, mailer: mailer(now.full, now.from) };
    return open?.mailer;
  }

  const outbox = await openOutbox({
    store,
    clock,
    send: () => (sends ? currentMailer()?.send : undefined),
    pace: () => paceOf(sending()),
    domain: () => sending()?.from.address.split("@")[1] ?? "localhost",
    log,
  });
  const owners = () => ownersOf(store);
  const recipients = () => {
    const { notifyTo } = settings.read().value;
    return notifyTo === null ? owners() : [notifyTo];
  };
  const stationery = () => stationeryOf(store, config.siteUrl);

  async function tell(submission: Submission): Promise<void> {
    const untold = recipients().filter((to) => !outbox.knows(submission.id, to));
    if (untold.length === 0) return;
    const words = enquiryMessage(stationery(), toldEnquiry(store, submission));
    for (const to of untold) await outbox.add({ ...words, kind: "enquiry", to, isOnce: true }); // oxlint-disable-line no-await-in-loop -- at most the owners
  }

  const thanks = thankYou({ ...options, outbox, stationery });

  /** What a kill kept from being told, and the daily message once its hour has come. */
  async function look(): Promise<void> {
    const { notify, since, digestAt } = settings.read().value;
    if (!sending()) return;
    for (const each of await submissionsFrom(store, clock() - THANKED_LATE)) await thanks(each); // oxlint-disable-line no-await-in-loop
    if (notify === "off") return;
    const from = Math.max(Date.parse(since ?? "") || clock(), clock() - TOLD_LATE);
    if (notify === "at once") {
      for (const submission of await submissionsFrom(store, from)) await tell(submission); // oxlint-disable-line no-await-in-loop
      return;
    }
    const due = lastDigestHour(clock());
    const last = Date.parse(digestAt ?? since ?? "") || 0;
    if (last >= due) return;
    const found = await submissionsFrom(store, last, due);
    if (found.length > 0) {
      const words = digestMessage(
        stationery(),
        found.map((each) => toldEnquiry(store, each)),
      );
      for (const to of recipients()) await outbox.add({ ...words, kind: "digest", to }); // oxlint-disable-line no-await-in-loop
    }
    await settings.update((value) => ({ ...value, digestAt: new Date(due).toISOString() }));
  }

  let looking: Promise<void> = Promise.resolve();
  const lookSoon = () =>
    (looking = looking
      .then(() => store.instances.alone("mail", look))
      .catch(() => log(NOT_LOOKED)));
  // Only once mail works, so that a site without it never asks.
  if (sends && isFixed && settings.read().value.since === null)
    await settings.update((value) => ({ ...value, since: isoTime(clock) }));
  if (sends) lookSoon();
  const timer = sends ? setInterval(lookSoon, LOOK_EVERY) : undefined;
  timer?.unref();

  return {
    settings,
    seal,
    outbox,
    isFixed,
    sending,
    sender: () => (sends ? currentMailer()?.send : undefined),
    stationery,
    owners,
    enquiryArrived(submission) {
      if (!sending()) return;
      const atOnce = settings.read().value.notify === "at once";
      const told = [thanks(submission), ...(atOnce ? [tell(submission)] : [])];
      void Promise.all(told).catch(() => log(NOT_TOLD));
    },
    look: lookSoon,
    tellOfNotices: ownerNotices({
      store,
      clock,
      outbox,
      stationery,
      recipients,
      isSetUp: () => sends && sending() !== undefined,
    }),
    notices: () => noticesOf(outbox, settings.read().value, sending()),
    async stop() {
      clearInterval(timer);
      await looking;
      await outbox.stop();
      open?.mailer.close();
    },
  };
}

/** What the providers take, in milliseconds from one message to the next: Resend 2 a second, Amazon 14. */
const PACES: Readonly<Record<string, number>> = { resend: 550, ses: 75 };
/** For all others: 50 a second. */
const USUAL_PACE = 20;

const paceOf = (sending: Sending | undefined) =>
  PACES[sending?.full.account.kind ?? ""] ?? USUAL_PACE;

const NOT_LOOKED =
  "Messages about enquiries couldn't be written. Limelight will try again in a minute.";
const NOT_TOLD =
  "A message about an enquiry couldn't be written. Limelight will try again in a minute.";

function storedSending(settings: MailSettings, seal: Seal): Sending | undefined {
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

function stationeryOf(store: Store, siteUrl: string | undefined): Stationery {
  const { primaryColor } = store.of(entities.styles).read().value;
  const { name, language } = store.of(entities.site).read().value;
  return {
    siteName: name,
    language,
    color: primaryColor,
    onColor: readableOn(primaryColor),
    siteUrl,
  };
}

function toldEnquiry(store: Store, { id, formId, questions }: Submission): ToldEnquiry {
  const form = store
    .of(entities.forms)
    .read()
    .value.find((each) => each.id === formId);
  return { id, formName: form?.name ?? "Enquiry", questions };
}

/** Those stored from one moment to another, oldest first. */
async function submissionsFrom(store: Store, from: number, before?: number): Promise<Submission[]> {
  const isThen = {
    createdAt: {
      from: new Date(from).toISOString(),
      ...(before !== undefined && { before: new Date(before).toISOString() }),
    },
  };
  return Array.fromAsync(store.of(entities.formSubmissions).scan({ where: isThen }));
}

/** The last time that it was the hour of the daily message. */
function lastDigestHour(now: number): number {
  const hour = new Date(now);
  hour.setHours(DIGEST_HOUR, 0, 0, 0);
  return hour.getTime() > now ? hour.getTime() - DAY : hour.getTime();
}

function noticesOf(outbox: Outbox, settings: MailSettings, sending: Sending | undefined): Notice[] {
  const opens = { screen: "mail", label: "Open Mail" } as const;
  if (settings.account !== null && !sending)
    return [
      {
        code: "mail_secret_lost",
        title: "Mail stands still",
        message:
          "The password of the mail account can't be read here, since the site was moved or put back. Type it again under Mail.",
        opens,
      },
    ];
  const { waiting, failed } = outbox.troubles();
  if (waiting + failed === 0) return [];
  const message = [
    ...(waiting > 0 ? [`${messages(waiting)} waiting for more than an hour.`] : []),
    ...(failed > 0 ? [`${messages(failed)} not delivered.`] : []),
  ].join(" ");
  return [{ code: "mail_trouble", title: "Mail needs a look", message, opens }];
}

const messages = (count: number) => (count === 1 ? "1 message is" : `${count} messages are`);
