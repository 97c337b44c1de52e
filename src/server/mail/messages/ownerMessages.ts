/** The site's messages to its owner. */
import { formatDay } from "../../../schema/core/formatDay.ts";
import type { AnsweredQuestion } from "../../../schema/enquiry/visitors.ts";
import { entities, type Item } from "../../../schema/index.ts";
import type { Clock } from "../../shared/clock.ts";
import type { MessageBlock, MessageBranding } from "../../shared/message.ts";
import { findItem, type Document, type Store } from "../../storage/store.ts";
import { renderMessage } from "./messageTemplate.tsx";
import type { NewMessage, Outbox } from "../queue/outbox.ts";

/** A message without its recipient. */
export type MessageContent = Pick<NewMessage, "subject" | "text" | "html" | "replyTo" | "about">;

interface EnquirySummary {
  readonly id: string;
  readonly formId: string;
  readonly formName: string;
  /** The title of its package. */
  readonly about: string | null;
  readonly questions: readonly AnsweredQuestion[];
}

/** For writing to owners. */
export interface OwnerMailContext {
  readonly store: Store;
  readonly clock: Clock;
  readonly outbox: Outbox;
  readonly settings: Document<Item<"mailSettings">>;
  readonly stationery: () => MessageBranding;
  readonly recipients: () => readonly string[];
  readonly isSetUp: () => boolean;
}

/** An enquiry with its form's name, even if the form was deleted. */
export function createEnquirySummary(
  store: Store,
  { id, formId, about, questions }: Item<"formSubmissions">,
): EnquirySummary {
  const form = findItem(store, entities.forms, formId);
  return { id, formId, formName: form?.name ?? "Enquiry", about, questions };
}

/** For messages that are written when they are sent. */
export const SUBMISSION_DELETED_MESSAGE =
  "The submission was deleted before this message was sent.";

/** To an owner: all questions and answers, in the form's order. Replies go to the visitor. */
export function createEnquiryMessage(
  site: MessageBranding,
  enquiry: EnquirySummary,
): MessageContent {
  const senderName = findName(enquiry.questions);
  const title = senderName ? `New submission from ${senderName}` : "New submission";
  const replyTo = findEmail(enquiry.questions);
  const blocks: MessageBlock[] = [
    ...answerBlocks(enquiry),
    ...dashboardButtonBlocks(site, "Open in the dashboard", enquiryPath(enquiry)),
    ...(replyTo ? [smallTextBlock(`Reply to this email to write to ${replyTo}.`)] : []),
  ];
  const foot = `Someone filled out "${enquiry.formName}" on your site.`;
  return { ...renderOwnerMessage(site, title, blocks, foot), replyTo, about: enquiry.id };
}

interface WrittenTestimonial {
  readonly name: string;
  readonly words: string;
}

/** To an owner: enquiries and testimonials since the last such message, or those of an hour with many. */
export function createDigestMessage(
  site: MessageBranding,
  enquiries: readonly EnquirySummary[],
  testimonials: readonly WrittenTestimonial[],
  foot: string,
): MessageContent {
  const count = enquiries.length;
  const blocks: MessageBlock[] = [
    ...enquiries
      .slice(0, MAX_DIGEST_ITEMS)
      .flatMap(({ formName, about, questions }, at): MessageBlock[] => [
        ...(at > 0 ? [LINE_BLOCK] : []),
        headingBlock(
          `${at + 1}. ${findName(questions) ?? findEmail(questions) ?? "Someone"}, ${formName}`,
        ),
        ...answerBlocks({ about, questions }),
      ]),
    ...(count > MAX_DIGEST_ITEMS
      ? [smallTextBlock(`${count - MAX_DIGEST_ITEMS} more are in the dashboard.`)]
      : []),
    ...testimonials.flatMap(({ name, words }): MessageBlock[] => [
      LINE_BLOCK,
      headingBlock(`${name} wrote you a testimonial`),
      quoteBlock(words),
    ]),
    ...dashboardButtonBlocks(
      site,
      "Open in the dashboard",
      count > 0 ? SUBMISSIONS_PATH : TESTIMONIALS_PATH,
    ),
  ];
  return renderOwnerMessage(site, formatDigestTitle(count, testimonials.length), blocks, foot);
}

function formatDigestTitle(enquiries: number, testimonials: number): string {
  const parts = [
    ...(enquiries > 0
      ? [enquiries === 1 ? "1 new submission" : `${enquiries} new submissions`]
      : []),
    ...(testimonials > 0
      ? [testimonials === 1 ? "1 new testimonial" : `${testimonials} new testimonials`]
      : []),
  ];
  return parts.join(", ");
}

export const TESTIMONIALS_PATH = "/admin/dashboard?tab=testimonials";

/** While it is queued. */
export const digestSubject = (site: MessageBranding, enquiries: number, testimonials: number) =>
  formatSubject(site, formatDigestTitle(enquiries, testimonials));

/** While the message about the others of an hour is queued. */
export const overflowSubject = (site: MessageBranding) =>
  formatSubject(site, "More new submissions");

/** The dashboard's page of enquiries. */
export const SUBMISSIONS_PATH = "/admin/dashboard?tab=forms&sub=submissions";
export const enquiryPath = ({ id, formId }: Pick<EnquirySummary, "id" | "formId">) =>
  `${SUBMISSIONS_PATH}&form=${formId}&enquiry=${id}`;
/** Mail programs would cut off more. */
const MAX_DIGEST_ITEMS = 40;

/** To whoever sets up mail. */
export function createTestMessage(site: MessageBranding): MessageContent {
  const blocks = [textBlock("Your site can send email. You don't need to do anything else.")];
  return renderOwnerMessage(
    site,
    "It works",
    blocks,
    'You\'re receiving this because you clicked "Send test email".',
  );
}

/** A message as text and HTML, in the site's style; `foot` is the reason for getting it. */
export function renderOwnerMessage(
  site: MessageBranding,
  title: string,
  blocks: readonly MessageBlock[],
  foot: string,
): MessageContent {
  return {
    subject: formatSubject(site, title),
    ...renderMessage({ ...site, title, blocks, foot }),
  };
}

const formatSubject = ({ siteName }: MessageBranding, title: string) => `${title} · ${siteName}`;

export const textBlock = (text: string): MessageBlock => ({ kind: "text", text });
export const headingBlock = (text: string): MessageBlock => ({ kind: "heading", text });
const LINE_BLOCK: MessageBlock = { kind: "line" };
export const quoteBlock = (text: string): MessageBlock => ({ kind: "quote", text });
export const smallTextBlock = (text: string): MessageBlock => ({ kind: "small", text });

export function dashboardButtonBlocks(
  { siteUrl }: MessageBranding,
  label: string,
  path: string,
): MessageBlock[] {
  return siteUrl === undefined ? [] : [{ kind: "button", label, url: siteUrl + path }];
}

export const buttonBlock = (label: string, url: string): MessageBlock => ({
  kind: "button",
  label,
  url,
});

/** An answer as text, a date in this language. */
export function formatAnswer({ label, type, answer }: AnsweredQuestion, locale = "en") {
  const text = typeof answer === "string" ? answer : answer.join(", ");
  const answered = type === "date" ? formatDay(text, locale) : text;
  return { label, answer: answered === "" ? "(no answer)" : answered };
}

/** The package, then all questions and answers. */
const answerBlocks = ({
  about,
  questions,
}: Pick<EnquirySummary, "about" | "questions">): MessageBlock[] => [
  ...(about === null ? [] : [{ kind: "answer", label: "About", answer: about } as const]),
  ...questions.map(answerBlock),
];

const answerBlock = (question: AnsweredQuestion): MessageBlock => ({
  kind: "answer",
  ...formatAnswer(question),
});

/** The answer to the first email question that has one. */
export function findEmail(questions: readonly AnsweredQuestion[]): string | null {
  const question = questions.find(({ type, answer }) => type === "email" && answer !== "");
  return typeof question?.answer === "string" ? question.answer : null;
}

/** The first phone number among the answers, as typed; empty without one. */
export function findPhone(questions: readonly AnsweredQuestion[]): string {
  const question = questions.find(({ type, answer }) => type.endsWith("phone") && answer !== "");
  return typeof question?.answer === "string" ? question.answer : "";
}

/** The answer to the first question with "name" in its label. */
export function findName(questions: readonly AnsweredQuestion[]): string | undefined {
  const question = questions.find(({ type, label }) => type === "text" && /\bname\b/i.test(label));
  return typeof question?.answer === "string" && question.answer !== ""
    ? question.answer
    : undefined;
}
