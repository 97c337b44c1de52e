/** The state of a country search: the typed text, the matching countries, and the active one. */
import { batch, computed, signal } from "@preact/signals-react";
import { useSignals } from "@preact/signals-react/runtime";
import { useState } from "react";
import type { LocalizedCountry } from "./formWords.ts";

export type CountrySearchModule = typeof import("./countrySearch.tsx");

// The matcher is loaded once, for all questions.
const loadedModule = signal<CountrySearchModule | null>(null);

/** Loads the flags and the matcher. Until then, and after a failure, the list shows all countries without flags. */
export function loadCountrySearch(): void {
  if (loadedModule.value) return;
  import("./countrySearch.tsx").then(
    (code) => (loadedModule.value = code),
    () => undefined,
  );
}

/** The state of one country search. `choose` is called with a country's name, or with "" for no country. */
export class CountrySearchState {
  /** The text typed since the last choice; null if none was typed. */
  readonly query = signal<string | null>(null);
  readonly isOpen = signal(false);
  readonly activeIndex = signal(0);
  /** Matcher and flags; null until they are loaded. */
  readonly module = loadedModule;
  readonly matches = computed<readonly LocalizedCountry[]>(() =>
    this.query.value && loadedModule.value
      ? loadedModule.value.searchCountries(this.query.value, this.countries)
      : this.countries,
  );

  constructor(
    readonly countries: readonly LocalizedCountry[],
    private readonly choose: (name: string) => void,
  ) {}

  openAt(chosenName: string): void {
    loadCountrySearch();
    if (this.isOpen.value) return;
    const index = this.matches.value.findIndex(({ name }) => name === chosenName);
    this.activeIndex.value = Math.max(0, index);
    this.isOpen.value = true;
  }

  setQuery(query: string): void {
    loadCountrySearch();
    batch(() => {
      this.query.value = query;
      this.activeIndex.value = 0;
      this.isOpen.value = true;
    });
    if (query === "") this.choose("");
  }

  chooseCountry(country: LocalizedCountry | undefined): void {
    if (!country) return;
    this.choose(country.name);
    this.close();
  }

  moveActiveIndex(step: number): void {
    const count = this.matches.value.length;
    if (count > 0) this.activeIndex.value = (this.activeIndex.value + step + count) % count;
  }

  close(): void {
    this.isOpen.value = false;
    this.query.value = null;
  }

  /** Call on blur: chooses a country whose name was typed in full, and drops other text. */
  commitOnBlur(): void {
    const typedName = this.query.value?.trim().toLowerCase();
    const exactMatch = this.countries.find(({ name, localName }) =>
      [localName, name].some((each) => each.toLowerCase() === typedName),
    );
    if (exactMatch) this.chooseCountry(exactMatch);
    else this.close();
  }
}

/** Returns a search for the calling component, and renders the component again when the search changes. */
export function useCountrySearch(
  countries: readonly LocalizedCountry[],
  choose: (name: string) => void,
): CountrySearchState {
  useSignals();
  const [search] = useState(() => new CountrySearchState(countries, choose));
  return search;
}
