/** What a message is, for whoever writes one: mail writes and carries those of the site, letters their own. */

/** Part of a message, in both forms. Texts are shown as they are, with their lines. */
export type Block =
  | { readonly kind: "heading"; readonly text: string }
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "small"; readonly text: string }
  /** A question and its answer. */
  | { readonly kind: "answer"; readonly label: string; readonly answer: string }
  /** What somebody wrote before. */
  | { readonly kind: "quote"; readonly text: string }
  | { readonly kind: "button"; readonly label: string; readonly url: string }
  /** At the width of the message; `url` is whole, with https. */
  | { readonly kind: "picture"; readonly url: string; readonly alt: string }
  /** The owner's rich text, as `cleanHtml` has cleaned it; addresses of this site are made whole. */
  | { readonly kind: "rich"; readonly html: string }
  | { readonly kind: "line" };

/** What all messages of a site share. */
export interface Stationery {
  readonly siteName: string;
  /** Of the stripe and the buttons, with the words on them. */
  readonly color: string;
  readonly onColor: string;
  /** BCP 47, of the owner's words. */
  readonly language: string;
  /** The public address without a slash, if it is known: without it no message has a link. */
  readonly siteUrl: string | undefined;
  /** The origin that sends pictures, where another than the site does. */
  readonly picturesFrom?: string | undefined;
}

/** A message before it is written. */
export interface Frame extends Stationery {
  readonly title: string;
  readonly blocks: readonly Block[];
  /** Why this message came. */
  readonly foot: string;
  /** Below it, such as one to leave the mailing list. */
  readonly links?: readonly { readonly label: string; readonly url: string }[];
  /** The sender's postal address, which the law asks for in letters. */
  readonly address?: string;
  /** What a list of messages shows beside the subject. Default: the first words. */
  readonly preview?: string;
}

/** A message as it goes out. Texts are in UTF-8. */
export interface OutgoingMessage {
  readonly messageId: string;
  readonly to: string;
  readonly replyTo: string | null;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** A calendar file that goes with it (RFC 5545), of one entry that it tells of. */
  readonly calendar?: string;
  /** All besides those made of the fields above. */
  readonly headers: Readonly<Record<string, string>>;
}
