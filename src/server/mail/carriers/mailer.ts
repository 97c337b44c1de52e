/** Sends messages by SMTP or by a provider's API, and sets how fast. */
import type { MailAccount } from "../../../schema/people/mail.ts";
import { type AccountWithSecret, isLocalHost, type Sender } from "../../shared/mailUrl.ts";
import type { OutgoingMessage } from "../../shared/message.ts";
import { DeliveryAbortedError, DeliveryError, toDeliveryError } from "./deliveryError.ts";
import { CALENDAR_ATTACHMENT, toOneLine } from "./headers.ts";
import { sendByProvider } from "./providers.ts";
import { SmtpConnection } from "./smtpConnection.ts";
import { MINUTE } from "../../shared/time.ts";

/** Throws a `DeliveryError`. Resolves once the server accepts the message, which may still bounce. */
export type SendMessage = (message: OutgoingMessage) => Promise<void>;

export interface Mailer {
  readonly send: SendMessage;
  /** Closes open connections. */
  close(): void;
}

/** Timeouts for a server, in milliseconds. */
interface SmtpTimeouts {
  /** To connect. */
  readonly connectTimeoutMs: number;
  /** For the greeting, TLS included: some delay strangers deliberately. */
  readonly greeting: number;
  /** For each further response. */
  readonly silence: number;
  /** For a whole message. */
  readonly message: number;
}

const TIMEOUTS_MS: SmtpTimeouts = {
  connectTimeoutMs: 10_000,
  greeting: 30_000,
  silence: 30_000,
  message: 5 * MINUTE,
};

interface MailerOptions {
  /** Further CAs to trust, in PEM; for servers with a private CA. */
  readonly certificates?: string;
  readonly timeouts?: SmtpTimeouts;
  /** Aborts the message under way with a `DeliveryAbortedError`. Default: never. */
  readonly signal?: AbortSignal;
}

/** Connects to nothing before the first message. */
export function createMailer(
  full: AccountWithSecret,
  from: Sender,
  options: MailerOptions = {},
): Mailer {
  const {
    certificates,
    timeouts: patience = TIMEOUTS_MS,
    signal: ended = new AbortController().signal,
  } = options;
  const { secret } = full;
  const account = full.account.kind === "ses" ? toSesSmtpAccount(full.account) : full.account;
  if (account.kind !== "smtp") {
    const provider = { account, secret };
    return { send: (message) => sendByProvider(provider, from, message, ended), close: () => {} };
  }
  const { host, port, security, username } = account;
  const line = new SmtpConnection({
    connection: {
      host,
      port,
      secure: security === "tls",
      requireTLS: security === "starttls",
      ignoreTLS: security === "none",
      tls: { servername: host, ...(certificates && { ca: certificates }) },
      // The first timeout covers the greeting too; the second starts once connected.
      connectionTimeout: patience.greeting,
      greetingTimeout: patience.greeting,
      socketTimeout: patience.silence,
    },
    login: username === "" ? undefined : { user: username, pass: secret },
    reach: patience.connectTimeoutMs,
    patience: patience.message,
    ended,
  });
  return {
    async send(message) {
      try {
        const mime = await createMime(message, from, new Date());
        await line.send({ from: from.address, to: message.to, mime });
      } catch (error) {
        if (ended.aborted) throw new DeliveryAbortedError();
        throw error instanceof DeliveryError ? error : toDeliveryError(error as Error);
      }
    },
    close: () => line.close(),
  };
}

type AccountOf<K extends MailAccount["kind"]> = Extract<MailAccount, { kind: K }>;

/** Amazon SES by SMTP (Amazon SES Developer Guide, "Connecting to an Amazon SES SMTP endpoint"). */
export const toSesSmtpAccount = ({ region, keyId }: AccountOf<"ses">): AccountOf<"smtp"> => ({
  kind: "smtp",
  host: `email-smtp.${region}.amazonaws.com`,
  port: 465,
  security: "tls",
  username: keyId,
});

/**
 * A message as MIME, before SMTP's dot-stuffing, in one buffer that is written at once. Nothing is loaded before the
 * first message.
 */
export async function createMime(
  message: OutgoingMessage,
  from: Sender,
  date: Date,
): Promise<Buffer> {
  const { default: MailComposer } = await import("nodemailer/lib/mail-composer");
  const { to, replyTo, subject, messageId, headers, text, html, calendar } = message;
  return new MailComposer({
    from: { name: toOneLine(from.name), address: from.address },
    // As an object it is one address, whatever it contains.
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
          // As base64: its CRLFs are preserved and no line is broken in transit.
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

/** Servers take lines of 998 characters (RFC 5322, section 2.1.1). */
const MAX_UNFOLDED_LENGTH = 900;

/**
 * A header on the line of its name: some servers rewrite a URL that is folded below it, which breaks the DKIM signature
 * and the unsubscribe button. Longer ones, and those that need an encoding, are left to the library.
 */
function unfoldHeader([key, text]: [string, string]) {
  const value = toOneLine(text);
  const isPlain = value.length <= MAX_UNFOLDED_LENGTH && /^[\x20-\x7e]+$/.test(value);
  return isPlain ? { key, value: { prepared: true, value } } : { key, value };
}

interface SendingSpeed {
  /** The minimum interval between messages, in milliseconds. Resend takes 2 a second, Amazon 14. */
  readonly minIntervalMs: number;
  /** Letters per minute, as many as a new account is allowed. */
  readonly letters: number;
}

const SPEEDS_BY_KIND: Readonly<Record<MailAccount["kind"], SendingSpeed>> = {
  smtp: { minIntervalMs: 20, letters: 60 },
  resend: { minIntervalMs: 550, letters: 100 },
  postmark: { minIntervalMs: 20, letters: 600 },
  mailgun: { minIntervalMs: 20, letters: 300 },
  ses: { minIntervalMs: 75, letters: 60 },
};

/** The minimum interval between messages of an account; 0 without one. */
export const minIntervalMs = (account: MailAccount | undefined): number =>
  account ? SPEEDS_BY_KIND[account.kind].minIntervalMs : 0;

/** Letters per minute over an account; undefined: no limit, as to a server on this machine. */
export function lettersPerMinute(account: MailAccount | undefined): number | undefined {
  if (account?.kind === "smtp" && isLocalHost(account.host)) return undefined;
  return account && SPEEDS_BY_KIND[account.kind].letters;
}
