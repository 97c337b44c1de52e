/**
 * Sends letters, one after another, at the provider's pace. Nobody is missed, and nobody gets one twice except for the
 * message in flight when the power failed, or when another instance took over from one that lost the database; it has
 * the same Message-ID:
 * 1. The recipients are stored. 2. The letter is marked as being sent. 3. Each message is sent, and the progress is
 * on disk before the next one. 4. Temporary refusals are retried.
 */
import { mailDomainOf } from "../shared/mailbox.ts";
import { entities, type Item } from "../../schema/index.ts";
import { type Clock, isoTime } from "../shared/clock.ts";
import type { OutgoingMessage } from "../shared/message.ts";
import type { HandleOf } from "../storage/store.ts";
import { storeRecipients } from "./audience.ts";
import type { LettersContext } from "./context.ts";
import type { ListLinks } from "./links.ts";
import { DeliveryAborted } from "../mail/carriers/deliveryError.ts";
import { letterRateLimiter, type Pace } from "../mail/carriers/mailer.ts";
import { parseSendError, Refusals, type FailureOutcome } from "./refusals.ts";
import {
  type RenderedLetter,
  type Letter,
  type LetterRecipient,
  letterRenderer,
} from "./writeLetter.ts";
import { type ShouldContinue, type PeriodicJob, startSiteJob } from "../shared/periodicJob.ts";
import { DAY } from "../shared/time.ts";

interface SendingContext extends LettersContext {
  readonly links: ListLinks;
  /** The path of a letter's page; undefined without one. */
  readonly pageOf: (letter: Letter) => string | undefined;
}

const CHECK_INTERVAL_MS = 15_000;
/** A letter delayed for longer is only sent if the owner resumes it. */
const MAX_PAUSE_MS = 2 * DAY;

export class LetterSender {
  readonly #context: SendingContext;
  readonly #trustedClock: Clock;
  readonly #letters: HandleOf<typeof entities.letters>;
  readonly #recipients: HandleOf<typeof entities.letterRecipients>;
  readonly #progress: HandleOf<typeof entities.letterProgress>;
  readonly #refusals: Refusals;
  readonly #pace: Pace;
  readonly #rounds: PeriodicJob;

  /** Begins to send. */
  constructor(context: SendingContext) {
    const { store, clock, trustedClock = clock, log, mail } = context;
    this.#context = context;
    this.#trustedClock = trustedClock;
    this.#letters = store.of(entities.letters);
    this.#recipients = store.of(entities.letterRecipients);
    this.#progress = store.of(entities.letterProgress);
    this.#refusals = new Refusals({
      store,
      clock,
      pause: (id, problem) => this.#pauseLetter(id, problem),
    });
    this.#pace = letterRateLimiter(() => mail.account()?.full.account);
    this.#rounds = startSiteJob({
      store,
      name: "letters",
      every: CHECK_INTERVAL_MS,
      round: (shouldContinue) => this.#round(shouldContinue),
      onError: () => log(NOT_SENT),
    });
    this.wake();
  }

  /** Checks now for what is due. */
  wake(): void {
    this.#rounds.wake();
  }

  /** Messages per minute; undefined: no limit. */
  pace(): number | undefined {
    return this.#pace.perMinute();
  }

  /** Resolves when nothing is under way: after a pause, no further message is sent. */
  whenIdle(): Promise<void> {
    return this.#rounds.whenIdle();
  }

  /** A letter was deleted. */
  removeLetter(id: string): Promise<void> {
    return this.#forgetRows(id, { letterId: id });
  }

  /** The owner resumes a letter: the cause of its stop is gone. */
  async resume(id: string): Promise<void> {
    this.#refusals.endBackoff();
    await this.#progress.put(id, (each) => each && { ...each, movedAt: this.#context.clock() });
  }

  /** Stops after the message under way; the next start continues. */
  async stop(): Promise<void> {
    const stopped = this.#rounds.stop();
    this.#pace.release();
    await stopped;
  }

  async #round(shouldContinue: ShouldContinue): Promise<void> {
    this.#refusals.begin();
    // Reads what another instance wrote last.
    await this.#progress.update((list) => list);
    await this.#forgetLeftOvers();
    for (const { id } of await this.#dueLetters()) {
      if (!(await shouldContinue())) return; // oxlint-disable-line no-await-in-loop -- one after the other
      await this.#oneLetter(id, shouldContinue); // oxlint-disable-line no-await-in-loop -- one after the other
    }
  }

  async #dueLetters() {
    return (
      await this.#letters.keys([
        { state: "sending" },
        { state: "scheduled", sendAt: { upTo: isoTime(this.#trustedClock) } },
      ])
    ).toSorted((a, b) => ((a.sendAt ?? "") < (b.sendAt ?? "") ? -1 : 1));
  }

  async #oneLetter(id: string, shouldContinue: ShouldContinue): Promise<void> {
    let letter = await this.#letters.get(id);
    if (!letter || !this.#context.mail.directSender() || this.#refusals.isBackingOff()) return;
    const movedAt = this.#progressOf(id)?.movedAt;
    const idle = movedAt
      ? this.#context.clock() - movedAt
      : this.#trustedClock() - Date.parse(letter.sendAt ?? "");
    if (idle > MAX_PAUSE_MS) return this.#pauseLetter(id, letter.problem === null ? STALE : HELD);
    if (letter.state === "scheduled" || !this.#progressOf(id))
      letter = await this.#begin(letter, shouldContinue);
    if (!letter) return;
    const { postalAddress } = this.#context.store.of(entities.letterSettings).read().value;
    const copyFor = letterRenderer(letter, {
      site: this.#context.mail.stationery(),
      postalAddress,
      page: this.#context.pageOf(letter),
    });
    const isWanted = async () =>
      (await shouldContinue()) && (await this.#letters.get(id))?.state === "sending";
    const sent = { id, copyFor, isWanted };
    if ((await this.#firstPass(sent)) && (await this.#againPass(sent))) await this.#finish(letter);
  }

  /** Steps 1 and 2; repeated after a kill in between, when nothing has been sent. */
  async #begin(
    { id, audience }: Letter,
    shouldContinue: ShouldContinue,
  ): Promise<Letter | undefined> {
    const total = await storeRecipients(
      this.#context.store,
      id,
      audience,
      this.#context.clock(),
      shouldContinue,
    );
    if (total === undefined) return undefined;
    await this.#progress.update((list) => [
      ...list.filter((each) => each.id !== id),
      { id, after: "", sent: 0, movedAt: this.#context.clock() },
    ]);
    return this.#letters.update(id, (letter) =>
      letter.state === "scheduled" || letter.state === "sending"
        ? {
            ...letter,
            state: "sending",
            startedAt: isoTime(this.#context.clock),
            total,
            problem: null,
          }
        : letter,
    );
  }

  readonly #progressOf = (id: string) => this.#progress.read().value.find((each) => each.id === id);

  /** Step 3. Returns whether it was completed. */
  async #firstPass(sent: Sent): Promise<boolean> {
    const { id, isWanted } = sent;
    const after = this.#progressOf(id)?.after ?? "";
    const waiting = this.#recipients.scan({
      where: { letterId: id, state: "waiting", id: { after } },
    });
    for await (const recipient of waiting) {
      if (!(await isWanted())) return false;
      // Erased since the list was read.
      if (!(await this.#recipients.get(recipient.id))) continue;
      const result = await this.#sendCopy(sent, recipient);
      if (result === "trouble") return false;
      await this.#recordProgress(id, result, recipient.id);
    }
    return isWanted();
  }

  /** Step 4. Returns whether no retries are left. */
  async #againPass(sent: Sent): Promise<boolean> {
    const { id, isWanted } = sent;
    const now = this.#context.clock();
    const again = { letterId: id, state: "again" } as const;
    const due = this.#recipients.scan({ where: { ...again, nextAt: { upTo: now } } });
    for await (const recipient of due) {
      if (!(await isWanted())) return false;
      if (!(await this.#recipients.get(recipient.id))) continue;
      const result = await this.#sendCopy(sent, recipient);
      if (result === "trouble") return false;
      // Another instance may have taken over in the meantime.
      const isDealtWith = result === "sent" || result === "left out";
      if (isDealtWith && !(await this.#recipients.delete(recipient.id))) continue;
      await this.#recordProgress(id, result);
    }
    return (await this.#recipients.keys(again)).length === 0;
  }

  /** Records progress. A recipient passed over for now changes nothing. */
  async #recordProgress(id: string, result: Result, after?: string): Promise<void> {
    await this.#progress.put(id, (each) =>
      // Not if another instance took over and is further ahead.
      each && (after === undefined || each.after < after)
        ? {
            ...each,
            after: after ?? each.after,
            sent: each.sent + (result === "sent" ? 1 : 0),
            movedAt: result === "passed over" ? each.movedAt : this.#context.clock(),
          }
        : each,
    );
    if (result === "sent") await this.#refusals.recordAccepted(id);
  }

  async #sendCopy({ id, copyFor, isWanted }: Sent, recipient: Recipient): Promise<Result> {
    const person = await this.#context.store
      .of(entities.emailSubscriptions)
      .get(recipient.subscriptionId);
    const [send, sending] = [this.#context.mail.directSender(), this.#context.mail.account()];
    if (!send || !sending) return "trouble";
    if (person?.status !== "active" || person.unreachable !== null) return "left out";
    await this.#pace.wait();
    if (!(await isWanted())) return "trouble";
    const copy = copyFor({
      name: person.name,
      leave: this.#context.links.unsubscribe(person.id, id),
    });
    const domain = mailDomainOf(sending.from.address);
    try {
      await send(outgoing(recipient.to, `<${recipient.id}@${domain}>`, copy));
    } catch (error) {
      // The site is stopping: counts as not tried.
      if (error instanceof DeliveryAborted) return "trouble";
      return this.#refusals.recordFailure(id, recipient, parseSendError(error, recipient.to));
    }
    return "sent";
  }

  async #finish({ id }: Letter): Promise<void> {
    const sent = this.#progressOf(id)?.sent ?? 0;
    const refused = (await this.#recipients.keys({ letterId: id, state: "refused" })).length;
    await this.#letters.update(id, (letter) => ({
      ...letter,
      state: "sent",
      problem: null,
      finishedAt: isoTime(this.#context.clock),
      sent,
      refused,
      leftOut: Math.max(0, letter.total - sent - refused),
    }));
    await this.#forgetRows(id, { letterId: id, state: "waiting" });
  }

  /** Deletes what a letter no longer needs; its progress last, since it leads to the rest after a kill. */
  async #forgetRows(id: string, which: RecipientFilter) {
    await this.#recipients.deleteWhere(which);
    await this.#progress.update((list) => list.filter((each) => each.id !== id));
  }

  /** For letters that were sent or deleted, or are drafts again. */
  async #forgetLeftOvers(): Promise<void> {
    for (const { id } of this.#progress.read().value) {
      const state = (await this.#letters.get(id))?.state; // oxlint-disable-line no-await-in-loop -- a few at most
      if (state === "sent") await this.#forgetRows(id, { letterId: id, state: "waiting" }); // oxlint-disable-line no-await-in-loop
      if (state === undefined || state === "draft") await this.#forgetRows(id, { letterId: id }); // oxlint-disable-line no-await-in-loop
    }
  }

  async #pauseLetter(id: string, problem: string): Promise<void> {
    await this.#letters.update(id, (letter) =>
      // Not one that was cancelled in the meantime.
      letter.state === "draft" ? letter : { ...letter, state: "paused", problem },
    );
    this.#context.log(`newsletter: ${id} was paused (${problem})`);
  }
}

type Recipient = Item<"letterRecipients">;
type RecipientFilter = Parameters<HandleOf<typeof entities.letterRecipients>["deleteWhere"]>[0];
type Result = "sent" | "left out" | FailureOutcome;

/** A letter being sent. */
interface Sent {
  readonly id: string;
  readonly copyFor: (reader: LetterRecipient) => RenderedLetter;
  /** False once the round must end, or somebody stopped the letter. */
  readonly isWanted: () => Promise<boolean>;
}

const outgoing = (
  to: string,
  messageId: string,
  { headers, ...copy }: RenderedLetter,
): OutgoingMessage => ({
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
