/** The parts of a message. The site's own messages and the owner's letters are both made of them. */

/** One part of a message, rendered as HTML and as text. Line breaks of texts are preserved. */
export type Block =
  | { readonly kind: "heading"; readonly text: string }
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "small"; readonly text: string }
  | { readonly kind: "answer"; readonly label: string; readonly answer: string }
  | { readonly kind: "quote"; readonly text: string }
  | { readonly kind: "button"; readonly label: string; readonly url: string }
  /** Full width; `url` is absolute, with https. */
  | { readonly kind: "picture"; readonly url: string; readonly alt: string }
  /** The owner's rich text, sanitized by `sanitizeHtml`; links to this site become absolute. */
  | { readonly kind: "rich"; readonly html: string }
  | { readonly kind: "line" };

/** The content that all messages of a site share. */
export interface MessageBranding {
  readonly siteName: string;
  /** Of the stripe and the buttons; `onColor` is their text's. */
  readonly color: string;
  readonly onColor: string;
  /** BCP 47, of the owner's texts. */
  readonly language: string;
  /** The public address without a trailing slash, if configured: without it no message has a link. */
  readonly siteUrl: string | undefined;
  /** The origin of pictures, if it isn't the site's. */
  readonly picturesFrom?: string | undefined;
  /** The form of a site's picture in messages, by its file name; undefined for an unknown one. */
  readonly pictureNamed?: (filename: string) => MessagePicture | undefined;
}

interface MessagePicture {
  /** Its file for messages on the site itself; undefined: the original. */
  readonly filename: string | undefined;
  /** In the message, in CSS pixels. */
  readonly width: number;
}

/** A message before it is rendered. */
export interface Frame extends MessageBranding {
  readonly title: string;
  readonly blocks: readonly Block[];
  /** Why it was sent. */
  readonly foot: string;
  /** Below the foot, such as a link to unsubscribe. */
  readonly links?: readonly { readonly label: string; readonly url: string }[];
  /** The sender's postal address, which the law requires in newsletters. */
  readonly address?: string;
  /** The preview text in an inbox. Default: the first words. */
  readonly preview?: string;
}

/** A message as it is sent. Texts are in UTF-8. */
export interface OutgoingMessage {
  readonly messageId: string;
  readonly to: string;
  readonly replyTo: string | null;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** An attached calendar file (RFC 5545) with one entry. */
  readonly calendar?: string;
  /** Headers other than those of the fields above. */
  readonly headers: Readonly<Record<string, string>>;
}
