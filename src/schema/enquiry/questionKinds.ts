/**
 * The kinds of question of an enquiry form. Each is declared once: its name, its input, and the check of an answer.
 * Form, checks, dashboard and messages follow from the declaration (CONTRIBUTING.md, "What to change when").
 */
import type { Country } from "../core/countries.ts";
import { findEmailProblem, extractEmail } from "../core/emailAddress.ts";
import { removeInvisible } from "../core/invisibleCharacters.ts";
import { cleanPhoneInput, splitExtension, splitPrefix } from "../core/phoneParts.ts";
import { ANSWER_REFUSALS } from "../core/refusals.ts";
import { completeUrl, toSafeUrl } from "../core/safeUrl.ts";
import { splitTrimmed } from "../core/splitTrimmed.ts";
import {
  toAscii,
  findAmbiguousReadings,
  isNumber,
  normalizeNumber,
} from "../core/inputNormalization.ts";

interface QuestionKind {
  readonly value: string;
  readonly label: string;
  /** The input of kinds that are answered in one line. Other kinds have a component (site/enquiry/Question.tsx). */
  readonly line?: LineInput;
  /** Normalizes a typed answer whose length was checked. Unreadable text is returned unchanged. */
  readonly normalizeAnswer?: (input: string) => string;
  /** Returns the message for an invalid answer. Empty answers aren't checked. */
  readonly findProblem?: (answer: string, choices: AnswerChoices) => string | undefined;
  /** The required format, instead of `findProblem`. The message shows the example, so it needs no new translation. */
  readonly example?: { readonly pattern: RegExp; readonly example: string };
}

/** The keyboard that a phone shows, and the values that a browser may fill in (WCAG 2.2, 1.3.5). */
interface LineInput {
  readonly type: "text" | "email" | "tel" | "url" | "date";
  readonly inputMode?: "email" | "tel" | "url" | "decimal";
  readonly autoComplete?: "email" | "tel" | "url";
}

/** What an answer may be chosen from: the question's options, or the countries. */
interface AnswerChoices {
  readonly options: string;
  readonly countries: readonly Country[];
}

/** The kinds of question in the order in which the dashboard offers them. */
export const FIELD_TYPES = [
  { value: "text", label: "Text Input", line: { type: "text" } },
  {
    value: "email",
    label: "Email",
    line: { type: "email", inputMode: "email", autoComplete: "email" },
    normalizeAnswer: extractEmail,
    findProblem: findEmailProblem,
  },
  {
    value: "phone",
    label: "Phone",
    line: { type: "tel", inputMode: "tel", autoComplete: "tel" },
    normalizeAnswer: cleanPhoneInput,
    findProblem: (answer) =>
      getMessageIfInvalid(isPhone(splitExtension(answer).number, 3, 20), ANSWER_REFUSALS.phone),
  },
  {
    value: "international_phone",
    label: "International Phone",
    normalizeAnswer: cleanPhoneInput,
    findProblem: (answer, { countries }) =>
      getMessageIfInvalid(isInternational(answer, countries), ANSWER_REFUSALS.internationalPhone),
  },
  {
    value: "country",
    label: "Country Dropdown",
    findProblem: (answer, { countries }) =>
      getMessageIfInvalid(
        countries.some(({ name }) => name === answer),
        ANSWER_REFUSALS.country,
      ),
  },
  { value: "textarea", label: "Text Area" },
  { value: "select", label: "Dropdown", findProblem: (...args) => findChoiceProblem(...args) },
  { value: "radio", label: "Radio Buttons", findProblem: (...args) => findChoiceProblem(...args) },
  // A question with several answers, which are checked one by one (answers.ts).
  { value: "checkbox", label: "Checkboxes" },
  {
    value: "number",
    label: "Number",
    // An input of the type "number" is empty for text that it can't read, such as "10-12".
    line: { type: "text", inputMode: "decimal" },
    normalizeAnswer: normalizeNumber,
    findProblem: (answer) => findNumberProblem(answer),
  },
  {
    value: "date",
    label: "Date",
    line: { type: "date" },
    normalizeAnswer: toAscii,
    findProblem: (answer) => getMessageIfInvalid(isDate(answer), ANSWER_REFUSALS.date),
  },
  {
    value: "link",
    label: "Link",
    line: { type: "url", inputMode: "url", autoComplete: "url" },
    normalizeAnswer: completeUrl,
    findProblem: (answer) => getMessageIfInvalid(isWebAddress(answer), ANSWER_REFUSALS.link),
  },
  {
    value: "consent",
    label: "Consent",
    findProblem: (answer) => getMessageIfInvalid(answer === CONSENT_ANSWER, ANSWER_REFUSALS.choose),
  },
] as const satisfies readonly QuestionKind[];

export type FieldType = (typeof FIELD_TYPES)[number]["value"];

/** The kinds that are answered in one line. */
export type LineType = Extract<(typeof FIELD_TYPES)[number], { readonly line: LineInput }>["value"];

/** Returns the declaration of a kind; undefined for a kind of another release. */
export const findQuestionKind = (type: string): QuestionKind | undefined =>
  FIELD_TYPES.find(({ value }) => value === type);

/** Normalizes an answer to a question of this kind. */
export const normalizeAnswer = (type: string, answer: string): string =>
  findQuestionKind(type)?.normalizeAnswer?.(answer) ?? answer;

/** Returns the message for an invalid answer; undefined for a valid one. */
export function findAnswerProblem(
  type: string,
  answer: string,
  choices: AnswerChoices,
): string | undefined {
  const { findProblem, example } = findQuestionKind(type) ?? {};
  if (!example || example.pattern.test(answer)) return findProblem?.(answer, choices);
  return ANSWER_REFUSALS.format.replace("{example}", () => example.example);
}

/** The stored answer of a ticked consent box. The wording is stored as the question's label. */
export const CONSENT_ANSWER = "Agreed";

/** Splits typed options at commas or line breaks into trimmed, non-empty options (specification, section 3.11). */
export const parseOptions = (options: string): string[] =>
  splitTrimmed(removeInvisible(options), /[,\n]/);

const getMessageIfInvalid = (isValid: boolean, message: string) => (isValid ? undefined : message);

const findChoiceProblem = (answer: string, { options }: AnswerChoices) =>
  getMessageIfInvalid(parseOptions(options).includes(answer), ANSWER_REFUSALS.choose);

const PHONE_PATTERN = /^\(?\+?[\d\s().\-/·•'’]+$/;
const DATE_PATTERN = /^(?:19|20)\d\d-\d\d-\d\d$/;

function findNumberProblem(text: string): string | undefined {
  const readings = findAmbiguousReadings(text);
  if (readings === undefined) return getMessageIfInvalid(isNumber(text), ANSWER_REFUSALS.number);
  return ANSWER_REFUSALS.ambiguousNumber.replace("{readings}", () => readings);
}

/** Whether a text is an existing date as browsers send it; February 30 doesn't exist. */
function isDate(text: string): boolean {
  const date = new Date(DATE_PATTERN.test(text) ? `${text}T00:00Z` : Number.NaN);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

/** Whether a text is a safe http or https URL. */
const isWebAddress = (text: string): boolean =>
  /^https?:/i.test(text) && toSafeUrl(text) !== undefined;

function isInternational(text: string, countries: readonly Country[]): boolean {
  const parts = splitPrefix(splitExtension(text).number, countries);
  return parts !== undefined && isPhone(parts.number, 4, 15);
}

/** Whether a text has `min` to `max` digits, and otherwise only characters of phone numbers. */
function isPhone(text: string, min: number, max: number): boolean {
  const count = text.replace(/\D/g, "").length;
  return PHONE_PATTERN.test(text) && count >= min && count <= max;
}
