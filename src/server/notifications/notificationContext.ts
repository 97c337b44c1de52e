/** What the notifications about an enquiry share: the owner's mail, the thank-you, the webhook and devices. */
import type { Item } from "../../schema/index.ts";
import type { Seal } from "../shared/secrets.ts";
import type { OwnerMailContext } from "../mail/messages/ownerMessages.ts";
import type { NewMessage } from "../mail/queue/outbox.ts";

export type NotificationFrequency = Item<"mailSettings">["notify"];

/**
 * Returns how often owners get mail about something received at `receivedAt` (ISO 8601). If they chose daily emails
 * only later, they get an email at once, since no daily email contains it.
 */
export const getEffectiveFrequency = (
  { notify, since }: Pick<Item<"mailSettings">, "notify" | "since">,
  receivedAt: string | null,
): NotificationFrequency =>
  notify === "daily" && (receivedAt ?? "") < (since ?? "") ? "at once" : notify;

/** Creates the messages about an enquiry; the caller stores them. `frequency` is how often owners get mail. */
export type CreateEnquiryMessages = (
  submission: Item<"formSubmissions">,
  frequency: NotificationFrequency,
) => Promise<readonly NewMessage[]> | readonly NewMessage[];

export interface OutgoingContext extends OwnerMailContext {
  readonly seal: Seal;
  /** False: messages are queued but not sent. */
  readonly isSending: boolean;
  /** True: requests inside the site's own network are allowed (PRIVATE_CALLS=on). */
  readonly canUsePrivateNetwork: boolean;
  /** Aborts running requests. */
  readonly stopSignal: AbortSignal;
}
