/** The answer to a country question: a searchable combobox (ARIA practices), or without scripts a native list. */
// These rules ask for native elements, but HTML has no element for a searchable list with pictures.
/* oxlint-disable jsx-a11y/prefer-tag-over-role, jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus */
import { type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from "react";
import { type AnswerProps, readTextAnswer } from "./answerProps.ts";
import {
  type CountrySearchState,
  loadCountrySearch,
  type CountrySearchModule,
  useCountrySearch,
} from "./countrySearchState.ts";
import { getCountries, type LocalizedCountry, useFormWords } from "./formWords.ts";
import { NativeCountryAnswer } from "./NativeAnswers.tsx";
import { useEnquiryState } from "./useEnquiry.ts";

/** The answer is the country's name (specification, section 5.3). A focused native list is replaced only on blur. */
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

function CountryCombobox({ field, control }: AnswerProps) {
  const state = useEnquiryState();
  const words = useFormWords();
  const search = useCountrySearch(getCountries(words), (name) => state.setAnswer(field.id, name));
  const chosenName = readTextAnswer(state, field.id);
  const country = search.countries.find(({ name }) => name === chosenName);
  const Flag = search.module.value?.Flag;
  const isFlagged = Flag && chosenName !== "" && search.query.value === null;
  const inputRef = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (chosenName === "") return;
    loadCountrySearch();
    if (document.activeElement === inputRef.current) inputRef.current?.select();
  }, [chosenName]);
  const listId = `${control.id}-list`;
  const isListShown = search.isOpen.value && search.matches.value.length > 0;
  const isEmpty = search.isOpen.value && !isListShown;
  return (
    <div className="country" data-flag={isFlagged || undefined}>
      {isFlagged && <Flag code={country?.code ?? ""} />}
      <input
        {...control}
        ref={inputRef}
        className="answer"
        data-answer
        type="text"
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={isListShown}
        aria-controls={isListShown ? listId : undefined}
        aria-activedescendant={isListShown ? `${listId}-${search.activeIndex.value}` : undefined}
        autoComplete="off"
        spellCheck={false}
        placeholder={field.placeholder || words.form.searchCountries}
        value={search.query.value ?? country?.localName ?? chosenName}
        onChange={(event) => search.setQuery(event.target.value)}
        onFocus={loadCountrySearch}
        onClick={(event) => {
          event.currentTarget.select();
          search.openAt(chosenName);
        }}
        onKeyDown={(event) => handleKey(event, search, chosenName)}
        onBlur={() => search.commitOnBlur()}
      />
      {isListShown && (
        <CountryList
          id={listId}
          matches={search.matches.value}
          activeIndex={search.activeIndex.value}
          selectedName={chosenName}
          Flag={Flag}
          onPick={(country) => search.chooseCountry(country)}
        />
      )}
      <p aria-live="polite" lang={words.lang} className={isEmpty ? "no-match" : "visually-hidden"}>
        {isEmpty ? words.form.noCountry : ""}
      </p>
    </div>
  );
}

function handleKey(event: KeyboardEvent, search: CountrySearchState, chosenName: string): void {
  const { key } = event;
  if (key === "ArrowDown" || key === "ArrowUp") {
    event.preventDefault();
    if (search.isOpen.value) search.moveActiveIndex(key === "ArrowDown" ? 1 : -1);
    else search.openAt(chosenName);
  } else if (key === "Enter" && search.isOpen.value) {
    event.preventDefault();
    search.chooseCountry(search.matches.value[search.activeIndex.value]);
  } else if (key === "Escape" && search.isOpen.value) {
    event.preventDefault();
    search.close();
  }
}

interface CountryListProps extends Pick<CountryOptionProps, "Flag" | "onPick"> {
  readonly id: string;
  readonly matches: readonly LocalizedCountry[];
  readonly activeIndex: number;
  readonly selectedName: string;
}

function CountryList({ id, matches, activeIndex, selectedName, Flag, onPick }: CountryListProps) {
  const { form: words, lang } = useFormWords();
  const listRef = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    listRef.current?.scrollIntoView({ block: "nearest" });
  }, []);
  useLayoutEffect(() => {
    listRef.current?.children[activeIndex]?.scrollIntoView({ block: "nearest" });
  }, [activeIndex]);
  return (
    <div
      ref={listRef}
      id={id}
      role="listbox"
      lang={lang}
      aria-label={words.countries}
      className="country-list"
    >
      {matches.map((country, index) => (
        <CountryOption
          key={country.code}
          id={`${id}-${index}`}
          country={country}
          Flag={Flag}
          onPick={onPick}
          isActive={index === activeIndex}
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
  readonly Flag: CountrySearchModule["Flag"] | undefined;
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
      // Without this, the input would lose the focus, and the list would close before the click.
      onPointerDown={(event) => event.preventDefault()}
      onClick={() => onPick(country)}
    >
      {Flag ? <Flag code={country.code} /> : <span className="flag" />}
      <span className="country-name">{country.localName}</span>
      <span className="country-code">{country.code}</span>
    </div>
  );
}
