/**
 * Sends what is due in the outbox: one message after the other, the urgent ones first, by one instance at a
 * time, for as long as there is something. What is not carried by mail has rounds of its own, so that neither
 * waits for the other.
 */
import { entities, type Item } from "../../../schema/index.ts";
import type { MessageKind } from "../../../schema/mail.ts";
import type { Clocks } from "../../shared/clock.ts";
import type { Rounds } from "../../shared/rounds.ts";
import { type GoesOn, siteJob } from "../../shared/siteJob.ts";
import type { Store } from "../../storage/store.ts";
import { afterFault } from "./attempts.ts";
import { CutOff, MailFault } from "../carriers/fault.ts";
import type { HandedIn } from "./handedIn.ts";
import type { SendMessage } from "../carriers/mailer.ts";
import { headersOf } from "../carriers/headers.ts";

export type StoredMessage = Item<"outbox">;

/** Words that are written when a message is due. */
interface LateWords {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What a part of the site does about the messages of a kind of its own. */
export interface KindHandler {
  /** They go after all others, so that thousands of them hold nothing up. */
  readonly isBulk?: boolean;
  /** What carries them, if that isn't the mail; it returns undefined while they have to wait. */
  readonly deliver?: () => SendMessage | undefined;
  /** True: nobody needs to look after one that doesn't go. */
  readonly isQuiet?: boolean;
  /** How the list calls a recipient that is no address. */
  readonly nameOf?: (to: string) => string;
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

export type Handlers = Map<MessageKind, KindHandler>;

/** Whether the messages of a kind about something are not held back. */
export const mayGo = (handlers: Handlers, kind: MessageKind, about: string | null): boolean =>
  handlers.get(kind)?.mayGo?.(about) ?? true;

/** What sending needs. */
export interface Sending extends Clocks {
  readonly store: Store;
  /** Undefined while mail is not set up: everything waits. */
  readonly send: () => SendMessage | undefined;
  /** The shortest time from one message to the next, in milliseconds. */
  readonly pace: () => number;
  readonly log: (line: string) => void;
}

interface RoundsContext extends Sending {
  /** No two instances are at the rounds of one name. */
  readonly name: string;
  readonly isMine: (kind: MessageKind) => boolean;
  readonly handlers: Handlers;
  readonly handedIn: HandedIn;
  /** Called after each round: what is stored has changed. */
  readonly look: () => Promise<void>;
}

const DAY = 24 * 60 * 60_000;
const LOOK_EVERY = 15_000;
const ELSEWHERE_AGAIN = 1000;
/** After so long, in milliseconds, it is looked whether something more urgent has come. */
const ROUND = 2000;
/** How far back the list of messages goes. */
const KEPT = 90 * DAY;

/** Looks at once, then every 15 seconds and when it is woken. */
export function sendingRounds(context: RoundsContext): Rounds {
  const {
    store,
    clock,
    believed = clock,
    name,
    isMine,
    send,
    pace,
    log,
    handlers,
    handedIn,
    look,
  } = context;
  const messages = store.of(entities.outbox);

  const isBulk = ({ kind }: Pick<StoredMessage, "kind">) => handlers.get(kind)?.isBulk ?? false;

  /** Returns what went wrong. */
  async function sendOne(
    message: StoredMessage,
    deliver: SendMessage,
  ): Promise<MailFault | undefined> {
    const { id, kind, headers } = message;
    try {
      // After a long standstill, or from an old backup: nobody expects it any more.
      if (believed() > message.expiresAt) throw new MailFault("connection", TOO_LATE, null, true);
      const late = await handlers.get(kind)?.write?.(message);
      const all = headersOf(kind, { ...headers, ...late?.headers });
      await deliver({ ...message, ...late, headers: all });
    } catch (error) {
      const fault = error instanceof MailFault ? error : new MailFault("recipient", UNKNOWN);
      log(`${kind} message ${id} was not sent: ${fault.message}`);
      if (fault instanceof CutOff) return fault;
      await tell(
        await messages.update(id, (current) => afterFault(current, fault, clock(), believed())),
      );
      return fault;
    }
    await tell(await handedIn.note(message));
    return undefined;
  }

  async function settle(): Promise<void> {
    for (const message of await handedIn.settle(isMine)) await tell(message);
  }

  async function tell(message: StoredMessage | undefined): Promise<void> {
    if (message && message.state !== "waiting")
      await handlers.get(message.kind)?.settled?.(message);
  }

  /** The ids of what is due, bulk last, each in the order in which it came. */
  async function due(): Promise<string[]> {
    const now = clock();
    const isDue = { state: "waiting", nextAt: { upTo: now } } as const;
    const found = (await messages.keys(isDue)).filter(
      ({ kind, about }) => isMine(kind) && mayGo(handlers, kind, about),
    );
    return [...found.filter((key) => !isBulk(key)), ...found.filter(isBulk)].map(({ id }) => id);
  }

  async function round(goesOn: GoesOn): Promise<void> {
    // Of a kill, or of a disk that was full: as long as it can't be written, nothing else leaves.
    await settle();
    const deliver = send();
    if (deliver) await sendDue(deliver, goesOn);
    if (!(await goesOn())) return;
    await forgetOld(believed());
    await look();
  }

  async function sendDue(deliver: SendMessage, goesOn: GoesOn): Promise<void> {
    const until = performance.now() + ROUND;
    const ids = await due();
    for (const id of ids) {
      if (!(await goesOn())) return;
      if (performance.now() > until) return rounds.wake();
      const next = Bun.sleep(pace());
      const message = await messages.get(id);
      // Its words are written by a part of the site that isn't there yet.
      if (message?.text === "" && !handlers.get(message.kind)?.write) continue;
      if (message?.state !== "waiting") continue;
      const fault = await sendOne(message, deliver);
      // The others would fare the same: one is tried at each look until it goes.
      if (fault?.concernsAll) return;
      await next;
    }
  }

  let forgottenAt = 0;
  async function forgetOld(now: number): Promise<void> {
    if (now - forgottenAt < DAY) return;
    forgottenAt = now;
    const before = new Date(now - KEPT).toISOString();
    await messages.deleteWhere({ state: { not: "waiting" }, createdAt: { before } });
  }

  const rounds = siteJob({
    instances: store.instances,
    name,
    every: LOOK_EVERY,
    round,
    failed: () => log(NOT_LOOKED),
    async elsewhere() {
      await look();
      // It is looked again soon whether the other has taken what came here.
      setTimeout(rounds.wake, ELSEWHERE_AGAIN).unref();
    },
  });
  // Once whoever opened the outbox has said what to do with its kinds.
  setImmediate(rounds.wake);
  return rounds;
}

const TOO_LATE = "It waited for more than two days, so it was not sent.";
const UNKNOWN = "The message couldn't be sent. It is tried again.";
const NOT_LOOKED = "Messages that wait couldn't be looked at. Limelight will try again.";
