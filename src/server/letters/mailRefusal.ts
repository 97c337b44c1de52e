/** What the refusal of a message says of its recipient. */

export interface MailRefusal {
  readonly message: string;
  /** The server's own words. */
  readonly said: string | null;
  readonly isPermanent: boolean;
  /** False: about the server, the sender or the line, and the next one would fare alike. */
  readonly isAboutRecipient: boolean;
}

/** Reads what the mailer threw. */
export function asRefusal(error: unknown): MailRefusal {
  const fault = error as {
    step?: string;
    message?: string;
    said?: string | null;
    isPermanent?: boolean;
  };
  const said = fault.said ?? null;
  // Also where it says "for good": it is for today.
  if (isAboutSender(said))
    return { message: NO_MORE, said, isPermanent: false, isAboutRecipient: false };
  return {
    message: fault.message ?? UNKNOWN,
    said,
    isPermanent: fault.isPermanent ?? false,
    isAboutRecipient: fault.step === "recipient",
  };
}

/** A day's quota, a rate, a blocked sender: said of a message, meant of all (RFC 3463, Gmail's 5.4.5 among them). */
function isAboutSender(said: string | null): boolean {
  return /\b[45]\.(?:4\.5|7\.(?:0|1|26|28))\b|\b421\b|quota (?:exceeded|reached)|rate.?limit|too many (?:messages|connections|requests)|try again later|sending limit/i.test(
    said ?? "",
  );
}

/**
 * True where the mailbox isn't there for good. Enhanced codes (RFC 3463) X.1.x are about the address, 5.2.1 is
 * a mailbox that was closed; without one, the words tell.
 */
export function isAddressGone({ said }: Pick<MailRefusal, "said">): boolean {
  const words = said ?? "";
  const [code] = /\b5\.\d{1,3}\.\d{1,3}\b/.exec(words) ?? [];
  if (code) return /^5\.1\.(?:0|1|2|3|6|10)$|^5\.2\.1$/.test(code);
  return /no such (?:user|mailbox|recipient|address)|(?:user|mailbox|recipient|address)(?: \S+)? (?:unknown|not found|does(?:n't| not) exist)|unknown (?:user|recipient)|\b(?:406|inactive)\b/i.test(
    words,
  );
}

const UNKNOWN = "The message couldn't be sent. It is tried again.";
const NO_MORE = "The mail provider takes no more messages for now. It goes on by itself.";
