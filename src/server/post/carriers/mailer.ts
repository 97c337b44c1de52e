/** Hands messages in, by SMTP or by a provider's own call, and says how fast they may leave. */
import type { MailAccount } from "../../../schema/mail.ts";
import { type FullAccount, isThisMachine, type Sender } from "../../shared/mailUrl.ts";
import type { OutgoingMessage } from "../../shared/message.ts";
import { CutOff, MailFault, smtpFault } from "./fault.ts";
import { CALENDAR, oneLine } from "./headers.ts";
import { sendByProvider } from "./providers.ts";
import { smtpLine } from "./smtpLine.ts";
import { MINUTE } from "../../shared/time.ts";

/** Throws a `MailFault`. Resolves once the server has taken the message, which is not yet its arrival. */
export type SendMessage = (message: OutgoingMessage) => Promise<void>;

export interface Mailer {
  readonly send: SendMessage;
  /** Ends what is kept open. */
  close(): void;
}

/** How long is waited for a server, in milliseconds. */
interface Patience {
  /** For its machine to be reached. */
  readonly reach: number;
  /** For its first word, an encrypted line included: some let strangers wait on purpose. */
  readonly greeting: number;
  /** For each further word. */
  readonly silence: number;
  /** For one message, from the first step to the last. */
  readonly message: number;
}

const PATIENCE: Patience = {
  reach: 10_000,
  greeting: 30_000,
  silence: 30_000,
  message: 5 * MINUTE,
};

interface MailerOptions {
  /** Further authorities to trust, in PEM; for servers with one of their own. */
  readonly certificates?: string;
  readonly patience?: Patience;
  /** Cuts off the message under way, which is a `CutOff` then. Default: never. */
  readonly ended?: AbortSignal;
}

/** Calls nobody before the first message. */
export function mailer(full: FullAccount, from: Sender, options: MailerOptions = {}): Mailer {
  const { certificates, patience = PATIENCE, ended = new AbortController().signal } = options;
  const { account, secret } = full;
  if (account.kind !== "smtp") {
    const provider = { account, secret };
    return { send: (message) => sendByProvider(provider, from, message, ended), close: () => {} };
  }
  const { host, port, security, username } = account;
  const line = smtpLine({
    connection: {
      host,
      port,
      secure: security === "tls",
      requireTLS: security === "starttls",
      ignoreTLS: security === "none",
      tls: { servername: host, ...(certificates && { ca: certificates }) },
      // The first goes on until the server has greeted, the second begins when it is reached.
      connectionTimeout: patience.greeting,
      greetingTimeout: patience.greeting,
      socketTimeout: patience.silence,
    },
    login: username === "" ? undefined : { user: username, pass: secret },
    reach: patience.reach,
    patience: patience.message,
    ended,
  });
  return {
    async send(message) {
      try {
        const mime = await mimeOf(message, from, new Date());
        await line.hand({ from: from.address, to: message.to, mime });
      } catch (error) {
        if (ended.aborted) throw new CutOff();
        throw error instanceof MailFault ? error : smtpFault(error as Error);
      }
    },
    close: () => line.close(),
  };
}

/**
 * A message as the bytes a mail server takes, without the dots that SMTP doubles: in one piece, which its line then hands
 * over at once. Nothing is loaded before the first.
 */
export async function mimeOf(message: OutgoingMessage, from: Sender, date: Date): Promise<Buffer> {
  const { default: MailComposer } = await import("nodemailer/lib/mail-composer");
  const { to, replyTo, subject, messageId, headers, text, html, calendar } = message;
  return new MailComposer({
    from: { name: oneLine(from.name), address: from.address },
    // As an object each address is one, whatever stands in it.
    to: { name: "", address: to },
    ...(replyTo && { replyTo: { name: "", address: replyTo } }),
    subject: oneLine(subject),
    messageId: oneLine(messageId),
    date,
    headers,
    text,
    html,
    ...(calendar !== undefined && {
      attachments: [
        {
          filename: CALENDAR.name,
          content: calendar,
          contentType: CALENDAR.type,
          // As bytes: its lines end as the format says, and none is broken on the way.
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

interface Speed {
  /** The shortest time from one message to the next, in milliseconds. Resend takes 2 a second, Amazon 14. */
  readonly apart: number;
  /** Messages of a letter in a minute, as many as a new account is allowed. */
  readonly letters: number;
}

const SPEEDS: Readonly<Record<MailAccount["kind"], Speed>> = {
  smtp: { apart: 20, letters: 60 },
  resend: { apart: 550, letters: 100 },
  postmark: { apart: 20, letters: 600 },
  mailgun: { apart: 20, letters: 300 },
  ses: { apart: 75, letters: 60 },
};

/** The shortest time between two messages by an account; undefined: while there is none. */
export const apartBy = (account: MailAccount | undefined): number =>
  account ? SPEEDS[account.kind].apart : 0;

interface Pace {
  /** Messages in a minute; undefined: as fast as they are taken. */
  perMinute(): number | undefined;
  /** Resolves when the next one may leave. */
  wait(): Promise<void>;
  /** Lets go of who waits. */
  release(): void;
}

/** The pace of letters by the account that is set at the moment; to a server on this machine there is none. */
export function letterPace(current: () => MailAccount | undefined): Pace {
  let lastAt = Number.NEGATIVE_INFINITY;
  let release: (() => void) | undefined;
  function perMinute(): number | undefined {
    const account = current();
    if (account?.kind === "smtp" && isThisMachine(account.host)) return undefined;
    return account && SPEEDS[account.kind].letters;
  }
  return {
    perMinute,
    release: () => release?.(),
    async wait() {
      const most = perMinute();
      const wait = most === undefined ? 0 : lastAt + MINUTE / most - performance.now();
      if (wait > 0)
        await new Promise<void>((resolve) => {
          release = resolve;
          setTimeout(resolve, wait);
        });
      lastAt = performance.now();
    },
  };
}
