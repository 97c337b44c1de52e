/** The kinds of question an enquiry form asks; free of checks, so that visitors load little. */
import { ANSWER_REFUSALS } from "./refusals.ts";

/** The kinds of question a form can ask, in the order offered. */
export const FIELD_TYPES = [
  { value: "text", label: "Text Input" },
  { value: "email", label: "Email" },
  { value: "phone", label: "Phone" },
  { value: "international_phone", label: "International Phone" },
  { value: "country", label: "Country Dropdown" },
  { value: "textarea", label: "Text Area" },
  { value: "select", label: "Dropdown" },
  { value: "radio", label: "Radio Buttons" },
  { value: "checkbox", label: "Checkboxes" },
  { value: "number", label: "Number" },
  { value: "date", label: "Date" },
  { value: "link", label: "Link" },
  { value: "consent", label: "Consent" },
] as const;

export type FieldType = (typeof FIELD_TYPES)[number]["value"];

/** The longest answers taken, in characters: one line, and several. */
export const MAX_TEXT_ANSWER = 500;

export const MAX_TEXTAREA_ANSWER = 5000;

/** Nobody reads and answers a form faster; a robot does. In milliseconds. */
export const LEAST_FILLING_MS = 3000;

/** What a visitor reads after sending, when the form has no message of its own (specification, section 4.3). */
export const DEFAULT_THANK_YOU =
  "Your form has been submitted successfully. We'll be in touch soon!";

/** The part of a form field that its answer is checked against. */
export interface Question {
  readonly id: string;
  readonly fieldType: FieldType;
  readonly label: string;
  readonly isRequired: boolean;
  readonly options: string;
}

/** A text, or a list of texts for checkboxes. */
export type Answer = string | string[];

/** Answers by the id of their field. */
export type Answers = Record<string, Answer>;

/** True for the kinds that choose from options: select, radio and checkbox. */
export function hasOptions(type: FieldType): boolean {
  return type === "select" || type === "radio" || type === "checkbox";
}

/** Options as typed: split on commas or line breaks, trimmed, empties dropped (specification, section 3.11). */
export function parseOptions(options: string): string[] {
  return options
    .split(/[,\n]/)
    .map((option) => option.trim())
    .filter((option) => option !== "");
}

/** What a box that is ticked says; the wording that it agrees to is kept as the label beside it. */
export const AGREED = "Agreed";

/** How much of a wording a refusal repeats, in characters. */
const REPEATED = 60;

/** The words for a required question without an answer (specification, section 5.3). */
export function requiredWords({ label, fieldType }: Pick<Question, "label" | "fieldType">): string {
  if (fieldType !== "consent") return ANSWER_REFUSALS.required.replace("{label}", () => label);
  const wording = label.length > REPEATED ? `${label.slice(0, REPEATED).trimEnd()}…` : label;
  return ANSWER_REFUSALS.agree.replace("{label}", () => wording);
}

/** The first required question without an answer, in the order asked: what Next reports. */
export function firstMissing<Q extends Question>(
  questions: readonly Q[],
  data: Readonly<Record<string, unknown>>,
): Q | undefined {
  return questions.find(
    (question) => question.isRequired && isBlank(question, answerTo(question, data)),
  );
}

/** What was given to a question; undefined also where its id is a name that every object has. */
export function answerTo(
  question: Pick<Question, "id">,
  data: Readonly<Record<string, unknown>>,
): unknown {
  return Object.hasOwn(data, question.id) ? data[question.id] : undefined;
}

/** True when nothing was answered: no text, no box, or a dial prefix alone. */
export function isBlank(question: Pick<Question, "fieldType">, given: unknown): boolean {
  if (isEmpty(given)) return true;
  // Dial prefixes have at most three digits (ITU-T E.164), and no number is that short.
  const prefixAlone = question.fieldType === "international_phone" && typeof given === "string";
  return prefixAlone && /^\+\d{1,3}$/.test(given.trim());
}

/** True for no text, no box, and only empty ones. */
export function isEmpty(given: unknown): boolean {
  if (given === undefined || given === null) return true;
  if (Array.isArray(given)) return given.every(isEmpty);
  return typeof given === "string" && given.trim() === "";
}
