/** What letters need of the rest of the site; `app.ts` hands it in. */
import type { MessageKind } from "../../../schema/mail.ts";
import type { Clocks } from "../../shared/clock.ts";
import type { FullAccount, Sender } from "../../shared/mailUrl.ts";
import type { Frame, OutgoingMessage, Stationery } from "../../shared/message.ts";
import type { Bin } from "../../bin/bin.ts";
import type { Store, Transaction } from "../../storage/store.ts";

/** The site's mail. */
export interface LettersMail {
  /** Undefined while mail is not set up. */
  sending(): { readonly full: FullAccount; readonly from: Sender } | undefined;
  /** Hands one message in; undefined as `sending`. Its error `isCutOff` where the site ends before it was taken. */
  sender(): ((message: OutgoingMessage) => Promise<void>) | undefined;
  stationery(): Stationery;
  readonly outbox: {
    addWith(work: (transaction: Transaction) => Promise<readonly NewMessage[]>): Promise<void>;
    knows(about: string, to: string): boolean;
  };
}

export interface NewMessage {
  readonly kind: MessageKind;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly about: string;
}

export interface LettersContext extends Clocks {
  readonly store: Store;
  readonly bin: Bin;
  readonly log: (line: string) => void;
  readonly mail: LettersMail;
  /** Writes a message's two bodies. */
  readonly framed: (frame: Frame) => { readonly text: string; readonly html: string };
}
