/** Interprets a mail server's refusal of a message: whether the recipient is the cause, and whether it is permanent. */
import {
  DeliveryError,
  isSenderAddressRefusal,
  normalizeResponse,
} from "../mail/transports/deliveryError.ts";

export interface MailRefusal {
  /** The problem as a sentence for the owner. */
  readonly message: string;
  /** The mail server's response; null if there was none. */
  readonly response: string | null;
  readonly isPermanent: boolean;
  /** False if the server, the sender or the connection is the cause, so that the next copy would fail too. */
  readonly isAboutRecipient: boolean;
  /** True if the account's limit is reached, which is temporary. */
  readonly isLimit?: boolean;
}

export function parseSendError(error: unknown, to: string): MailRefusal {
  const temporary = { isPermanent: false, isAboutRecipient: false };
  if (!(error instanceof DeliveryError))
    return { ...temporary, message: SEND_FAILED_MESSAGE, response: null };
  const { step, message, response, isPermanent, isRecipientRefusal } = error;
  // A limit is temporary, even if the server calls it permanent: a daily quota is available again the next day.
  if (
    !isSenderAddressRefusal(response) &&
    isAboutSender(normalizeResponse(response), isRecipientRefusal || includesAddress(response, to))
  )
    return { ...temporary, isLimit: true, message: PROVIDER_LIMIT_MESSAGE, response };
  // Either our mail server or the recipient's server refuses the sender's address. The responses for the next
  // recipients show which of them does.
  if (step === "sender" && isPermanent && isRecipientRefusal)
    return { message, response, isPermanent: false, isAboutRecipient: true };
  return { message, response, isPermanent, isAboutRecipient: step === "recipient" };
}

const includesAddress = (response: string | null, to: string) =>
  response?.toLowerCase().includes(to.toLowerCase()) ?? false;

/** Matches codes for a missing or full mailbox (RFC 3463: X.1 except for the sender's address, and X.2). */
const MAILBOX_REFUSAL_PATTERN = /\b[45]\.(?:1\.(?!7\b|8\b)|2\.)\d/;
/**
 * Matches refusals that apply to all recipients: a daily quota (Gmail's 5.4.5), a rate, a blocked or unauthenticated
 * sender (RFC 7372, and Microsoft's 5.7.509 and 5.7.515), a closing server.
 */
const SENDER_REFUSAL_PATTERN =
  /^421\b|\b[45]\.(?:4\.5|7\.(?:2\d|509|515))\b|quota (?:exceeded|reached)|rate.?limit|too many (?:messages|connections|requests)|sending limit|relay|client host|bl(?:ock|ack) ?list|\b(?:spf|dkim|dmarc)\b/i;
/** Matches refusals that some servers send for all recipients, and others for a single one. */
const AMBIGUOUS_REFUSAL_PATTERN = /\b[45]\.7\.[01]\b|try again later/i;

/** Whether a refusal is about the sender. An ambiguous refusal that names the recipient is about the recipient. */
const isAboutSender = (response: string, namesRecipient: boolean) =>
  !MAILBOX_REFUSAL_PATTERN.test(response) &&
  (SENDER_REFUSAL_PATTERN.test(response) ||
    (!namesRecipient && AMBIGUOUS_REFUSAL_PATTERN.test(response)));

/**
 * Whether the mailbox no longer exists. The enhanced codes 5.1.x (RFC 3463) are about the address; 5.2.1 is a disabled
 * mailbox. Without a specific code, the response's text decides.
 */
export function isUnknownMailbox({ response }: Pick<MailRefusal, "response">): boolean {
  // A refusal of the sender's address is about the sender's mailbox.
  if (isSenderAddressRefusal(response)) return false;
  const text = normalizeResponse(response);
  const [code] = /\b5\.\d{1,3}\.\d{1,3}\b/.exec(text) ?? [];
  if (code && !/^5\.[05]\.0$/.test(code)) return /^5\.1\.(?:0|1|2|3|6|10)$|^5\.2\.1$/.test(code);
  return /(?:no such|unknown|invalid) (?:user|mailbox|recipient)|no such address|unrouteable address|(?:user|mailbox|recipient|address)(?: \S{1,80})? (?:unknown|not found|does(?:n't| not) (?:exist|have))|"ErrorCode": ?406\b|\binactive\b/i.test(
    text,
  );
}

const SEND_FAILED_MESSAGE = "The message couldn't be sent because of an unexpected error.";
const PROVIDER_LIMIT_MESSAGE = "The email provider isn't accepting more messages right now.";
