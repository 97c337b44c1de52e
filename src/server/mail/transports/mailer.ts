/** Sends messages by SMTP or by a provider's API, and defines how fast an account may send. */
import type { MailAccount } from "../../../schema/people/mail.ts";
import { type AccountWithSecret, isLocalHost, type Sender } from "../../shared/mailUrl.ts";
import type { OutgoingMessage } from "../../shared/message.ts";
import { DeliveryAbortedError, DeliveryError, toSmtpDeliveryError } from "./deliveryError.ts";
import { CALENDAR_ATTACHMENT, toOneLine } from "./headers.ts";
import { sendByProvider } from "./providers.ts";
import { SmtpConnection } from "./smtpConnection.ts";
import { MINUTE } from "../../shared/time.ts";

/** Sends a message; resolves once the server accepts it. It may still bounce. Throws a `DeliveryError`. */
export type SendMessage = (message: OutgoingMessage) => Promise<void>;

export interface Mailer {
  readonly send: SendMessage;
  close(): void;
}

const TIMEOUTS_MS = {
  connect: 10_000,
  /** For TLS and the server's greeting, which some servers delay on purpose for unknown clients. */
  greeting: 30_000,
  /** For each later response. */
  response: 30_000,
  /** For sending a message, including connecting. */
  message: 5 * MINUTE,
};

interface MailerOptions {
  /** Certificates of additional certificate authorities to trust, as PEM. */
  readonly certificates?: string;
  readonly timeouts?: typeof TIMEOUTS_MS;
  /** Aborts the message that is being sent, with a `DeliveryAbortedError`. Default: never. */
  readonly signal?: AbortSignal;
}

/** Creates a mailer for an account. It connects when the first message is sent. */
export function createMailer(
  { account: siteAccount, secret }: AccountWithSecret,
  from: Sender,
  options: MailerOptions = {},
): Mailer {
  const { certificates, timeouts = TIMEOUTS_MS } = options;
  const { signal = new AbortController().signal } = options;
  const account = siteAccount.kind === "ses" ? toSesSmtpAccount(siteAccount) : siteAccount;
  if (account.kind !== "smtp") {
    const provider = { account, secret };
    return { send: (message) => sendByProvider(provider, from, message, signal), close: () => {} };
  }
  const { host, port, security, username } = account;
  const connection = new SmtpConnection({
    connectionOptions: {
      host,
      port,
      secure: security === "tls",
      requireTLS: security === "starttls",
      ignoreTLS: security === "none",
      tls: { servername: host, ...(certificates && { ca: certificates }) },
      // `connectionTimeout` includes the greeting; `greetingTimeout` starts when the connection is open.
      connectionTimeout: timeouts.greeting,
      greetingTimeout: timeouts.greeting,
      socketTimeout: timeouts.response,
    },
    login: username === "" ? undefined : { user: username, pass: secret },
    connectTimeoutMs: timeouts.connect,
    messageTimeoutMs: timeouts.message,
    signal,
  });
  return {
    async send(message) {
      try {
        const mime = await createMime(message, from, new Date());
        await connection.send({ from: from.address, to: message.to, mime });
      } catch (error) {
        if (signal.aborted) throw new DeliveryAbortedError();
        throw error instanceof DeliveryError ? error : toSmtpDeliveryError(error as Error);
      }
    },
    close: () => connection.close(),
  };
}

type AccountOf<K extends MailAccount["kind"]> = Extract<MailAccount, { kind: K }>;

/** Returns the SMTP account for Amazon SES (its Developer Guide, "Connecting to an Amazon SES SMTP endpoint"). */
export const toSesSmtpAccount = ({ region, keyId }: AccountOf<"ses">): AccountOf<"smtp"> => ({
  kind: "smtp",
  host: `email-smtp.${region}.amazonaws.com`,
  port: 465,
  security: "tls",
  username: keyId,
});

/** Creates a message as MIME, without SMTP's dot-stuffing. The library is loaded with the first message. */
export async function createMime(
  message: OutgoingMessage,
  from: Sender,
  date: Date,
): Promise<Buffer> {
  const { default: MailComposer } = await import("nodemailer/lib/mail-composer");
  const { to, replyTo, subject, messageId, headers, text, html, calendar } = message;
  return new MailComposer({
    from: { name: toOneLine(from.name), address: from.address },
    // An object is always one address; a string with a comma would be read as two.
    to: { name: "", address: to },
    ...(replyTo && { replyTo: { name: "", address: replyTo } }),
    subject: toOneLine(subject),
    date,
    headers: Object.entries({ "Message-ID": messageId, ...headers }).map(unfoldHeader),
    text,
    html,
    ...(calendar !== undefined && {
      attachments: [
        {
          filename: CALENDAR_ATTACHMENT.name,
          content: calendar,
          contentType: CALENDAR_ATTACHMENT.type,
          // With base64, servers change neither the file's line breaks nor its long lines.
          contentTransferEncoding: "base64",
        },
      ],
    }),
    newline: "windows",
    disableFileAccess: true,
    disableUrlAccess: true,
  })
    .compile()
    .build();
}

/** The longest header value that isn't folded. Servers accept lines of 998 characters (RFC 5322, section 2.1.1). */
const MAX_UNFOLDED_LENGTH = 900;

/**
 * Writes a header's value on one line. Some servers rewrite a URL that is folded onto the next line, which breaks the
 * DKIM signature and the unsubscribe button. The library folds only values that are long or need an encoding.
 */
function unfoldHeader([key, text]: [string, string]) {
  const value = toOneLine(text);
  const isPlain = value.length <= MAX_UNFOLDED_LENGTH && /^[\x20-\x7e]+$/.test(value);
  return isPlain ? { key, value: { prepared: true, value } } : { key, value };
}

/**
 * The minimum time between two messages (Resend accepts 2 a second, Amazon 14), and how many copies of a newsletter a
 * new account may send per minute.
 */
const SENDING_LIMITS_BY_KIND = {
  smtp: { minIntervalMs: 20, maxLettersPerMinute: 60 },
  resend: { minIntervalMs: 550, maxLettersPerMinute: 100 },
  postmark: { minIntervalMs: 20, maxLettersPerMinute: 600 },
  mailgun: { minIntervalMs: 20, maxLettersPerMinute: 300 },
  ses: { minIntervalMs: 75, maxLettersPerMinute: 60 },
};

export const getMinIntervalMs = (account: MailAccount | undefined): number =>
  account ? SENDING_LIMITS_BY_KIND[account.kind].minIntervalMs : 0;

/** Returns how many copies of a newsletter may be sent per minute; undefined (no limit) for a local server. */
export function getMaxLettersPerMinute(account: MailAccount | undefined): number | undefined {
  if (account?.kind === "smtp" && isLocalHost(account.host)) return undefined;
  return account && SENDING_LIMITS_BY_KIND[account.kind].maxLettersPerMinute;
}
