/**
 * The answer to a country question: a searchable combobox with scripts, a native list without. The combobox follows the
 * ARIA practices: keys go to the input, and focus never enters the list.
 */
// HTML has no element for a searchable list with pictures.
/* oxlint-disable jsx-a11y/prefer-tag-over-role, jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus */
import { type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from "react";
import { type AnswerProps, readTextAnswer } from "./answerProps.ts";
import {
  type CountrySearchState,
  loadCountrySearch,
  type CountrySearchCode,
  useCountrySearch,
} from "./countrySearchState.ts";
import { getCountries, type LocalizedCountry, useFormWords } from "./formWords.ts";
import { NativeCountryAnswer } from "./NativeAnswers.tsx";
import { useEnquiry } from "./useEnquiry.ts";

/**
 * The answer is the country's name (specification, section 5.3). A native list in use during hydration isn't replaced
 * until it loses focus.
 */
export function CountryAnswer(props: AnswerProps) {
  const { isReady, control } = props;
  const [isInUse, setInUse] = useState(
    () => !isReady && typeof document !== "undefined" && document.activeElement?.id === control.id,
  );
  if (isReady && !isInUse) return <CountryCombobox {...props} />;
  return (
    <div onBlur={() => setInUse(false)}>
      <NativeCountryAnswer {...props} />
    </div>
  );
}

/** A chosen country shows its flag. Typing after a choice starts a new search. */
function CountryCombobox({ field, control }: AnswerProps) {
  const state = useEnquiry();
  const words = useFormWords();
  const box = useCountrySearch(getCountries(words), (name) => state.setAnswer(field.id, name));
  const chosen = readTextAnswer(state, field.id);
  const country = box.countries.find(({ name }) => name === chosen);
  const Flag = box.code.value?.Flag;
  const isFlagged = Flag && chosen !== "" && box.query.value === null;
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (chosen === "") return;
    loadCountrySearch();
    if (document.activeElement === input.current) input.current?.select();
  }, [chosen]);
  const listId = `${control.id}-list`;
  const isListed = box.isOpen.value && box.matches.value.length > 0;
  const isEmpty = box.isOpen.value && !isListed;
  return (
    <div className="country" data-flag={isFlagged || undefined}>
      {isFlagged && <Flag code={country?.code ?? ""} />}
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
        aria-activedescendant={isListed ? `${listId}-${box.activeIndex.value}` : undefined}
        autoComplete="off"
        spellCheck={false}
        placeholder={field.placeholder || words.form.searchCountries}
        value={box.query.value ?? country?.localName ?? chosen}
        onChange={(event) => box.setQuery(event.target.value)}
        onFocus={loadCountrySearch}
        onClick={(event) => {
          event.currentTarget.select();
          box.openAt(chosen);
        }}
        onKeyDown={(event) => handleKey(event, box, chosen)}
        onBlur={() => box.commitOnBlur()}
      />
      {isListed && (
        <CountryList
          id={listId}
          matches={box.matches.value}
          activeIndex={box.activeIndex.value}
          selectedName={chosen}
          Flag={Flag}
          onPick={(country) => box.chooseCountry(country)}
        />
      )}
      <p aria-live="polite" lang={words.lang} className={isEmpty ? "no-match" : "visually-hidden"}>
        {isEmpty ? words.form.noCountry : ""}
      </p>
    </div>
  );
}

function handleKey(event: KeyboardEvent, box: CountrySearchState, chosen: string): void {
  const { key } = event;
  if (key === "ArrowDown" || key === "ArrowUp") {
    event.preventDefault();
    if (box.isOpen.value) box.moveActiveIndex(key === "ArrowDown" ? 1 : -1);
    else box.openAt(chosen);
  } else if (key === "Enter" && box.isOpen.value) {
    event.preventDefault();
    box.chooseCountry(box.matches.value[box.activeIndex.value]);
  } else if (key === "Escape" && box.isOpen.value) {
    event.preventDefault();
    box.close();
  }
}

/** `selectedName` is the answer, `activeIndex` the index of the country that Enter chooses. */
interface CountryListProps extends Pick<CountryOptionProps, "Flag" | "onPick"> {
  readonly id: string;
  readonly matches: readonly LocalizedCountry[];
  readonly activeIndex: number;
  readonly selectedName: string;
}

/** The matching countries, with the active one scrolled into view. */
function CountryList({ id, matches, activeIndex, selectedName, Flag, onPick }: CountryListProps) {
  const { form: words, lang } = useFormWords();
  const list = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    list.current?.scrollIntoView({ block: "nearest" });
  }, []);
  useLayoutEffect(() => {
    list.current?.children[activeIndex]?.scrollIntoView({ block: "nearest" });
  }, [activeIndex]);
  return (
    <div
      ref={list}
      id={id}
      role="listbox"
      lang={lang}
      aria-label={words.countries}
      className="country-list"
    >
      {matches.map((country, at) => (
        <CountryOption
          key={country.code}
          id={`${id}-${at}`}
          country={country}
          Flag={Flag}
          onPick={onPick}
          isActive={at === activeIndex}
          isChosen={country.name === selectedName}
        />
      ))}
    </div>
  );
}

interface CountryOptionProps {
  readonly id: string;
  readonly country: LocalizedCountry;
  /** Undefined until the flags are loaded. */
  readonly Flag: CountrySearchCode["Flag"] | undefined;
  readonly onPick: (country: LocalizedCountry) => void;
  readonly isActive: boolean;
  readonly isChosen: boolean;
}

function CountryOption({ id, country, Flag, onPick, isActive, isChosen }: CountryOptionProps) {
  return (
    <div
      id={id}
      role="option"
      aria-selected={isChosen}
      data-active={isActive || undefined}
      // The input keeps the focus; losing it would close the list.
      onPointerDown={(event) => event.preventDefault()}
      onClick={() => onPick(country)}
    >
      {Flag ? <Flag code={country.code} /> : <span className="flag" />}
      <span className="country-name">{country.localName}</span>
      <span className="country-code">{country.code}</span>
    </div>
  );
}
