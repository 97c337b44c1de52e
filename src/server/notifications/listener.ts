/** What is notified of a new enquiry: the owner's mail, the visitor's thanks, a webhook, devices. */
import type { Item } from "../../schema/index.ts";
import type { Clock } from "../shared/clock.ts";
import type { MessageBranding } from "../shared/message.ts";
import type { Seal } from "../shared/seal.ts";
import type { Document, Store } from "../storage/store.ts";
import type { NewMessage, Outbox } from "../mail/queue/outbox.ts";

/** Messages about an enquiry; doesn't store them. */
export type EnquiryListener = (
  submission: Item<"formSubmissions">,
) => Promise<readonly NewMessage[]> | readonly NewMessage[];

/** What a listener with its own carrier needs. */
export interface CarrierContext {
  readonly store: Store;
  readonly clock: Clock;
  readonly settings: Document<Item<"mailSettings">>;
  readonly outbox: Outbox;
  readonly seal: Seal;
  readonly stationery: () => MessageBranding;
  /** False: messages are queued only. */
  readonly sends: boolean;
  /** Whether it may call addresses inside the site's network. */
  readonly mayBeInside: boolean;
  /** Aborts calls under way. */
  readonly ended: AbortSignal;
}
