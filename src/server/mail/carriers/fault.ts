/** Why a message was refused: a sentence, the step that failed, and whether a retry can help. */

/** The steps of sending a message, in this order. */
export const STEPS = [
  { value: "name", label: "Find the mail server" },
  { value: "connection", label: "Connect" },
  { value: "certificate", label: "Check its certificate" },
  { value: "login", label: "Log in" },
  { value: "sender", label: "Sender accepted" },
  { value: "recipient", label: "Recipient accepted" },
] as const;

type Step = (typeof STEPS)[number]["value"];

/** One refusal. Its `message` is for the owner. */
export class MailFault extends Error {
  constructor(
    /** The step that failed. */
    readonly step: Step,
    message: string,
    /** The server's own words, if any. */
    readonly said: string | null = null,
    /** True: the same message would be refused again. */
    readonly isPermanent = false,
    /** True: the server refused the recipient's address, before it saw the message. */
    readonly isToAddress = false,
  ) {
    super(message);
  }

  /** True: the server or the account is at fault, and any other message would fail now. */
  get concernsAll(): boolean {
    return !this.isPermanent && this.step !== "sender" && this.step !== "recipient";
  }
}

/**
 * The site is stopping, and the server hasn't responded in time. The message counts as not tried; if it was accepted
 * after all, it is sent once more with the same Message-ID, as after a kill.
 */
export class CutOff extends MailFault {
  /** For code without this class. */
  readonly isCutOff = true;

  constructor() {
    super(
      "connection",
      "It was cut off, since the site is stopping. It is sent after the next start.",
    );
  }
}

/** An error of the SMTP library. */
interface SmtpError {
  readonly code?: string;
  readonly command?: string;
  readonly responseCode?: number;
  readonly response?: string;
  readonly message: string;
}

/** Explains an SMTP error. */
export function smtpFault(error: SmtpError): MailFault {
  const { code = "", command = "", responseCode = 0, response = null, message } = error;
  const unreachable = connectionFault(error);
  if (unreachable) return unreachable;
  if (code === "EAUTH" || command.startsWith("AUTH"))
    return new MailFault(
      "login",
      "The mail server refused the username or the password. Many providers want an app password here.",
      response,
    );
  if (command !== "RCPT TO" && isOfServer(responseCode, response ?? ""))
    return new MailFault(
      "connection",
      "The mail server doesn't take messages right now.",
      response,
    );
  if (command === "MAIL FROM")
    return new MailFault(
      "sender",
      "The mail server doesn't send for this sender's address. Use the address of the account.",
      response,
      isFinal(responseCode),
    );
  if (command === "RCPT TO" || code === "EENVELOPE")
    return new MailFault(
      "recipient",
      isFinal(responseCode)
        ? "The mail server says that this address can't be reached."
        : "The mail server doesn't take messages for this address right now.",
      response,
      isFinal(responseCode),
      true,
    );
  if (responseCode > 0)
    return new MailFault(
      "recipient",
      "The mail server didn't take the message.",
      response,
      isFinal(responseCode) && command !== "CONN",
    );
  return new MailFault(
    "connection",
    /ECONNREFUSED/.test(message)
      ? "Nothing answers at this port. Check the port."
      : "The mail server doesn't answer. With port 465 choose TLS, with 587 STARTTLS.",
  );
}

/** Before the login: the name, the port, the certificate. */
function connectionFault(error: SmtpError): MailFault | undefined {
  const { code, message, response = null } = error;
  if (code === "EDNS")
    return new MailFault("name", "There is no mail server of this name. Check how it is written.");
  if (/WRONG_VERSION_NUMBER|wrong version number|packet length/i.test(message))
    return new MailFault(
      "connection",
      "This port speaks STARTTLS, not TLS. Choose STARTTLS, or port 465.",
    );
  if (/certificate|altname|self.signed|unable to verify|UNABLE_TO|CERT_/i.test(message))
    return new MailFault(
      "certificate",
      "The mail server's certificate is not trusted, or is for another name. Check the server's name.",
    );
  if (code === "ETLS" || /STARTTLS/i.test(message))
    return new MailFault(
      "certificate",
      "The mail server offers no encryption on this port. Try TLS with port 465.",
      response,
    );
  return undefined;
}

/** RFC 5321, 4.2.1: 5yz is a permanent refusal, 4yz one for now. */
const isFinal = (responseCode: number) => responseCode >= 500 && responseCode < 600;

/** Closing, or its own system lacks space or time (RFC 5321, 3.8; RFC 3463, X.3): so would the next fail. */
const isOfServer = (responseCode: number, response: string) =>
  responseCode === 421 || /^4\d\d[ -]4\.3\.\d/.test(response);
