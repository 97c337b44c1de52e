/** The handling of each kind of message. Only kinds in this table can be queued. */
import type { Item } from "../../../schema/index.ts";
import type { MessageKind } from "../../../schema/people/mail.ts";
import type { SendMessage } from "../carriers/mailer.ts";

export type StoredMessage = Item<"outbox">;

/** The carrier of a message. Each has its own rounds, so that none waits for another. */
export type TransportName = "mail" | "push" | "webhook";

interface MessageKindRules {
  readonly carrier: TransportName;
  /** True: written on sending, so that erasures don't have to reach stored text. */
  readonly isRenderedOnSend?: boolean;
  /** True: failures aren't reported. */
  readonly isQuiet?: boolean;
}

const RULES_BY_KIND = {
  enquiry: { carrier: "mail" },
  digest: { carrier: "mail", isRenderedOnSend: true },
  followUp: { carrier: "mail", isRenderedOnSend: true },
  password: { carrier: "mail", isRenderedOnSend: true },
  notice: { carrier: "mail" },
  testimonial: { carrier: "mail" },
  ask: { carrier: "mail" },
  thanks: { carrier: "mail" },
  reply: { carrier: "mail", isRenderedOnSend: true },
  call: { carrier: "mail", isRenderedOnSend: true },
  confirm: { carrier: "mail" },
  welcome: { carrier: "mail" },
  leave: { carrier: "mail" },
  selftest: { carrier: "mail" },
  push: { carrier: "push", isRenderedOnSend: true, isQuiet: true },
  webhook: { carrier: "webhook", isRenderedOnSend: true },
} as const satisfies Readonly<Record<MessageKind, MessageKindRules>>;

/** Throws an Error for a kind not in the table. */
export function getKindRules(kind: MessageKind): MessageKindRules {
  const match: MessageKindRules | undefined = RULES_BY_KIND[kind];
  if (!match) throw new Error(`no messages of the kind "${kind}"`);
  return match;
}

/** The kinds that are written on sending. */
export type RenderedOnSendKind = {
  [K in MessageKind]: (typeof RULES_BY_KIND)[K] extends { isRenderedOnSend: true } ? K : never;
}[MessageKind];

/** The content of a message written on sending. */
interface RenderedContent {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** A calendar file to attach. */
  readonly calendar?: string;
}

/** Throws a permanent `DeliveryError` for a message that must no longer be sent. */
export type MessageRenderer = (
  message: StoredMessage,
) => Promise<RenderedContent> | RenderedContent;

export interface Carrier {
  /** Undefined while nothing may be sent. */
  readonly createSender: () => SendMessage | undefined;
  /** The minimum interval between messages, in milliseconds. */
  readonly minIntervalMs: () => number;
  /** The name in the list of one without an address. */
  readonly recipientName?: (to: string) => string;
}

/** The dependencies of sending: every carrier, and a writer for every kind that is written on sending. */
export interface TransportsAndRenderers {
  readonly carriers: Readonly<Record<TransportName, Carrier>>;
  readonly renderers: Readonly<Record<RenderedOnSendKind, MessageRenderer>>;
}
