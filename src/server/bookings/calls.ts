/** Assembles calls with visitors: links to suggested times, bookings, and the messages about them. */
import type { Sender } from "../shared/mailUrl.ts";
import type { OwnerMailContext } from "../mail/messages/ownerMessages.ts";
import type { Push } from "../notifications/push.ts";
import { Bookings } from "./bookings.ts";
import { callMessages } from "./callMessages.ts";
import { bookingLinks } from "./links.ts";

export type Calls = ReturnType<typeof openCalls>;

interface CallsContext extends OwnerMailContext {
  /** The sender of mail; undefined while it isn't set up. */
  readonly sending: () => { readonly from: Sender } | undefined;
  readonly push: Push["bookingNotifications"];
  /** Signs the links in messages. */
  readonly linkSecret: () => string;
}

export function openCalls(context: CallsContext) {
  const messages = callMessages({ ...context, sender: () => context.sending()?.from.address });
  const links = bookingLinks(context.linkSecret);
  return {
    bookings: new Bookings({ ...context, messages }),
    links,
    write: messages.write,
  };
}
