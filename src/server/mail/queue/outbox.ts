/**
 * Queued messages: each is stored before it is tried, retried until it is accepted, refused for good or two days old,
 * and survives a kill. After a kill it may be sent twice, with the same Message-ID.
 */
import { entities } from "../../../schema/index.ts";
import type { MessageKind } from "../../../schema/mail.ts";
import { isoTime } from "../../shared/clock.ts";
import type { Page, Transaction } from "../../storage/store.ts";
import { isRefusal } from "../../shared/errors.ts";
import { GIVEN_UP_AFTER } from "../../shared/retries.ts";
import type { Rounds } from "../../shared/siteJob.ts";
import { declinedFor, FRESH, isDeclined } from "./attempts.ts";
import { type CarrierName, kindOf, type CarriersAndWriters, type StoredMessage } from "./kinds.ts";
import { type SendingContext, sendingRounds } from "./sendingRounds.ts";
import { sentMarks } from "./sentMarks.ts";
import { DAY, HOUR, timeOf } from "../../shared/time.ts";

/** A message to queue. */
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
  /** What it is about: an id, or a key of the kind's own. */
  readonly about?: string;
  /** Only one message of this kind about this to this address, across instances. */
  readonly isOnce?: boolean;
  /** Milliseconds since 1970. Default: now. Given up two days later. */
  readonly sendAt?: number;
  /** Why it isn't sent: stored so that nobody decides otherwise later. */
  readonly declined?: string;
}

export interface Outbox {
  /** Resolves once stored. Throws `cannot_store`, and an Error for an unknown kind. */
  add(message: NewMessage): Promise<StoredMessage>;
  /**
   * Stores the changes of `work` and the messages it returns: all or nothing, in its own transaction or in the one that
   * `within` runs. Throws what they throw, and `cannot_store`.
   */
  addWith(
    work: (transaction: Transaction) => Promise<readonly NewMessage[]>,
    within?: (change: (transaction: Transaction) => Promise<void>) => Promise<unknown>,
  ): Promise<void>;
  /** Starts sending. Call once, when all writers and carriers are ready. */
  start(sending: CarriersAndWriters): void;
  /** Retries a message now; undefined if there is nothing to retry. */
  retry(id: string): Promise<StoredMessage | undefined>;
  /** Newest first. */
  list(request: { offset: number; limit: number }): Promise<Page<StoredMessage>>;
  /** How many have waited for over an hour, and how many failed in the last week. */
  troubles(): Troubles;
  /** Whether somebody was already written to about this. */
  knows(about: string, to: string): boolean;
  /** The newest message about something. */
  about(about: string): Promise<StoredMessage | undefined>;
  /** How many of a kind were queued for these addresses since a moment (milliseconds since 1970). */
  count(kind: MessageKind, isTo: (to: string) => boolean, since: number): Promise<number>;
  /** A message's recipient as named in the list. */
  nameOf(message: Pick<StoredMessage, "kind" | "to">): string;
  /** Checks now for what is due. */
  wake(): void;
  /** Stops after the message under way. */
  stop(): Promise<void>;
}

interface Troubles {
  readonly waiting: number;
  readonly failed: number;
}

interface OutboxOptions extends SendingContext {
  /** The domain in Message-IDs. */
  readonly domain: () => string;
}

/** Messages before others get a turn. */
const LOOKED_AT_ONCE = 1000;

type Key = Pick<StoredMessage, "createdAt" | "nextAt">;

/** Opens the queue. */
export async function openOutbox(options: OutboxOptions): Promise<Outbox> {
  const { store, clock, domain } = options;
  const messages = store.of(entities.outbox);
  const rounds = new Map<CarrierName, Rounds>();
  let started: CarriersAndWriters | undefined;
  const known = new Set<string>();
  let troubles: Troubles = { waiting: 0, failed: 0 };

  async function look(): Promise<void> {
    const [anHourAgo, aWeekAgo] = [before(HOUR), before(7 * DAY)];
    let waiting = 0;
    let failed = 0;
    for (const [at, key] of (await messages.keys()).entries()) {
      if (at % LOOKED_AT_ONCE === LOOKED_AT_ONCE - 1) await Bun.sleep(0);
      const { kind, state, about, to, createdAt } = key;
      if (about !== null) known.add(`${about} ${to}`);
      if (createdAt === null || state === "sent" || isDeclined(key) || kindOf(kind).isQuiet)
        continue;
      if (state === "waiting" && createdAt < anHourAgo && !isHeld(key)) waiting++;
      if (state === "failed" && createdAt > aWeekAgo) failed++;
    }
    troubles = { waiting, failed };
  }

  const before = (time: number) => new Date(clock() - time).toISOString();

  function recordOf(given: NewMessage): StoredMessage {
    const { sendAt = clock(), isOnce = false, declined, ...message } = given;
    const { isWrittenLate = false } = kindOf(message.kind);
    if (message.text === "" && !isWrittenLate && declined === undefined)
      throw new Error(`no words for a message of the kind "${message.kind}"`);
    const id = isOnce ? idOf(message) : Bun.randomUUIDv7();
    return {
      ...FRESH,
      ...message,
      replyTo: message.replyTo ?? null,
      headers: message.headers ?? {},
      about: message.about ?? null,
      id,
      messageId: `<${id}@${domain()}>`,
      nextAt: sendAt,
      expiresAt: sendAt + GIVEN_UP_AFTER,
      createdAt: isoTime(clock),
      ...(declined !== undefined && declinedFor(declined)),
    };
  }

  const know = ({ about, to }: StoredMessage) => {
    if (about !== null) known.add(`${about} ${to}`);
  };

  async function insert(given: NewMessage): Promise<StoredMessage> {
    const record = recordOf(given);
    const stored = await messages.insert(record).catch(async (error: unknown) => {
      const there = isRefusal(error, "conflict") && (await messages.get(record.id));
      if (!there) throw error;
      return there;
    });
    know(stored);
    return stored;
  }

  await look();
  const marks = sentMarks(store, clock);
  const wake = () => rounds.forEach((each) => each.wake());
  return {
    async add(message) {
      const stored = await insert(message);
      wake();
      return stored;
    },
    async addWith(work, within = (change) => store.transaction(change)) {
      let added: StoredMessage[] = [];
      await within(async (transaction) => {
        added = (await work(transaction)).map(recordOf);
        const list = transaction.of(entities.outbox);
        await Promise.all(added.map((record) => list.insertMissing(record)));
      });
      added.forEach(know);
      wake();
    },
    start(sending) {
      started = sending;
      for (const carrier of CARRIERS)
        rounds.set(carrier, sendingRounds({ ...options, ...sending, carrier, marks, look }));
      wake();
    },
    nameOf: ({ kind, to }) => started?.carriers[kindOf(kind).carrier].nameOf?.(to) ?? to,
    async retry(id) {
      const changed = await messages.update(id, (stored) =>
        stored.state === "sent" ||
        marks.has(id) ||
        (stored.text === "" && !kindOf(stored.kind).isWrittenLate)
          ? stored
          : { ...stored, state: "waiting", nextAt: clock(), expiresAt: clock() + GIVEN_UP_AFTER },
      );
      wake();
      return changed?.state === "waiting" && !marks.has(id) ? changed : undefined;
    },
    async list(request) {
      const { items, total } = await messages.page({ ...request, newestFirst: true });
      return { items: items.map(marks.shown), total };
    },
    troubles: () => troubles,
    knows: (about, to) => known.has(`${about} ${to}`),
    async about(about) {
      const newest = { where: { about }, newestFirst: true, offset: 0, limit: 1 };
      const [found] = (await messages.page(newest)).items;
      return found && marks.shown(found);
    },
    async count(kind, isTo, since) {
      const createdAt = { from: new Date(since).toISOString() };
      const written = await messages.keys({ kind, createdAt });
      return written.filter((key) => isTo(key.to) && !isDeclined(key)).length;
    },
    wake,
    stop: async () => void (await Promise.all([...rounds.values()].map((each) => each.stop()))),
  };
}

/** Scheduled past giving up. */
const isHeld = ({ createdAt, nextAt }: Key) => nextAt - timeOf(createdAt) > GIVEN_UP_AFTER;

const CARRIERS: readonly CarrierName[] = ["mail", "push", "webhook"];

/** The same on every instance, formatted like an id. */
function idOf({ kind, about, to }: NewMessage): string {
  const digits = new Bun.CryptoHasher("sha256").update(`${kind} ${about} ${to}`).digest("hex");
  return digits.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}
