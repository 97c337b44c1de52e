/** A country of the list: searchable with scripts, a native list without. */
import { COUNTRIES } from "../../../../schema/countries.ts";
import type { AnswerProps } from "./answerProps.ts";
import { CountryCombobox } from "./CountryCombobox.tsx";
import { OptionList } from "./SelectAnswer.tsx";

const NAMES = COUNTRIES.map((country) => country.name);

/** Renders the question's input; the answer is the country's name (spec section 5). */
export function CountryAnswer(props: AnswerProps) {
  return props.ready ? <CountryCombobox {...props} /> : <OptionList {...props} options={NAMES} />;
}
