/**
 * Queued messages: each is stored before it is tried, retried until it is accepted, permanently refused or two days
 * old, and survives a kill. After a kill it may be sent twice, with the same Message-ID.
 */
import { entities } from "../../../schema/index.ts";
import type { MessageKind } from "../../../schema/people/mail.ts";
import { isoTime } from "../../shared/clock.ts";
import type { HandleOf, Page, Transaction } from "../../storage/store.ts";
import { isRefusal } from "../../shared/errors.ts";
import { RETRY_PERIOD_MS } from "../../shared/retries.ts";
import type { PeriodicJob } from "../../shared/periodicJob.ts";
import { hasFailed, NEW_MESSAGE_STATE } from "./attempts.ts";
import {
  type TransportName,
  getKindRules,
  type TransportsAndRenderers,
  type StoredMessage,
} from "./kinds.ts";
import { type DeliveryContext, startDeliveryLoop } from "./deliveryLoop.ts";
import { SentMarks } from "./sentMarks.ts";
import { DAY, HOUR, parseTimestamp } from "../../shared/time.ts";

export interface NewMessage {
  readonly kind: MessageKind;
  /** An address, unless it has another carrier. */
  readonly to: string;
  readonly subject: string;
  /** Both empty if it is written on sending (kinds.ts). */
  readonly text: string;
  readonly html: string;
  readonly replyTo?: string | null;
  /** Further headers, such as `List-Unsubscribe`; those of automatic mail are added. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The thing it is about: an id, or a key of the kind's own. */
  readonly about?: string;
  /** Only one message of this kind about this to this address, whichever process adds it. */
  readonly isOnce?: boolean;
  /** Milliseconds since 1970. Default: now. Given up two days later. */
  readonly sendAt?: number;
}

/** How many messages have waited for over an hour, and how many failed in the last week. */
export interface MailProblemCounts {
  readonly waiting: number;
  readonly failed: number;
}

interface OutboxOptions extends DeliveryContext {
  /** The domain in Message-IDs. */
  readonly domain: () => string;
}

type MessageKey = Pick<StoredMessage, "createdAt" | "nextAt" | "kind" | "state">;

/** The messages of a site; stores immediately, and sends once it is started. */
export class Outbox {
  readonly #options: OutboxOptions;
  readonly #messages: HandleOf<typeof entities.outbox>;
  readonly #sentMarks: SentMarks;
  readonly #rounds = new Map<TransportName, PeriodicJob>();
  #transports: TransportsAndRenderers | undefined;

  constructor(options: OutboxOptions) {
    this.#options = options;
    this.#messages = options.store.of(entities.outbox);
    this.#sentMarks = new SentMarks(options.store, options.clock);
  }

  /** Resolves once stored. Throws `cannot_store`, and an Error for an unknown kind. */
  async add(message: NewMessage): Promise<StoredMessage> {
    const record = this.#createRecord(message);
    const stored = await this.#messages.insert(record).catch(async (error: unknown) => {
      const existing = isRefusal(error, "conflict") && (await this.#messages.get(record.id));
      if (!existing) throw error;
      return existing;
    });
    this.checkNow();
    return stored;
  }

  /**
   * Stores the changes of `work` and the messages it returns: all or nothing, in its own transaction or in the one that
   * `within` runs. Throws what they throw, and `cannot_store`.
   */
  async addInTransaction(
    work: (transaction: Transaction) => Promise<readonly NewMessage[]>,
    within: (change: (transaction: Transaction) => Promise<void>) => Promise<unknown> = (change) =>
      this.#options.store.transaction(change),
  ): Promise<void> {
    await within(async (transaction) => {
      const added = (await work(transaction)).map((message) => this.#createRecord(message));
      const list = transaction.of(entities.outbox);
      await Promise.all(added.map((record) => list.insertMissing(record)));
    });
    this.checkNow();
  }

  /** Starts sending. Call once, when all writers and carriers are ready. */
  startSending(sending: TransportsAndRenderers): void {
    this.#transports = sending;
    const shared = { ...this.#options, ...sending, marks: this.#sentMarks };
    for (const carrier of CARRIERS)
      this.#rounds.set(carrier, startDeliveryLoop({ ...shared, carrier }));
    this.checkNow();
  }

  /** A message's recipient as named in the list. */
  recipientName({ kind, to }: Pick<StoredMessage, "kind" | "to">): string {
    return this.#transports?.carriers[getKindRules(kind).carrier].recipientName?.(to) ?? to;
  }

  /** Retries a message now; undefined if there is nothing to retry. */
  async retry(id: string): Promise<StoredMessage | undefined> {
    const now = this.#options.clock();
    const changed = await this.#messages.update(id, (stored) =>
      stored.state === "sent" ||
      this.#sentMarks.has(id) ||
      (stored.text === "" && !getKindRules(stored.kind).isRenderedOnSend)
        ? stored
        : { ...stored, state: "waiting", nextAt: now, expiresAt: now + RETRY_PERIOD_MS },
    );
    this.checkNow();
    return changed?.state === "waiting" && !this.#sentMarks.has(id) ? changed : undefined;
  }

  /** Newest first. */
  async list(request: { offset: number; limit: number }): Promise<Page<StoredMessage>> {
    const { items, total } = await this.#messages.page({ ...request, newestFirst: true });
    return { items: items.map(this.#sentMarks.withPendingMark), total };
  }

  async countProblems(): Promise<MailProblemCounts> {
    const now = this.#options.clock();
    const aWeekAgo = new Date(now - 7 * DAY).toISOString();
    const waiting = await this.#messages.keys({ state: "waiting" });
    const failed = await this.#messages.keys({ state: "failed", createdAt: { from: aWeekAgo } });
    return {
      waiting: waiting.filter((key) => isLate(key, now - HOUR)).length,
      failed: failed.filter((key) => hasFailed(key) && isProblemCandidate(key)).length,
    };
  }

  async findNewestAbout(about: string): Promise<StoredMessage | undefined> {
    const newest = { where: { about }, newestFirst: true, offset: 0, limit: 1 };
    const [latest] = (await this.#messages.page(newest)).items;
    return latest && this.#sentMarks.withPendingMark(latest);
  }

  /**
   * The recipients of queued messages of a kind since a time (milliseconds since 1970), once for each
   * message.
   */
  async findRecipientsSince(kind: MessageKind, since: number): Promise<string[]> {
    const createdAt = { from: new Date(since).toISOString() };
    return (await this.#messages.keys({ kind, createdAt })).map(({ to }) => to);
  }

  /** Checks now for what is due. */
  checkNow(): void {
    for (const each of this.#rounds.values()) each.runNow();
  }

  /** Stops after the message under way. */
  async stop(): Promise<void> {
    await Promise.all([...this.#rounds.values()].map((each) => each.stop()));
  }

  #createRecord(draft: NewMessage): StoredMessage {
    const { sendAt = this.#options.clock(), isOnce = false, ...message } = draft;
    const { isRenderedOnSend = false } = getKindRules(message.kind);
    if (message.text === "" && !isRenderedOnSend)
      throw new Error(`no renderer for a message of the kind "${message.kind}"`);
    const id = isOnce ? uniqueMessageId(message) : Bun.randomUUIDv7();
    return {
      ...NEW_MESSAGE_STATE,
      ...message,
      replyTo: message.replyTo ?? null,
      headers: message.headers ?? {},
      about: message.about ?? null,
      id,
      messageId: `<${id}@${this.#options.domain()}>`,
      nextAt: sendAt,
      expiresAt: sendAt + RETRY_PERIOD_MS,
      createdAt: isoTime(this.#options.clock),
    };
  }
}

const isProblemCandidate = ({ createdAt, kind }: MessageKey) =>
  createdAt !== null && !getKindRules(kind).isQuiet;

/** Whether a message that may be sent has waited since a time (milliseconds since 1970). */
const isLate = (key: MessageKey, since: number): boolean =>
  key.state === "waiting" &&
  isProblemCandidate(key) &&
  parseTimestamp(key.createdAt) < since &&
  !isScheduled(key);

/** Scheduled beyond the retry period. */
const isScheduled = ({ createdAt, nextAt }: MessageKey) =>
  nextAt - parseTimestamp(createdAt) > RETRY_PERIOD_MS;

const CARRIERS: readonly TransportName[] = ["mail", "push", "webhook"];

/** The same on every instance, formatted like an id. */
function uniqueMessageId({ kind, about, to }: NewMessage): string {
  const digits = new Bun.CryptoHasher("sha256").update(`${kind} ${about} ${to}`).digest("hex");
  return digits.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}
