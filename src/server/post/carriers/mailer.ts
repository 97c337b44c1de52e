/** Hands one message in, by SMTP or by a provider's own call. */
import type { FullAccount, Sender } from "../../shared/mailUrl.ts";
import type { OutgoingMessage } from "../../shared/message.ts";
import { CutOff, MailFault, smtpFault } from "./fault.ts";
import { mimeOf } from "./mime.ts";
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
