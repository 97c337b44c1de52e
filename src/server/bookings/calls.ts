/** Assembles calls with visitors: links to suggested times, bookings, and the messages about them. */
import type { Clock } from "../shared/clock.ts";
import type { Sender } from "../shared/mailUrl.ts";
import type { MessageBranding } from "../shared/message.ts";
import type { Store } from "../storage/store.ts";
import type { MessageRenderer } from "../mail/queue/kinds.ts";
import type { Outbox } from "../mail/queue/outbox.ts";
import type { Push } from "../notifications/push.ts";
import { Bookings } from "./bookings.ts";
import { callMessages } from "./callMessages.ts";
import { type TimesLinks, bookingLinks } from "./links.ts";

export interface Calls {
  readonly bookings: Bookings;
  readonly links: TimesLinks;
  /** Writes a call's message. */
  readonly write: MessageRenderer;
}

interface CallsContext {
  readonly store: Store;
  readonly clock: Clock;
  readonly outbox: Outbox;
  readonly stationery: () => MessageBranding;
  readonly recipients: () => readonly string[];
  /** The sender of mail; undefined while it isn't set up. */
  readonly sending: () => { readonly from: Sender } | undefined;
  readonly push: Push["bookingNotifications"];
  /** Signs the links in messages. */
  readonly linkSecret: () => string;
}

export function openCalls(context: CallsContext): Calls {
  const messages = callMessages({ ...context, sender: () => context.sending()?.from.address });
  const links = bookingLinks(context.linkSecret);
  return {
    bookings: new Bookings({ ...context, messages }),
    links,
    write: messages.write,
  };
}
