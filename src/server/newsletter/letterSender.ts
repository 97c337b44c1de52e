/**
 * Sends letters, one after another, at the provider's pace. Nobody is missed, and nobody gets one twice except for the
 * message in flight when the power failed, or when another instance took over from one that lost the database; it has
 * the same Message-ID:
 * 1. The recipients are stored. 2. The letter is marked as being sent. 3. Each message is sent, and the progress is
 * on disk before the next one. 4. Whoever was refused for now is tried again.
 * A first try that fails for the server's or the sender's sake delays all others. The server's words may be misread, so
 * the next try is another recipient's, and a second try delays nobody.
 */
import { setTimeout } from "node:timers/promises";
import { mailDomain } from "../shared/mailbox.ts";
import { entities, type Item } from "../../schema/index.ts";
import { type Clock, isoTime } from "../shared/clock.ts";
import { MAX_ATTEMPTS, retryDelayMs } from "../shared/retries.ts";
import type { HandleOf } from "../storage/store.ts";
import { storeRecipients } from "./audience.ts";
import type { LettersContext } from "./context.ts";
import type { ListLinks } from "./links.ts";
import { DeliveryAbortedError } from "../mail/carriers/deliveryError.ts";
import { lettersPerMinute } from "../mail/carriers/mailer.ts";
import { isUnknownMailbox, type MailRefusal, parseSendError } from "./mailRefusals.ts";
import {
  type RenderedLetter,
  type Letter,
  type LetterRecipient,
  createLetterRenderer,
} from "./renderLetter.ts";
import { type ShouldContinue, type PeriodicJob, startSiteJob } from "../shared/periodicJob.ts";
import { DAY, MINUTE } from "../shared/time.ts";

interface LetterSenderContext extends LettersContext {
  readonly links: ListLinks;
  /** The path of a letter's page; undefined without one. */
  readonly pageOf: (letter: Letter) => string | undefined;
}

const CHECK_INTERVAL_MS = 15_000;
/** A letter delayed for longer is only sent if the owner resumes it. */
const MAX_PAUSE_MS = 2 * DAY;
/** So many refused first tries in a row aren't the recipients' fault. */
const MAX_REFUSALS_IN_A_ROW = 10;

export class LetterSender {
  readonly #context: LetterSenderContext;
  readonly #trustedClock: Clock;
  readonly #letters: HandleOf<typeof entities.letters>;
  readonly #recipients: HandleOf<typeof entities.letterRecipients>;
  readonly #progress: HandleOf<typeof entities.letterProgress>;
  readonly #rounds: PeriodicJob;
  readonly #abortController = new AbortController();
  #lastSentAt = Number.NEGATIVE_INFINITY;
  /** After a failure of the server's, nothing is tried until then. */
  #backoff = { until: 0, times: 0 };
  #refusalsInARow = 0;
  #unrecorded: (() => Promise<void>) | undefined;

  constructor(context: LetterSenderContext) {
    const { store, clock, trustedClock = clock, log } = context;
    this.#context = context;
    this.#trustedClock = trustedClock;
    this.#letters = store.of(entities.letters);
    this.#recipients = store.of(entities.letterRecipients);
    this.#progress = store.of(entities.letterProgress);
    this.#rounds = startSiteJob({
      store,
      name: "letters",
      intervalMs: CHECK_INTERVAL_MS,
      runRound: (shouldContinue) => this.#runRound(shouldContinue),
      onError: () => log(NOT_SENT_MESSAGE),
    });
    this.checkNow();
  }

  /** Checks now for what is due. */
  checkNow(): void {
    this.#rounds.runNow();
  }

  /** Messages per minute; undefined: no limit. */
  lettersPerMinute(): number | undefined {
    return lettersPerMinute(this.#context.mail.account()?.full.account);
  }

  /** Resolves once no message is under way: after a pause, no further message is sent. */
  whenIdle(): Promise<void> {
    return this.#rounds.whenIdle();
  }

  /** A letter was deleted. */
  removeLetter(id: string): Promise<void> {
    return this.#removeRecords(id, { letterId: id });
  }

  /** The owner resumes a letter: the cause of its stop is resolved. */
  async resumeLetter(id: string): Promise<void> {
    this.#backoff.until = 0;
    await this.#progress.put(id, (each) => each && { ...each, movedAt: this.#context.clock() });
  }

  /** Stops after the message under way; the next start continues. */
  async stop(): Promise<void> {
    this.#abortController.abort();
    await this.#rounds.stop();
  }

  async #runRound(shouldContinue: ShouldContinue): Promise<void> {
    // Left by a full disk: until it is stored, nothing else is sent.
    await this.#recordLast();
    // Reads what another instance wrote last.
    await this.#progress.update((list) => list);
    await this.#removeLeftovers();
    for (const { id } of await this.#findDueLetters()) {
      if (!(await shouldContinue())) return; // oxlint-disable-line no-await-in-loop -- one after the other
      await this.#processLetter(id, shouldContinue); // oxlint-disable-line no-await-in-loop -- one after the other
    }
  }

  async #findDueLetters() {
    return (
      await this.#letters.keys([
        { state: "sending" },
        { state: "scheduled", sendAt: { upTo: isoTime(this.#trustedClock) } },
      ])
    ).toSorted((a, b) => ((a.sendAt ?? "") < (b.sendAt ?? "") ? -1 : 1));
  }

  async #processLetter(id: string, shouldContinue: ShouldContinue): Promise<void> {
    let letter = await this.#letters.get(id);
    if (!letter || !this.#context.mail.directSender() || this.#isBackingOff()) return;
    const movedAt = this.#getProgress(id)?.movedAt;
    const idle = movedAt
      ? this.#context.clock() - movedAt
      : this.#trustedClock() - Date.parse(letter.sendAt ?? "");
    if (idle > MAX_PAUSE_MS)
      return this.#pauseLetter(id, letter.problem === null ? STALE_MESSAGE : HELD_MESSAGE);
    if (letter.state === "scheduled" || !this.#getProgress(id))
      letter = await this.#beginLetter(letter, shouldContinue);
    if (!letter) return;
    const { postalAddress } = this.#context.store.of(entities.letterSettings).read().value;
    const copyFor = createLetterRenderer(letter, {
      site: this.#context.mail.stationery(),
      postalAddress,
      page: this.#context.pageOf(letter),
    });
    const isWanted = async () =>
      (await shouldContinue()) && (await this.#letters.get(id))?.state === "sending";
    const sent = { id, copyFor, isWanted };
    if (await this.#sendDue(sent)) await this.#finishLetter(letter);
  }

  /** Steps 1 and 2; repeated after a kill in between, when nothing has been sent. */
  async #beginLetter(
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

  readonly #getProgress = (id: string) =>
    this.#progress.read().value.find((each) => each.id === id);

  /** Steps 3 and 4. Returns whether nobody is left. */
  async #sendDue(sent: SendingLetter): Promise<boolean> {
    const { id, isWanted } = sent;
    for await (const recipient of this.#readDueRecipients(id)) {
      if (!(await isWanted())) return false;
      // Erased since the list was read.
      if (!(await this.#recipients.get(recipient.id))) continue;
      const result = await this.#sendCopy(sent, recipient);
      if (result === "stopped") return false;
      const isRetry = recipient.state === "again";
      const isOver = result === "sent" || result === "left out";
      this.#unrecorded = async () => {
        // Another instance may have taken over in the meantime.
        if (isRetry && isOver && !(await this.#recipients.delete(recipient.id))) return;
        await this.#recordProgress(id, result, isRetry ? undefined : recipient.id);
      };
      await this.#recordLast();
      if (this.#isBackingOff()) return false;
    }
    const left = await this.#recipients.keys({ letterId: id, state: "again" });
    return left.length === 0 && isWanted();
  }

  async *#readDueRecipients(letterId: string): AsyncIterable<Recipient> {
    const after = this.#getProgress(letterId)?.after ?? "";
    yield* this.#recipients.scan({ where: { letterId, state: "waiting", id: { after } } });
    const nextAt = { upTo: this.#context.clock() };
    yield* this.#recipients.scan({ where: { letterId, state: "again", nextAt } });
  }

  /** Stores the last result. Throws `cannot_store`, but remembers it. */
  async #recordLast(): Promise<void> {
    await this.#unrecorded?.();
    this.#unrecorded = undefined;
  }

  /** Records progress. A failure of the server's is none. */
  async #recordProgress(id: string, result: SendResult, after?: string): Promise<void> {
    await this.#progress.put(id, (each) =>
      // Not if another instance took over and is further ahead.
      each && (after === undefined || each.after < after)
        ? {
            ...each,
            after: after ?? each.after,
            sent: each.sent + (result === "sent" ? 1 : 0),
            movedAt: result === "delayed" ? each.movedAt : this.#context.clock(),
          }
        : each,
    );
    if (result === "sent") await this.#recordAccepted(id);
  }

  async #recordAccepted(id: string): Promise<void> {
    const wasBackingOff = this.#backoff.times > 0;
    this.#backoff = { until: 0, times: 0 };
    this.#refusalsInARow = 0;
    if (wasBackingOff)
      await this.#letters.update(id, (letter) =>
        letter.state === "sending" ? { ...letter, problem: null } : letter,
      );
  }

  async #sendCopy(
    { id, copyFor, isWanted }: SendingLetter,
    recipient: Recipient,
  ): Promise<SendResult> {
    const { mail, store, links } = this.#context;
    const person = await store.of(entities.emailSubscriptions).get(recipient.subscriptionId);
    if (person?.status !== "active" || person.unreachable !== null) return "left out";
    await this.#waitForNextSlot();
    const [send, sending] = [mail.directSender(), mail.account()];
    if (!send || !sending || !(await isWanted())) return "stopped";
    const { headers, ...copy } = copyFor({
      name: person.name,
      unsubscribePath: links.unsubscribe(person.id, id),
    });
    try {
      await send({
        ...copy,
        to: recipient.to,
        messageId: `<${recipient.id}@${mailDomain(sending.from.address)}>`,
        replyTo: null,
        // RFC 3834; "bulk" is for older programs.
        headers: { ...headers, "Auto-Submitted": "auto-generated", Precedence: "bulk" },
      });
    } catch (error) {
      // The site is stopping: counts as not tried.
      if (error instanceof DeliveryAbortedError) return "stopped";
      return this.#recordFailure(id, recipient, parseSendError(error, recipient.to));
    }
    return "sent";
  }

  /** Resolves when the next message may be sent. */
  async #waitForNextSlot(): Promise<void> {
    const most = this.lettersPerMinute();
    const wait = most === undefined ? 0 : this.#lastSentAt + MINUTE / most - performance.now();
    if (wait > 0) await setTimeout(wait, undefined, this.#abortController).catch(() => undefined);
    this.#lastSentAt = performance.now();
  }

  async #recordFailure(
    id: string,
    recipient: Recipient,
    refusal: MailRefusal,
  ): Promise<SendResult> {
    const { isAboutRecipient, isPermanent, message: problem, reply } = refusal;
    if (!isAboutRecipient && isPermanent) {
      await this.#pauseLetter(id, problem);
      return "stopped";
    }
    const attempts = recipient.attempts + 1;
    // Counts tries, not days, so that a long or paused letter loses nobody.
    const state = isPermanent || attempts >= MAX_ATTEMPTS ? "refused" : "again";
    const nextAt = this.#context.clock() + retryDelayMs(attempts);
    const noted = { attempts, nextAt, problem, said: reply, state } as const;
    await this.#recipients.update(recipient.id, (row) => ({ ...row, ...noted }));
    const isFirstTry = recipient.state === "waiting";
    if (isAboutRecipient) {
      await this.#recordRefusal(id, recipient, refusal, isFirstTry);
      return state;
    }
    if (isFirstTry) {
      await this.#letters.update(id, (letter) => ({ ...letter, problem }));
      const times = this.#backoff.times + 1;
      this.#backoff = { until: this.#context.clock() + retryDelayMs(times), times };
    }
    return "delayed";
  }

  async #recordRefusal(
    id: string,
    { subscriptionId }: Recipient,
    refusal: MailRefusal,
    isFirstTry: boolean,
  ): Promise<void> {
    if (refusal.isPermanent && isUnknownMailbox(refusal))
      await this.#context.store
        .of(entities.emailSubscriptions)
        .update(subscriptionId, (row) => ({ ...row, unreachable: row.unreachable ?? "bounced" }));
    // Every retry was refused before.
    if (!isFirstTry || ++this.#refusalsInARow < MAX_REFUSALS_IN_A_ROW) return;
    this.#refusalsInARow = 0;
    await this.#pauseLetter(id, TOO_MANY_REFUSALS_MESSAGE);
  }

  #isBackingOff(): boolean {
    return this.#context.clock() < this.#backoff.until;
  }

  async #finishLetter({ id }: Letter): Promise<void> {
    const sent = this.#getProgress(id)?.sent ?? 0;
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
    await this.#removeRecords(id, { letterId: id, state: "waiting" });
  }

  /** Deletes what a letter no longer needs; its progress last, since it leads to the rest after a kill. */
  async #removeRecords(id: string, which: RecipientFilter) {
    await this.#recipients.deleteWhere(which);
    await this.#progress.update((list) => list.filter((each) => each.id !== id));
  }

  /** For letters that were sent or deleted, or are drafts again. */
  async #removeLeftovers(): Promise<void> {
    for (const { id } of this.#progress.read().value) {
      const state = (await this.#letters.get(id))?.state; // oxlint-disable-line no-await-in-loop -- a few at most
      if (state === "sent") await this.#removeRecords(id, { letterId: id, state: "waiting" }); // oxlint-disable-line no-await-in-loop
      if (state === undefined || state === "draft") await this.#removeRecords(id, { letterId: id }); // oxlint-disable-line no-await-in-loop
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
/** "delayed": for the server's or the sender's sake. "stopped": it counts as not tried. */
type SendResult = "sent" | "left out" | "refused" | "again" | "delayed" | "stopped";

/** A letter being sent. */
interface SendingLetter {
  readonly id: string;
  readonly copyFor: (reader: LetterRecipient) => RenderedLetter;
  /** False once the round must end, or somebody stopped the letter. */
  readonly isWanted: () => Promise<boolean>;
}

const STALE_MESSAGE =
  "The site was down for more than two days, so this newsletter wasn't sent automatically. Resume it if you still want to send it.";
const HELD_MESSAGE =
  "Nothing could be sent for more than two days, so this newsletter was paused. Resume it if you still want to send it.";
const TOO_MANY_REFUSALS_MESSAGE =
  "The mail server rejected ten messages in a row, so this newsletter was paused. Check the server's response below, then resume it.";
const NOT_SENT_MESSAGE = "Sending a newsletter failed. Limelight will try again in a minute.";
