/** Fills values into sentences, and finds them in sentences. */

/**
 * The forms of a sentence for each plural category of a language (Intl.PluralRules). `{count}` stands for the number.
 */
export type PluralForms = Readonly<
  Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }
>;

/** The type of a translation of `Words`: the same keys with other sentences. */
export type TranslationOf<Words> = Words extends string
  ? string
  : Words extends PluralForms
    ? PluralForms
    : { readonly [Key in keyof Words]: TranslationOf<Words[Key]> };

/** Returns a sentence in which each `{name}` is replaced by its value. */
export const fillPlaceholders = (
  sentence: string,
  values: Readonly<Record<string, string | number>>,
): string => sentence.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ""));

/** Returns the form of a sentence for a count, by the plural rules of `locale`. */
export const formatPlural = (sentences: PluralForms, count: number, locale: string): string =>
  fillPlaceholders(sentences[new Intl.PluralRules(locale).select(count)] ?? sentences.other, {
    count,
  });

type Refusals = Readonly<Record<string, string>>;

/**
 * Translates a refusal: finds it in `english`, and returns the text of `sentences` with the same key. A text that isn't
 * in `english` is returned unchanged. Numbers are formatted for `locale`.
 */
export function translateRefusal(
  text: string,
  { english, sentences, locale }: { english: Refusals; sentences: Refusals; locale: string },
): string {
  for (const [key, sentence] of Object.entries(english)) {
    const value = extractValue(text, sentence);
    const translation = sentences[key];
    if (value === undefined || translation === undefined) continue;
    return translation.replace(/\{\w+\}/, () => localizeNumber(value, locale));
  }
  return text;
}

/**
 * Returns the value that a text has at the only `{placeholder}` of a sentence. Returns undefined if the text isn't this
 * sentence.
 */
export function extractValue(text: string, sentence: string): string | undefined {
  const [before = "", after] = sentence.split(/\{\w+\}/);
  if (after === undefined) return text === sentence ? "" : undefined;
  const isMatch =
    text.length >= before.length + after.length && text.startsWith(before) && text.endsWith(after);
  return isMatch ? text.slice(before.length, text.length - after.length) : undefined;
}

/** Returns a text followed by a colon. In French, a space precedes the colon. */
export const addColon = (text: string, { withColon }: { readonly withColon: string }): string =>
  fillPlaceholders(withColon, { text });

const localizeNumber = (value: string, locale: string): string =>
  /^\d{1,3}(?:,\d{3})+$/.test(value)
    ? Number(value.replaceAll(",", "")).toLocaleString(locale)
    : value;
