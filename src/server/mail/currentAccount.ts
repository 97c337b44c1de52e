/** The account that sends now, and its mailer. */
import { entities } from "../../schema/index.ts";
import type { Config } from "../shared/config.ts";
import type { Seal } from "../shared/seal.ts";
import type { Store } from "../storage/store.ts";
import { type Mailer, mailer, type SendMessage } from "./carriers/mailer.ts";
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
  readonly #ending = new AbortController();
  #open: { readonly key: string; readonly mailer: Mailer } | undefined;
  #cut: ReturnType<typeof setTimeout> | undefined;

  constructor(context: AccountContext) {
    this.#context = context;
  }

  /** Aborts calls under way. */
  get ended(): AbortSignal {
    return this.#ending.signal;
  }

  /** By the settings, or MAIL_URL. */
  readonly sending = (): SendingAccount | undefined => {
    const { store, config, seal } = this.#context;
    return config.mailUrl && config.mailFrom
      ? { full: config.mailUrl, from: config.mailFrom }
      : storedSending(store.of(entities.mailSettings).read().value, seal);
  };

  readonly isSetUp = (): boolean => this.sending() !== undefined;

  readonly sender = (): SendMessage | undefined =>
    this.#context.sends ? this.#mailer()?.send : undefined;

  /** The domain of the sender's address. */
  readonly domain = (): string => this.sending()?.from.address.split("@")[1] ?? "localhost";

  #mailer(): Mailer | undefined {
    const now = this.sending();
    const key = JSON.stringify(now);
    if (now && this.#open?.key === key) return this.#open.mailer;
    this.#open?.mailer.close();
    this.#open = now && { key, mailer: mailer(now.full, now.from, { signal: this.ended }) };
    return this.#open?.mailer;
  }

  readonly endsWithin = (time: number): void => {
    this.#cut ??= setTimeout(() => this.#ending.abort(), time);
  };

  close(): void {
    clearTimeout(this.#cut);
    this.#open?.mailer.close();
  }
}

function storedSending(settings: MailSettings, seal: Seal): SendingAccount | undefined {
  const { account, sealedSecret, fromName, fromAddress } = settings;
  if (account === null || fromAddress === "") return undefined;
  const secret = sealedSecret === null ? "" : seal.unseal(sealedSecret);
  if (secret === undefined) return undefined;
  return { full: { account, secret }, from: { name: fromName, address: fromAddress } };
}
