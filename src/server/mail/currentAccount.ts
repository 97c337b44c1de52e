/** The mail account from which the site sends, and its mailer. */
import { entities } from "../../schema/index.ts";
import type { Config } from "../shared/config.ts";
import { getMailDomain } from "../shared/mailbox.ts";
import type { Seal } from "../shared/secrets.ts";
import type { Store } from "../storage/store.ts";
import { type Mailer, createMailer, type SendMessage } from "./transports/mailer.ts";
import type { MailSettings, SendingAccount } from "./mail.ts";

interface AccountContext {
  readonly store: Store;
  readonly config: Pick<Config, "mailUrl" | "mailFrom">;
  readonly seal: Seal;
  /** False if messages are queued but not sent. */
  readonly isSending: boolean;
}

export class CurrentAccount {
  readonly #context: AccountContext;
  readonly #abortController = new AbortController();
  #openMailer: { readonly accountJson: string; readonly mailer: Mailer } | undefined;
  #abortTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(context: AccountContext) {
    this.#context = context;
  }

  /** A signal that is aborted at the shutdown deadline. */
  get signal(): AbortSignal {
    return this.#abortController.signal;
  }

  /** Returns the account from MAIL_URL, or else from the settings; undefined if neither has one. */
  readonly getSendingAccount = (): SendingAccount | undefined => {
    const { store, config, seal } = this.#context;
    return config.mailUrl && config.mailFrom
      ? { credentials: config.mailUrl, from: config.mailFrom }
      : readStoredAccount(store.of(entities.mailSettings).read().value, seal);
  };

  readonly isSetUp = (): boolean => this.getSendingAccount() !== undefined;

  readonly createSender = (): SendMessage | undefined =>
    this.#context.isSending ? this.#getMailer()?.send : undefined;

  readonly getSenderDomain = (): string =>
    getMailDomain(this.getSendingAccount()?.from.address ?? "localhost");

  #getMailer(): Mailer | undefined {
    const account = this.getSendingAccount();
    const accountJson = JSON.stringify(account);
    if (account && this.#openMailer?.accountJson === accountJson) return this.#openMailer.mailer;
    this.#openMailer?.mailer.close();
    const { signal } = this;
    this.#openMailer = account && {
      accountJson,
      mailer: createMailer(account.credentials, account.from, { signal }),
    };
    return this.#openMailer?.mailer;
  }

  readonly setShutdownDeadline = (delayMs: number): void => {
    this.#abortTimer ??= setTimeout(() => this.#abortController.abort(), delayMs);
  };

  close(): void {
    clearTimeout(this.#abortTimer);
    this.#openMailer?.mailer.close();
  }
}

function readStoredAccount(settings: MailSettings, seal: Seal): SendingAccount | undefined {
  const { account, sealedSecret, fromName, fromAddress } = settings;
  if (account === null || fromAddress === "") return undefined;
  const secret = sealedSecret === null ? "" : seal.unseal(sealedSecret);
  if (secret === undefined) return undefined;
  return { credentials: { account, secret }, from: { name: fromName, address: fromAddress } };
}
