/**
 * Sends one carrier's due messages: one after another, in order of arrival, on one instance at a time, until none are
 * left.
 */
import { entities } from "../../../schema/index.ts";
import type { MessageKind } from "../../../schema/mail.ts";
import type { Clocks } from "../../shared/clock.ts";
import { type GoesOn, type Rounds, siteJob } from "../../shared/siteJob.ts";
import type { Store } from "../../storage/store.ts";
import { afterFault } from "./attempts.ts";
import { CutOff, MailFault } from "../carriers/fault.ts";
import type { SendMessage } from "../carriers/mailer.ts";
import { headersOf } from "../carriers/headers.ts";
import {
  type CarrierName,
  kindOf,
  type LateKind,
  type CarriersAndWriters,
  type StoredMessage,
} from "./kinds.ts";
import type { SentMarks } from "./sentMarks.ts";
import { DAY } from "../../shared/time.ts";

/** What sending needs from the site. */
export interface SendingContext extends Clocks {
  readonly store: Store;
  readonly log: (line: string) => void;
}

interface RoundsContext extends SendingContext, CarriersAndWriters {
  readonly carrier: CarrierName;
  readonly marks: SentMarks;
  /** Called after each round, when stored messages have changed. */
  readonly look: () => Promise<void>;
}

const LOOK_EVERY = 15_000;
const ELSEWHERE_AGAIN = 1000;
/** After this long, in milliseconds, due messages are read again. */
const ROUND = 2000;
/** How long messages stay in the list. */
const KEPT = 90 * DAY;

/** Looks at once, every 15 seconds, and when woken. */
export function sendingRounds(context: RoundsContext): Rounds {
  const {
    store,
    clock,
    trustedClock = clock,
    log,
    carrier,
    carriers,
    writers,
    marks,
    look,
  } = context;
  const { send, pace } = carriers[carrier];
  const messages = store.of(entities.outbox);
  const isMine = (kind: MessageKind) => kindOf(kind).carrier === carrier;

  /** Returns the failure, if any. */
  async function sendOne(
    message: StoredMessage,
    deliver: SendMessage,
  ): Promise<MailFault | undefined> {
    const { id, kind, headers } = message;
    try {
      // After a long downtime, or from an old backup: nobody expects it any more.
      if (trustedClock() > message.expiresAt)
        throw new MailFault("connection", TOO_LATE, null, true);
      const late = kindOf(kind).isWrittenLate && (await writers[kind as LateKind](message));
      await deliver({ ...message, ...late, headers: headersOf(kind, headers) });
    } catch (error) {
      const fault = error instanceof MailFault ? error : new MailFault("recipient", UNKNOWN);
      log(`${kind} message ${id} was not sent: ${fault.message}`);
      if (fault instanceof CutOff) return fault;
      await messages.update(id, (current) => afterFault(current, fault, clock(), trustedClock()));
      return fault;
    }
    await marks.note(message);
    return undefined;
  }

  /** The ids of due messages, in order of arrival. */
  async function due(): Promise<string[]> {
    const now = clock();
    const isDue = { state: "waiting", nextAt: { upTo: now } } as const;
    return (await messages.keys(isDue)).filter(({ kind }) => isMine(kind)).map(({ id }) => id);
  }

  async function round(goesOn: GoesOn): Promise<void> {
    // Marks left by a kill or a full disk: until they are stored, nothing else is sent.
    await marks.settle(isMine);
    const deliver = send();
    if (deliver) await sendDue(deliver, goesOn);
    if (!(await goesOn())) return;
    await forgetOld(trustedClock());
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
      if (message?.state !== "waiting") continue;
      const fault = await sendOne(message, deliver);
      // The others would fail too: one is tried at each look until it succeeds.
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

  const rounds: Rounds = siteJob({
    instances: store.instances,
    name: carrier === "mail" ? "outbox" : `outbox ${carrier}`,
    every: LOOK_EVERY,
    round,
    failed: () => log(NOT_LOOKED),
    async elsewhere() {
      await look();
      // Checks soon whether the other instance took what was queued here.
      setTimeout(rounds.wake, ELSEWHERE_AGAIN).unref();
    },
  });
  return rounds;
}

const TOO_LATE = "It waited for more than two days, so it was not sent.";
const UNKNOWN = "The message couldn't be sent. Limelight will try again.";
const NOT_LOOKED = "The message queue couldn't be read. Limelight will try again.";
