/** Fills values into sentences, and finds them in sentences. */

/** A sentence for each plural category of a language (Intl.PluralRules), with `{count}` for the number. */
export type PluralForms = Readonly<
  Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }
>;

/** The same keys as `Words`, with other sentences. */
export type TranslationOf<Words> = Words extends string
  ? string
  : Words extends PluralForms
    ? PluralForms
    : { readonly [Key in keyof Words]: TranslationOf<Words[Key]> };

export const fillPlaceholders = (
  sentence: string,
  values: Readonly<Record<string, string | number>>,
): string => sentence.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ""));

export const formatPlural = (sentences: PluralForms, count: number, locale: string): string =>
  fillPlaceholders(sentences[new Intl.PluralRules(locale).select(count)] ?? sentences.other, {
    count,
  });

type Refusals = Readonly<Record<string, string>>;

/** Finds a refusal in `english`, and returns the sentence with the same key; other texts unchanged. */
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

/** Returns the text in place of a sentence's only `{placeholder}`; undefined for another sentence. */
export function extractValue(text: string, sentence: string): string | undefined {
  const [before = "", after] = sentence.split(/\{\w+\}/);
  if (after === undefined) return text === sentence ? "" : undefined;
  const isMatch =
    text.length >= before.length + after.length && text.startsWith(before) && text.endsWith(after);
  return isMatch ? text.slice(before.length, text.length - after.length) : undefined;
}

/** In French, a space precedes the colon. */
export const addColon = (text: string, { withColon }: { readonly withColon: string }): string =>
  fillPlaceholders(withColon, { text });

const localizeNumber = (value: string, locale: string): string =>
  /^\d{1,3}(?:,\d{3})+$/.test(value)
    ? Number(value.replaceAll(",", "")).toLocaleString(locale)
    : value;
