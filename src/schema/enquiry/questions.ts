/** Questions of an enquiry form, and the check whether they are answered. */
import { cutText } from "../core/boundedUnicode.ts";
import type { FieldType } from "./questionKinds.ts";
import { removeInvisible } from "../core/invisibleCharacters.ts";
import { ANSWER_REFUSALS } from "../core/refusals.ts";

export * from "./questionKinds.ts";

/** The longest answers in characters, of one line and of several lines. */
export const MAX_TEXT_ANSWER_LENGTH = 500;

export const MAX_TEXTAREA_ANSWER_LENGTH = 5000;

/** Returns the longest answer to a question, in characters. */
export const getMaxAnswerLength = ({ fieldType }: Pick<Question, "fieldType">): number =>
  fieldType === "textarea" ? MAX_TEXTAREA_ANSWER_LENGTH : MAX_TEXT_ANSWER_LENGTH;

/** The shortest time for filling in a form, in milliseconds. Only bots are faster. */
export const MIN_FILLING_TIME_MS = 3000;

/** The message after sending, for a form without its own (specification, section 4.3). */
export const DEFAULT_THANK_YOU_MESSAGE =
  "Your form has been submitted successfully. We'll be in touch soon!";

/** The part of a form field on which the check of an answer depends. */
export interface Question {
  readonly id: string;
  readonly fieldType: FieldType;
  readonly label: string;
  readonly isRequired: boolean;
  readonly options: string;
}

/** An answer: a text, or a list of texts for checkboxes. */
export type Answer = string | string[];

/** Answers by field id. */
export type Answers = Record<string, Answer>;

/** Whether a kind has options: select, radio and checkbox. */
export function hasOptions(type: FieldType): boolean {
  return type === "select" || type === "radio" || type === "checkbox";
}

/** The longest wording that an error message quotes, in characters. */
const MAX_QUOTED_LABEL_LENGTH = 60;

/** The message for a required question without an answer (specification, section 5.3). */
export function createRequiredMessage({
  label,
  fieldType,
}: Pick<Question, "label" | "fieldType">): string {
  if (fieldType !== "consent") return ANSWER_REFUSALS.required.replace("{label}", () => label);
  const wording =
    label.length > MAX_QUOTED_LABEL_LENGTH
      ? `${cutText(label, MAX_QUOTED_LABEL_LENGTH).trimEnd()}…`
      : label;
  return ANSWER_REFUSALS.agree.replace("{label}", () => wording);
}

/** Finds the first required question without an answer, which the Next button reports. */
export function findFirstUnanswered<Q extends Question>(
  questions: readonly Q[],
  input: Readonly<Record<string, unknown>>,
): Q | undefined {
  return questions.find(
    (question) => question.isRequired && isAnswerEmpty(question, getAnswer(question, input)),
  );
}

/** Returns the answer to a question; undefined for an id such as "constructor", which objects inherit. */
export function getAnswer(
  question: Pick<Question, "id">,
  input: Readonly<Record<string, unknown>>,
): unknown {
  return Object.hasOwn(input, question.id) ? input[question.id] : undefined;
}

/** Whether an answer is empty: no text, no ticked box, or only a dial prefix. */
export function isAnswerEmpty(question: Pick<Question, "fieldType">, answer: unknown): boolean {
  if (isEmpty(answer)) return true;
  // Dial prefixes have at most three digits (ITU-T E.164), fewer than any phone number.
  const canBePrefixOnly =
    question.fieldType === "international_phone" && typeof answer === "string";
  return canBePrefixOnly && /^\+\d{1,3}$/.test(removeInvisible(answer).trim());
}

/** Whether a value is an empty text, or a list without texts. */
export function isEmpty(answer: unknown): boolean {
  if (answer === undefined || answer === null) return true;
  if (Array.isArray(answer)) return answer.every(isEmpty);
  return typeof answer === "string" && !VISIBLE_CHARACTER_PATTERN.test(removeInvisible(answer));
}

/** Matches a visible character: neither a space nor an invisible mark, such as a soft hyphen or Braille's blank. */
const VISIBLE_CHARACTER_PATTERN = /[^\s\p{Default_Ignorable_Code_Point}\u2800]/u;
