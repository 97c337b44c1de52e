/** The matcher and the flags of the country list, loaded only when a list is used. */
import * as flags from "country-flag-icons/string/3x2";
import { go } from "fuzzysort";
import type { LocalizedCountry } from "./formWords.ts";

/** Other names of some countries. */
const OTHER_COUNTRY_NAMES: Readonly<Record<string, readonly string[]>> = {
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

const createSearchIndex = (countries: readonly LocalizedCountry[]) =>
  countries.flatMap((country) => {
    const { localName, name, code } = country;
    return [...new Set([localName, name, code, ...(OTHER_COUNTRY_NAMES[code] ?? [])])].map(
      (searchName) => ({
        country,
        searchName,
      }),
    );
  });

/** The index of the last searched list. A page has one language and thus one list. */
let searchIndex:
  | { countries: readonly LocalizedCountry[]; entries: ReturnType<typeof createSearchIndex> }
  | undefined;

/** Returns the countries that match a query, best first; all countries for an empty query. */
export function searchCountries(
  query: string,
  countries: readonly LocalizedCountry[],
): readonly LocalizedCountry[] {
  if (query.trim() === "") return countries;
  if (searchIndex?.countries !== countries)
    searchIndex = { countries, entries: createSearchIndex(countries) };
  // The names in the index have "&" instead of "and", and abbreviations without full stops.
  const searchText = query
    .trim()
    .replaceAll(".", "")
    .replace(/ and( |$)/i, " &$1");
  const matches = go(searchText, searchIndex.entries, { key: "searchName", threshold: 0.3 });
  return [...new Set(matches.map(({ obj }) => obj.country))];
}

const FLAG_URLS = flags as Readonly<Record<string, string>>;

/** A flag as a separate image, since the ids in several inline flags could clash. */
export function Flag({ code }: { code: string }) {
  const svg = FLAG_URLS[code];
  if (svg === undefined) return <span className="flag" />;
  const source = `data:image/svg+xml,${encodeURIComponent(svg)}`;
  return <img className="flag" src={source} alt="" width={24} height={16} loading="lazy" />;
}
