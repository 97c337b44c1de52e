/** Generates the country list from the phone library's metadata and the runtime's country names. */
import { getCountries, getCountryCallingCode } from "libphonenumber-js/min";

const OUTPUT_URL = new URL("../schema/core/countryTable.ts", import.meta.url);
const MAX_LINE_LENGTH = 95;

/** Returns the source of `src/schema/core/countryTable.ts`. A test compares it with the committed file. */
export function createCountryTableSource(): string {
  return [
    "/** Every country as code, dial prefix and name. Written by `bun src/build/countries.ts`. */",
    "export const COUNTRY_TABLE = `",
    ...wrapLines(listSortedEntries()),
    "`;",
    "",
  ].join("\n");
}

function listSortedEntries(): string[] {
  const names = new Intl.DisplayNames("en", { type: "region" });
  const collator = new Intl.Collator("en");
  return getCountries()
    .map((code) => ({ code, dial: getCountryCallingCode(code), name: names.of(code) ?? code }))
    .sort((a, b) => collator.compare(a.name, b.name))
    .map(({ code, dial, name }) => `${code}${dial}${name}`);
}

function wrapLines(entries: string[]): string[] {
  const lines: string[] = [];
  for (const entry of entries) {
    const lastLine = lines.at(-1);
    if (lastLine === undefined || lastLine.length + entry.length + 1 > MAX_LINE_LENGTH)
      lines.push(`${entry};`);
    else lines[lines.length - 1] = `${lastLine}${entry};`;
  }
  return lines;
}

if (import.meta.main) await Bun.write(OUTPUT_URL, createCountryTableSource());
