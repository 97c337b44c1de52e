/** The words of what the site tells its owner by mail. */
import { dayWords } from "../../../schema/dayWords.ts";
import type { AnsweredQuestion } from "../../../schema/visitors.ts";
import type { Block, Stationery } from "../../shared/message.ts";
import { framed } from "./frame.tsx";
import type { NewMessage } from "../queue/outbox.ts";

/** A message without whom it is for. */
export type Words = Pick<NewMessage, "subject" | "text" | "html" | "replyTo" | "about">;

/** An enquiry, as far as a message tells of it. */
export interface EnquirySummary {
  readonly id: string;
  readonly formId: string;
  readonly formName: string;
  /** The title of the package that it is about. */
  readonly about: string | null;
  readonly questions: readonly AnsweredQuestion[];
}

/** To an owner: everything that was asked and answered, in the form's order. An answer to it goes to the visitor. */
export function enquiryMessage(site: Stationery, enquiry: EnquirySummary): Words {
  const who = nameIn(enquiry.questions);
  const title = who ? `New enquiry from ${who}` : "New enquiry";
  const replyTo = addressIn(enquiry.questions);
  const blocks: Block[] = [
    ...answersOf(enquiry),
    ...linkTo(site, "Open in the dashboard", pathOf(enquiry)),
    ...(replyTo ? [small(`Answer this message to write to ${replyTo}.`)] : []),
  ];
  const foot = `Somebody filled in "${enquiry.formName}" on your site.`;
  return { ...written(site, title, blocks, foot), replyTo, about: enquiry.id };
}

/** A testimonial, as far as a message tells of it. */
interface WrittenTestimonial {
  readonly name: string;
  readonly words: string;
}

/** To an owner: the enquiries since the last such message, and the testimonials. */
export function digestMessage(
  site: Stationery,
  enquiries: readonly EnquirySummary[],
  testimonials: readonly WrittenTestimonial[],
): Words {
  const count = enquiries.length;
  const blocks: Block[] = [
    ...enquiries
      .slice(0, LONGEST_DIGEST)
      .flatMap(({ formName, about, questions }, at): Block[] => [
        ...(at > 0 ? [LINE] : []),
        heading(
          `${at + 1}. ${nameIn(questions) ?? addressIn(questions) ?? "Somebody"}, ${formName}`,
        ),
        ...answersOf({ about, questions }),
      ]),
    ...(count > LONGEST_DIGEST
      ? [small(`${count - LONGEST_DIGEST} more are in the dashboard.`)]
      : []),
    ...testimonials.flatMap(({ name, words }): Block[] => [
      LINE,
      heading(`${name} has written you a testimonial`),
      quote(words),
    ]),
    ...linkTo(site, "Open in the dashboard", count > 0 ? FORMS : TESTIMONIALS),
  ];
  const foot = "You asked for one message a day about new enquiries.";
  return written(site, digestTitle(count, testimonials.length), blocks, foot);
}

function digestTitle(enquiries: number, testimonials: number): string {
  const parts = [
    ...(enquiries > 0 ? [enquiries === 1 ? "1 new enquiry" : `${enquiries} new enquiries`] : []),
    ...(testimonials > 0
      ? [testimonials === 1 ? "1 new testimonial" : `${testimonials} new testimonials`]
      : []),
  ];
  return parts.join(", ");
}

/** Where testimonials are in the dashboard. */
export const TESTIMONIALS = "/admin/dashboard?tab=testimonials";

/** As long as it waits. */
export const digestSubject = (site: Stationery, enquiries: number, testimonials: number) =>
  subjectOf(site, digestTitle(enquiries, testimonials));

/** Where enquiries are in the dashboard. */
export const FORMS = "/admin/dashboard?tab=forms&sub=submissions";
/** Where one of them is. */
export const pathOf = ({ id, formId }: Pick<EnquirySummary, "id" | "formId">) =>
  `${FORMS}&form=${formId}&enquiry=${id}`;
/** More would be cut off by mail programs. */
const LONGEST_DIGEST = 40;

/** To whoever sets up mail. */
export function testMessage(site: Stationery): Words {
  const blocks = [text("Your site can send mail. There's nothing else to do.")];
  return written(site, "It works", blocks, "You pressed “Send a test message”.");
}

/** A message as text and as HTML, in the site's dress; `foot` says why somebody gets it. */
export function written(
  site: Stationery,
  title: string,
  blocks: readonly Block[],
  foot: string,
): Words {
  return { subject: subjectOf(site, title), ...framed({ ...site, title, blocks, foot }) };
}

const subjectOf = ({ siteName }: Stationery, title: string) => `${title} · ${siteName}`;

export const text = (words: string): Block => ({ kind: "text", text: words });
export const heading = (words: string): Block => ({ kind: "heading", text: words });
const LINE: Block = { kind: "line" };
export const quote = (words: string): Block => ({ kind: "quote", text: words });
export const small = (words: string): Block => ({ kind: "small", text: words });

export function linkTo({ siteUrl }: Stationery, label: string, path: string): Block[] {
  return siteUrl === undefined ? [] : [{ kind: "button", label, url: siteUrl + path }];
}

export const button = (label: string, url: string): Block => ({ kind: "button", label, url });

/** An answer in words. */
export function answerOf({ label, type, answer }: AnsweredQuestion) {
  const given = typeof answer === "string" ? answer : answer.join(", ");
  const words = type === "date" ? dayWords(given) : given;
  return { label, answer: words === "" ? "(no answer)" : words };
}

/** What it is about, then everything that was asked and answered. */
const answersOf = ({ about, questions }: Pick<EnquirySummary, "about" | "questions">): Block[] => [
  ...(about === null ? [] : [{ kind: "answer", label: "About", answer: about } as const]),
  ...questions.map(answerBlock),
];

const answerBlock = (question: AnsweredQuestion): Block => ({
  kind: "answer",
  ...answerOf(question),
});

/** The first answer to a question for an email address. */
export function addressIn(questions: readonly AnsweredQuestion[]): string | null {
  const found = questions.find(({ type, answer }) => type === "email" && answer !== "");
  return typeof found?.answer === "string" ? found.answer : null;
}

/** The first answer to a question for a phone number, as it was typed; empty where none is. */
export function numberIn(questions: readonly AnsweredQuestion[]): string {
  const found = questions.find(({ type, answer }) => type.endsWith("phone") && answer !== "");
  return typeof found?.answer === "string" ? found.answer : "";
}

/** The answer to the first question whose label speaks of a name. */
export function nameIn(questions: readonly AnsweredQuestion[]): string | undefined {
  const found = questions.find(({ type, label }) => type === "text" && /\bname\b/i.test(label));
  return typeof found?.answer === "string" && found.answer !== "" ? found.answer : undefined;
}
