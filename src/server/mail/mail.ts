/** The site's mail: account and sender, the queue, the messages to its owners. */
import type { LinkKeys } from "./messages/linkKeys.ts";
import type { Item } from "../../schema/index.ts";
import type { FullAccount, Sender } from "../shared/mailUrl.ts";
import type { MessageBranding } from "../shared/message.ts";
import type { Notice, NoticeSource } from "../shared/notice.ts";
import type { Seal } from "../shared/seal.ts";
import type { Document } from "../storage/store.ts";
import type { SendMessage } from "./carriers/mailer.ts";
import type { AccountMessages } from "./messages/accountMessages.ts";
import type { SelfTest } from "./messages/selfTest.ts";
import type { Outbox } from "./queue/outbox.ts";

export type MailSettings = Item<"mailSettings">;

export interface SendingAccount {
  readonly full: FullAccount;
  readonly from: Sender;
}

export interface Mail {
  readonly settings: Document<MailSettings>;
  readonly seal: Seal;
  readonly keys: LinkKeys;
  readonly outbox: Outbox;
  /** True: set by MAIL_URL, so it can't be changed here. */
  readonly isSetByConfig: boolean;
  /** Undefined while mail isn't set up, or if its secret is from another installation. */
  account(): SendingAccount | undefined;
  /** Sends without the outbox, for code that has its own record; undefined when `account` returns undefined. */
  directSender(): SendMessage | undefined;
  stationery(): MessageBranding;
  ownerAddresses(): readonly string[];
  readonly accounts: AccountMessages;
  readonly selfTest: SelfTest["state"];
  readonly notices: NoticeSource;
  /** Given all notices of the site, writes to the owners about urgent ones. */
  notifyOwners(notices: readonly Notice[]): Promise<void>;
  /** Changes the settings; if the owner no longer waits for the daily message, it is queued with that. */
  saveSettings(change: (value: MailSettings) => MailSettings): Promise<void>;
  /** Queues now what is due: the daily messages. */
  queueDueMessages(): Promise<void>;
  /** Gives messages under way this time to finish as the site stops, in milliseconds. */
  setShutdownDeadline(time: number): void;
  /** Stops after the message under way. */
  stop(): Promise<void>;
}
