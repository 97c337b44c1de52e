/** Hands one message in, by SMTP or by a provider's own call. */
import type { Transporter } from "nodemailer";
import type { FullAccount, Sender } from "../shared/mailUrl.ts";
import { MailFault, smtpFault } from "./fault.ts";
import { oneLine, type OutgoingMessage } from "./message.ts";
import { sendByProvider } from "./providers.ts";

/** Throws a `MailFault`. Resolves once the server has taken the message, which is not yet its arrival. */
export type SendMessage = (message: OutgoingMessage) => Promise<void>;

export interface Mailer {
  readonly send: SendMessage;
  /** Ends what is kept open. */
  close(): void;
}

/** In milliseconds. */
const PATIENCE = { connecting: 10_000, greeting: 5000, silence: 30_000 };
/** Servers end a silent line after some minutes (RFC 5321, 4.5.3.2.7: five). */
const IDLE = 5_000;

/** `certificates` are further authorities to trust, in PEM; for servers with one of their own. */
export function mailer(
  full: FullAccount,
  from: Sender,
  certificates?: string,
  patience = PATIENCE,
): Mailer {
  const { account, secret } = full;
  if (account.kind !== "smtp") {
    const provider = { account, secret };
    return { send: (message) => sendByProvider(provider, from, message), close: () => {} };
  }
  let transport: Promise<Transporter> | undefined;
  const connect = async () => {
    // Nothing is paid for it until the first message.
    const { createTransport } = await import("nodemailer");
    const { host, port, security, username } = account;
    return createTransport({
      host,
      port,
      secure: security === "tls",
      requireTLS: security === "starttls",
      ignoreTLS: security === "none",
      ...(username !== "" && { auth: { user: username, pass: secret } }),
      tls: { servername: host, ...(certificates && { ca: certificates }) },
      connectionTimeout: patience.connecting,
      greetingTimeout: patience.greeting,
      socketTimeout: patience.silence,
      // One line, kept open while there is more: most of a message's time goes into getting there. A message
      // whose line breaks is not sent again by the library, but told as a failure.
      pool: true,
      maxConnections: 1,
      maxMessages: 100,
      maxRequeues: 0,
      idleTimeout: IDLE,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  };
  return {
    async send({ messageId, to, replyTo, subject, text, html, headers }) {
      transport ??= connect();
      try {
        await (
          await transport
        ).sendMail({
          from: { name: oneLine(from.name), address: from.address },
          to: { name: "", address: to },
          ...(replyTo && { replyTo: { name: "", address: replyTo } }),
          subject: oneLine(subject),
          text,
          html,
          messageId,
          headers,
        });
      } catch (error) {
        throw error instanceof MailFault ? error : smtpFault(error as Error);
      }
    },
    close: () => void transport?.then((each) => each.close()),
  };
}
