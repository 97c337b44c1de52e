/** Which required questions have no answer yet; free of checks, so that visitors load little. */
import type { FieldType } from "./questions.ts";

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

/** The words for a required question without an answer (spec section 5). */
export const requiredWords = (question: Pick<Question, "label">) => `${question.label} is required`;

/** The first required question without an answer, in the order asked: what Next reports. */
export function firstMissing<Q extends Question>(
  questions: readonly Q[],
  data: Readonly<Record<string, unknown>>,
): Q | undefined {
  return questions.find(
    (question) => question.isRequired && isBlank(question, answerTo(question, data)),
  );
}

/** The answer given to a question, if any. */
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
