/** The site's messages to its owner. */
import { formatDay } from "../../../schema/core/formatDay.ts";
import type { AnsweredQuestion } from "../../../schema/enquiry/visitors.ts";
import { entities, type Item } from "../../../schema/index.ts";
import type { Clock } from "../../shared/clock.ts";
import type { Block, MessageBranding } from "../../shared/message.ts";
import { findItem } from "../../storage/findItem.ts";
import type { Document, Store } from "../../storage/store.ts";
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
export function enquirySummary(
  store: Store,
  { id, formId, about, questions }: Item<"formSubmissions">,
): EnquirySummary {
  const form = findItem(store, entities.forms, formId);
  return { id, formId, formName: form?.name ?? "Enquiry", about, questions };
}

/** For messages that are written when they are sent. */
export const SUBMISSION_DELETED = "The submission was deleted before this message was sent.";

/** To an owner: all questions and answers, in the form's order. Replies go to the visitor. */
export function enquiryMessage(site: MessageBranding, enquiry: EnquirySummary): MessageContent {
  const senderName = findName(enquiry.questions);
  const title = senderName ? `New submission from ${senderName}` : "New submission";
  const replyTo = findEmail(enquiry.questions);
  const blocks: Block[] = [
    ...answersOf(enquiry),
    ...dashboardButton(site, "Open in the dashboard", pathOf(enquiry)),
    ...(replyTo ? [small(`Reply to this email to write to ${replyTo}.`)] : []),
  ];
  const foot = `Someone filled out "${enquiry.formName}" on your site.`;
  return { ...renderOwnerMessage(site, title, blocks, foot), replyTo, about: enquiry.id };
}

interface WrittenTestimonial {
  readonly name: string;
  readonly words: string;
}

/** To an owner: enquiries and testimonials since the last such message, or those of an hour with many. */
export function digestMessage(
  site: MessageBranding,
  enquiries: readonly EnquirySummary[],
  testimonials: readonly WrittenTestimonial[],
  foot: string,
): MessageContent {
  const count = enquiries.length;
  const blocks: Block[] = [
    ...enquiries
      .slice(0, LONGEST_DIGEST)
      .flatMap(({ formName, about, questions }, at): Block[] => [
        ...(at > 0 ? [LINE] : []),
        heading(
          `${at + 1}. ${findName(questions) ?? findEmail(questions) ?? "Someone"}, ${formName}`,
        ),
        ...answersOf({ about, questions }),
      ]),
    ...(count > LONGEST_DIGEST
      ? [small(`${count - LONGEST_DIGEST} more are in the dashboard.`)]
      : []),
    ...testimonials.flatMap(({ name, words }): Block[] => [
      LINE,
      heading(`${name} wrote you a testimonial`),
      quote(words),
    ]),
    ...dashboardButton(
      site,
      "Open in the dashboard",
      count > 0 ? SUBMISSIONS_PATH : TESTIMONIALS_PATH,
    ),
  ];
  return renderOwnerMessage(site, digestTitle(count, testimonials.length), blocks, foot);
}

function digestTitle(enquiries: number, testimonials: number): string {
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
  subjectOf(site, digestTitle(enquiries, testimonials));

/** While the message about the others of an hour is queued. */
export const restSubject = (site: MessageBranding) => subjectOf(site, "More new submissions");

/** The dashboard's page of enquiries. */
export const SUBMISSIONS_PATH = "/admin/dashboard?tab=forms&sub=submissions";
export const pathOf = ({ id, formId }: Pick<EnquirySummary, "id" | "formId">) =>
  `${SUBMISSIONS_PATH}&form=${formId}&enquiry=${id}`;
/** Mail programs would cut off more. */
const LONGEST_DIGEST = 40;

/** To whoever sets up mail. */
export function testMessage(site: MessageBranding): MessageContent {
  const blocks = [text("Your site can send email. You don't need to do anything else.")];
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
  blocks: readonly Block[],
  foot: string,
): MessageContent {
  return { subject: subjectOf(site, title), ...renderMessage({ ...site, title, blocks, foot }) };
}

const subjectOf = ({ siteName }: MessageBranding, title: string) => `${title} · ${siteName}`;

export const text = (text: string): Block => ({ kind: "text", text });
export const heading = (text: string): Block => ({ kind: "heading", text });
const LINE: Block = { kind: "line" };
export const quote = (text: string): Block => ({ kind: "quote", text });
export const small = (text: string): Block => ({ kind: "small", text });

export function dashboardButton(
  { siteUrl }: MessageBranding,
  label: string,
  path: string,
): Block[] {
  return siteUrl === undefined ? [] : [{ kind: "button", label, url: siteUrl + path }];
}

export const button = (label: string, url: string): Block => ({ kind: "button", label, url });

/** An answer as text, a date in this language. */
export function answerOf({ label, type, answer }: AnsweredQuestion, locale = "en") {
  const text = typeof answer === "string" ? answer : answer.join(", ");
  const answered = type === "date" ? formatDay(text, locale) : text;
  return { label, answer: answered === "" ? "(no answer)" : answered };
}

/** The package, then all questions and answers. */
const answersOf = ({ about, questions }: Pick<EnquirySummary, "about" | "questions">): Block[] => [
  ...(about === null ? [] : [{ kind: "answer", label: "About", answer: about } as const]),
  ...questions.map(answerBlock),
];

const answerBlock = (question: AnsweredQuestion): Block => ({
  kind: "answer",
  ...answerOf(question),
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
