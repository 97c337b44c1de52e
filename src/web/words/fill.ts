/** How sentences take what belongs into them. */

/** A sentence for each way that a language counts (Intl.PluralRules), with `{count}` where the number goes. */
export type Plural = Readonly<Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }>;

/** Widens the words of one language to those of any: the same keys, other sentences. */
export type InAnyLanguage<Words> = Words extends string
  ? string
  : Words extends Plural
    ? Plural
    : { readonly [Key in keyof Words]: InAnyLanguage<Words[Key]> };

/** The sentence with each `{name}` replaced by its value. */
export const fill = (sentence: string, values: Readonly<Record<string, string | number>>): string =>
  sentence.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ""));

/** The sentence for so many, as `locale` counts. */
export const counted = (sentences: Plural, count: number, locale: string): string =>
  fill(sentences[new Intl.PluralRules(locale).select(count)] ?? sentences.other, { count });

type Refusals = Readonly<Record<string, string>>;

/**
 * A refusal in another language: `sentences` are those of `english` by the same keys. What is none of them stays as
 * it is. Numbers are set apart as `locale` does.
 */
export function inOtherWords(
  said: string,
  { english, sentences, locale }: { english: Refusals; sentences: Refusals; locale: string },
): string {
  for (const [key, sentence] of Object.entries(english)) {
    const value = valueIn(said, sentence);
    const other = sentences[key];
    if (value === undefined || other === undefined) continue;
    return other.replace(/\{\w+\}/, () => localized(value, locale));
  }
  return said;
}

/** What stands in the place of the one `{placeholder}` of a sentence; undefined where another was said. */
function valueIn(said: string, sentence: string): string | undefined {
  const [before = "", after] = sentence.split(/\{\w+\}/);
  if (after === undefined) return said === sentence ? "" : undefined;
  const isSaid =
    said.length >= before.length + after.length && said.startsWith(before) && said.endsWith(after);
  return isSaid ? said.slice(before.length, said.length - after.length) : undefined;
}

const localized = (value: string, locale: string): string =>
  /^\d{1,3}(?:,\d{3})+$/.test(value)
    ? Number(value.replaceAll(",", "")).toLocaleString(locale)
    : value;
