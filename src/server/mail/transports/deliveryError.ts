/** The error of a message that wasn't sent: a sentence, the step that failed, and whether a retry can help. */

/** The steps of sending a message, in this order. */
export const DELIVERY_STEPS = [
  { value: "name", label: "Find the mail server" },
  { value: "connection", label: "Connect" },
  { value: "certificate", label: "Check its certificate" },
  { value: "login", label: "Log in" },
  { value: "sender", label: "Check the sender" },
  { value: "recipient", label: "Check the recipient" },
] as const;

type DeliveryStep = (typeof DELIVERY_STEPS)[number]["value"];

/** The error of a message that wasn't sent. Its `message` is shown to the owner. */
export class DeliveryError extends Error {
  constructor(
    readonly step: DeliveryStep,
    message: string,
    /** The server's response; null if there is none. */
    readonly response: string | null = null,
    /** True if the server would refuse the same message again. */
    readonly isPermanent = false,
    /** True if the server refused the recipient, or refused the sender only once it knew the recipient. */
    readonly isRecipientRefusal = false,
  ) {
    super(message);
  }

  /** True if the server or the account is at fault, so any other message would fail too. */
  get affectsAllMessages(): boolean {
    return !this.isPermanent && this.step !== "sender" && this.step !== "recipient";
  }
}

/** Thrown if the item that a message is about was deleted, so there is nothing to send. The owner isn't notified. */
export class NothingToSendError extends DeliveryError {
  constructor(message: string) {
    super("recipient", message, null, true);
  }
}

/**
 * Thrown if the site stops before the server has responded. The attempt isn't counted, so a message that the server
 * accepted nevertheless is sent twice, with the same Message-ID.
 */
export class DeliveryAbortedError extends DeliveryError {
  constructor() {
    super(
      "connection",
      "Sending was interrupted, because the site is stopping. The message will be sent after the next start.",
    );
  }
}

export interface SmtpError {
  readonly code?: string;
  readonly command?: string;
  readonly responseCode?: number;
  readonly response?: string;
  readonly message: string;
}

/** Converts an error of the SMTP library to one with an explanation for the owner. */
export function toSmtpDeliveryError(error: SmtpError): DeliveryError {
  const { code = "", command = "", responseCode = 0, response = null, message } = error;
  const isPermanent = isPermanentRefusal(responseCode);
  // The server requires a login (RFC 4954, section 6), but there is no username, or it offers no login before TLS.
  if (responseCode === 530) return new DeliveryError("login", LOGIN_REQUIRED_MESSAGE, response);
  const connectionError = toConnectionError(error);
  if (connectionError) return connectionError;
  if (code === "EAUTH" || command.startsWith("AUTH")) {
    const isBusy = responseCode >= 400 && responseCode < 500;
    return new DeliveryError("login", isBusy ? SERVER_BUSY_MESSAGE : WRONG_LOGIN_MESSAGE, response);
  }
  if (command !== "RCPT TO" && isServerProblem(responseCode, response ?? ""))
    return new DeliveryError("connection", SERVER_BUSY_MESSAGE, response);
  if (command === "MAIL FROM" || isSenderAddressRefusal(response)) {
    const isRecipientRefusal = command !== "MAIL FROM";
    return new DeliveryError(
      "sender",
      WRONG_SENDER_MESSAGE,
      response,
      isPermanent,
      isRecipientRefusal,
    );
  }
  if (command === "RCPT TO" || code === "EENVELOPE") {
    const refusal = isPermanent ? WRONG_RECIPIENT_MESSAGE : RECIPIENT_BUSY_MESSAGE;
    return new DeliveryError("recipient", refusal, response, isPermanent, true);
  }
  // The server refused the connection in its greeting, so it accepts no messages at all (RFC 7504).
  if (command === "CONN" && responseCode > 0)
    return new DeliveryError("connection", SERVER_BUSY_MESSAGE, response);
  if (responseCode > 0)
    return new DeliveryError("recipient", REJECTED_MESSAGE, response, isPermanent);
  const isPortClosed = /ECONNREFUSED/.test(message);
  return new DeliveryError("connection", isPortClosed ? PORT_CLOSED_MESSAGE : NO_RESPONSE_MESSAGE);
}

/** Converts an error caused by the host name, the port or the certificate; returns undefined for other errors. */
function toConnectionError(error: SmtpError): DeliveryError | undefined {
  const { code, message, response = null } = error;
  if (code === "EDNS") return new DeliveryError("name", UNKNOWN_HOST_MESSAGE);
  // The library's message may end with the server's reply, whose words could be mistaken for a connection error.
  const connectionMessage = response === null ? message : "";
  if (/WRONG_VERSION_NUMBER|wrong version number|packet length/i.test(connectionMessage))
    return new DeliveryError("connection", STARTTLS_PORT_MESSAGE);
  if (/certificate|altname|self.signed|unable to verify|UNABLE_TO|CERT_/i.test(connectionMessage))
    return new DeliveryError("certificate", UNTRUSTED_CERTIFICATE_MESSAGE);
  if (code === "ETLS" || /STARTTLS/i.test(normalizeResponse(message)))
    return new DeliveryError("certificate", NO_ENCRYPTION_MESSAGE, response);
  return undefined;
}

/** Whether a response code is a permanent refusal: 5yz is permanent, 4yz temporary (RFC 5321, 4.2.1). */
const isPermanentRefusal = (responseCode: number) => responseCode >= 500 && responseCode < 600;

/** Whether the server closes the connection (RFC 5321, 3.8) or lacks resources (RFC 3463, X.3) for any message. */
const isServerProblem = (responseCode: number, response: string) =>
  responseCode === 421 || /^4\d\d[ -]4\.3\.\d/.test(response);

/** Matches email addresses and IPv4 addresses: 10.5.1.7, for example, contains "5.1.7", a code of RFC 3463. */
const ADDRESS_PATTERN =
  /[^\s<>",;:()[\]]{1,64}@[^\s<>"',;:()[\]]{1,255}|\b\d{1,3}(?:\.\d{1,3}){3}\b/g;

/** Returns a server's reply without addresses, since an address such as relay@example.com could match a pattern. */
export const normalizeResponse = (response: string | null): string =>
  (response ?? "").replace(ADDRESS_PATTERN, "@");

/**
 * Whether a reply refuses the sender's address (RFC 3463: X.1.7, X.1.8). Some servers, such as Postfix and Exim, check
 * the sender only when they get the recipient. Their reply may then have the code or the words for an unknown mailbox.
 */
export const isSenderAddressRefusal = (response: string | null): boolean =>
  SENDER_ADDRESS_REFUSAL_PATTERN.test(normalizeResponse(response));

/** Matches refusals of the sender's address. Exim's replies begin with the name of the check that failed. */
const SENDER_ADDRESS_REFUSAL_PATTERN =
  /\b[45]\.1\.[78]\b|\bsender(?: <?@>?)? (?:address|domain (?:not|does|must|is)|verif(?:y|ication)|(?:is |was )?(?:rejected|refused|denied|unknown|invalid))\b|\b(?:envelope|invalid|unknown|verify|verifying) sender\b|\bfrom address\b|^\d{3}[ -](?:(?:postmaster )?verification|callback setup) failed\b/i;

const WRONG_LOGIN_MESSAGE =
  "The mail server rejected the username or the password. Many providers require an app password here.";
const LOGIN_REQUIRED_MESSAGE =
  "The mail server requires a login over an encrypted connection. Enter the username, and choose TLS or STARTTLS.";
const SERVER_BUSY_MESSAGE = "The mail server isn't accepting messages right now.";
const WRONG_SENDER_MESSAGE =
  "The mail server won't send from this address. Use the account's own address.";
const WRONG_RECIPIENT_MESSAGE = "The mail server rejected this recipient's address.";
const RECIPIENT_BUSY_MESSAGE =
  "The mail server isn't accepting messages for this address right now.";
const REJECTED_MESSAGE = "The mail server rejected the message.";
const PORT_CLOSED_MESSAGE = "Nothing is listening on this port. Check the port number.";
const NO_RESPONSE_MESSAGE =
  "The mail server isn't responding. Check the port: TLS usually uses 465, STARTTLS 587.";
const UNKNOWN_HOST_MESSAGE = "The mail server's name couldn't be resolved. Check the spelling.";
const STARTTLS_PORT_MESSAGE = "This port uses STARTTLS, not TLS. Choose STARTTLS, or port 465.";
const UNTRUSTED_CERTIFICATE_MESSAGE =
  "The mail server's certificate isn't trusted, or is for another name. Check the server's name.";
const NO_ENCRYPTION_MESSAGE =
  "The mail server offers no encryption on this port. Try TLS with port 465.";
