/**
 * A country: a searchable combobox with scripts, a native list without. The combobox follows the ARIA practices: keys
 * go to the input, and focus never enters the list.
 */
// No element of the platform is a searchable list with pictures.
/* oxlint-disable jsx-a11y/prefer-tag-over-role, jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus */
import { useSignals } from "@preact/signals-react/runtime";
import { type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from "react";
import { type AnswerProps, textOf } from "./answerProps.ts";
import { CountryBox, loadCountrySearch } from "./countryBox.ts";
import { countriesIn, type NamedCountry, useFormWords } from "./formWords.ts";
import { NativeCountries } from "./NativeAnswers.tsx";

/**
 * The answer is the country's name (specification, section 5.3). A native list in use during hydration stays until it
 * loses focus.
 */
export function CountryAnswer(props: AnswerProps) {
  const { ready, control } = props;
  const [isInUse, setInUse] = useState(
    () => !ready && typeof document !== "undefined" && document.activeElement?.id === control.id,
  );
  if (ready && !isInUse) return <CountryCombobox {...props} />;
  return (
    <div onBlur={() => setInUse(false)}>
      <NativeCountries {...props} />
    </div>
  );
}

function CountryCombobox({ field, state, control }: AnswerProps) {
  useSignals();
  const said = useFormWords();
  const countries = countriesIn(said);
  const [box] = useState(() => new CountryBox(countries, (name) => state.answer(field.id, name)));
  const chosen = textOf(state, field.id);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (chosen === "") return;
    // A choice shows its flag, and further typing starts a new search.
    loadCountrySearch();
    if (document.activeElement === input.current) input.current?.select();
  }, [chosen]);
  const listId = `${control.id}-list`;
  const isListed = box.open.value && box.found.value.length > 0;
  return (
    <div className="country" data-flag={isShown(box, chosen) || undefined}>
      {isShown(box, chosen) && <ChosenFlag box={box} country={countryNamed(countries, chosen)} />}
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
        placeholder={field.placeholder || said.form.search}
        value={box.query.value ?? countryNamed(countries, chosen)?.shown ?? chosen}
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
      <p
        aria-live="polite"
        lang={said.lang}
        className={isEmpty(box) ? "country-none" : "ui-hidden"}
      >
        {isEmpty(box) ? said.form.noCountry : ""}
      </p>
    </div>
  );
}

const isEmpty = (box: CountryBox) => box.open.value && box.found.value.length === 0;

/** Shows the flag by the chosen country's name, not by other typed text. */
const isShown = (box: CountryBox, chosen: string) =>
  chosen !== "" && box.query.value === null && box.search.value !== null;

const countryNamed = (countries: readonly NamedCountry[], chosen: string) =>
  countries.find(({ name }) => name === chosen);

function ChosenFlag({ box, country }: { box: CountryBox; country: NamedCountry | undefined }) {
  const search = box.search.value;
  return search && <search.Flag code={country?.code ?? ""} />;
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

/** `chosen` is the answer's name. */
interface CountryListProps {
  readonly box: CountryBox;
  readonly id: string;
  readonly chosen: string;
}

/** The countries found, with the active one scrolled into view. */
function CountryList({ box, id, chosen }: CountryListProps) {
  useSignals();
  const { form: said, lang } = useFormWords();
  const list = useRef<HTMLDivElement>(null);
  const active = box.active.value;
  useLayoutEffect(() => {
    list.current?.scrollIntoView({ block: "nearest" });
  }, []);
  useLayoutEffect(() => {
    list.current?.children[active]?.scrollIntoView({ block: "nearest" });
  }, [active]);
  return (
    <div
      ref={list}
      id={id}
      role="listbox"
      lang={lang}
      aria-label={said.countries}
      className="country-list"
    >
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
  readonly country: NamedCountry;
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
      // Keeps the focus in the input; losing it would close the list.
      onPointerDown={(event) => event.preventDefault()}
      onClick={() => box.pick(country)}
    >
      {Flag ? <Flag code={country.code} /> : <span className="flag" />}
      <span className="country-name">{country.shown}</span>
      <span className="country-code">{country.code}</span>
    </div>
  );
}
