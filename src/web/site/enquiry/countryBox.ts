/** What a country search holds: the words typed, the countries found, the one pointed at. */
import { batch, computed, signal } from "@preact/signals-react";
import type { NamedCountry } from "./formWords.ts";

type Search = typeof import("./countrySearch.tsx");

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

/** The state of one country search; `choose` takes a country's name, or "" for none. */
export class CountryBox {
  /** The words typed since the last choice, or null. */
  readonly query = signal<string | null>(null);
  readonly open = signal(false);
  readonly active = signal(0);
  /** Matcher and flags, once they are there. */
  readonly search = search;
  readonly found = computed<readonly NamedCountry[]>(() =>
    this.query.value && search.value
      ? search.value.searchCountries(this.query.value, this.countries)
      : this.countries,
  );

  constructor(
    private readonly countries: readonly NamedCountry[],
    private readonly choose: (name: string) => void,
  ) {}

  /** Opens the list at the country chosen. */
  show(chosen: string): void {
    loadCountrySearch();
    if (this.open.value) return;
    const at = this.found.value.findIndex(({ name }) => name === chosen);
    this.active.value = Math.max(0, at);
    this.open.value = true;
  }

  type(words: string): void {
    loadCountrySearch();
    batch(() => {
      this.query.value = words;
      this.active.value = 0;
      this.open.value = true;
    });
    if (words === "") this.choose("");
  }

  pick(country: NamedCountry | undefined): void {
    if (!country) return;
    this.choose(country.name);
    this.close();
  }

  move(by: number): void {
    const count = this.found.value.length;
    if (count > 0) this.active.value = (this.active.value + by + count) % count;
  }

  close(): void {
    this.open.value = false;
    this.query.value = null;
  }

  /** Leaving the input takes a name typed in full; other words are dropped. */
  leave(): void {
    const words = this.query.value?.trim().toLowerCase();
    const exact = this.countries.find(({ name, shown }) =>
      [shown, name].some((each) => each.toLowerCase() === words),
    );
    if (exact) this.pick(exact);
    else this.close();
  }
}
