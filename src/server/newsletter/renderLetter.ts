/** Renders a letter once. Each copy only gets the recipient's name and unsubscribe link. */
import { checkChange } from "../../schema/entities/check.ts";
import { entities, type Item } from "../../schema/index.ts";
import { getWords } from "../../web/words/allWords.ts";
import { fillPlaceholders } from "../../web/words/placeholders.ts";
import { invalidInput } from "../shared/errors.ts";
import type { MessageContent, OutgoingMessage } from "../shared/message.ts";
import { completeUrl } from "../../schema/core/safeUrl.ts";
import { sanitizeName } from "../shared/untrustedText.ts";
import { MAIL_NOT_SET_UP_MESSAGE } from "../mail/mail.ts";
import { renderMessage } from "../mail/messages/messageTemplate.tsx";
import type { LettersContext } from "./context.ts";
import { createUnsubscribeHeaders } from "./subscriptionLinks.ts";

export type Letter = Item<"letters">;

/** Reads and sanitizes a letter's fields. Throws a 422 with a message by field. */
export function readLetterFields(
  input: unknown,
  cleanHtml: (html: string) => string,
): Partial<Letter> {
  const fields = checkLetterFields(input);
  if (fields.body === undefined) return fields;
  // Sanitizing can make a text too long: a single < becomes &lt;.
  return checkLetterFields({ ...fields, body: cleanHtml(fields.body) });
}

function checkLetterFields(input: unknown): Partial<Letter> {
  const outcome = checkChange(entities.letters, input);
  if (!outcome.ok) throw invalidInput(outcome.error, outcome.fields);
  return outcome.values;
}

export interface CopyValues {
  readonly name: string | null;
  readonly unsubscribePath: string;
}

export type RenderedLetter = Pick<OutgoingMessage, "subject" | "text" | "html" | "headers">;

export interface LetterRenderContext extends Pick<LettersContext, "store" | "mail"> {
  /** Returns the path of a letter's page; undefined if the letter isn't published. */
  readonly createLetterPath: (letter: Letter) => string | undefined;
}

/** Matches the placeholder for a name, and the spaces before it: without a name, "Hi {first name}," becomes "Hi,". */
const NAME_PLACEHOLDER_PATTERN =
  /([ \t\u00a0]|&nbsp;){0,8}\{(?:\s|&nbsp;){0,3}first(?:\s|&nbsp;){1,3}name(?:\s|&nbsp;){0,3}\}/gi;
/** Replaced in each copy by the recipient's unsubscribe path. */
const UNSUBSCRIBE_PLACEHOLDER = "/unsubscribe?t=of-this-reader";

const isEmptyHtml = (html: string) =>
  !/<img\s/i.test(html) &&
  html
    .replace(/<[^<>]*>/g, "")
    .replaceAll("&nbsp;", "")
    .trim() === "";

/** Returns a function that renders a recipient's copy. */
export function createLetterRenderer(
  letter: Letter,
  context: LetterRenderContext,
): (recipient: CopyValues) => RenderedLetter {
  const { siteUrl } = context.mail.getBranding();
  const { text, html } = renderMessage(createFrame(letter, context));
  return ({ name: storedName, unsubscribePath }) => {
    // Somebody else may have typed the name.
    const name = sanitizeName(storedName);
    const fillLink = (content: string) =>
      content.replaceAll(UNSUBSCRIBE_PLACEHOLDER, unsubscribePath);
    return {
      subject: fillName(letter.subject, name),
      text: fillName(fillLink(text), name),
      html: fillName(fillLink(html), name === null ? null : Bun.escapeHTML(name)),
      headers: siteUrl === undefined ? {} : createUnsubscribeHeaders(siteUrl + unsubscribePath),
    };
  };
}

/** Fills in a name. If it is null, removes the placeholder. */
export const fillName = (text: string, name: string | null) =>
  text.replace(NAME_PLACEHOLDER_PATTERN, (_, space: string = "") =>
    name === null ? "" : `${space}${name}`,
  );

function createFrame(
  letter: Letter,
  { store, mail, createLetterPath }: LetterRenderContext,
): MessageContent {
  const site = mail.getBranding();
  const { siteUrl = "" } = site;
  const pagePath = createLetterPath(letter);
  const { subject, preview, body, buttonText, buttonLink } = letter;
  const label = buttonText.trim();
  const { letters, mailingList, withColon } = getWords(site.language).words;
  return {
    ...site,
    title: subject,
    blocks: [
      { kind: "rich", html: removeForeignPictures(body, siteUrl) },
      ...(label !== "" && buttonLink !== null
        ? [{ kind: "button" as const, label, url: toAbsoluteUrl(buttonLink, siteUrl) }]
        : []),
    ],
    colonFormat: withColon,
    footer: fillPlaceholders(letters.foot, { name: site.siteName }),
    links: [
      { label: mailingList.unsubscribe, url: siteUrl + UNSUBSCRIBE_PLACEHOLDER },
      ...(pagePath === undefined
        ? []
        : [{ label: letters.viewInBrowser, url: siteUrl + pagePath }]),
    ],
    address: store.of(entities.letterSettings).read().value.postalAddress,
    ...(preview !== "" && { preview }),
  };
}

const toAbsoluteUrl = (url: string, siteUrl: string) =>
  url.startsWith("/") ? siteUrl + url : completeUrl(url);

/** Removes pictures from other hosts, which would learn who reads the letter, and data URLs, which aren't shown. */
export function removeForeignPictures(html: string, siteUrl: string): string {
  return html.replace(/<img\s[^<>]*>/gi, (picture) => {
    const [, src = ""] = /\ssrc="([^"]*)"/i.exec(picture) ?? [];
    const isUploaded =
      src.startsWith("/uploads/") || (siteUrl !== "" && src.startsWith(`${siteUrl}/uploads/`));
    return isUploaded ? picture : "";
  });
}

/** Returns why a letter can't be sent; null if it can be. */
export function findSendProblem(
  letter: Letter,
  context: Pick<LettersContext, "store" | "mail">,
): string | null {
  const problem = findTestProblem(letter, context);
  if (problem !== null) return problem;
  if (letter.tested === null) return "Send yourself a test first, and check it.";
  if (context.store.of(entities.letterSettings).read().value.postalAddress.trim() === "")
    return "Enter your postal address first. The law requires it in every newsletter.";
  return null;
}

/** Returns why a letter can't be sent as a test; null if it can be. */
export function findTestProblem(
  { subject, body }: Letter,
  { mail }: Pick<LettersContext, "mail">,
): string | null {
  if (!mail.getAccount()) return MAIL_NOT_SET_UP_MESSAGE;
  if (mail.getBranding().siteUrl === undefined)
    return "Newsletters need the site's public URL for their links. Set SITE_URL on the server.";
  if (subject.trim() === "") return "Add a subject first.";
  if (isEmptyHtml(body)) return "Write the newsletter first.";
  return null;
}
