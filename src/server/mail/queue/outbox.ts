/**
 * The queue of messages. A message is stored before it is sent, so a crash doesn't lose it. It is retried until it is
 * accepted, permanently refused or two days old. After a crash it may be sent twice, with the same Message-ID.
 */
import { entities } from "../../../schema/index.ts";
import type { MessageKind } from "../../../schema/people/mail.ts";
import { getTimestamp } from "../../shared/clock.ts";
import type { HandleOf, Page, Transaction } from "../../storage/store.ts";
import { RETRY_PERIOD_MS } from "../../shared/retries.ts";
import type { PeriodicJob } from "../../shared/periodicJob.ts";
import { hasFailed, SentMessageRecorder } from "./attempts.ts";
import {
  type TransportName,
  getKindRules,
  type MessageHandlers,
  type StoredMessage,
} from "./messageKinds.ts";
import { type DeliveryContext, DeliveryLoop } from "./deliveryLoop.ts";
import { DAY, HOUR, parseTimestamp } from "../../shared/time.ts";

export interface NewMessage {
  readonly kind: MessageKind;
  /** The recipient's email address; for a notification on a device, the device's id. */
  readonly to: string;
  readonly subject: string;
  /** `text` and `html` are empty for a kind that is rendered when it is sent (messageKinds.ts). */
  readonly text: string;
  readonly html: string;
  readonly replyTo?: string | null;
  /** Additional headers, such as `List-Unsubscribe`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The id of the item that the message is about, or a key whose form depends on the kind. */
  readonly about?: string;
  /** True if `kind`, `about` and `to` identify the message, so that two instances store it only once. */
  readonly isUnique?: boolean;
  /** When to send the message (milliseconds since 1970). Default: now. Retries end two days later. */
  readonly sendAt?: number;
}

type RunInTransaction = (change: (transaction: Transaction) => Promise<void>) => Promise<unknown>;

/** The number of messages that have waited for over an hour, and of messages that failed in the last week. */
export interface MailProblemCounts {
  readonly waiting: number;
  readonly failed: number;
}

interface OutboxOptions extends DeliveryContext {
  /** The domain in Message-IDs. */
  readonly getDomain: () => string;
}

type MessageKeys = Pick<StoredMessage, "createdAt" | "nextAt" | "kind" | "state">;

/** Stores the messages of a site, and sends them once `startSending` has been called. */
export class Outbox {
  readonly #options: OutboxOptions;
  readonly #messages: HandleOf<typeof entities.outbox>;
  readonly #sentRecorder: SentMessageRecorder;
  #jobs: readonly PeriodicJob[] = [];
  #handlers: MessageHandlers | undefined;

  constructor(options: OutboxOptions) {
    this.#options = options;
    this.#messages = options.store.of(entities.outbox);
    this.#sentRecorder = new SentMessageRecorder(options.store, options.clock);
  }

  /** Queues a message. Resolves once it is stored. Throws `cannot_store`. */
  async add(message: NewMessage): Promise<StoredMessage> {
    const record = this.#createRecord(message);
    await this.#options.store.transaction((transaction) =>
      transaction.of(entities.outbox).insertMissing(record),
    );
    this.sendDue();
    return record;
  }

  /** Runs `work`, and queues the messages it returns in the same transaction. Throws its errors and `cannot_store`. */
  async addInTransaction(
    work: (transaction: Transaction) => Promise<readonly NewMessage[]>,
    runInTransaction: RunInTransaction = (change) => this.#options.store.transaction(change),
  ): Promise<void> {
    await runInTransaction(async (transaction) => {
      const records = (await work(transaction)).map((message) => this.#createRecord(message));
      const outbox = transaction.of(entities.outbox);
      await Promise.all(records.map((record) => outbox.insertMissing(record)));
    });
    this.sendDue();
  }

  /** Starts sending. Call it only once, when all transports and renderers exist. */
  startSending(handlers: MessageHandlers): void {
    this.#handlers = handlers;
    const context = { ...this.#options, ...handlers, sentRecorder: this.#sentRecorder };
    this.#jobs = TRANSPORT_NAMES.map(
      (transport) => new DeliveryLoop({ ...context, transport }).job,
    );
    this.sendDue();
  }

  formatRecipientName({ kind, to }: Pick<StoredMessage, "kind" | "to">): string {
    const { transport } = getKindRules(kind);
    return this.#handlers?.transports[transport].formatRecipientName?.(to) ?? to;
  }

  /** Retries a message now. Returns undefined if it doesn't exist, was already sent, or no longer has its text. */
  async retry(id: string): Promise<StoredMessage | undefined> {
    const now = this.#options.clock();
    const updatedMessage = await this.#messages.update(id, (stored) => {
      const message = this.#sentRecorder.withPendingMark(stored);
      const hasContent = message.text !== "" || getKindRules(message.kind).isRenderedOnSend;
      return message.state === "sent" || !hasContent
        ? message
        : { ...message, state: "waiting", nextAt: now, expiresAt: now + RETRY_PERIOD_MS };
    });
    this.sendDue();
    return updatedMessage?.state === "waiting" ? updatedMessage : undefined;
  }

  /** Returns messages of all states, newest first. */
  async listPage(request: { offset: number; limit: number }): Promise<Page<StoredMessage>> {
    const { items, total } = await this.#messages.readPage({ ...request, newestFirst: true });
    return { items: items.map(this.#sentRecorder.withPendingMark), total };
  }

  async countProblems(): Promise<MailProblemCounts> {
    const aWeekAgo = new Date(this.#options.clock() - 7 * DAY).toISOString();
    const messages = await this.#messages.readKeys([
      { state: "waiting" },
      { state: "failed", createdAt: { from: aWeekAgo } },
    ]);
    const problems = messages.filter((key) => this.isProblem(key));
    const waiting = problems.filter(({ state }) => state === "waiting").length;
    return { waiting, failed: problems.length - waiting };
  }

  /** Whether a message has waited for over an hour, or failed in the last week. */
  isProblem(message: MessageKeys): boolean {
    const now = this.#options.clock();
    const isRecent = parseTimestamp(message.createdAt) >= now - 7 * DAY;
    return isLate(message, now - HOUR) || (isRecent && hasFailed(message) && isReportable(message));
  }

  /** Returns the newest message with this `about`; undefined if there is none. */
  async findNewestAbout(about: string): Promise<StoredMessage | undefined> {
    const newestQuery = { where: { about }, newestFirst: true, offset: 0, limit: 1 };
    const [message] = (await this.#messages.readPage(newestQuery)).items;
    return message && this.#sentRecorder.withPendingMark(message);
  }

  /** Returns the recipients of all messages of a kind that were queued since a time (milliseconds since 1970). */
  async findRecipientsSince(kind: MessageKind, since: number): Promise<string[]> {
    const createdAt = { from: new Date(since).toISOString() };
    return (await this.#messages.readKeys({ kind, createdAt })).map(({ to }) => to);
  }

  /** Sends due messages now, instead of at the next regular check. */
  sendDue(): void {
    for (const job of this.#jobs) job.runNow();
  }

  /** Stops after the message that is being sent. */
  async stop(): Promise<void> {
    await Promise.all(this.#jobs.map((job) => job.stop()));
  }

  #createRecord(newMessage: NewMessage): StoredMessage {
    const { sendAt = this.#options.clock(), isUnique = false, ...message } = newMessage;
    const { isRenderedOnSend = false } = getKindRules(message.kind);
    if (message.text === "" && !isRenderedOnSend)
      throw new Error(`no renderer for a message of the kind "${message.kind}"`);
    const id = isUnique ? createUniqueMessageId(message) : Bun.randomUUIDv7();
    return {
      ...message,
      state: "waiting",
      attempts: 0,
      problem: null,
      said: null,
      sentAt: null,
      replyTo: message.replyTo ?? null,
      headers: message.headers ?? {},
      about: message.about ?? null,
      id,
      messageId: `<${id}@${this.#options.getDomain()}>`,
      nextAt: sendAt,
      expiresAt: sendAt + RETRY_PERIOD_MS,
      createdAt: getTimestamp(this.#options.clock),
    };
  }
}

const isReportable = ({ createdAt, kind }: MessageKeys) =>
  createdAt !== null && !getKindRules(kind).isFailureHidden;

/** Whether an unscheduled message queued before `latest` (milliseconds since 1970) is still waiting. */
const isLate = (message: MessageKeys, latest: number): boolean =>
  message.state === "waiting" &&
  isReportable(message) &&
  parseTimestamp(message.createdAt) < latest &&
  // A message whose `nextAt` is later than any retry is scheduled, so it isn't late.
  message.nextAt - parseTimestamp(message.createdAt) <= RETRY_PERIOD_MS;

const TRANSPORT_NAMES: readonly TransportName[] = ["mail", "push", "webhook"];

/** Returns an id in the form of a UUID: the same on all instances for the same kind, `about` and recipient. */
function createUniqueMessageId({ kind, about, to }: NewMessage): string {
  const digits = new Bun.CryptoHasher("sha256").update(`${kind} ${about} ${to}`).digest("hex");
  return digits.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}
