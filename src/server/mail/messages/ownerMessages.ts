/** The site's messages to its owner. */
import { formatDay } from "../../../schema/core/formatDate.ts";
import { formatCount } from "../../../schema/core/formatNumber.ts";
import type { AnsweredQuestion } from "../../../schema/enquiry/visitors.ts";
import { entities, type Item } from "../../../schema/index.ts";
import type { Clock } from "../../shared/clock.ts";
import type { MessageBlock, MessageBranding } from "../../shared/message.ts";
import { findItem, type Document, type Store } from "../../storage/store.ts";
import { renderMessage } from "./messageTemplate.tsx";
import type { NewMessage, Outbox } from "../queue/outbox.ts";

export type MessageContent = Pick<NewMessage, "subject" | "text" | "html" | "replyTo" | "about">;

interface EnquirySummary {
  readonly id: string;
  readonly formId: string;
  readonly formName: string;
  /** The title of the package that the visitor chose; null if none was chosen. */
  readonly about: string | null;
  readonly questions: readonly AnsweredQuestion[];
}

export interface OwnerMailContext {
  readonly store: Store;
  readonly clock: Clock;
  readonly outbox: Outbox;
  readonly settings: Document<Item<"mailSettings">>;
  readonly getBranding: () => MessageBranding;
  readonly listRecipients: () => readonly string[];
  readonly isSetUp: () => boolean;
}

/** Returns an enquiry with its form's name; the name is "Enquiry" if the form was deleted. */
export function createEnquirySummary(
  store: Store,
  { id, formId, about, questions }: Item<"formSubmissions">,
): EnquirySummary {
  const form = findItem(store, entities.forms, formId);
  return { id, formId, formName: form?.name ?? "Enquiry", about, questions };
}

export const SUBMISSION_DELETED_MESSAGE =
  "The submission was deleted before this message was sent.";

/** Creates the message about an enquiry, with all questions and answers. Replies go to the visitor. */
export function createEnquiryMessage(
  site: MessageBranding,
  enquiry: EnquirySummary,
): MessageContent {
  const senderName = findName(enquiry.questions);
  const title = senderName ? `New submission from ${senderName}` : "New submission";
  const replyTo = findEmail(enquiry.questions);
  const blocks: MessageBlock[] = [
    ...createAnswerBlocks(enquiry),
    ...createDashboardButtonBlocks(site, createEnquiryPath(enquiry)),
    ...(replyTo ? [createSmallTextBlock(`Reply to this email to write to ${replyTo}.`)] : []),
  ];
  const footer = `Someone filled out "${enquiry.formName}" on your site.`;
  return { ...renderOwnerMessage(site, title, blocks, footer), replyTo, about: enquiry.id };
}

interface NewTestimonial {
  readonly name: string;
  readonly words: string;
}

/** Creates the daily message, or the message about enquiries above the hourly limit. */
export function createDigestMessage(
  site: MessageBranding,
  enquiries: readonly EnquirySummary[],
  testimonials: readonly NewTestimonial[],
  footer: string,
): MessageContent {
  const count = enquiries.length;
  const path = count > 0 ? SUBMISSIONS_PATH : TESTIMONIALS_PATH;
  const blocks: MessageBlock[] = [
    ...enquiries.slice(0, MAX_DIGEST_ITEMS).flatMap((enquiry, index): MessageBlock[] => {
      const sender = findName(enquiry.questions) ?? findEmail(enquiry.questions) ?? "Someone";
      const heading = createHeadingBlock(`${index + 1}. ${sender}, ${enquiry.formName}`);
      return [...(index > 0 ? [DIVIDER_BLOCK] : []), heading, ...createAnswerBlocks(enquiry)];
    }),
    ...(count > MAX_DIGEST_ITEMS
      ? [createSmallTextBlock(`More submissions in the dashboard: ${count - MAX_DIGEST_ITEMS}`)]
      : []),
    ...testimonials.flatMap(({ name, words }): MessageBlock[] => [
      DIVIDER_BLOCK,
      createHeadingBlock(`${name} wrote you a testimonial`),
      createQuoteBlock(words),
    ]),
    ...createDashboardButtonBlocks(site, path),
  ];
  return renderOwnerMessage(site, formatDigestTitle(count, testimonials.length), blocks, footer);
}

const formatDigestTitle = (enquiryCount: number, testimonialCount: number): string =>
  [
    ...(enquiryCount > 0 ? [formatCount(enquiryCount, "new submission")] : []),
    ...(testimonialCount > 0 ? [formatCount(testimonialCount, "new testimonial")] : []),
  ].join(", ");

export const TESTIMONIALS_PATH = "/admin/dashboard?tab=testimonials";

/** Creates the subject of a daily message. The text isn't stored; it is rendered when the message is sent. */
export const createDigestSubject = (
  site: MessageBranding,
  enquiryCount: number,
  testimonialCount: number,
) => formatSubject(site, formatDigestTitle(enquiryCount, testimonialCount));

/** Creates the subject of the message about enquiries above the hourly limit. */
export const createOverflowSubject = (site: MessageBranding) =>
  formatSubject(site, "More new submissions");

export const SUBMISSIONS_PATH = "/admin/dashboard?tab=forms&sub=submissions";
export const createEnquiryPath = ({ id, formId }: Pick<EnquirySummary, "id" | "formId">) =>
  `${SUBMISSIONS_PATH}&form=${formId}&enquiry=${id}`;
/** The maximum number of enquiries in a message: mail programs cut off longer messages. */
const MAX_DIGEST_ITEMS = 40;

/** Renders a message as text and HTML, in the site's style. `footer` says why the owner gets it. */
export function renderOwnerMessage(
  site: MessageBranding,
  title: string,
  blocks: readonly MessageBlock[],
  footer: string,
): MessageContent {
  return {
    subject: formatSubject(site, title),
    ...renderMessage({ ...site, title, blocks, footer }),
  };
}

const formatSubject = ({ siteName }: MessageBranding, title: string) => `${title} · ${siteName}`;

export const createTextBlock = (text: string): MessageBlock => ({ kind: "text", text });
export const createHeadingBlock = (text: string): MessageBlock => ({ kind: "heading", text });
const DIVIDER_BLOCK: MessageBlock = { kind: "line" };
export const createQuoteBlock = (text: string): MessageBlock => ({ kind: "quote", text });
export const createSmallTextBlock = (text: string): MessageBlock => ({ kind: "small", text });

export const createButtonBlock = (label: string, url: string): MessageBlock => ({
  kind: "button",
  label,
  url,
});

/** Creates a button that opens a path of the dashboard; none if the site's address isn't configured. */
export const createDashboardButtonBlocks = (
  { siteUrl }: MessageBranding,
  path: string,
  label = "Open in the dashboard",
): MessageBlock[] => (siteUrl === undefined ? [] : [createButtonBlock(label, siteUrl + path)]);

/** Returns a question and its answer as text. A date is written in the language of `locale`. */
export function formatAnswer({ label, type, answer }: AnsweredQuestion, locale = "en") {
  const text = typeof answer === "string" ? answer : answer.join(", ");
  const formattedAnswer = type === "date" ? formatDay(text, locale) : text;
  return { label, answer: formattedAnswer === "" ? "(no answer)" : formattedAnswer };
}

const createAnswerBlocks = ({ about, questions }: EnquirySummary): MessageBlock[] => [
  ...(about === null ? [] : [{ kind: "answer", label: "About", answer: about } as const]),
  ...questions.map((question) => ({ kind: "answer", ...formatAnswer(question) }) as const),
];

/** Returns the answer to the first email question that was answered; null if there is none. */
export function findEmail(questions: readonly AnsweredQuestion[]): string | null {
  const question = questions.find(({ type, answer }) => type === "email" && answer !== "");
  return typeof question?.answer === "string" ? question.answer : null;
}

/** Returns the first phone number among the answers, as typed; "" if there is none. */
export function findPhone(questions: readonly AnsweredQuestion[]): string {
  const question = questions.find(({ type, answer }) => type.endsWith("phone") && answer !== "");
  return typeof question?.answer === "string" ? question.answer : "";
}

/** Matches a label with the word for "name", "first name" or "last name" in a language of the program. */
const NAME_WORD_PATTERN =
  /(?<!\p{L})(?:(?:vor|nach|familien|sur)?name|(?:voor|achter)?naam|(?:pré)?nom|nombre|(?:cog|sobre)?nome|imi[eę])(?!\p{L})/iu;

/** Returns the answer to the first question that asks for a name; undefined if there is none. */
export function findName(questions: readonly AnsweredQuestion[]): string | undefined {
  const question = questions.find(
    ({ type, label }) => type === "text" && NAME_WORD_PATTERN.test(label),
  );
  return (typeof question?.answer === "string" && question.answer) || undefined;
}
