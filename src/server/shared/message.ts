/** The parts that the site's own messages and the owner's letters are made of. */

/** One part of a message, rendered as HTML and as plain text. Line breaks in texts are preserved. */
export type MessageBlock =
  | { readonly kind: "heading"; readonly text: string }
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "small"; readonly text: string }
  | { readonly kind: "answer"; readonly label: string; readonly answer: string }
  | { readonly kind: "quote"; readonly text: string }
  | { readonly kind: "button"; readonly label: string; readonly url: string }
  /** The owner's rich text, sanitized by `sanitizeHtml`. Links to this site become absolute. */
  | { readonly kind: "rich"; readonly html: string }
  | { readonly kind: "line" };

/** The content that all messages of a site share. */
export interface MessageBranding {
  readonly siteName: string;
  /** The color of the stripe and the buttons; `onColor` is the color of the text on buttons. */
  readonly color: string;
  readonly onColor: string;
  /** The language of the owner's texts (BCP 47). */
  readonly language: string;
  /** The public address without a trailing slash, if configured. Without an address, no message has links. */
  readonly siteUrl: string | undefined;
  /** The origin of pictures, if they aren't served by the site itself. */
  readonly pictureOrigin?: string | undefined;
  /** Returns the form of a site's picture for messages, by file name; undefined for an unknown picture. */
  readonly findPictureByName?: (filename: string) => MessagePicture | undefined;
}

interface MessagePicture {
  /** The name of the picture's file for messages; undefined if the original is used. */
  readonly filename: string | undefined;
  /** The displayed width, in CSS pixels. */
  readonly width: number;
}

/** A message before it is rendered. */
export interface MessageContent extends MessageBranding {
  readonly title: string;
  readonly blocks: readonly MessageBlock[];
  /** The reason why the message was sent, shown at its end. */
  readonly footer: string;
  /** Links below the footer, such as a link to unsubscribe. */
  readonly links?: readonly { readonly label: string; readonly url: string }[];
  /** How the message's language writes a text with a colon, as in the translations. Default: English. */
  readonly colonFormat?: string;
  /** The sender's postal address, which the law requires in newsletters. */
  readonly address?: string;
  /** The preview text in an inbox. Default: the first words of the message. */
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
  /** Headers in addition to those that the fields above set. */
  readonly headers: Readonly<Record<string, string>>;
}
