/** The searchable country list: a combobox as the ARIA practices describe it. */
import { useSignals } from "@preact/signals-react/runtime";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { COUNTRIES } from "../../../../schema/countries.ts";
import { type AnswerProps, textOf } from "./answerProps.ts";
import { CountryList } from "./CountryList.tsx";
import { CountryBox, loadCountrySearch } from "./countryBox.ts";

/** Renders the input and, while open, its list. */
export function CountryCombobox({ field, state, control }: AnswerProps) {
  useSignals();
  const [box] = useState(() => new CountryBox((name) => state.answer(field.id, name)));
  const chosen = textOf(state, field.id);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (chosen === "") return;
    // A choice shows its flag, and typing again begins another search.
    loadCountrySearch();
    if (document.activeElement === input.current) input.current?.select();
  }, [chosen]);
  const listId = `${control.id}-list`;
  const isListed = box.open.value && box.found.value.length > 0;
  return (
    <div className="country" data-flag={isShown(box, chosen) || undefined}>
      {isShown(box, chosen) && <ChosenFlag box={box} name={chosen} />}
      <input
        {...control}
        ref={input}
        className="answer"
        data-answer
        type="text"
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={isListed}
        aria-controls={isListed ? listId : undefined}
        aria-activedescendant={isListed ? `${listId}-${box.active.value}` : undefined}
        autoComplete="off"
        spellCheck={false}
        placeholder={field.placeholder || "Search countries"}
        value={box.query.value ?? chosen}
        onChange={(event) => box.type(event.target.value)}
        onFocus={loadCountrySearch}
        onClick={(event) => {
          event.currentTarget.select();
          box.show(chosen);
        }}
        onKeyDown={(event) => press(event, box, chosen)}
        onBlur={() => box.leave()}
      />
      {isListed && <CountryList box={box} id={listId} chosen={chosen} />}
      <p aria-live="polite" className={isEmpty(box) ? "country-none" : "ui-hidden"}>
        {isEmpty(box) ? "No country found." : ""}
      </p>
    </div>
  );
}

const isEmpty = (box: CountryBox) => box.open.value && box.found.value.length === 0;

/** The flag stands beside the country's name, not beside other words being typed. */
const isShown = (box: CountryBox, chosen: string) =>
  chosen !== "" && box.query.value === null && box.search.value !== null;

function ChosenFlag({ box, name }: { box: CountryBox; name: string }) {
  const Flag = box.search.value!.Flag;
  return <Flag code={COUNTRIES.find((country) => country.name === name)?.code ?? ""} />;
}

function press(event: KeyboardEvent, box: CountryBox, chosen: string): void {
  const { key } = event;
  if (key === "ArrowDown" || key === "ArrowUp") {
    event.preventDefault();
    if (box.open.value) box.move(key === "ArrowDown" ? 1 : -1);
    else box.show(chosen);
  } else if (key === "Enter" && box.open.value) {
    event.preventDefault();
    box.pick(box.found.value[box.active.value]);
  } else if (key === "Escape" && box.open.value) {
    event.preventDefault();
    box.close();
  }
}
