/** How each kind of message is handled. Only kinds in this table can be queued. */
import type { Item } from "../../../schema/index.ts";
import type { MessageKind } from "../../../schema/people/mail.ts";
import type { SendMessage } from "../carriers/mailer.ts";

export type StoredMessage = Item<"outbox">;

/** What delivers a message. Each has its own rounds, so that none waits for another. */
export type CarrierName = "mail" | "push" | "webhook";

interface Kind {
  readonly carrier: CarrierName;
  /** True: written on sending, so that erasures don't have to reach stored text. */
  readonly isWrittenLate?: boolean;
  /** True: nobody needs to know if one fails. */
  readonly isQuiet?: boolean;
}

const KINDS = {
  enquiry: { carrier: "mail" },
  digest: { carrier: "mail", isWrittenLate: true },
  followUp: { carrier: "mail", isWrittenLate: true },
  password: { carrier: "mail", isWrittenLate: true },
  notice: { carrier: "mail" },
  testimonial: { carrier: "mail" },
  ask: { carrier: "mail" },
  thanks: { carrier: "mail" },
  reply: { carrier: "mail", isWrittenLate: true },
  call: { carrier: "mail", isWrittenLate: true },
  confirm: { carrier: "mail" },
  welcome: { carrier: "mail" },
  leave: { carrier: "mail" },
  selftest: { carrier: "mail" },
  push: { carrier: "push", isWrittenLate: true, isQuiet: true },
  webhook: { carrier: "webhook", isWrittenLate: true },
} as const satisfies Readonly<Record<MessageKind, Kind>>;

/** Throws an Error for a kind not in the table. */
export function kindOf(kind: MessageKind): Kind {
  const found: Kind | undefined = KINDS[kind];
  if (!found) throw new Error(`no messages of the kind "${kind}"`);
  return found;
}

/** The kinds that are written on sending. */
export type LateKind = {
  [K in MessageKind]: (typeof KINDS)[K] extends { isWrittenLate: true } ? K : never;
}[MessageKind];

/** The content of a message written on sending. */
interface LateContent {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** A calendar file to attach. */
  readonly calendar?: string;
}

/** Throws a permanent `MailFault` for a message that must no longer be sent. */
export type Writer = (message: StoredMessage) => Promise<LateContent> | LateContent;

export interface Carrier {
  /** Undefined while nothing may be sent. */
  readonly send: () => SendMessage | undefined;
  /** The minimum interval between messages, in milliseconds. */
  readonly pace: () => number;
  /** The name in the list of one without an address. */
  readonly nameOf?: (to: string) => string;
}

/** What sending needs: every carrier, and a writer for every kind that is written on sending. */
export interface CarriersAndWriters {
  readonly carriers: Readonly<Record<CarrierName, Carrier>>;
  readonly writers: Readonly<Record<LateKind, Writer>>;
}
