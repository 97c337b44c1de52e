/** A phone number with the prefix of its country (spec section 5). */
import { useSignals } from "@preact/signals-react/runtime";
import {
  COUNTRIES,
  DEFAULT_DIAL_COUNTRY,
  dialCountryOf,
  dialOf,
} from "../../../../schema/countries.ts";
import { MAX_TEXT_ANSWER } from "../../../../schema/questions.ts";
import type { EnquiryState } from "../enquiryState.ts";
import { type AnswerProps, textOf } from "./answerProps.ts";

/** Renders a list of prefixes and the number; the answer is both joined. */
export function InternationalPhone({ field, state, control, ready }: AnswerProps) {
  useSignals();
  const { code, dial, number } = partsOf(state, field.id);
  return (
    <div className="phone" data-ready={ready || undefined}>
      <span className="phone-prefix">
        {ready && <span aria-hidden="true">{`${code} ${dial}`}</span>}
        <select
          name={`prefix:${field.id}`}
          aria-label="Dial prefix"
          autoComplete="tel-country-code"
          value={code}
          onChange={(event) => answer(state, field.id, event.target.value, number)}
        >
          {COUNTRIES.map((country) => (
            <option key={country.code} value={country.code}>
              {`${country.name} (${country.dial})`}
            </option>
          ))}
        </select>
      </span>
      <input
        {...control}
        className="answer"
        data-answer
        type="tel"
        inputMode="tel"
        autoComplete="tel-national"
        placeholder={field.placeholder || undefined}
        maxLength={MAX_TEXT_ANSWER}
        value={number}
        onChange={(event) => type(state, field.id, code, event.target.value)}
      />
    </div>
  );
}

function partsOf(state: EnquiryState, id: string) {
  const given = textOf(state, id);
  const chosen = state.dialCountries.value[id] ?? dialCountryOf(given)?.code;
  const code = chosen ?? DEFAULT_DIAL_COUNTRY;
  const dial = dialOf(code) ?? "";
  return { code, dial, number: given.startsWith(dial) ? given.slice(dial.length) : given };
}

/** A number typed or pasted with its own prefix chooses the country. */
function type(state: EnquiryState, id: string, code: string, typed: string): void {
  if (!typed.startsWith("+")) return answer(state, id, code, typed);
  const country = typed.startsWith(dialOf(code) ?? "") ? code : dialCountryOf(typed)?.code;
  if (country === undefined) return state.answer(id, typed);
  answer(state, id, country, typed.slice(dialOf(country)!.length).trimStart());
}

function answer(state: EnquiryState, id: string, code: string, number: string): void {
  state.dialCountries.value = { ...state.dialCountries.value, [id]: code };
  state.answer(id, number === "" ? "" : `${dialOf(code) ?? ""}${number}`);
}
