/** How each kind of message is sent: its transport, and when its text is rendered. */
import type { Item } from "../../../schema/index.ts";
import type { MessageKind } from "../../../schema/people/mail.ts";
import type { SendMessage } from "../transports/mailer.ts";

export type StoredMessage = Item<"outbox">;

/** The ways to deliver messages. Each has its own loop, so a slow one doesn't delay the others. */
export type TransportName = "mail" | "push" | "webhook";

interface MessageKindRules {
  readonly transport: TransportName;
  /** True if the text is rendered only when sending, so that erasing a visitor's data needn't change stored text. */
  readonly isRenderedOnSend?: boolean;
  /** True if failures aren't reported to the owner. */
  readonly isFailureHidden?: boolean;
}

const RULES_BY_KIND = {
  enquiry: { transport: "mail" },
  digest: { transport: "mail", isRenderedOnSend: true },
  followUp: { transport: "mail", isRenderedOnSend: true },
  password: { transport: "mail", isRenderedOnSend: true },
  notice: { transport: "mail" },
  testimonial: { transport: "mail" },
  ask: { transport: "mail" },
  thanks: { transport: "mail" },
  reply: { transport: "mail", isRenderedOnSend: true },
  call: { transport: "mail", isRenderedOnSend: true },
  confirm: { transport: "mail" },
  welcome: { transport: "mail" },
  leave: { transport: "mail" },
  selftest: { transport: "mail" },
  push: { transport: "push", isRenderedOnSend: true, isFailureHidden: true },
  webhook: { transport: "webhook", isRenderedOnSend: true },
} as const satisfies Readonly<Record<MessageKind, MessageKindRules>>;

export const getKindRules = (kind: MessageKind): MessageKindRules => RULES_BY_KIND[kind];

export type RenderedOnSendKind = {
  [K in MessageKind]: (typeof RULES_BY_KIND)[K] extends { isRenderedOnSend: true } ? K : never;
}[MessageKind];

interface RenderedContent {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** The text of a calendar file to attach. */
  readonly calendar?: string;
}

/** Renders a message when it is sent. Throws a permanent `DeliveryError` if the message must no longer be sent. */
export type MessageRenderer = (
  message: StoredMessage,
) => Promise<RenderedContent> | RenderedContent;

export interface Transport {
  /** Returns a function that sends a message; undefined while nothing may be sent. */
  readonly createSender: () => SendMessage | undefined;
  /** The minimum interval between messages, in milliseconds. Default: none. */
  readonly getMinIntervalMs?: () => number;
  /** Returns a recipient's name for the owner's list. Default: the email address. */
  readonly formatRecipientName?: (to: string) => string;
}

export interface MessageHandlers {
  readonly transports: Readonly<Record<TransportName, Transport>>;
  readonly renderers: Readonly<Record<RenderedOnSendKind, MessageRenderer>>;
}
