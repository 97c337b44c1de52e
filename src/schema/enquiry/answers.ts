/** Checks the answers to an enquiry form, on the page and on the server. */
import type { Country } from "../core/countries.ts";
import { createTooLongMessage } from "../core/formatNumber.ts";
import {
  removeInvisible,
  hasControlCharacters,
  CONTROL_CHARACTERS_MESSAGE,
} from "../core/invisibleCharacters.ts";
import { ANSWER_REFUSALS } from "../core/refusals.ts";
import {
  type Answer,
  type Answers,
  getAnswer,
  findAnswerProblem,
  findFirstUnanswered,
  isAnswerEmpty,
  isEmpty,
  getMaxAnswerLength,
  parseOptions,
  type Question,
  normalizeAnswer,
  createRequiredMessage,
} from "./questions.ts";

export * from "./questions.ts";

/** The result of a check: the answers to store, or the messages by field id. `error` is the first message. */
export type CheckedAnswers =
  | { readonly ok: true; readonly answers: Answers }
  | { readonly ok: false; readonly error: string; readonly fields: Record<string, string> };

interface AnswerProblem {
  readonly id: string;
  readonly message: string;
}

/**
 * Returns the problem that the Next button reports on a step (specification, section 5.3): the first required question
 * without an answer, else the first invalid answer.
 */
export function findFirstProblem(
  questions: readonly Question[],
  input: Readonly<Record<string, unknown>>,
  countries: readonly Country[],
): AnswerProblem | undefined {
  const missing = findFirstUnanswered(questions, input);
  if (missing) return { id: missing.id, message: createRequiredMessage(missing) };
  const answers = Object.fromEntries(questions.map(({ id }) => [id, getAnswer({ id }, input)]));
  const checked = checkAnswers(questions, answers, countries);
  const [invalid] = checked.ok ? [] : Object.entries(checked.fields);
  return invalid && { id: invalid[0], message: invalid[1] };
}

const MAX_CHECKED_BOXES = 50;

/** The message for an answer to a question that the form doesn't have. */
export const FORM_CHANGED_MESSAGE = ANSWER_REFUSALS.formChanged;

/** Checks every answer against its question. Omits empty answers to optional questions, and refuses unknown answers. */
export function checkAnswers(
  questions: readonly Question[],
  input: Readonly<Record<string, unknown>>,
  countries: readonly Country[],
): CheckedAnswers {
  const answers: Answers = {};
  const missing: Record<string, string> = {};
  const invalid: Record<string, string> = findUnknownAnswers(questions, input);
  for (const question of questions) {
    const answer = getAnswer(question, input);
    if (isAnswerEmpty(question, answer)) {
      if (question.isRequired) missing[question.id] = createRequiredMessage(question);
      continue;
    }
    const checked = checkAnswer(question, answer, countries);
    if ("message" in checked) invalid[question.id] = checked.message;
    else answers[question.id] = checked.answer;
  }
  const fields = { ...missing, ...invalid };
  const error = Object.values(fields)[0];
  return error === undefined ? { ok: true, answers } : { ok: false, error, fields };
}

function findUnknownAnswers(
  questions: readonly Question[],
  input: Readonly<Record<string, unknown>>,
): Record<string, string> {
  const questionIds = new Set(questions.map((question) => question.id));
  const unknownIds = Object.keys(input).filter((id) => !questionIds.has(id) && !isEmpty(input[id]));
  // The empty key stands for the whole form, since the response must not contain ids from the request.
  return unknownIds.length > 0 ? { "": FORM_CHANGED_MESSAGE } : {};
}

type AnswerOutcome = { readonly answer: Answer } | { readonly message: string };

function checkAnswer(
  question: Question,
  value: unknown,
  countries: readonly Country[],
): AnswerOutcome {
  if (question.fieldType === "checkbox") return checkChosenOptions(question, value);
  if (typeof value !== "string") return { message: "This must be text." };
  const text = sanitizeAnswer(value);
  const { fieldType, options } = question;
  const lengthProblem = findAnswerLengthProblem(question, text);
  if (lengthProblem !== undefined) return { message: lengthProblem };
  const answer = normalizeAnswer(fieldType, text);
  const message = findAnswerProblem(fieldType, answer, { options, countries });
  return message === undefined ? { answer } : { message };
}

/** Returns a text without invisible characters, as it is stored. Any other value is returned unchanged. */
export function sanitizeAnswer<T>(answer: T): T | string {
  return typeof answer === "string" ? removeInvisible(answer).trim() : answer;
}

function checkChosenOptions(question: Question, answer: unknown): AnswerOutcome {
  if (!Array.isArray(answer) || !answer.every((each) => typeof each === "string"))
    return { message: "This must be a list of options." };
  const chosen = [...new Set(answer.map(sanitizeAnswer))].filter((each) => each !== "");
  if (chosen.length > MAX_CHECKED_BOXES)
    return { message: ANSWER_REFUSALS.chosenTooMany.replace("{most}", String(MAX_CHECKED_BOXES)) };
  const allowedOptions = new Set(parseOptions(question.options));
  return chosen.every((each) => allowedOptions.has(each))
    ? { answer: chosen }
    : { message: ANSWER_REFUSALS.chooseSome };
}

function findAnswerLengthProblem(question: Question, text: string): string | undefined {
  const maxLength = getMaxAnswerLength(question);
  if (text.length > maxLength) return createTooLongMessage(maxLength);
  return hasControlCharacters(text) ? CONTROL_CHARACTERS_MESSAGE : undefined;
}
