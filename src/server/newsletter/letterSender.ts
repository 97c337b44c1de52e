/**
 * Sends letters one after another. Step 1 stores the recipients. Step 2 marks the letter as being sent. Step 3 sends a
 * copy to each recipient, and stores the progress before the next copy. Step 4 repeats attempts after temporary
 * refusals. A copy is sent twice only if the power or the database fails before the progress is stored. Both copies
 * then have the same Message-ID. If the server or the sender is the cause of a failed first attempt, sending pauses for
 * all recipients. Later attempts make nobody else wait.
 */
import { setTimeout } from "node:timers/promises";
import { getMailDomain } from "../shared/mailbox.ts";
import { entities, type Item } from "../../schema/index.ts";
import { getTimestamp } from "../shared/clock.ts";
import { MAX_ATTEMPTS, getRetryDelayMs } from "../shared/retries.ts";
import type { HandleOf } from "../storage/store.ts";
import { storeRecipients } from "./audience.ts";
import type { LettersContext } from "./context.ts";
import type { SubscriptionLinks } from "./subscriptionLinks.ts";
import { DeliveryAbortedError, isSenderAddressRefusal } from "../mail/transports/deliveryError.ts";
import { getMaxLettersPerMinute } from "../mail/transports/mailer.ts";
import { isUnknownMailbox, type MailRefusal, parseSendError } from "./mailRefusals.ts";
import {
  type RenderedLetter,
  type Letter,
  type CopyValues,
  type LetterRenderContext,
  createLetterRenderer,
} from "./renderLetter.ts";
import { type ShouldContinue, type PeriodicJob, startSiteJob } from "../shared/periodicJob.ts";
import { DAY, MINUTE } from "../shared/time.ts";

interface LetterSenderContext extends LettersContext, LetterRenderContext {
  readonly links: SubscriptionLinks;
}

const CHECK_INTERVAL_MS = 15_000;
/** A letter without progress for this time is paused until the owner resumes it. */
const MAX_IDLE_MS = 2 * DAY;
/** After this many refused first attempts in a row, the letter is paused: the recipients can't all be the cause. */
const MAX_REFUSALS_IN_A_ROW = 10;
/** After this many refusals of the sender's address in a row, the letter is paused: the address must be wrong. */
const MAX_SENDER_REFUSALS_IN_A_ROW = 3;

export class LetterSender {
  readonly #context: LetterSenderContext;
  readonly #letters: HandleOf<typeof entities.letters>;
  readonly #recipients: HandleOf<typeof entities.letterRecipients>;
  readonly #progress: HandleOf<typeof entities.letterProgress>;
  readonly #job: PeriodicJob;
  readonly #abortController = new AbortController();
  #lastSentAt = Number.NEGATIVE_INFINITY;
  /** Nothing is sent before `until` (milliseconds since 1970). `failures` counts the server's failures in a row. */
  #backoff = { until: 0, failures: 0 };
  #refusalsInARow = 0;
  #senderRefusalsInARow = 0;
  /** Stores the result of the last copy; undefined once it is stored. */
  #storeResult: (() => Promise<void>) | undefined;

  constructor(context: LetterSenderContext) {
    const { store, log } = context;
    this.#context = context;
    this.#letters = store.of(entities.letters);
    this.#recipients = store.of(entities.letterRecipients);
    this.#progress = store.of(entities.letterProgress);
    this.#job = startSiteJob({
      store,
      name: "letters",
      intervalMs: CHECK_INTERVAL_MS,
      runOnce: (shouldContinue) => this.#sendLetters(shouldContinue),
      onError: () => log(NOT_SENT_MESSAGE),
    });
    this.sendDue();
  }

  /** Sends due letters now, before the next regular check. */
  sendDue(): void {
    this.#job.runNow();
  }

  /** Resolves once no message is being sent. No copy of an already paused letter is sent afterwards. */
  whenIdle(): Promise<void> {
    return this.#job.whenIdle();
  }

  removeLetter(id: string): Promise<void> {
    return this.#removeRecords(id, { letterId: id });
  }

  /** Lets a resumed letter continue at once: earlier failures no longer count. */
  async resumeLetter(id: string): Promise<void> {
    this.#backoff.until = 0;
    await this.#updateProgress(id, (progress) => ({ ...progress, movedAt: this.#context.clock() }));
  }

  /** Stops after the current message. After a restart, sending continues with the next one. */
  async stop(): Promise<void> {
    this.#abortController.abort();
    await this.#job.stop();
  }

  async #sendLetters(shouldContinue: ShouldContinue): Promise<void> {
    // If the disk was full, the last result is stored before anything else is sent.
    await this.#recordLastResult();
    // Changes nothing, but reads what other instances have stored.
    await this.#progress.update((list) => list);
    await this.#removeLeftovers();
    /* oxlint-disable no-await-in-loop -- one after the other */
    for (const { id } of await this.#findDueLetters()) {
      if (!(await shouldContinue())) return;
      await this.#processLetter(id, shouldContinue);
    }
    /* oxlint-enable no-await-in-loop */
  }

  async #findDueLetters() {
    const sendAt = { upTo: getTimestamp(this.#context.trustedClock) };
    const where = [{ state: "sending" }, { state: "scheduled", sendAt }] as const;
    const letters = await this.#letters.readKeys(where);
    return letters.toSorted((one, other) => ((one.sendAt ?? "") < (other.sendAt ?? "") ? -1 : 1));
  }

  async #processLetter(id: string, shouldContinue: ShouldContinue): Promise<void> {
    let letter = await this.#letters.get(id);
    if (!letter || !this.#context.mail.createDirectSender() || this.#isBackingOff()) return;
    const movedAt = this.#getProgress(id)?.movedAt;
    const idleMs = movedAt
      ? this.#context.clock() - movedAt
      : this.#context.trustedClock() - Date.parse(letter.sendAt ?? "");
    if (idleMs > MAX_IDLE_MS)
      return this.#pauseLetter(id, letter.problem === null ? OVERDUE_MESSAGE : STALLED_MESSAGE);
    if (letter.state === "scheduled" || !this.#getProgress(id))
      letter = await this.#beginLetter(letter, shouldContinue);
    if (!letter) return;
    const renderCopy = createLetterRenderer(letter, this.#context);
    const canContinue = async () =>
      (await shouldContinue()) && (await this.#letters.get(id))?.state === "sending";
    if (await this.#sendDueCopies({ id, renderCopy, canContinue })) await this.#finishLetter(id);
  }

  /** Does steps 1 and 2. After a crash in between, the next run repeats both, since nothing was sent yet. */
  async #beginLetter(
    { id, audience }: Letter,
    shouldContinue: ShouldContinue,
  ): Promise<Letter | undefined> {
    const { store, clock } = this.#context;
    const total = await storeRecipients(store, id, audience, clock(), shouldContinue);
    if (total === undefined) return undefined;
    await this.#progress.update((list) => [
      ...list.filter((each) => each.id !== id),
      { id, after: "", sent: 0, movedAt: clock() },
    ]);
    const startedAt = getTimestamp(clock);
    return this.#letters.update(id, (letter) =>
      letter.state === "scheduled" || letter.state === "sending"
        ? { ...letter, state: "sending", startedAt, total, problem: null }
        : letter,
    );
  }

  readonly #getProgress = (id: string) =>
    this.#progress.read().value.find((each) => each.id === id);

  async #updateProgress(id: string, change: (progress: Progress) => Progress): Promise<void> {
    await this.#progress.update((list) => {
      const updatedList = list.map((each) => (each.id === id ? change(each) : each));
      return updatedList.every((each, index) => each === list[index]) ? list : updatedList;
    });
  }

  /** Does steps 3 and 4. Returns true if the letter is finished. */
  async #sendDueCopies(letter: SendingLetter): Promise<boolean> {
    const { id, canContinue } = letter;
    for await (const recipient of this.#readDueRecipients(id)) {
      if (!(await canContinue())) return false;
      // The recipient may have been erased after the list was read.
      if (!(await this.#recipients.get(recipient.id))) continue;
      const result = await this.#sendCopy(letter, recipient);
      if (result === "stopped") return false;
      const isRetry = recipient.state === "again";
      const isSettled = result === "sent" || result === "left out";
      this.#storeResult = async () => {
        // If the recipient is already deleted, another instance has stored the same result.
        if (isRetry && isSettled && !(await this.#recipients.delete(recipient.id))) return;
        await this.#recordProgress(id, result, isRetry ? undefined : recipient.id);
      };
      await this.#recordLastResult();
      if (this.#isBackingOff()) return false;
    }
    const remainingRecipients = await this.#recipients.readKeys({ letterId: id, state: "again" });
    return remainingRecipients.length === 0 && canContinue();
  }

  async *#readDueRecipients(letterId: string): AsyncIterable<Recipient> {
    const after = this.#getProgress(letterId)?.after ?? "";
    yield* this.#recipients.scan({ where: { letterId, state: "waiting", id: { after } } });
    const nextAt = { upTo: this.#context.clock() };
    yield* this.#recipients.scan({ where: { letterId, state: "again", nextAt } });
  }

  /** Stores the result of the last copy. After `cannot_store`, the next call tries again. */
  async #recordLastResult(): Promise<void> {
    await this.#storeResult?.();
    this.#storeResult = undefined;
  }

  async #recordProgress(id: string, result: SendResult, lastRecipientId?: string): Promise<void> {
    await this.#updateProgress(id, (progress) =>
      // If `after` is already higher, another instance has sent further copies.
      lastRecipientId === undefined || progress.after < lastRecipientId
        ? {
            ...progress,
            after: lastRecipientId ?? progress.after,
            sent: progress.sent + (result === "sent" ? 1 : 0),
            movedAt: result === "delayed" ? progress.movedAt : this.#context.clock(),
          }
        : progress,
    );
    if (result === "sent") await this.#recordAcceptance(id);
  }

  async #recordAcceptance(id: string): Promise<void> {
    const wasBackingOff = this.#backoff.failures > 0;
    this.#backoff = { until: 0, failures: 0 };
    this.#refusalsInARow = 0;
    this.#senderRefusalsInARow = 0;
    if (wasBackingOff)
      await this.#letters.update(id, (letter) =>
        letter.state === "sending" ? { ...letter, problem: null } : letter,
      );
  }

  async #sendCopy(
    { id, renderCopy, canContinue }: SendingLetter,
    recipient: Recipient,
  ): Promise<SendResult> {
    const { mail, store, links } = this.#context;
    const subscriber = await store.of(entities.emailSubscriptions).get(recipient.subscriptionId);
    if (subscriber?.status !== "active" || subscriber.unreachable !== null) return "left out";
    await this.#waitForNextSlot();
    const [send, sendingAccount] = [mail.createDirectSender(), mail.getAccount()];
    if (!send || !sendingAccount || !(await canContinue())) return "stopped";
    const unsubscribePath = links.createUnsubscribePath(subscriber.id, id);
    const { headers, ...copy } = renderCopy({ name: subscriber.name, unsubscribePath });
    try {
      await send({
        ...copy,
        to: recipient.to,
        messageId: `<${recipient.id}@${getMailDomain(sendingAccount.from.address)}>`,
        replyTo: null,
        // Asks for no automatic replies: "Auto-Submitted" (RFC 3834), and "Precedence: bulk" for older mail programs.
        headers: { ...headers, "Auto-Submitted": "auto-generated", Precedence: "bulk" },
      });
    } catch (error) {
      if (error instanceof DeliveryAbortedError) return "stopped";
      return this.#recordFailure(id, recipient, parseSendError(error, recipient.to));
    }
    return "sent";
  }

  /** Waits until the next message may be sent. */
  async #waitForNextSlot(): Promise<void> {
    const maxPerMinute = getMaxLettersPerMinute(
      this.#context.mail.getAccount()?.credentials.account,
    );
    const minIntervalMs = maxPerMinute === undefined ? 0 : MINUTE / maxPerMinute;
    const waitMs = this.#lastSentAt + minIntervalMs - performance.now();
    if (waitMs > 0)
      await setTimeout(waitMs, undefined, this.#abortController).catch(() => undefined);
    this.#lastSentAt = performance.now();
  }

  async #recordFailure(
    id: string,
    recipient: Recipient,
    refusal: MailRefusal,
  ): Promise<SendResult> {
    const { isAboutRecipient, isPermanent, message: problem, response } = refusal;
    if (!isAboutRecipient && isPermanent) {
      await this.#pauseLetter(id, problem);
      return "stopped";
    }
    const attempts = recipient.attempts + 1;
    // Limited by number and not by time, so that a long pause doesn't end the attempts.
    const state = isPermanent || attempts >= MAX_ATTEMPTS ? "refused" : "again";
    const nextAt = this.#context.clock() + getRetryDelayMs(attempts);
    const failure = { attempts, nextAt, problem, said: response, state } as const;
    await this.#recipients.update(recipient.id, (row) => ({ ...row, ...failure }));
    const isFirstAttempt = recipient.state === "waiting";
    if (isAboutRecipient) {
      await this.#recordRefusal(id, recipient, refusal, isFirstAttempt);
      return state;
    }
    if (isFirstAttempt) {
      const letterProblem = refusal.isLimit ? `${problem} ${RESUMES_MESSAGE}` : problem;
      await this.#letters.update(id, (letter) => ({ ...letter, problem: letterProblem }));
      const failures = this.#backoff.failures + 1;
      this.#backoff = { until: this.#context.clock() + getRetryDelayMs(failures), failures };
    }
    return "delayed";
  }

  async #recordRefusal(
    id: string,
    { subscriptionId }: Recipient,
    refusal: MailRefusal,
    isFirstAttempt: boolean,
  ): Promise<void> {
    if (refusal.isPermanent && isUnknownMailbox(refusal))
      await this.#context.store
        .of(entities.emailSubscriptions)
        .update(subscriptionId, (row) => ({ ...row, unreachable: row.unreachable ?? "bounced" }));
    // The recipients of repeated attempts were already counted.
    if (!isFirstAttempt) return;
    this.#refusalsInARow++;
    const isSenderRefused = isSenderAddressRefusal(refusal.response);
    this.#senderRefusalsInARow = isSenderRefused ? this.#senderRefusalsInARow + 1 : 0;
    const isSenderWrong = this.#senderRefusalsInARow >= MAX_SENDER_REFUSALS_IN_A_ROW;
    if (!isSenderWrong && this.#refusalsInARow < MAX_REFUSALS_IN_A_ROW) return;
    this.#refusalsInARow = 0;
    this.#senderRefusalsInARow = 0;
    await this.#pauseLetter(id, isSenderWrong ? refusal.message : TOO_MANY_REFUSALS_MESSAGE);
  }

  #isBackingOff(): boolean {
    return this.#context.clock() < this.#backoff.until;
  }

  async #finishLetter(id: string): Promise<void> {
    const sent = this.#getProgress(id)?.sent ?? 0;
    const refused = (await this.#recipients.readKeys({ letterId: id, state: "refused" })).length;
    await this.#letters.update(id, (letter) => ({
      ...letter,
      state: "sent",
      problem: null,
      finishedAt: getTimestamp(this.#context.clock),
      sent,
      refused,
      leftOut: Math.max(0, letter.total - sent - refused),
    }));
    await this.#removeRecords(id, { letterId: id, state: "waiting" });
  }

  /** Deletes recipients, then the progress. After a crash in between, the next run finds the progress. */
  async #removeRecords(id: string, filter: RecipientFilter) {
    await this.#recipients.deleteWhere(filter);
    await this.#progress.update((list) => list.filter((each) => each.id !== id));
  }

  /** Finishes interrupted deletions of letters that were sent, deleted or turned into drafts. */
  async #removeLeftovers(): Promise<void> {
    for (const { id } of this.#progress.read().value) {
      const state = (await this.#letters.get(id))?.state; // oxlint-disable-line no-await-in-loop -- a few at most
      if (state === "sent") await this.#removeRecords(id, { letterId: id, state: "waiting" }); // oxlint-disable-line no-await-in-loop
      if (state === undefined || state === "draft") await this.#removeRecords(id, { letterId: id }); // oxlint-disable-line no-await-in-loop
    }
  }

  async #pauseLetter(id: string, problem: string): Promise<void> {
    await this.#letters.update(id, (letter) =>
      // The owner may have canceled the letter in the meantime.
      letter.state === "draft" ? letter : { ...letter, state: "paused", problem },
    );
    this.#context.log(`newsletter: ${id} was paused (${problem})`);
  }
}

type Progress = Item<"letterProgress">;
type Recipient = Item<"letterRecipients">;
type RecipientFilter = Parameters<HandleOf<typeof entities.letterRecipients>["deleteWhere"]>[0];
/**
 * "left out": the recipient has unsubscribed or is unreachable. "again": the recipient was refused temporarily.
 * "delayed": the server or the sender is the cause. "stopped": the copy was not sent, and nothing is recorded.
 */
type SendResult = "sent" | "left out" | "refused" | "again" | "delayed" | "stopped";

interface SendingLetter {
  readonly id: string;
  readonly renderCopy: (recipient: CopyValues) => RenderedLetter;
  /** False if the run must end, or if the owner has paused or deleted the letter. */
  readonly canContinue: () => Promise<boolean>;
}

const OVERDUE_MESSAGE =
  "Sending was delayed for more than two days, so this newsletter was paused. Resume it if you still want to send it.";
const STALLED_MESSAGE =
  "Nothing could be sent for more than two days, so this newsletter was paused. Resume it if you still want to send it.";
const TOO_MANY_REFUSALS_MESSAGE =
  "The mail server rejected ten messages in a row, so this newsletter was paused. Check the server's response below, then resume it.";
const RESUMES_MESSAGE = "Sending will resume automatically.";
const NOT_SENT_MESSAGE = "Sending a newsletter failed. Limelight will try again automatically.";
