/** Writes a letter once; each copy only fills in the name and the unsubscribe link. */
import { checkChange } from "../../schema/entities/check.ts";
import { entities, type Item } from "../../schema/index.ts";
import { wordsFor } from "../../web/words/all.ts";
import { fill } from "../../web/words/fill.ts";
import { invalid } from "../shared/errors.ts";
import type { Frame, MessageBranding } from "../shared/message.ts";
import { fullUrl } from "../../schema/core/safeUrl.ts";
import { safeName } from "../shared/untrustedText.ts";
import { renderMessage } from "../mail/messages/messageTemplate.tsx";
import { unsubscribeHeaders } from "./links.ts";
import { domainOf } from "./subscriptionMessages.ts";

export type Letter = Item<"letters">;
type LetterText = Pick<Letter, "subject" | "preview" | "body" | "buttonText" | "buttonLink">;

export const BLANK = {
  subject: "",
  preview: "",
  body: "",
  buttonText: "",
  buttonLink: null,
  state: "draft",
  audience: { kind: "all" },
  sendAt: null,
  problem: null,
  tested: null,
  isPublic: false,
  startedAt: null,
  finishedAt: null,
  total: 0,
  sent: 0,
  refused: 0,
  leftOut: 0,
  unsubscribed: 0,
} as const;

/** The fields of a letter that an owner sent, sanitized for storage. Throws a 422 with a message by field. */
export function letterFields(sent: unknown, cleanHtml: (html: string) => string): Partial<Letter> {
  const fields = checkedFields(sent);
  if (fields.body === undefined) return fields;
  // Sanitized, it can be longer: each stray < becomes four characters.
  return checkedFields({ ...fields, body: cleanHtml(fields.body) });
}

function checkedFields(sent: unknown): Partial<Letter> {
  const outcome = checkChange(entities.letters, sent);
  if (!outcome.ok) throw invalid(outcome.error, outcome.fields);
  return outcome.values;
}

/** The reader of a copy. */
export interface LetterRecipient {
  readonly name: string | null;
  /** The path of their unsubscribe link. */
  readonly leave: string;
}

/** A reader's copy. */
export interface RenderedLetter {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly headers: Readonly<Record<string, string>>;
}

interface WriteOptions {
  readonly site: MessageBranding;
  readonly postalAddress: string;
  /** Its page on the site; undefined without one. */
  readonly page?: string | undefined;
}

/** The placeholder for a name, with the space before it: "Hi {first name}," becomes "Hi," without one. */
const NAME = /([ \t\u00a0]|&nbsp;){0,8}\{first name\}/gi;
/** The placeholder for a reader's unsubscribe path. */
const LEAVE = "/unsubscribe?t=of-this-reader";

/** Whether rich text has neither text nor a picture. */
const isEmpty = (html: string) =>
  !/<img\s/i.test(html) &&
  html
    .replace(/<[^<>]*>/g, "")
    .replaceAll("&nbsp;", "")
    .trim() === "";

export function letterRenderer(
  letter: LetterText,
  options: WriteOptions,
): (reader: LetterRecipient) => RenderedLetter {
  const { site } = options;
  const { text, html } = renderMessage(frameOf(letter, options));
  const headersFor = (leave: string) =>
    site.siteUrl === undefined ? {} : unsubscribeHeaders(site.siteUrl + leave, domainOf(site));
  return ({ name: typed, leave }) => {
    // Whoever typed the address typed the name.
    const name = safeName(typed);
    return {
      subject: withName(letter.subject, name),
      text: withName(text.replaceAll(LEAVE, leave), name),
      html: withName(html.replaceAll(LEAVE, leave), name === null ? null : Bun.escapeHTML(name)),
      headers: headersFor(leave),
    };
  };
}

/** Fills in a reader's name; null: no name. */
export const withName = (text: string, name: string | null) =>
  text.replace(NAME, (_, space: string = "") => (name === null ? "" : `${space}${name}`));

function frameOf(letter: LetterText, { site, postalAddress, page }: WriteOptions): Frame {
  const { siteUrl = "" } = site;
  const { subject, preview, body, buttonText, buttonLink } = letter;
  const label = buttonText.trim();
  const { letters, mailingList } = wordsFor(site.language).words;
  return {
    ...site,
    title: subject,
    blocks: [
      { kind: "rich", html: uploadedPicturesIn(body, siteUrl) },
      ...(label !== "" && buttonLink !== null
        ? [{ kind: "button" as const, label, url: wholeAddress(buttonLink, siteUrl) }]
        : []),
    ],
    foot: fill(letters.foot, { name: site.siteName }),
    links: [
      { label: mailingList.unsubscribe, url: siteUrl + LEAVE },
      ...(page === undefined ? [] : [{ label: letters.read, url: siteUrl + page }]),
    ],
    address: postalAddress,
    ...(preview !== "" && { preview }),
  };
}

const wholeAddress = (address: string, siteUrl: string) =>
  address.startsWith("/") ? siteUrl + address : fullUrl(address);

/**
 * Only pictures of this site: others would reveal readers to their host, and mail programs don't show
 * embedded ones.
 */
export function uploadedPicturesIn(html: string, siteUrl: string): string {
  return html.replace(/<img\s[^<>]*>/gi, (picture) => {
    const [, src = ""] = /\ssrc="([^"]*)"/i.exec(picture) ?? [];
    const isUploaded =
      src.startsWith("/uploads/") || (siteUrl !== "" && src.startsWith(`${siteUrl}/uploads/`));
    return isUploaded ? picture : "";
  });
}

/** The dependencies of sending a letter. */
interface Means {
  readonly hasMail: boolean;
  readonly siteUrl: string | undefined;
  readonly postalAddress: string;
}

/** Why a letter can't be sent; null if it can. */
export function sendProblem(
  letter: Pick<Letter, "subject" | "body" | "tested">,
  means: Means,
): string | null {
  const why = testProblem(letter, means);
  if (why !== null) return why;
  if (letter.tested === null) return "Send yourself a test first, and check it.";
  if (means.postalAddress.trim() === "")
    return "Enter your postal address first. The law requires it in every newsletter.";
  return null;
}

/** Why a letter can't be sent as a test; null if it can. */
export function testProblem(
  letter: Pick<Letter, "subject" | "body">,
  { hasMail, siteUrl }: Omit<Means, "postalAddress">,
): string | null {
  if (!hasMail) return "Set up email first: Account menu > Email settings.";
  if (siteUrl === undefined)
    return "Newsletters need the site's public URL for their links. Set SITE_URL on the server.";
  if (letter.subject.trim() === "") return "Add a subject first.";
  if (isEmpty(letter.body)) return "Write the newsletter first.";
  return null;
}
