/**
 * What a refusal means for its recipient and for the letter: who is retried and when, what delays all, and what stops
 * it. The server's words may be misread, so one recipient can't hold up a letter: whoever met trouble before is passed
 * over once, and the next one's result shows whose trouble it is.
 */
import { entities, type Item } from "../../schema/index.ts";
import type { Clock } from "../shared/clock.ts";
import { MAX_ATTEMPTS, retryDelayMs } from "../shared/retries.ts";
import type { HandleOf, Store } from "../storage/store.ts";
import { DeliveryError } from "../mail/carriers/deliveryError.ts";

type Recipient = Item<"letterRecipients">;

/**
 * "passed over": retried later, though it may concern all. "trouble": it concerns the server or the sender, and the
 * same recipient is next.
 */
export type FailureOutcome = "again" | "refused" | "passed over" | "trouble";

interface RefusalsContext {
  readonly store: Store;
  readonly clock: Clock;
  readonly pause: (letterId: string, problem: string) => Promise<void>;
}

/** So many refused first tries in a row aren't the recipients' fault. */
const MOST_REFUSALS = 10;

/** Counts tries, not days, so that a long or paused letter loses nobody. */
const isLastTry = ({ attempts }: Recipient) => attempts + 1 >= MAX_ATTEMPTS;

/** What refusals have led to since the start. */
export class Refusals {
  readonly #context: RefusalsContext;
  /** After trouble, nothing is tried until then. */
  readonly #rest = { until: 0, times: 0 };
  readonly #held = new Set<string>();
  #inARow = 0;
  #hasPassedOver = false;

  readonly #letters: HandleOf<typeof entities.letters>;
  readonly #recipients: HandleOf<typeof entities.letterRecipients>;
  readonly #subscriptions: HandleOf<typeof entities.emailSubscriptions>;

  constructor(context: RefusalsContext) {
    this.#context = context;
    const { store } = context;
    this.#letters = store.of(entities.letters);
    this.#recipients = store.of(entities.letterRecipients);
    this.#subscriptions = store.of(entities.emailSubscriptions);
  }

  async #note(
    recipient: Recipient,
    { message: problem, said }: MailRefusal,
    state: Recipient["state"],
  ): Promise<void> {
    const attempts = recipient.attempts + 1;
    const noted = {
      attempts,
      nextAt: this.#context.clock() + retryDelayMs(attempts),
      problem,
      said,
      state,
    };
    await this.#recipients.update(recipient.id, (row) => ({ ...row, ...noted }));
  }

  /** The server's words point to the server or the sender. */
  async #serverFailed(
    letterId: string,
    recipient: Recipient,
    refusal: MailRefusal,
  ): Promise<FailureOutcome> {
    const { isPermanent, message: problem } = refusal;
    if (!isPermanent && recipient.attempts > 0 && !this.#hasPassedOver) {
      this.#hasPassedOver = true;
      const state = isLastTry(recipient) ? "refused" : "again";
      await this.#note(recipient, refusal, state);
      return state === "again" ? "passed over" : state;
    }
    await this.#note(recipient, refusal, recipient.state);
    if (isPermanent) await this.#context.pause(letterId, problem);
    else await this.#letters.update(letterId, (letter) => ({ ...letter, problem }));
    this.#held.add(letterId);
    this.#rest.until = this.#context.clock() + retryDelayMs(++this.#rest.times);
    return "trouble";
  }

  async #recipientFailed(
    letterId: string,
    recipient: Recipient,
    refusal: MailRefusal,
  ): Promise<FailureOutcome> {
    const isLast = refusal.isPermanent || isLastTry(recipient);
    const state = isLast ? "refused" : "again";
    await this.#note(recipient, refusal, state);
    if (refusal.isPermanent && isAddressGone(refusal))
      await this.#subscriptions.update(recipient.subscriptionId, (row) => ({
        ...row,
        unreachable: row.unreachable ?? "bounced",
      }));
    // Only first tries count: every retry was refused before.
    if (recipient.state === "waiting" && ++this.#inARow >= MOST_REFUSALS) {
      this.#inARow = 0;
      await this.#context.pause(letterId, TOO_MANY);
    }
    return state;
  }

  /** True: nothing is tried for now. */
  isBackingOff(): boolean {
    return this.#context.clock() < this.#rest.until;
  }

  /** The cause of the rest is gone. */
  endBackoff(): void {
    this.#rest.until = 0;
  }

  /** Starts a round: one may be passed over. */
  begin(): void {
    this.#hasPassedOver = false;
  }

  /** Records a refusal. */
  recordFailure(
    letterId: string,
    recipient: Recipient,
    refusal: MailRefusal,
  ): Promise<FailureOutcome> {
    return refusal.isAboutRecipient
      ? this.#recipientFailed(letterId, recipient, refusal)
      : this.#serverFailed(letterId, recipient, refusal);
  }

  /** A message of the letter was accepted. */
  async recordAccepted(letterId: string): Promise<void> {
    this.#rest.times = 0;
    this.#inARow = 0;
    this.#hasPassedOver = false;
    if (this.#held.delete(letterId))
      await this.#letters.update(letterId, (letter) =>
        letter.state === "sending" ? { ...letter, problem: null } : letter,
      );
  }
}

const TOO_MANY =
  "The mail server rejected ten messages in a row, so this newsletter was paused. Check the server's response below, then resume it.";

/** What a refusal says about the recipient. */
interface MailRefusal {
  readonly message: string;
  /** The server's own words. */
  readonly said: string | null;
  readonly isPermanent: boolean;
  /** False: about the server, the sender or the connection; the next one would fail too. */
  readonly isAboutRecipient: boolean;
}

/** Reads an error of the mailer for a message to an address. */
export function parseSendError(error: unknown, to: string): MailRefusal {
  if (!(error instanceof DeliveryError))
    return { message: UNKNOWN, said: null, isPermanent: false, isAboutRecipient: false };
  const { step, message, said, isPermanent, isToAddress } = error;
  // Even if called permanent: it is for today.
  if (isAboutSender(said ?? "", isToAddress || isNaming(said, to)))
    return { message: NO_MORE, said, isPermanent: false, isAboutRecipient: false };
  return { message, said, isPermanent, isAboutRecipient: step === "recipient" };
}

const isNaming = (said: string | null, to: string) =>
  said?.toLowerCase().includes(to.toLowerCase()) ?? false;

/** Mailboxes that are full or gone (RFC 3463: X.1 except for the sender's address, and X.2). */
const OF_MAILBOX = /\b[45]\.(?:1\.(?!7\b|8\b)|2\.)\d/;
/** A daily quota (Gmail's 5.4.5), a rate, a blocked sender, a closing server: said to one, but meant for all. */
const OF_SENDER =
  /^421\b|\b[45]\.(?:4\.5|7\.26|7\.28)\b|quota (?:exceeded|reached)|rate.?limit|too many (?:messages|connections|requests)|sending limit|relay|client host|sender address|bl(?:ock|ack) ?list/i;
/** Meant for all, unless in response to an address: servers use it for "not this one" and "try again" too. */
const OF_EITHER = /\b[45]\.7\.[01]\b|try again later/i;

/** What may be meant for either counts only if it neither came in response to the address nor names it. */
const isAboutSender = (said: string, isTheirs: boolean) =>
  !OF_MAILBOX.test(said) && (OF_SENDER.test(said) || (!isTheirs && OF_EITHER.test(said)));

/**
 * Whether the mailbox is gone for good. Enhanced codes (RFC 3463) X.1.x are about the address, 5.2.1 is a disabled
 * mailbox; without a code, the text decides.
 */
export function isAddressGone({ said }: Pick<MailRefusal, "said">): boolean {
  const text = said ?? "";
  const [code] = /\b5\.\d{1,3}\.\d{1,3}\b/.exec(text) ?? [];
  if (code) return /^5\.1\.(?:0|1|2|3|6|10)$|^5\.2\.1$/.test(code);
  return /no such (?:user|mailbox|recipient|address)|(?:user|mailbox|recipient|address)(?: \S{1,80})? (?:unknown|not found|does(?:n't| not) exist)|unknown (?:user|recipient)|\b(?:406|inactive)\b/i.test(
    text,
  );
}

const UNKNOWN = "The message couldn't be sent. Limelight will try again.";
const NO_MORE =
  "The email provider isn't accepting more messages right now. Sending will resume automatically.";
