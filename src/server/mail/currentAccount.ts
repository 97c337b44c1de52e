/** The account that sends now, and its mailer. */
import { entities } from "../../schema/index.ts";
import type { Config } from "../shared/config.ts";
import type { Seal } from "../shared/seal.ts";
import type { Store } from "../storage/store.ts";
import { type Mailer, createMailer, type SendMessage } from "./carriers/mailer.ts";
import type { MailSettings, SendingAccount } from "./mail.ts";

interface AccountContext {
  readonly store: Store;
  readonly config: Pick<Config, "mailUrl" | "mailFrom">;
  readonly seal: Seal;
  /** False: messages are queued but not sent. */
  readonly sends: boolean;
}

export class CurrentAccount {
  readonly #context: AccountContext;
  readonly #abortController = new AbortController();
  #openMailer: { readonly key: string; readonly getMailer: Mailer } | undefined;
  #closeTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(context: AccountContext) {
    this.#context = context;
  }

  /** Aborts calls under way. */
  get signal(): AbortSignal {
    return this.#abortController.signal;
  }

  /** By the settings, or MAIL_URL. */
  readonly sendingAccount = (): SendingAccount | undefined => {
    const { store, config, seal } = this.#context;
    return config.mailUrl && config.mailFrom
      ? { full: config.mailUrl, from: config.mailFrom }
      : readStoredAccount(store.of(entities.mailSettings).read().value, seal);
  };

  readonly isSetUp = (): boolean => this.sendingAccount() !== undefined;

  readonly createSender = (): SendMessage | undefined =>
    this.#context.sends ? this.#getMailer()?.send : undefined;

  /** The domain of the sender's address. */
  readonly domain = (): string => this.sendingAccount()?.from.address.split("@")[1] ?? "localhost";

  #getMailer(): Mailer | undefined {
    const now = this.sendingAccount();
    const key = JSON.stringify(now);
    if (now && this.#openMailer?.key === key) return this.#openMailer.getMailer;
    this.#openMailer?.getMailer.close();
    this.#openMailer = now && {
      key,
      getMailer: createMailer(now.full, now.from, { signal: this.signal }),
    };
    return this.#openMailer?.getMailer;
  }

  readonly setShutdownDeadline = (time: number): void => {
    this.#closeTimer ??= setTimeout(() => this.#abortController.abort(), time);
  };

  close(): void {
    clearTimeout(this.#closeTimer);
    this.#openMailer?.getMailer.close();
  }
}

function readStoredAccount(settings: MailSettings, seal: Seal): SendingAccount | undefined {
  const { account, sealedSecret, fromName, fromAddress } = settings;
  if (account === null || fromAddress === "") return undefined;
  const secret = sealedSecret === null ? "" : seal.unseal(sealedSecret);
  if (secret === undefined) return undefined;
  return { full: { account, secret }, from: { name: fromName, address: fromAddress } };
}
