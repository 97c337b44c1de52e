/** The listeners notified of a new enquiry: the owner's mail, the visitor's thanks, a webhook, devices. */
import type { Item } from "../../schema/index.ts";
import type { Seal } from "../shared/seal.ts";
import type { OwnerMailContext } from "../mail/messages/ownerMessages.ts";
import type { NewMessage } from "../mail/queue/outbox.ts";

/** Messages about an enquiry; doesn't store them. */
export type EnquiryListener = (
  submission: Item<"formSubmissions">,
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
