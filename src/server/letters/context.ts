/** What letters need of the rest of the site; `app.ts` hands it in. */
import type { MessageKind } from "../../schema/mail.ts";
import type { Clock } from "../shared/clock.ts";
import type { FullAccount, Sender } from "../shared/mailUrl.ts";
import type { Bin } from "../storage/bin.ts";
import type { Store } from "../storage/store.ts";

/** What all messages of a site share. */
export interface Stationery {
  readonly siteName: string;
  readonly color: string;
  readonly onColor: string;
  readonly language: string;
  /** The public address without a slash, if it is known. */
  readonly siteUrl: string | undefined;
  /** The origin that sends pictures, where another than the site does. */
  readonly picturesFrom?: string | undefined;
}

/** A message before it is written. */
export interface Frame extends Stationery {
  readonly title: string;
  readonly blocks: readonly (
    | { readonly kind: "text" | "small"; readonly text: string }
    | { readonly kind: "rich"; readonly html: string }
    | { readonly kind: "button"; readonly label: string; readonly url: string }
  )[];
  readonly foot: string;
  readonly links?: readonly { readonly label: string; readonly url: string }[];
  readonly address?: string;
  readonly preview?: string;
}

/** One message, as the mailer takes it. */
export interface Outgoing {
  readonly messageId: string;
  readonly to: string;
  readonly replyTo: string | null;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** The site's mail. */
export interface LettersMail {
  /** Undefined while mail is not set up. */
  sending(): { readonly full: FullAccount; readonly from: Sender } | undefined;
  /** Hands one message in; undefined as `sending`. */
  sender(): ((message: Outgoing) => Promise<void>) | undefined;
  stationery(): Stationery;
  readonly outbox: {
    add(message: NewMessage): Promise<unknown>;
    knows(about: string, to: string): boolean;
  };
}

interface NewMessage {
  readonly kind: MessageKind;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly about: string;
}

export interface LettersContext {
  readonly store: Store;
  readonly bin: Bin;
  readonly clock: Clock;
  readonly log: (line: string) => void;
  readonly mail: LettersMail;
  /** Writes a message's two bodies. */
  readonly framed: (frame: Frame) => { readonly text: string; readonly html: string };
}
