/** The country list's matcher and flags; loaded with the list only. */
import * as flags from "country-flag-icons/string/3x2";
import { go } from "fuzzysort";
import { COUNTRIES, type Country } from "../../../schema/countries.ts";

/** What else people call some countries. */
const ALSO: Readonly<Record<string, readonly string[]>> = {
  AE: ["UAE"],
  CD: ["DRC"],
  CI: ["Ivory Coast"],
  CZ: ["Czech Republic"],
  GB: ["UK", "Great Britain", "England", "Scotland", "Wales"],
  MM: ["Burma"],
  NL: ["Holland"],
  TR: ["Turkey"],
  US: ["USA", "America"],
};

const ENTRIES = COUNTRIES.flatMap((country) =>
  [country.name, country.code, ...(ALSO[country.code] ?? [])].map((called) => ({
    country,
    called,
  })),
);

/** Countries that fit the words, the best first; all of them for no words. */
export function searchCountries(words: string): readonly Country[] {
  if (words.trim() === "") return COUNTRIES;
  const found = go(words.trim(), ENTRIES, { key: "called", threshold: 0.3 });
  return [...new Set(found.map(({ obj }) => obj.country))];
}

const PICTURES = flags as Readonly<Record<string, string>>;

/** The flag of a code, as a picture of its own: names inside of flags may clash on a page. */
export function Flag({ code }: { code: string }) {
  const svg = PICTURES[code];
  if (svg === undefined) return <span className="flag" />;
  const source = `data:image/svg+xml,${encodeURIComponent(svg)}`;
  return <img className="flag" src={source} alt="" width={24} height={16} loading="lazy" />;
}
