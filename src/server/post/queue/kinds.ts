/** How each kind of message is dealt with. A kind that is not in this table can't be queued. */
import type { Item } from "../../../schema/index.ts";
import type { MessageKind } from "../../../schema/mail.ts";
import type { SendMessage } from "../carriers/mailer.ts";

export type StoredMessage = Item<"outbox">;

/** What brings a message to where it goes. Each has rounds of its own, so that none waits for another. */
export type CarrierName = "mail" | "push" | "webhook";

interface Kind {
  readonly carrier: CarrierName;
  /** True: its words are written when it is due, so that none are stored that an erasure would have to reach. */
  readonly isWrittenLate?: boolean;
  /** True: nobody needs to look after one that doesn't go. */
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

/** Throws an Error for a kind that the table doesn't have. */
export function kindOf(kind: MessageKind): Kind {
  const found: Kind | undefined = KINDS[kind];
  if (!found) throw new Error(`no messages of the kind "${kind}"`);
  return found;
}

/** The kinds whose words are written when they are due. */
export type LateKind = {
  [K in MessageKind]: (typeof KINDS)[K] extends { isWrittenLate: true } ? K : never;
}[MessageKind];

/** Words that are written when a message is due. */
interface LateWords {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** A calendar file that goes with it. */
  readonly calendar?: string;
}

/** Throws a `MailFault` that is permanent for a message that is not to be sent any more. */
export type Writer = (message: StoredMessage) => Promise<LateWords> | LateWords;

export interface Carrier {
  /** Undefined while everything waits. */
  readonly send: () => SendMessage | undefined;
  /** The shortest time from one message to the next, in milliseconds. */
  readonly pace: () => number;
  /** How the list calls a recipient that is no address. */
  readonly nameOf?: (to: string) => string;
}

/** What sending needs of the rest of the site: every carrier, and a writer for every kind that has none of its words. */
export interface Sending {
  readonly carriers: Readonly<Record<CarrierName, Carrier>>;
  readonly writers: Readonly<Record<LateKind, Writer>>;
}
