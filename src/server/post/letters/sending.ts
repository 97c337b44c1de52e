/**
 * Sends letters, one after another, at the provider's pace. Nobody is missed, and nobody gets one twice except for the
 * message in flight when the power failed, or when another instance took over from one that lost the database; it has
 * the same Message-ID:
 * 1. The recipients are stored. 2. The letter is marked as being sent. 3. Each message is sent, and the progress is
 * on disk before the next one. 4. Temporary refusals are retried.
 */
import { mailDomainOf } from "../../shared/mailbox.ts";
import { entities } from "../../../schema/index.ts";
import { isoTime } from "../../shared/clock.ts";
import type { OutgoingMessage } from "../../shared/message.ts";
import { storeRecipients } from "./audience.ts";
import type { LettersContext } from "./context.ts";
import type { ListLinks } from "./links.ts";
import { CutOff } from "../carriers/fault.ts";
import { letterPace } from "../carriers/mailer.ts";
import { readRefusal, type Refused, refusals } from "./refusals.ts";
import { type Copy, type Letter, type Reader, writeLetter } from "./writeLetter.ts";
import { type GoesOn, siteJob } from "../../shared/siteJob.ts";
import { DAY } from "../../shared/time.ts";

export interface Sending {
  /** Checks now for what is due. */
  wake(): void;
  /** Stops after the message under way; the next start continues. */
  stop(): Promise<void>;
  /** Resolves when nothing is under way: after a pause, no further message is sent. */
  settled(): Promise<void>;
  /** The owner resumes a letter: the cause of its stop is gone. */
  resume(id: string): Promise<void>;
  /** A letter was deleted. */
  forget(id: string): Promise<void>;
  /** Messages per minute; undefined: no limit. */
  pace(): number | undefined;
}

interface SendingContext extends LettersContext {
  readonly links: ListLinks;
  /** The path of a letter's page; undefined without one. */
  readonly pageOf: (letter: Letter) => string | undefined;
}

const LOOK_EVERY = 15_000;
/** A letter delayed for longer is only sent if the owner resumes it. */
const STALE_AFTER = 2 * DAY;

export function sending(context: SendingContext): Sending {
  const { store, clock, trustedClock = clock, log, mail, links, pageOf } = context;
  const letters = store.of(entities.letters);
  const recipients = store.of(entities.letterRecipients);
  const progress = store.of(entities.letterProgress);
  const subscriptions = store.of(entities.emailSubscriptions);
  const refused = refusals({ store, clock, pause });
  const pace = letterPace(() => mail.sending()?.full.account);

  async function round(goesOn: GoesOn): Promise<void> {
    refused.begin();
    // Reads what another instance wrote last.
    await progress.update((list) => list);
    await forgetLeftOvers();
    for (const { id } of await dueLetters()) {
      if (!(await goesOn())) return; // oxlint-disable-line no-await-in-loop -- one after the other
      await oneLetter(id, goesOn); // oxlint-disable-line no-await-in-loop -- one after the other
    }
  }

  async function dueLetters() {
    return (
      await letters.keys([
        { state: "sending" },
        { state: "scheduled", sendAt: { upTo: isoTime(trustedClock) } },
      ])
    ).toSorted((a, b) => ((a.sendAt ?? "") < (b.sendAt ?? "") ? -1 : 1));
  }

  async function oneLetter(id: string, goesOn: GoesOn): Promise<void> {
    let letter = await letters.get(id);
    if (!letter || !mail.sender() || refused.isResting()) return;
    const moved = progressOf(id)?.movedAt;
    const stood = moved ? clock() - moved : trustedClock() - Date.parse(letter.sendAt ?? "");
    if (stood > STALE_AFTER) return pause(id, letter.problem === null ? STALE : HELD);
    if (letter.state === "scheduled" || !progressOf(id)) letter = await begin(letter, goesOn);
    if (!letter) return;
    const { postalAddress } = store.of(entities.letterSettings).read().value;
    const copyFor = writeLetter(letter, {
      site: mail.stationery(),
      postalAddress,
      page: pageOf(letter),
    });
    const isWanted = async () => (await goesOn()) && (await letters.get(id))?.state === "sending";
    const sent = { id, copyFor, isWanted };
    if ((await firstPass(sent)) && (await againPass(sent))) await finish(letter);
  }

  /** Steps 1 and 2; repeated after a kill in between, when nothing has been sent. */
  async function begin({ id, audience }: Letter, goesOn: GoesOn): Promise<Letter | undefined> {
    const total = await storeRecipients(store, id, audience, clock(), goesOn);
    if (total === undefined) return undefined;
    await progress.update((list) => [
      ...list.filter((each) => each.id !== id),
      { id, after: "", sent: 0, movedAt: clock() },
    ]);
    return letters.update(id, (letter) =>
      letter.state === "scheduled" || letter.state === "sending"
        ? {
            ...letter,
            state: "sending",
            startedAt: isoTime(clock),
            total,
            problem: null,
          }
        : letter,
    );
  }

  const progressOf = (id: string) => progress.read().value.find((each) => each.id === id);

  /** Step 3. Returns whether it was completed. */
  async function firstPass(sent: Sent): Promise<boolean> {
    const { id, isWanted } = sent;
    const after = progressOf(id)?.after ?? "";
    const waiting = recipients.scan({
      where: { letterId: id, state: "waiting", id: { after } },
    });
    for await (const recipient of waiting) {
      if (!(await isWanted())) return false;
      // Erased since the list was read.
      if (!(await recipients.get(recipient.id))) continue;
      const result = await sendCopy(sent, recipient);
      if (result === "trouble") return false;
      await moved(id, result, recipient.id);
    }
    return isWanted();
  }

  /** Step 4. Returns whether no retries are left. */
  async function againPass(sent: Sent): Promise<boolean> {
    const { id, isWanted } = sent;
    const now = clock();
    const again = { letterId: id, state: "again" } as const;
    const due = recipients.scan({ where: { ...again, nextAt: { upTo: now } } });
    for await (const recipient of due) {
      if (!(await isWanted())) return false;
      if (!(await recipients.get(recipient.id))) continue;
      const result = await sendCopy(sent, recipient);
      if (result === "trouble") return false;
      // Another instance may have taken over in the meantime.
      const isDealtWith = result === "sent" || result === "left out";
      if (isDealtWith && !(await recipients.delete(recipient.id))) continue;
      await moved(id, result);
    }
    return (await recipients.keys(again)).length === 0;
  }

  /** Records progress. A recipient passed over for now changes nothing. */
  async function moved(id: string, result: Result, after?: string): Promise<void> {
    await progress.put(id, (each) =>
      // Not if another instance took over and is further ahead.
      each && (after === undefined || each.after < after)
        ? {
            ...each,
            after: after ?? each.after,
            sent: each.sent + (result === "sent" ? 1 : 0),
            movedAt: result === "passed over" ? each.movedAt : clock(),
          }
        : each,
    );
    if (result === "sent") await refused.taken(id);
  }

  type Recipient = NonNullable<Awaited<ReturnType<typeof recipients.get>>>;

  async function sendCopy({ id, copyFor, isWanted }: Sent, recipient: Recipient): Promise<Result> {
    const person = await subscriptions.get(recipient.subscriptionId);
    const [send, sending] = [mail.sender(), mail.sending()];
    if (!send || !sending) return "trouble";
    if (person?.status !== "active" || person.unreachable !== null) return "left out";
    await pace.wait();
    if (!(await isWanted())) return "trouble";
    const copy = copyFor({ name: person.name, leave: links.leave(person.id, id) });
    const domain = mailDomainOf(sending.from.address);
    try {
      await send(outgoing(recipient.to, `<${recipient.id}@${domain}>`, copy));
    } catch (error) {
      // The site is stopping: counts as not tried.
      if (error instanceof CutOff) return "trouble";
      return refused.after(id, recipient, readRefusal(error, recipient.to));
    }
    return "sent";
  }

  async function finish({ id }: Letter): Promise<void> {
    const sent = progressOf(id)?.sent ?? 0;
    const refused = (await recipients.keys({ letterId: id, state: "refused" })).length;
    await letters.update(id, (letter) => ({
      ...letter,
      state: "sent",
      problem: null,
      finishedAt: isoTime(clock),
      sent,
      refused,
      leftOut: Math.max(0, letter.total - sent - refused),
    }));
    await forget(id, { letterId: id, state: "waiting" });
  }

  /** Deletes what a letter no longer needs; its progress last, since it leads to the rest after a kill. */
  async function forget(id: string, which: Parameters<typeof recipients.deleteWhere>[0]) {
    await recipients.deleteWhere(which);
    await progress.update((list) => list.filter((each) => each.id !== id));
  }

  /** For letters that were sent or deleted, or are drafts again. */
  async function forgetLeftOvers(): Promise<void> {
    for (const { id } of progress.read().value) {
      const state = (await letters.get(id))?.state; // oxlint-disable-line no-await-in-loop -- a few at most
      if (state === "sent") await forget(id, { letterId: id, state: "waiting" }); // oxlint-disable-line no-await-in-loop
      if (state === undefined || state === "draft") await forget(id, { letterId: id }); // oxlint-disable-line no-await-in-loop
    }
  }

  async function pause(id: string, problem: string): Promise<void> {
    await letters.update(id, (letter) =>
      // Not one that was cancelled in the meantime.
      letter.state === "draft" ? letter : { ...letter, state: "paused", problem },
    );
    log(`letters: ${id} was paused (${problem})`);
  }

  const rounds = siteJob({
    instances: store.instances,
    name: "letters",
    every: LOOK_EVERY,
    round,
    failed: () => log(NOT_SENT),
  });
  const { wake } = rounds;
  wake();
  return {
    wake,
    pace: pace.perMinute,
    settled: rounds.settled,
    forget: (id) => forget(id, { letterId: id }),
    async resume(id) {
      refused.endRest();
      await progress.put(id, (each) => each && { ...each, movedAt: clock() });
    },
    async stop() {
      const stopped = rounds.stop();
      pace.release();
      await stopped;
    },
  };
}

type Result = "sent" | "left out" | Refused;

/** A letter being sent. */
interface Sent {
  readonly id: string;
  readonly copyFor: (reader: Reader) => Copy;
  /** False once the round must end, or somebody stopped the letter. */
  readonly isWanted: () => Promise<boolean>;
}

const outgoing = (to: string, messageId: string, { headers, ...copy }: Copy): OutgoingMessage => ({
  to,
  messageId,
  replyTo: null,
  ...copy,
  // RFC 3834; "bulk" is for older programs.
  headers: { ...headers, "Auto-Submitted": "auto-generated", Precedence: "bulk" },
});

const STALE =
  "The site was down for more than two days, so this newsletter wasn't sent automatically. Resume it if you still want to send it.";
const HELD =
  "Nothing could be sent for more than two days, so this newsletter was paused. Resume it if you still want to send it.";
const NOT_SENT = "Sending a newsletter failed. Limelight will try again in a minute.";
