/** The countries as options of a native list. They are one HTML string, since components would make typing slow. */
import { useState } from "react";
import type { LocalizedCountry } from "./formWords.ts";

/** The value that is sent, and the text that is shown. */
type Option = readonly [value: string, text: string];

/** Returns the first options and the countries, with `chosenValue` selected. Later choices don't change the HTML. */
export function useCountryOptions(
  countries: readonly LocalizedCountry[],
  chosenValue: string,
  createOption: (country: LocalizedCountry) => Option,
  firstOptions: readonly Option[] = [],
): { readonly __html: string } {
  const [markup] = useState(() => {
    const options = [...firstOptions, ...countries.map(createOption)];
    const optionTags = options.map(([value, text]) => {
      const selected = value === chosenValue ? " selected" : "";
      return `<option value="${escapeHtml(value)}"${selected}>${escapeHtml(text)}</option>`;
    });
    return { __html: optionTags.join("") };
  });
  return markup;
}

const HTML_ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
};

const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (each) => HTML_ENTITIES[each] ?? each);
