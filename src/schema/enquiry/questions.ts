/** The questions of an enquiry form: their answers, and whether an answer is missing. */
import { cutText } from "../core/boundedUnicode.ts";
import type { FieldType } from "./questionKinds.ts";
import { removeInvisible } from "../core/invisibleCharacters.ts";
import { ANSWER_REFUSALS } from "../core/refusals.ts";

export * from "./questionKinds.ts";

export const MAX_TEXT_ANSWER_LENGTH = 500;
export const MAX_TEXTAREA_ANSWER_LENGTH = 5000;

export const getMaxAnswerLength = ({ fieldType }: Pick<Question, "fieldType">): number =>
  fieldType === "textarea" ? MAX_TEXTAREA_ANSWER_LENGTH : MAX_TEXT_ANSWER_LENGTH;

/** The shortest time for filling in a form, in milliseconds. Faster submissions are refused as those of bots. */
export const MIN_FILLING_TIME_MS = 3000;

/** The message that is shown after sending a form without its own message (specification, section 4.3). */
export const DEFAULT_THANK_YOU_MESSAGE =
  "Your form has been submitted successfully. We'll be in touch soon!";

/** The properties of a form field on which the check of its answer depends. */
export interface Question {
  readonly id: string;
  readonly fieldType: FieldType;
  readonly label: string;
  readonly isRequired: boolean;
  readonly options: string;
}

/** An answer: a text, or the list of checked options. */
export type Answer = string | string[];

/** Answers by field id. */
export type Answers = Record<string, Answer>;

export function hasOptions(type: FieldType): boolean {
  return type === "select" || type === "radio" || type === "checkbox";
}

/** The number of characters of a consent text that an error message quotes. */
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

/** Returns the first required question without an answer. */
export function findFirstUnanswered<Q extends Question>(
  questions: readonly Q[],
  input: Readonly<Record<string, unknown>>,
): Q | undefined {
  return questions.find(
    (question) => question.isRequired && isAnswerEmpty(question, getAnswer(question, input)),
  );
}

/** Returns the answer to a question; undefined without one. Ignores inherited properties such as "constructor". */
export function getAnswer(
  question: Pick<Question, "id">,
  input: Readonly<Record<string, unknown>>,
): unknown {
  return Object.hasOwn(input, question.id) ? input[question.id] : undefined;
}

/** Whether an answer is empty: no text, no checked box, or only a dial prefix. */
export function isAnswerEmpty(question: Pick<Question, "fieldType">, answer: unknown): boolean {
  if (isEmpty(answer)) return true;
  // A dial prefix has at most three digits (ITU-T E.164), fewer than any phone number.
  const canBePrefixOnly =
    question.fieldType === "international_phone" && typeof answer === "string";
  return canBePrefixOnly && /^\+\d{1,3}$/.test(removeInvisible(answer).trim());
}

/** Whether a value is missing, a text without visible characters, or a list of such values. */
export function isEmpty(answer: unknown): boolean {
  if (answer === undefined || answer === null) return true;
  if (Array.isArray(answer)) return answer.every(isEmpty);
  return typeof answer === "string" && !VISIBLE_CHARACTER_PATTERN.test(removeInvisible(answer));
}

/** Matches a visible character. Spaces, invisible marks such as soft hyphens, and the Braille blank don't match. */
const VISIBLE_CHARACTER_PATTERN = /[^\s\p{Default_Ignorable_Code_Point}\u2800]/u;
