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
  kindOf,
  type TransportsAndRenderers,
  type StoredMessage,
} from "./kinds.ts";
import { type SendingContext, startDeliveryLoop } from "./deliveryLoop.ts";
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
export interface Troubles {
  readonly waiting: number;
  readonly failed: number;
}

interface OutboxOptions extends SendingContext {
  /** The domain in Message-IDs. */
  readonly domain: () => string;
}

type Key = Pick<StoredMessage, "createdAt" | "nextAt" | "kind" | "state">;

/** The messages of a site; stores immediately, and sends once it is started. */
export class Outbox {
  readonly #options: OutboxOptions;
  readonly #messages: HandleOf<typeof entities.outbox>;
  readonly #marks: SentMarks;
  readonly #rounds = new Map<TransportName, PeriodicJob>();
  #started: TransportsAndRenderers | undefined;

  constructor(options: OutboxOptions) {
    this.#options = options;
    this.#messages = options.store.of(entities.outbox);
    this.#marks = new SentMarks(options.store, options.clock);
  }

  /** Resolves once stored. Throws `cannot_store`, and an Error for an unknown kind. */
  async add(message: NewMessage): Promise<StoredMessage> {
    const record = this.#recordOf(message);
    const stored = await this.#messages.insert(record).catch(async (error: unknown) => {
      const existing = isRefusal(error, "conflict") && (await this.#messages.get(record.id));
      if (!existing) throw error;
      return existing;
    });
    this.wake();
    return stored;
  }

  /**
   * Stores the changes of `work` and the messages it returns: all or nothing, in its own transaction or in the one that
   * `within` runs. Throws what they throw, and `cannot_store`.
   */
  async addWith(
    work: (transaction: Transaction) => Promise<readonly NewMessage[]>,
    within: (change: (transaction: Transaction) => Promise<void>) => Promise<unknown> = (change) =>
      this.#options.store.transaction(change),
  ): Promise<void> {
    await within(async (transaction) => {
      const added = (await work(transaction)).map((message) => this.#recordOf(message));
      const list = transaction.of(entities.outbox);
      await Promise.all(added.map((record) => list.insertMissing(record)));
    });
    this.wake();
  }

  /** Starts sending. Call once, when all writers and carriers are ready. */
  start(sending: TransportsAndRenderers): void {
    this.#started = sending;
    const shared = { ...this.#options, ...sending, marks: this.#marks };
    for (const carrier of CARRIERS)
      this.#rounds.set(carrier, startDeliveryLoop({ ...shared, carrier }));
    this.wake();
  }

  /** A message's recipient as named in the list. */
  nameOf({ kind, to }: Pick<StoredMessage, "kind" | "to">): string {
    return this.#started?.carriers[kindOf(kind).carrier].nameOf?.(to) ?? to;
  }

  /** Retries a message now; undefined if there is nothing to retry. */
  async retry(id: string): Promise<StoredMessage | undefined> {
    const now = this.#options.clock();
    const changed = await this.#messages.update(id, (stored) =>
      stored.state === "sent" ||
      this.#marks.has(id) ||
      (stored.text === "" && !kindOf(stored.kind).isRenderedOnSend)
        ? stored
        : { ...stored, state: "waiting", nextAt: now, expiresAt: now + RETRY_PERIOD_MS },
    );
    this.wake();
    return changed?.state === "waiting" && !this.#marks.has(id) ? changed : undefined;
  }

  /** Newest first. */
  async list(request: { offset: number; limit: number }): Promise<Page<StoredMessage>> {
    const { items, total } = await this.#messages.page({ ...request, newestFirst: true });
    return { items: items.map(this.#marks.withMark), total };
  }

  async failureCounts(): Promise<Troubles> {
    const now = this.#options.clock();
    const aWeekAgo = new Date(now - 7 * DAY).toISOString();
    const waiting = await this.#messages.keys({ state: "waiting" });
    const failed = await this.#messages.keys({ state: "failed", createdAt: { from: aWeekAgo } });
    return {
      waiting: waiting.filter((key) => isLate(key, now - HOUR)).length,
      failed: failed.filter((key) => hasFailed(key) && isCounted(key)).length,
    };
  }

  async about(about: string): Promise<StoredMessage | undefined> {
    const newest = { where: { about }, newestFirst: true, offset: 0, limit: 1 };
    const [latest] = (await this.#messages.page(newest)).items;
    return latest && this.#marks.withMark(latest);
  }

  /**
   * The recipients of queued messages of a kind since a time (milliseconds since 1970), once for each
   * message.
   */
  async recipientsSince(kind: MessageKind, since: number): Promise<string[]> {
    const createdAt = { from: new Date(since).toISOString() };
    return (await this.#messages.keys({ kind, createdAt })).map(({ to }) => to);
  }

  /** Checks now for what is due. */
  wake(): void {
    for (const each of this.#rounds.values()) each.wake();
  }

  /** Stops after the message under way. */
  async stop(): Promise<void> {
    await Promise.all([...this.#rounds.values()].map((each) => each.stop()));
  }

  #recordOf(draft: NewMessage): StoredMessage {
    const { sendAt = this.#options.clock(), isOnce = false, ...message } = draft;
    const { isRenderedOnSend = false } = kindOf(message.kind);
    if (message.text === "" && !isRenderedOnSend)
      throw new Error(`no renderer for a message of the kind "${message.kind}"`);
    const id = isOnce ? idOf(message) : Bun.randomUUIDv7();
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

const isCounted = ({ createdAt, kind }: Key) => createdAt !== null && !kindOf(kind).isQuiet;

/** Whether a message that may be sent has waited since a time (milliseconds since 1970). */
const isLate = (key: Key, since: number): boolean =>
  key.state === "waiting" &&
  isCounted(key) &&
  parseTimestamp(key.createdAt) < since &&
  !isHeld(key);

/** Scheduled beyond the retry period. */
const isHeld = ({ createdAt, nextAt }: Key) => nextAt - parseTimestamp(createdAt) > RETRY_PERIOD_MS;

const CARRIERS: readonly TransportName[] = ["mail", "push", "webhook"];

/** The same on every instance, formatted like an id. */
function idOf({ kind, about, to }: NewMessage): string {
  const digits = new Bun.CryptoHasher("sha256").update(`${kind} ${about} ${to}`).digest("hex");
  return digits.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}
