/**
 * The countries as the options of a native list, in one piece of markup: as components each of them would be brought
 * to life with the form, and compared at every key that is pressed.
 */
import { useState } from "react";
import type { NamedCountry } from "./formWords.ts";

/** An option: what is sent, and what is read. */
type Option = readonly [value: string, text: string];

/**
 * What stands in the list from the beginning, for `dangerouslySetInnerHTML`; `chosen` is the value that a page
 * without scripts shows, `first` an option before the countries. Later choices are the list's own `value`.
 */
export function useCountryOptions(
  countries: readonly NamedCountry[],
  chosen: string,
  optionOf: (country: NamedCountry) => Option,
  first: readonly Option[] = [],
): { readonly __html: string } {
  const [markup] = useState(() => {
    const options = [...first, ...countries.map(optionOf)];
    const marks = options.map(([value, text]) => {
      const selected = value === chosen ? " selected" : "";
      const sent = value === text ? "" : ` value="${escaped(value)}"`;
      return `<option${sent}${selected}>${escaped(text)}</option>`;
    });
    return { __html: marks.join("") };
  });
  return markup;
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
};

const escaped = (text: string) => text.replace(/[&<>"]/g, (each) => ENTITIES[each] ?? each);
