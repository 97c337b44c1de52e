/** Why a message was refused: a sentence, the step that failed, and whether a retry can help. */

/** The steps of sending a message, in this order. */
export const SMTP_STEPS = [
  { value: "name", label: "Find the mail server" },
  { value: "connection", label: "Connect" },
  { value: "certificate", label: "Check its certificate" },
  { value: "login", label: "Log in" },
  { value: "sender", label: "Check the sender" },
  { value: "recipient", label: "Check the recipient" },
] as const;

type Step = (typeof SMTP_STEPS)[number]["value"];

/** One refusal. Its `message` is for the owner. */
export class DeliveryError extends Error {
  constructor(
    readonly step: Step,
    message: string,
    /** The server's own words, if any. */
    readonly reply: string | null = null,
    /** True: the same message would be refused again. */
    readonly isPermanent = false,
    /** True: the server refused the recipient's address, before it saw the message. */
    readonly isToAddress = false,
  ) {
    super(message);
  }

  /** True: the server or the account is at fault, and any other message would fail now. */
  get affectsAllMessages(): boolean {
    return !this.isPermanent && this.step !== "sender" && this.step !== "recipient";
  }
}

/** The subject of a message is gone: there is nothing to send, and that is no failure. */
export class NothingToSend extends DeliveryError {
  constructor(message: string) {
    super("recipient", message, null, true);
  }
}

/**
 * The site is stopping, and the server hasn't responded in time. The message counts as not tried; if it was accepted
 * after all, it is sent twice with the same Message-ID, as after a kill.
 */
export class DeliveryAborted extends DeliveryError {
  constructor() {
    super(
      "connection",
      "Sending was interrupted, because the site is stopping. It will be sent after the next start.",
    );
  }
}

interface SmtpError {
  readonly code?: string;
  readonly command?: string;
  readonly responseCode?: number;
  readonly response?: string;
  readonly message: string;
}

export function smtpDeliveryError(error: SmtpError): DeliveryError {
  const { code = "", command = "", responseCode = 0, response = null, message } = error;
  const unreachable = connectionFault(error);
  if (unreachable) return unreachable;
  if (code === "EAUTH" || command.startsWith("AUTH"))
    return new DeliveryError(
      "login",
      "The mail server rejected the username or the password. Many providers require an app password here.",
      response,
    );
  if (command !== "RCPT TO" && isOfServer(responseCode, response ?? ""))
    return new DeliveryError(
      "connection",
      "The mail server isn't accepting messages right now.",
      response,
    );
  if (command === "MAIL FROM")
    return new DeliveryError(
      "sender",
      "The mail server won't send from this address. Use the account's own address.",
      response,
      isFinal(responseCode),
    );
  if (command === "RCPT TO" || code === "EENVELOPE")
    return new DeliveryError(
      "recipient",
      isFinal(responseCode)
        ? "The mail server rejected this recipient's address."
        : "The mail server isn't accepting messages for this address right now.",
      response,
      isFinal(responseCode),
      true,
    );
  if (responseCode > 0)
    return new DeliveryError(
      "recipient",
      "The mail server rejected the message.",
      response,
      isFinal(responseCode) && command !== "CONN",
    );
  return new DeliveryError(
    "connection",
    /ECONNREFUSED/.test(message)
      ? "Nothing is listening on this port. Check the port number."
      : "The mail server isn't responding. Choose TLS for port 465, STARTTLS for port 587.",
  );
}

/** Before the login: the name, the port, the certificate. */
function connectionFault(error: SmtpError): DeliveryError | undefined {
  const { code, message, response = null } = error;
  if (code === "EDNS")
    return new DeliveryError("name", "No mail server has this name. Check the spelling.");
  if (/WRONG_VERSION_NUMBER|wrong version number|packet length/i.test(message))
    return new DeliveryError(
      "connection",
      "This port speaks STARTTLS, not TLS. Choose STARTTLS, or port 465.",
    );
  if (/certificate|altname|self.signed|unable to verify|UNABLE_TO|CERT_/i.test(message))
    return new DeliveryError(
      "certificate",
      "The mail server's certificate isn't trusted, or is for another name. Check the server's name.",
    );
  if (code === "ETLS" || /STARTTLS/i.test(message))
    return new DeliveryError(
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
