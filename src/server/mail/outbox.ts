/**
 * Messages on their way: each is stored before it is tried, tried until it is taken, refused for good or two
 * days old, and never lost by a kill. After one a message may go out once more, with the same Message-ID.
 */
import { entities, type Item } from "../../schema/index.ts";
import type { MessageKind } from "../../schema/mail.ts";
import { type Clock, isoTime } from "../shared/clock.ts";
import type { Page, Store } from "../storage/store.ts";
import { afterFault, afterSuccess, FRESH, GIVEN_UP_AFTER } from "./attempts.ts";
import { isRefusal } from "../shared/errors.ts";
import { MailFault } from "./fault.ts";
import type { SendMessage } from "./mailer.ts";
import { headersOf } from "./message.ts";

export type StoredMessage = Item<"outbox">;

/** What is to be sent; the rest follows. */
export interface NewMessage {
  readonly kind: MessageKind;
  readonly to: string;
  readonly subject: string;
  /** Both empty where the kind's handler writes them. */
  readonly text: string;
  readonly html: string;
  readonly replyTo?: string | null;
  /** Further ones, such as `List-Unsubscribe`; those of automatic mail are added. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The id of what it tells of. */
  readonly about?: string;
  /** Whichever instance comes first: there is one message of this kind about this to this address. */
  readonly isOnce?: boolean;
  /** Milliseconds since 1970. Default: now. It is given up two days after that. */
  readonly sendAt?: number;
}

type LateWords = Pick<NewMessage, "subject" | "text" | "html"> & Pick<NewMessage, "headers">;

/** What a part of the site does about the messages of a kind of its own. */
export interface KindHandler {
  /** They go after all others, so that thousands of them hold nothing up. */
  readonly isBulk?: boolean;
  /** False while those about something stand still. Asked often, so from memory. */
  readonly mayGo?: (about: string | null) => boolean;
  /**
   * Writes the words of one that is due, so that thousands needn't be stored each with the same. Throws a
   * `MailFault` that is permanent for one that is not to be sent any more.
   */
  readonly write?: (message: StoredMessage) => Promise<LateWords> | LateWords;
  /** Is told of one that was sent or failed, once that is stored. A kill may come between both. */
  readonly settled?: (message: StoredMessage) => Promise<void> | void;
}

export interface Outbox {
  /** Resolves once it is stored. Throws `cannot_store`. */
  add(message: NewMessage): Promise<StoredMessage>;
  /** As `add`, many at a time, giving way to other work. After an error some of them are stored. */
  addAll(messages: Iterable<NewMessage>): Promise<void>;
  /** To be called right after the outbox was opened, before anything of the kind can be due. */
  handle(kind: MessageKind, handler: KindHandler): void;
  /** Tries a message again now; undefined when there is none to be tried. */
  retry(id: string): Promise<StoredMessage | undefined>;
  /** Newest first. */
  list(request: { offset: number; limit: number }): Promise<Page<StoredMessage>>;
  /** What needs a look: how many wait for longer than an hour, and how many failed in the last week. */
  troubles(): Troubles;
  /** Tells whether somebody was already written to about this. */
  knows(about: string, to: string): boolean;
  /** The newest message about something. */
  about(about: string): Promise<StoredMessage | undefined>;
  /** How many of a kind were written to those addresses since a moment (milliseconds since 1970). */
  count(kind: MessageKind, isTo: (to: string) => boolean, since: number): Promise<number>;
  /** Looks now for what is due. */
  wake(): void;
  /** Ends after the message under way. */
  stop(): Promise<void>;
}

export interface Troubles {
  readonly waiting: number;
  readonly failed: number;
}

interface OutboxOptions {
  readonly store: Store;
  readonly clock: Clock;
  /** Undefined while mail is not set up: everything waits. */
  readonly send: () => SendMessage | undefined;
  /** The shortest time from one message to the next, in milliseconds. */
  readonly pace: () => number;
  /** Behind the @ of a Message-ID. */
  readonly domain: () => string;
  readonly log: (line: string) => void;
}

const HOUR = 60 * 60_000;
const DAY = 24 * HOUR;

const LOOK_EVERY = 15_000;
const ELSEWHERE_AGAIN = 1000;
/** Stored at once by `addAll`: about what one write takes. */
const STORED_AT_ONCE = 25;
/** After so long, in milliseconds, it is looked whether something more urgent has come. */
const ROUND = 2000;
/** How far back the list of messages goes. */
const KEPT = 90 * DAY;

/** Begins to send what waits. */
export async function openOutbox(options: OutboxOptions): Promise<Outbox> {
  const { store, clock, send, pace, domain, log } = options;
  const messages = store.of(entities.outbox);
  const handlers = new Map<MessageKind, KindHandler>();
  const known = new Set<string>();
  let troubles: Troubles = { waiting: 0, failed: 0 };
  let running: Promise<void> | undefined;
  const asked = { again: false, toStop: false };

  async function look(): Promise<void> {
    const now = clock();
    let waiting = 0;
    let failed = 0;
    for (const { kind, state, about, to, createdAt, nextAt } of await messages.keys()) {
      if (about !== null) known.add(`${about} ${to}`);
      const age = now - Date.parse(createdAt ?? "");
      const isHeld = nextAt - Date.parse(createdAt ?? "") > GIVEN_UP_AFTER || !mayGo(kind, about);
      if (state === "waiting" && age > HOUR && !isHeld) waiting++;
      if (state === "failed" && age < 7 * DAY) failed++;
    }
    troubles = { waiting, failed };
  }

  const isBulk = ({ kind }: Pick<StoredMessage, "kind">) => handlers.get(kind)?.isBulk ?? false;

  const mayGo = (kind: MessageKind, about: string | null) =>
    handlers.get(kind)?.mayGo?.(about) ?? true;

  /** Returns what went wrong. */
  async function sendOne(
    message: StoredMessage,
    deliver: SendMessage,
  ): Promise<MailFault | undefined> {
    let fault: MailFault | undefined;
    const { kind, headers } = message;
    try {
      // After a long standstill, or from an old backup: nobody expects it any more.
      if (clock() > message.expiresAt) throw new MailFault("connection", TOO_LATE, null, true);
      const late = await handlers.get(kind)?.write?.(message);
      const all = headersOf(kind, { ...headers, ...late?.headers });
      await deliver({ ...message, ...late, headers: all });
    } catch (error) {
      fault = error instanceof MailFault ? error : new MailFault("recipient", UNKNOWN);
      log(`${kind} message ${message.id} was not sent: ${fault.message}`);
    }
    const stored = await messages.update(message.id, (current) =>
      fault ? afterFault(current, fault, clock()) : afterSuccess(current, clock),
    );
    if (stored && stored.state !== "waiting") await handlers.get(kind)?.settled?.(stored);
    return fault;
  }

  /** The ids of what is due, bulk last, each in the order in which it came. */
  async function due(): Promise<string[]> {
    const now = clock();
    const isDue = { state: "waiting", nextAt: { upTo: now } } as const;
    const found = (await messages.keys(isDue)).filter(({ kind, about }) => mayGo(kind, about));
    return [...found.filter((key) => !isBulk(key)), ...found.filter(isBulk)].map(({ id }) => id);
  }

  async function round(): Promise<void> {
    const deliver = send();
    if (deliver) {
      const until = performance.now() + ROUND;
      for (const id of await due()) {
        if (asked.toStop) return;
        if (performance.now() > until) {
          asked.again = true;
          break;
        }
        const next = Bun.sleep(pace());
        const message = await messages.get(id);
        // Its words are written by a part of the site that isn't there yet.
        if (message?.text === "" && !handlers.get(message.kind)?.write) continue;
        const fault = message?.state === "waiting" && (await sendOne(message, deliver));
        // The others would fare the same: one is tried at each look until it goes.
        if (fault && fault.concernsAll) break;
        await next;
      }
    }
    await forgetOld(clock());
    await look();
  }

  let forgottenAt = 0;
  async function forgetOld(now: number): Promise<void> {
    if (now - forgottenAt < DAY) return;
    forgottenAt = now;
    const before = new Date(now - KEPT).toISOString();
    await messages.deleteWhere({ state: { not: "waiting" }, createdAt: { before } });
  }

  function wake(): void {
    asked.again = true;
    running ??= run().finally(() => (running = undefined));
  }

  async function run(): Promise<void> {
    while (asked.again && !asked.toStop) {
      asked.again = false;
      await roundAlone(); // oxlint-disable-line no-await-in-loop -- one at a time
    }
  }

  /** Where another instance is at it, it is looked again soon whether it has taken what came here. */
  async function roundAlone(): Promise<void> {
    try {
      const isDone = await store.instances.alone("outbox", () => round().then(() => true));
      if (isDone) return;
      await look();
      setTimeout(wake, ELSEWHERE_AGAIN).unref();
    } catch {
      log(NOT_LOOKED);
    }
  }

  async function insert(given: NewMessage): Promise<StoredMessage> {
    const { sendAt = clock(), isOnce = false, ...message } = given;
    const id = isOnce ? idOf(message) : Bun.randomUUIDv7();
    const made = messages.insert({
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
    });
    const stored = await made.catch(async (error: unknown) => {
      const there = isRefusal(error, "conflict") && (await messages.get(id));
      if (!there) throw error;
      return there;
    });
    if (stored.about !== null) known.add(`${stored.about} ${stored.to}`);
    return stored;
  }

  await look();
  const timer = setInterval(wake, LOOK_EVERY);
  timer.unref();
  wake();
  return {
    async add(message) {
      const stored = await insert(message);
      wake();
      return stored;
    },
    async addAll(many) {
      let batch: Promise<StoredMessage>[] = [];
      for (const message of many) {
        batch.push(insert(message));
        if (batch.length < STORED_AT_ONCE) continue;
        await Promise.all(batch); // oxlint-disable-line no-await-in-loop -- so that others get their turn
        batch = [];
      }
      await Promise.all(batch);
      wake();
    },
    handle: (kind, handler) => void handlers.set(kind, handler),
    async retry(id) {
      const changed = await messages.update(id, (stored) =>
        stored.state === "sent" || (stored.text === "" && !handlers.get(stored.kind)?.write)
          ? stored
          : { ...stored, state: "waiting", nextAt: clock(), expiresAt: clock() + GIVEN_UP_AFTER },
      );
      wake();
      return changed?.state === "waiting" ? changed : undefined;
    },
    list: (request) => messages.page({ ...request, newestFirst: true }),
    troubles: () => troubles,
    knows: (about, to) => known.has(`${about} ${to}`),
    async about(about) {
      const newest = { where: { about }, newestFirst: true, offset: 0, limit: 1 };
      return (await messages.page(newest)).items[0];
    },
    async count(kind, isTo, since) {
      const createdAt = { from: new Date(since).toISOString() };
      return (await messages.keys({ kind, createdAt })).filter(({ to }) => isTo(to)).length;
    },
    wake,
    async stop() {
      asked.toStop = true;
      clearInterval(timer);
      await running;
    },
  };
}

/** The same on every instance, in the form of an id. */
function idOf({ kind, about, to }: NewMessage): string {
  const digits = new Bun.CryptoHasher("sha256").update(`${kind} ${about} ${to}`).digest("hex");
  return digits.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

const TOO_LATE = "It waited for more than two days, so it was not sent.";
const UNKNOWN = "The message couldn't be sent. It is tried again.";
const NOT_LOOKED = "Messages that wait couldn't be looked at. Limelight will try again.";
