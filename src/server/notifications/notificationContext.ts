/** Shared by the notifications about a new enquiry: the owner's mail, the visitor's thank-you, the webhook, devices. */
import type { Item } from "../../schema/index.ts";
import type { Seal } from "../shared/secrets.ts";
import type { OwnerMailContext } from "../mail/messages/ownerMessages.ts";
import type { NewMessage } from "../mail/queue/outbox.ts";

export type NotificationFrequency = Item<"mailSettings">["notify"];

/**
 * Returns when the owner gets mail about something received at `receivedAt` (ISO 8601). Anything received before the
 * owner chose daily messages is sent at once, since no daily message contains it.
 */
export const getEffectiveFrequency = (
  { notify, since }: Pick<Item<"mailSettings">, "notify" | "since">,
  receivedAt: string | null,
): NotificationFrequency =>
  notify === "daily" && (receivedAt ?? "") < (since ?? "") ? "at once" : notify;

/** Returns the messages about an enquiry, which the caller stores. `frequency` says when the owner gets mail. */
export type CreateEnquiryMessages = (
  submission: Item<"formSubmissions">,
  frequency: NotificationFrequency,
) => Promise<readonly NewMessage[]> | readonly NewMessage[];

export interface TransportContext extends OwnerMailContext {
  readonly seal: Seal;
  /** False: messages are queued but not sent. */
  readonly isSending: boolean;
  /** Whether requests to addresses inside the site's network are allowed (PRIVATE_CALLS). */
  readonly canUsePrivateNetwork: boolean;
  /** Aborts requests under way. */
  readonly stopSignal: AbortSignal;
}
