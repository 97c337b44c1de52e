/**
 * The kinds of question of an enquiry form, each with its name, its input and the check of an answer. The form, the
 * checks, the dashboard and the messages are derived from them (CONTRIBUTING.md, "What to change when").
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
  /** The input of a kind that is answered in one line. Other kinds have a component (site/enquiry/Question.tsx). */
  readonly line?: LineInput;
  /** Returns a typed answer in normalized form. Callers check the length of the answer first. */
  readonly normalizeAnswer?: (input: string) => string;
  /** Returns the message for an invalid answer; undefined for a valid one. Never called with an empty answer. */
  readonly findProblem?: (answer: string, choices: AnswerChoices) => string | undefined;
  /** The required format, checked before `findProblem`. The message for any other format quotes `example`. */
  readonly example?: { readonly pattern: RegExp; readonly example: string };
}

/** The attributes of an `input`, for a phone's keyboard and the browser's autofill (WCAG 2.2, 1.3.5). */
interface LineInput {
  readonly type: "text" | "email" | "tel" | "url" | "date";
  readonly inputMode?: "email" | "tel" | "url" | "decimal";
  readonly autoComplete?: "email" | "tel" | "url";
}

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
  // The checked boxes are a list of texts, which answers.ts compares with the options.
  { value: "checkbox", label: "Checkboxes" },
  {
    value: "number",
    label: "Number",
    // Not an input of the type "number", which returns an empty text for anything that isn't a number, such as "10-12".
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

export type LineType = Extract<(typeof FIELD_TYPES)[number], { readonly line: LineInput }>["value"];

/** Returns the declaration of a kind; undefined for a kind that this release doesn't know. */
export const findQuestionKind = (type: string): QuestionKind | undefined =>
  FIELD_TYPES.find(({ value }) => value === type);

export const normalizeAnswer = (type: string, answer: string): string =>
  findQuestionKind(type)?.normalizeAnswer?.(answer) ?? answer;

export function findAnswerProblem(
  type: string,
  answer: string,
  choices: AnswerChoices,
): string | undefined {
  const { findProblem, example } = findQuestionKind(type) ?? {};
  if (!example || example.pattern.test(answer)) return findProblem?.(answer, choices);
  return ANSWER_REFUSALS.format.replace("{example}", () => example.example);
}

/** The stored answer of a checked consent box. The consent text itself is stored as the question's label. */
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

/** Whether a text is an existing day as browsers send it, such as 2027-03-14. False for February 30. */
function isDate(text: string): boolean {
  const date = new Date(DATE_PATTERN.test(text) ? `${text}T00:00Z` : Number.NaN);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

const isWebAddress = (text: string): boolean =>
  /^https?:/i.test(text) && toSafeUrl(text) !== undefined;

function isInternational(text: string, countries: readonly Country[]): boolean {
  const parts = splitPrefix(splitExtension(text).number, countries);
  return parts !== undefined && isPhone(parts.number, 4, 15);
}

/** Whether a text has `min` to `max` digits and only characters that occur in phone numbers. */
function isPhone(text: string, min: number, max: number): boolean {
  const count = text.replace(/\D/g, "").length;
  return PHONE_PATTERN.test(text) && count >= min && count <= max;
}
