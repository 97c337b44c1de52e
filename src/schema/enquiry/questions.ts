/** The questions of an enquiry form, and which of them are answered. */
import type { FieldType } from "./questionKinds.ts";
import { removeInvisible } from "../core/invisibleCharacters.ts";
import { ANSWER_REFUSALS } from "../core/refusals.ts";

export * from "./questionKinds.ts";

/** The longest answers in characters: one line, and several. */
export const MAX_TEXT_ANSWER_LENGTH = 500;

export const MAX_TEXTAREA_ANSWER_LENGTH = 5000;

/** The most characters of an answer to a question. */
export const maxAnswerLength = ({ fieldType }: Pick<Question, "fieldType">): number =>
  fieldType === "textarea" ? MAX_TEXTAREA_ANSWER_LENGTH : MAX_TEXT_ANSWER_LENGTH;

/** In milliseconds: nobody fills in a form faster, but bots do. */
export const MIN_FILLING_TIME_MS = 3000;

/** The message after sending, if the form has none of its own (specification, section 4.3). */
export const DEFAULT_THANK_YOU_MESSAGE =
  "Your form has been submitted successfully. We'll be in touch soon!";

/** The part of a form field that answers are checked against. */
export interface Question {
  readonly id: string;
  readonly fieldType: FieldType;
  readonly label: string;
  readonly isRequired: boolean;
  readonly options: string;
}

/** A text, or a list of texts for checkboxes. */
export type Answer = string | string[];

/** Answers by field id. */
export type Answers = Record<string, Answer>;

/** True for the kinds with options: select, radio and checkbox. */
export function hasOptions(type: FieldType): boolean {
  return type === "select" || type === "radio" || type === "checkbox";
}

/** The length of a wording that an error message quotes, in characters. */
const MAX_QUOTED_LABEL_LENGTH = 60;

/** The message for a required question without an answer (specification, section 5.3). */
export function requiredMessage({
  label,
  fieldType,
}: Pick<Question, "label" | "fieldType">): string {
  if (fieldType !== "consent") return ANSWER_REFUSALS.required.replace("{label}", () => label);
  const wording =
    label.length > MAX_QUOTED_LABEL_LENGTH
      ? `${label.slice(0, MAX_QUOTED_LABEL_LENGTH).trimEnd()}…`
      : label;
  return ANSWER_REFUSALS.agree.replace("{label}", () => wording);
}

/** The first required question without an answer, which Next reports. */
export function findFirstMissing<Q extends Question>(
  questions: readonly Q[],
  data: Readonly<Record<string, unknown>>,
): Q | undefined {
  return questions.find(
    (question) => question.isRequired && isBlank(question, getAnswer(question, data)),
  );
}

/** The answer to a question; undefined for an id that is merely an inherited property. */
export function getAnswer(
  question: Pick<Question, "id">,
  data: Readonly<Record<string, unknown>>,
): unknown {
  return Object.hasOwn(data, question.id) ? data[question.id] : undefined;
}

/** True for an empty answer: no text, no box, or only a dial prefix. */
export function isBlank(question: Pick<Question, "fieldType">, answer: unknown): boolean {
  if (isEmpty(answer)) return true;
  // Dial prefixes have at most three digits (ITU-T E.164), fewer than any number.
  const prefixAlone = question.fieldType === "international_phone" && typeof answer === "string";
  return prefixAlone && /^\+\d{1,3}$/.test(removeInvisible(answer).trim());
}

/** True for no text, no box, or only empty ones. */
export function isEmpty(answer: unknown): boolean {
  if (answer === undefined || answer === null) return true;
  if (Array.isArray(answer)) return answer.every(isEmpty);
  return typeof answer === "string" && !VISIBLE_CHARACTER_PATTERN.test(removeInvisible(answer));
}

/** A character other than spaces and invisible marks, such as a soft hyphen or Braille's blank. */
const VISIBLE_CHARACTER_PATTERN = /[^\s\p{Default_Ignorable_Code_Point}\u2800]/u;
