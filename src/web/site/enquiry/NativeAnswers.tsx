/** Answers with native inputs: text, lists, checkboxes, phone numbers. */
import type { ChangeEvent, ComponentProps, InputHTMLAttributes } from "react";
import { COUNTRIES, DEFAULT_DIAL_COUNTRY, findDialPrefix } from "../../../schema/core/countries.ts";
import type { EnquiryField } from "../../../schema/enquiry/enquiry.ts";
import { findDialCountry, cleanPhoneInput, splitPrefix } from "../../../schema/core/phoneParts.ts";
import {
  CONSENT_ANSWER,
  findQuestionKind,
  parseOptions,
} from "../../../schema/enquiry/questions.ts";
import { type AnswerProps, readListAnswer, readTextAnswer } from "./answerProps.ts";
import { useCountryOptions } from "./countryOptions.ts";
import type { EnquiryState } from "./enquiryState.ts";
import { getCountries, type FormWords, useFormWords } from "./formWords.ts";
import { useEnquiryState } from "./useEnquiry.ts";

export function TextAnswer(props: AnswerProps) {
  const { field } = props;
  const state = useEnquiryState();
  return (
    <input
      {...useValueProps(props)}
      {...findInputHints(field)}
      placeholder={field.placeholder || undefined}
      onBlur={() => state.normalizeAnswer(field)}
    />
  );
}

/** An answer of several lines, four rows high (specification, section 5.3). */
export function LongTextAnswer(props: AnswerProps) {
  const placeholder = props.field.placeholder || undefined;
  return <textarea {...useValueProps(props)} rows={4} placeholder={placeholder} />;
}

/** Returns the attributes of an input whose value is the whole answer. */
function useValueProps({ field, control }: AnswerProps) {
  const state = useEnquiryState();
  return {
    ...control,
    className: "answer",
    "data-answer": true,
    value: readTextAnswer(state, field.id),
    onChange: ({ target }: ChangeEvent<{ value: string } & Element>) =>
      state.setAnswer(field.id, target.value),
  };
}

type InputHints = Pick<
  InputHTMLAttributes<HTMLInputElement>,
  "type" | "inputMode" | "autoComplete"
>;

/** Returns attributes that help browsers fill in an answer, by the question's kind, or by the words in its label. */
function findInputHints({
  fieldType,
  label,
}: Pick<EnquiryField, "fieldType" | "label">): InputHints {
  const { line = { type: "text" } } = findQuestionKind(fieldType) ?? {};
  const purpose =
    fieldType === "text" && AUTOCOMPLETE_PATTERNS.find(([pattern]) => pattern.test(label))?.[1];
  return purpose ? { ...line, autoComplete: purpose } : line;
}

/** Autocomplete values by words in a question's label. */
const AUTOCOMPLETE_PATTERNS: readonly (readonly [RegExp, string])[] = [
  [/\b(first|given) name\b/i, "given-name"],
  [/\b(last|family) name\b|\bsurname\b/i, "family-name"],
  [/^(your |full )*name\b/i, "name"],
  [/\b(post ?code|zip)\b/i, "postal-code"],
  [/\b(city|town)\b/i, "address-level2"],
  [/\b(company|organi[sz]ation)\b/i, "organization"],
];

export function SelectAnswer(props: AnswerProps) {
  const formWords = useFormWords();
  return (
    <NativeSelect {...props}>
      <option value="" lang={props.field.placeholder ? undefined : formWords.lang}>
        {getPlaceholder(props, formWords)}
      </option>
      {parseOptions(props.field.options).map((option) => (
        // Without `value`, the form would send the option's translated text when a browser translates the page.
        <option key={option} value={option}>
          {option}
        </option>
      ))}
    </NativeSelect>
  );
}

export function NativeCountryAnswer(props: AnswerProps) {
  const { field } = props;
  const state = useEnquiryState();
  const formWords = useFormWords();
  const options = useCountryOptions(
    getCountries(formWords),
    readTextAnswer(state, field.id),
    ({ name, localName }) => [name, localName],
    [["", getPlaceholder(props, formWords)]],
  );
  return <NativeSelect {...props} lang={formWords.lang} dangerouslySetInnerHTML={options} />;
}

const getPlaceholder = ({ field }: AnswerProps, { form }: FormWords) =>
  field.placeholder || form.selectOption;

type NativeSelectProps = AnswerProps &
  Pick<ComponentProps<"select">, "children" | "dangerouslySetInnerHTML" | "lang">;

function NativeSelect(props: NativeSelectProps) {
  const { field: _, control: __, isReady: ___, ...selectProps } = props;
  return <select {...useValueProps(props)} {...selectProps} />;
}

export function ConsentAnswer({ field, control }: AnswerProps) {
  const state = useEnquiryState();
  const { form: words, lang } = useFormWords();
  return (
    <label className="choice">
      <input
        {...control}
        type="checkbox"
        value={CONSENT_ANSWER}
        data-answer
        checked={readTextAnswer(state, field.id) === CONSENT_ANSWER}
        onChange={({ target }) => state.setAnswer(field.id, target.checked ? CONSENT_ANSWER : "")}
      />
      <span>
        <ConsentText text={field.label} />
        {field.isRequired && (
          <span className="question-note" lang={lang}>{` ${words.requiredNote}`}</span>
        )}
      </span>
    </label>
  );
}

/** Matches a path of the site in a text, such as /privacy-policy. */
const PATH_PATTERN = /((?<!\S)\/[a-z\d-]{1,60}(?![\w/-]))/;

/** A text with its paths as links, which open in a new tab so that the form stays open. */
function ConsentText({ text }: { readonly text: string }) {
  return text.split(PATH_PATTERN).map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      <a key={index} href={part} target="_blank" rel="noopener">
        {part}
      </a>
    ),
  );
}

export function ChoiceInputs({ field, control }: AnswerProps) {
  const state = useEnquiryState();
  const isMultiple = field.fieldType === "checkbox";
  const offeredOptions = parseOptions(field.options);
  // Stored choices that are no longer offered are dropped, since the visitor couldn't deselect them.
  const chosenOptions = (
    isMultiple ? readListAnswer(state, field.id) : [readTextAnswer(state, field.id)]
  ).filter((each) => offeredOptions.includes(each));
  const choose = (option: string, isChecked: boolean) =>
    state.setAnswer(field.id, isMultiple ? toggleOption(chosenOptions, option, isChecked) : option);
  // The inputs don't get `aria-required`, since only the group must have an answer.
  const { "aria-required": _, id, ...inputProps } = control;
  return (
    <div className="choices">
      {offeredOptions.map((option, index) => (
        <label key={option} className="choice">
          <input
            {...inputProps}
            type={isMultiple ? "checkbox" : "radio"}
            id={index === 0 ? id : undefined}
            value={option}
            data-answer={index === 0 || undefined}
            checked={chosenOptions.includes(option)}
            onChange={(event) => choose(option, event.target.checked)}
          />
          <span>{option}</span>
        </label>
      ))}
    </div>
  );
}

function toggleOption(
  chosenOptions: readonly string[],
  option: string,
  isChecked: boolean,
): string[] {
  const others = chosenOptions.filter((each) => each !== option);
  return isChecked ? [...others, option] : others;
}

/** A list of dial prefixes and an input for the number, joined in the answer (specification, section 5.3). */
export function InternationalPhone({ field, control, isReady }: AnswerProps) {
  const state = useEnquiryState();
  const { code, dial: dialPrefix, number } = splitPhone(state, field.id);
  const formWords = useFormWords();
  const options = useCountryOptions(getCountries(formWords), code, (each) => [
    each.code,
    `${each.localName} (${each.dial})`,
  ]);
  return (
    <div className="phone" data-ready={isReady || undefined}>
      <span className="phone-prefix">
        <span aria-hidden="true">{`${code} ${dialPrefix}`}</span>
        <select
          name={`prefix:${field.id}`}
          lang={formWords.lang}
          aria-label={formWords.form.dialPrefix}
          autoComplete="tel-country-code"
          value={code}
          onChange={(event) => storePhone(state, field.id, event.target.value, number)}
          dangerouslySetInnerHTML={options}
        />
      </span>
      <input
        {...control}
        className="answer"
        data-answer
        type="text"
        inputMode="tel"
        autoComplete="tel-national"
        placeholder={field.placeholder || undefined}
        value={number}
        onChange={(event) => handlePhoneInput(state, field.id, code, event.target.value)}
      />
    </div>
  );
}

function splitPhone(state: EnquiryState, id: string) {
  const text = readTextAnswer(state, id);
  const chosenCode = state.dialCountries.value[id] ?? findDialCountry(text, COUNTRIES)?.code;
  const code = chosenCode ?? DEFAULT_DIAL_COUNTRY;
  const dialPrefix = findDialPrefix(code) ?? "";
  const number = text.startsWith(dialPrefix) ? text.slice(dialPrefix.length).trimStart() : text;
  return { code, dial: dialPrefix, number };
}

/** Stores the number. A number with a prefix also chooses the prefix's country. The server checks the number. */
function handlePhoneInput(state: EnquiryState, id: string, code: string, input: string): void {
  const split = splitPrefix(cleanPhoneInput(input), COUNTRIES);
  if (!split)
    return input.startsWith("+") ? state.setAnswer(id, input) : storePhone(state, id, code, input);
  const { country, number } = split;
  storePhone(state, id, findDialPrefix(code) === country.dial ? code : country.code, number);
}

function storePhone(state: EnquiryState, id: string, code: string, number: string): void {
  state.dialCountries.value = { ...state.dialCountries.value, [id]: code };
  state.setAnswer(id, number.trim() === "" ? "" : `${findDialPrefix(code) ?? ""}${number}`);
}
