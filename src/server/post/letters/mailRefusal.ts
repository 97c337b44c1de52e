/** What the refusal of a message says of its recipient. */

export interface MailRefusal {
  readonly message: string;
  /** The server's own words. */
  readonly said: string | null;
  readonly isPermanent: boolean;
  /** False: about the server, the sender or the line, and the next one would fare alike. */
  readonly isAboutRecipient: boolean;
}

/** Reads what the mailer threw at a message to an address. */
export function asRefusal(error: unknown, to: string): MailRefusal {
  const fault = error as {
    step?: string;
    message?: string;
    said?: string | null;
    isPermanent?: boolean;
    isToAddress?: boolean;
  };
  const said = fault.said ?? null;
  const isTheirs = fault.isToAddress === true || isNaming(said, to);
  // Also where it says "for good": it is for today.
  if (isAboutSender(said ?? "", isTheirs))
    return { message: NO_MORE, said, isPermanent: false, isAboutRecipient: false };
  return {
    message: fault.message ?? UNKNOWN,
    said,
    isPermanent: fault.isPermanent ?? false,
    isAboutRecipient: fault.step === "recipient",
  };
}

const isNaming = (said: string | null, to: string) =>
  said?.toLowerCase().includes(to.toLowerCase()) ?? false;

/** Mailboxes that are full or gone (RFC 3463: X.1 but for the sender's address, and X.2). */
const OF_MAILBOX = /\b[45]\.(?:1\.(?!7\b|8\b)|2\.)\d/;
/** A day's quota (Gmail's 5.4.5), a rate, a blocked sender, a server that closes: said of one, meant of all. */
const OF_SENDER =
  /^421\b|\b[45]\.(?:4\.5|7\.26|7\.28)\b|quota (?:exceeded|reached)|rate.?limit|too many (?:messages|connections|requests)|sending limit|relay|client host|sender address|bl(?:ock|ack) ?list/i;
/** Meant of all, unless it is the answer to an address: so servers say "not this one" and "come again" as well. */
const OF_EITHER = /\b[45]\.7\.[01]\b|try again later/i;

const isAboutSender = (said: string, isTheirs: boolean) =>
  !OF_MAILBOX.test(said) && (OF_SENDER.test(said) || (!isTheirs && OF_EITHER.test(said)));

/**
 * True where the mailbox isn't there for good. Enhanced codes (RFC 3463) X.1.x are about the address, 5.2.1 is
 * a mailbox that was closed; without one, the words tell.
 */
export function isAddressGone({ said }: Pick<MailRefusal, "said">): boolean {
  const words = said ?? "";
  const [code] = /\b5\.\d{1,3}\.\d{1,3}\b/.exec(words) ?? [];
  if (code) return /^5\.1\.(?:0|1|2|3|6|10)$|^5\.2\.1$/.test(code);
  return /no such (?:user|mailbox|recipient|address)|(?:user|mailbox|recipient|address)(?: \S{1,80})? (?:unknown|not found|does(?:n't| not) exist)|unknown (?:user|recipient)|\b(?:406|inactive)\b/i.test(
    words,
  );
}

const UNKNOWN = "The message couldn't be sent. It is tried again.";
const NO_MORE = "The mail provider takes no more messages for now. It goes on by itself.";
