/**
 * Messages on their way: each is stored before it is tried, tried until it is taken, refused for good or two
 * days old, and never lost by a kill. After one a message may go out once more, with the same Message-ID.
 */
import { entities, type Item } from "../../schema/index.ts";
import type { MessageKind } from "../../schema/mail.ts";
import { type Clock, isoTime } from "../shared/clock.ts";
import type { Page, Store } from "../storage/store.ts";
import { MailFault } from "./fault.ts";
import type { SendMessage } from "./mailer.ts";
import { headersOf } from "./message.ts";

export type StoredMessage = Item<"outbox">;

/** What is to be sent; the rest follows. */
export interface NewMessage {
  readonly kind: MessageKind;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly replyTo?: string | null;
  /** Further ones, such as `List-Unsubscribe`; those of automatic mail are added. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The id of what it tells of. */
  readonly about?: string;
}

export interface Outbox {
  /** Resolves once it is stored. Throws `cannot_store`. */
  add(message: NewMessage): Promise<StoredMessage>;
  /** Tries a message again now; undefined when there is none to be tried. */
  retry(id: string): Promise<StoredMessage | undefined>;
  /** Newest first. */
  list(request: { offset: number; limit: number }): Promise<Page<StoredMessage>>;
  /** What needs a look: how many wait for longer than an hour, and how many failed in the last week. */
  troubles(): Troubles;
  /** Tells whether somebody was already written to about this. */
  knows(about: string, to: string): boolean;
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
  /** Behind the @ of a Message-ID. */
  readonly domain: () => string;
  readonly log: (line: string) => void;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** How long to wait after each try that failed. */
export const WAITS = [1, 5, 15, 60, 180, 360, 720].map((minutes) => minutes * MINUTE);
const GIVEN_UP_AFTER = 2 * DAY;
/** Waits differ by a fifth, so that many messages don't come at the same moment. */
const SPREAD = 0.2;
const LOOK_EVERY = 15_000;
const AT_ONCE = 20;
/** How far back the list of messages goes. */
const KEPT = 90 * DAY;

/** Begins to send what waits. */
export async function openOutbox(options: OutboxOptions): Promise<Outbox> {
  const { store, clock, send, domain, log } = options;
  const messages = store.of(entities.outbox);
  const known = new Set<string>();
  let troubles: Troubles = { waiting: 0, failed: 0 };
  let running: Promise<void> | undefined;
  const asked = { again: false, toStop: false };

  async function look(): Promise<void> {
    const now = clock();
    let waiting = 0;
    let failed = 0;
    for (const { state, about, to, createdAt } of await messages.keys()) {
      if (about !== null) known.add(`${about} ${to}`);
      const age = now - Date.parse(createdAt ?? "");
      if (state === "waiting" && age > HOUR) waiting++;
      if (state === "failed" && age < 7 * DAY) failed++;
    }
    troubles = { waiting, failed };
  }

  async function sendOne(message: StoredMessage, deliver: SendMessage): Promise<void> {
    let fault: MailFault | undefined;
    try {
      // After a long standstill, or from an old backup: nobody expects it any more.
      if (clock() > message.expiresAt) throw new MailFault("connection", TOO_LATE, null, true);
      await deliver({ ...message, headers: headersOf(message.kind, message.headers) });
    } catch (error) {
      fault = error instanceof MailFault ? error : new MailFault("connection", UNKNOWN);
      log(`${message.kind} message ${message.id} was not sent: ${fault.message}`);
    }
    await messages.update(message.id, (stored) =>
      fault ? afterFault(stored, fault, clock()) : afterSuccess(stored, clock),
    );
  }

  async function round(): Promise<void> {
    const deliver = send();
    const now = clock();
    const isDue = (key: Pick<StoredMessage, "state" | "nextAt">) =>
      key.state === "waiting" && key.nextAt <= now;
    const { items } = await messages.page({ where: isDue, offset: 0, limit: AT_ONCE });
    if (deliver)
      for (const message of items) {
        if (asked.toStop) return;
        await sendOne(message, deliver); // oxlint-disable-line no-await-in-loop -- at the pace of the server
      }
    await forgetOld(now);
    await look();
    if (deliver && items.length === AT_ONCE) asked.again = true;
  }

  let forgottenAt = 0;
  async function forgetOld(now: number): Promise<void> {
    if (now - forgottenAt < DAY) return;
    forgottenAt = now;
    const before = new Date(now - KEPT).toISOString();
    await messages.deleteWhere((key) => key.state !== "waiting" && (key.createdAt ?? "") < before);
  }

  function wake(): void {
    asked.again = true;
    running ??= run().finally(() => (running = undefined));
  }

  async function run(): Promise<void> {
    while (asked.again && !asked.toStop) {
      asked.again = false;
      await round().catch(() => log(NOT_LOOKED)); // oxlint-disable-line no-await-in-loop -- one at a time
    }
  }

  await look();
  const timer = setInterval(wake, LOOK_EVERY);
  timer.unref();
  wake();
  return {
    async add(message) {
      const id = Bun.randomUUIDv7();
      const stored = await messages.insert({
        ...FRESH,
        ...message,
        replyTo: message.replyTo ?? null,
        headers: message.headers ?? {},
        about: message.about ?? null,
        id,
        messageId: `<${id}@${domain()}>`,
        nextAt: clock(),
        expiresAt: clock() + GIVEN_UP_AFTER,
        createdAt: isoTime(clock),
      });
      if (stored.about !== null) known.add(`${stored.about} ${stored.to}`);
      wake();
      return stored;
    },
    async retry(id) {
      const changed = await messages.update(id, (stored) =>
        stored.state === "sent" || stored.text === ""
          ? stored
          : { ...stored, state: "waiting", nextAt: clock(), expiresAt: clock() + GIVEN_UP_AFTER },
      );
      wake();
      return changed?.state === "waiting" ? changed : undefined;
    },
    list: (request) => messages.page({ ...request, newestFirst: true }),
    troubles: () => troubles,
    knows: (about, to) => known.has(`${about} ${to}`),
    wake,
    async stop() {
      asked.toStop = true;
      clearInterval(timer);
      await running;
    },
  };
}

const TOO_LATE = "It waited for more than two days, so it was not sent.";
const UNKNOWN = "The message couldn't be sent. It is tried again.";
const NOT_LOOKED = "Messages that wait couldn't be looked at. Limelight will try again.";

const FRESH = {
  state: "waiting",
  attempts: 0,
  problem: null,
  said: null,
  sentAt: null,
} as const;

/** Nobody needs to read it here again: the words go, the line in the list stays. */
function afterSuccess(stored: StoredMessage, clock: Clock): StoredMessage {
  return {
    ...stored,
    state: "sent",
    attempts: stored.attempts + 1,
    problem: null,
    said: null,
    sentAt: isoTime(clock),
    text: "",
    html: "",
  };
}

function afterFault(stored: StoredMessage, fault: MailFault, now: number): StoredMessage {
  const attempts = stored.attempts + 1;
  const wait = WAITS[Math.min(attempts, WAITS.length) - 1]!;
  const nextAt = now + wait * (1 - SPREAD + 2 * SPREAD * Math.random());
  const isOver = fault.isPermanent || nextAt > stored.expiresAt;
  return {
    ...stored,
    attempts,
    problem: fault.message,
    said: fault.said,
    state: isOver ? "failed" : "waiting",
    nextAt,
  };
}
