/** The listeners notified of a new enquiry: the owner's mail, the visitor's thanks, a webhook, devices. */
import type { Item } from "../../schema/index.ts";
import type { Seal } from "../shared/seal.ts";
import type { OwnerMailContext } from "../mail/messages/ownerMessages.ts";
import type { NewMessage } from "../mail/queue/outbox.ts";

export type Notify = Item<"mailSettings">["notify"];

/** When the owner gets mail about something received at a time (ISO 8601): no daily message has what came before it was chosen. */
export const notifyOf = (
  { notify, since }: Pick<Item<"mailSettings">, "notify" | "since">,
  receivedAt: string | null,
): Notify => (notify === "daily" && (receivedAt ?? "") < (since ?? "") ? "at once" : notify);

/** Messages about an enquiry; doesn't store them. `notify`: when the owner gets mail about it. */
export type EnquiryListener = (
  submission: Item<"formSubmissions">,
  notify: Notify,
) => Promise<readonly NewMessage[]> | readonly NewMessage[];

export interface CarrierContext extends OwnerMailContext {
  readonly seal: Seal;
  /** False: messages are queued only. */
  readonly sends: boolean;
  /** Whether it may call addresses inside the site's network. */
  readonly mayBeInside: boolean;
  /** Aborts calls under way. */
  readonly ended: AbortSignal;
}
