/** The types of the site's own messages and of the owner's letters. */

/** One part of a message, rendered as HTML and as plain text. Line breaks in texts are preserved. */
export type MessageBlock =
  | { readonly kind: "heading"; readonly text: string }
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "small"; readonly text: string }
  | { readonly kind: "answer"; readonly label: string; readonly answer: string }
  | { readonly kind: "quote"; readonly text: string }
  | { readonly kind: "button"; readonly label: string; readonly url: string }
  /** The owner's rich text, sanitized by `sanitizeHtml`. Rendering makes links to this site absolute. */
  | { readonly kind: "rich"; readonly html: string }
  | { readonly kind: "line" };

/** The content that all messages of a site share. */
export interface MessageBranding {
  readonly siteName: string;
  /** The color of the stripe and the buttons. `onColor` is the color of the text on the buttons. */
  readonly color: string;
  readonly onColor: string;
  /** The language of the owner's texts (BCP 47). */
  readonly language: string;
  /** The site's public URL without a trailing slash, if configured. Without it, messages have no links to the site. */
  readonly siteUrl: string | undefined;
  /** The origin of pictures if another server serves them. */
  readonly pictureOrigin?: string | undefined;
  /** Returns how messages show a picture of the site, by its file name; undefined for an unknown picture. */
  readonly findPictureByName?: (filename: string) => MessagePicture | undefined;
}

interface MessagePicture {
  /** The name of the file to use in messages; undefined for the original file. */
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
  /** The translated pattern for a text with a colon, such as "{text}:". Default: the English pattern. */
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
  /** Further headers, in addition to those for the fields above. */
  readonly headers: Readonly<Record<string, string>>;
}
