/** Assembles calls with visitors: links to suggested times, bookings, and the messages about them. */
import type { Sender } from "../shared/mailUrl.ts";
import type { OwnerMailContext } from "../mail/messages/ownerMessages.ts";
import type { PushNotifications } from "../notifications/push.ts";
import { Bookings } from "./bookings.ts";
import { createCallMessages } from "./callMessages.ts";
import { createBookingLinks } from "./links.ts";

export type CallServices = ReturnType<typeof createCallServices>;

interface CallsContext extends OwnerMailContext {
  /** The sender of mail; undefined while it isn't set up. */
  readonly sending: () => { readonly from: Sender } | undefined;
  readonly createPushMessages: PushNotifications["createBookingNotifications"];
  /** Signs the links in messages. */
  readonly getLinkSecret: () => string;
}

export function createCallServices(context: CallsContext) {
  const messages = createCallMessages({
    ...context,
    findSender: () => context.sending()?.from.address,
  });
  const links = createBookingLinks(context.getLinkSecret);
  return {
    bookings: new Bookings({ ...context, messages }),
    links,
    write: messages.write,
  };
}
