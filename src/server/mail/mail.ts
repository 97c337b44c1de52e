/** The mail as other parts of the server use it, and the default texts of replies. */
import type { Item } from "../../schema/index.ts";
import type { ReplyTemplate } from "../../schema/people/mail.ts";
import { getWords } from "../../web/words/allWords.ts";
import type { AccountWithSecret, Sender } from "../shared/mailUrl.ts";
import type { MessageBranding } from "../shared/message.ts";
import type { Seal } from "../shared/secrets.ts";
import type { Document } from "../storage/store.ts";
import type { SendMessage } from "./transports/mailer.ts";
import type { AccountMessages } from "./messages/accountMessages.ts";
import type { LinkKeys } from "./messages/linkKeys.ts";
import type { SelfTest } from "./messages/selfTest.ts";
import type { Outbox } from "./queue/outbox.ts";

export type MailSettings = Item<"mailSettings">;

export interface SendingAccount {
  readonly credentials: AccountWithSecret;
  readonly from: Sender;
}

export interface Mail {
  readonly settings: Document<MailSettings>;
  readonly seal: Seal;
  readonly linkKeys: LinkKeys;
  readonly outbox: Outbox;
  /** True if MAIL_URL sets the account, so it can't be changed in the dashboard. */
  readonly isSetByConfig: boolean;
  /** Returns the account; undefined if mail isn't set up, or another installation encrypted the secret. */
  getAccount(): SendingAccount | undefined;
  /** Returns a function that sends without the outbox, for code that stores its progress; undefined without mail. */
  createDirectSender(): SendMessage | undefined;
  getBranding(): MessageBranding;
  listOwnerAddresses(): readonly string[];
  readonly accountMail: AccountMessages;
  readonly readSelfTestState: SelfTest["readState"];
  /** Changes the settings. If daily messages end and immediate ones begin, queues the pending daily message. */
  saveSettings(change: (value: MailSettings) => MailSettings): Promise<void>;
  /** Queues the daily messages that are due. */
  queueDueMessages(): Promise<void>;
}

export const MAIL_NOT_SET_UP_MESSAGE = "Set up email first: Account menu > Email settings.";

export const getReplyTexts = (mail: Mail) => getWords(mail.getBranding().language).words.reply;

export const createDefaultSignature = (mail: Mail) =>
  `${getReplyTexts(mail).closing}\n${mail.getBranding().siteName}`;

export const createDefaultTemplates = (mail: Mail): ReplyTemplate[] =>
  Object.values(getReplyTexts(mail).templates);
