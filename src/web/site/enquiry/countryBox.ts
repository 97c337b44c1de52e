/** The state of a country search: text typed, countries found, the active one. */
import { batch, computed, signal } from "@preact/signals-react";
import { useSignals } from "@preact/signals-react/runtime";
import { useState } from "react";
import type { NamedCountry } from "./formWords.ts";

export type Search = typeof import("./countrySearch.tsx");

// Shared by all questions: it is loaded once.
const search = signal<Search | null>(null);

/** Preloads flags and matcher; the list works without them. */
export function loadCountrySearch(): void {
  if (search.value) return;
  import("./countrySearch.tsx").then(
    (loaded) => (search.value = loaded),
    () => undefined,
  );
}

/** One country search; `choose` takes a country's name, or "" for none. */
export class CountryBox {
  /** Text typed since the last choice, or null. */
  readonly query = signal<string | null>(null);
  readonly open = signal(false);
  readonly active = signal(0);
  /** Matcher and flags, once loaded. */
  readonly search = search;
  readonly matches = computed<readonly NamedCountry[]>(() =>
    this.query.value && search.value
      ? search.value.searchCountries(this.query.value, this.countries)
      : this.countries,
  );

  constructor(
    readonly countries: readonly NamedCountry[],
    private readonly choose: (name: string) => void,
  ) {}

  /** Opens the list at the chosen country. */
  show(chosen: string): void {
    loadCountrySearch();
    if (this.open.value) return;
    const at = this.matches.value.findIndex(({ name }) => name === chosen);
    this.active.value = Math.max(0, at);
    this.open.value = true;
  }

  type(query: string): void {
    loadCountrySearch();
    batch(() => {
      this.query.value = query;
      this.active.value = 0;
      this.open.value = true;
    });
    if (query === "") this.choose("");
  }

  pick(country: NamedCountry | undefined): void {
    if (!country) return;
    this.choose(country.name);
    this.close();
  }

  move(by: number): void {
    const count = this.matches.value.length;
    if (count > 0) this.active.value = (this.active.value + by + count) % count;
  }

  close(): void {
    this.open.value = false;
    this.query.value = null;
  }

  /** On blur, takes a name typed in full and drops other text. */
  leave(): void {
    const typed = this.query.value?.trim().toLowerCase();
    const exact = this.countries.find(({ name, shown }) =>
      [shown, name].some((each) => each.toLowerCase() === typed),
    );
    if (exact) this.pick(exact);
    else this.close();
  }
}

/** A component's own search; it is rendered again when that changes. */
export function useCountryBox(
  countries: readonly NamedCountry[],
  choose: (name: string) => void,
): CountryBox {
  useSignals();
  const [box] = useState(() => new CountryBox(countries, choose));
  return box;
}
