/** What a country search holds: the words typed, the countries found, the one pointed at. */
import { batch, computed, signal } from "@preact/signals-react";
import { COUNTRIES, type Country } from "../../../../schema/countries.ts";

type Search = typeof import("./countrySearch.tsx");

/** The state of one country search. */
export type CountryBox = ReturnType<typeof createCountryBox>;

// One for all questions: it is loaded once.
const search = signal<Search | null>(null);

/** Fetches flags and matcher, ahead of the list; without them the list has neither. */
export function loadCountrySearch(): void {
  if (search.value) return;
  import("./countrySearch.tsx").then(
    (loaded) => (search.value = loaded),
    () => undefined,
  );
}

/** Makes a closed search; `choose` takes a country's name, or "" for none. */
export function createCountryBox(choose: (name: string) => void) {
  /** The words typed since the last choice, or null. */
  const query = signal<string | null>(null);
  const open = signal(false);
  const active = signal(0);
  const found = computed<readonly Country[]>(() =>
    query.value && search.value ? search.value.searchCountries(query.value) : COUNTRIES,
  );

  function show(chosen: string): void {
    loadCountrySearch();
    if (open.value) return;
    active.value = Math.max(
      0,
      found.value.findIndex(({ name }) => name === chosen),
    );
    open.value = true;
  }

  function type(words: string): void {
    loadCountrySearch();
    batch(() => {
      query.value = words;
      active.value = 0;
      open.value = true;
    });
    if (words === "") choose("");
  }

  function pick(country: Country | undefined): void {
    if (!country) return;
    choose(country.name);
    close();
  }

  function move(by: number): void {
    const count = found.value.length;
    if (count > 0) active.value = (active.value + by + count) % count;
  }

  function close(): void {
    open.value = false;
    query.value = null;
  }

  /** Leaving the input takes a name typed in full; other words are dropped. */
  function leave(): void {
    const words = query.value?.trim().toLowerCase();
    const exact = COUNTRIES.find(({ name }) => name.toLowerCase() === words);
    if (exact) pick(exact);
    else close();
  }

  return { query, open, active, found, search, show, type, pick, move, close, leave };
}
