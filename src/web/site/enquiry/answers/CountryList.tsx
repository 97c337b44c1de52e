/** The list under the country search. Keys are the input's: focus never enters the list. */
// No element of the platform is a searchable list with pictures.
/* oxlint-disable jsx-a11y/prefer-tag-over-role, jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus */
import { useSignals } from "@preact/signals-react/runtime";
import { useLayoutEffect, useRef } from "react";
import type { Country } from "../../../../schema/countries.ts";
import type { CountryBox } from "./countryBox.ts";

/** `chosen` is the name of the answer. */
export interface CountryListProps {
  readonly box: CountryBox;
  readonly id: string;
  readonly chosen: string;
}

/** Renders the countries found; the active one stays in view. */
export function CountryList({ box, id, chosen }: CountryListProps) {
  useSignals();
  const list = useRef<HTMLDivElement>(null);
  const active = box.active.value;
  useLayoutEffect(() => {
    list.current?.scrollIntoView({ block: "nearest" });
  }, []);
  useLayoutEffect(() => {
    list.current?.children[active]?.scrollIntoView({ block: "nearest" });
  }, [active]);
  return (
    <div ref={list} id={id} role="listbox" aria-label="Countries" className="country-list">
      {box.found.value.map((country, at) => (
        <Option
          key={country.code}
          id={`${id}-${at}`}
          country={country}
          box={box}
          isActive={at === active}
          isChosen={country.name === chosen}
        />
      ))}
    </div>
  );
}

interface OptionProps {
  readonly id: string;
  readonly country: Country;
  readonly box: CountryBox;
  readonly isActive: boolean;
  readonly isChosen: boolean;
}

function Option({ id, country, box, isActive, isChosen }: OptionProps) {
  const Flag = box.search.value?.Flag;
  return (
    <div
      id={id}
      role="option"
      aria-selected={isChosen}
      data-active={isActive || undefined}
      // The press must not take focus out of the input: that would close the list.
      onPointerDown={(event) => event.preventDefault()}
      onClick={() => box.pick(country)}
    >
      {Flag ? <Flag code={country.code} /> : <span className="flag" />}
      <span className="country-name">{country.name}</span>
      <span className="country-code">{country.code}</span>
    </div>
  );
}
