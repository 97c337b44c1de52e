/** Translates default texts between English, in which they are stored, and the site's language. */
import { en, type Words } from "./en.ts";
import { fillPlaceholders, extractValue } from "./placeholders.ts";

export interface DefaultsTranslator {
  /** Translates a stored value, without changing it. Always returns the same object for the same value. */
  show<T>(value: T): T;
  /** Translates a value back. For the result of `show`, returns the stored value itself. */
  store<T>(value: T): T;
}

/** Returns translators between English and the language of `words`, by the entity's key. */
export function createDefaultsTranslators(words: Words): ReadonlyMap<string, DefaultsTranslator> {
  const english = groupTextsByField(en);
  const byEntity = new Map<string, Map<string, FieldTranslation>>();
  const add = (entity: string, field: string, texts: FieldTranslation) =>
    byEntity.set(entity, (byEntity.get(entity) ?? new Map()).set(field, texts));
  for (const [name, translations] of groupTextsByField(words)) {
    const [entity = "", field = ""] = name.split(".");
    const texts = createFieldTranslation(
      english.get(name) ?? [],
      translations,
      LINE_FIELDS.has(field),
    );
    add(entity, field, texts);
    // Conditions contain options of another question, which are translated as well.
    if (field !== "options") continue;
    const conditionTranslation = {
      show: translateCondition(texts.show),
      store: translateCondition(texts.store),
    };
    for (const each of ["formSteps", "formFields"]) add(each, "showIf", conditionTranslation);
  }
  return new Map([...byEntity].map(([entity, fields]) => [entity, createTranslator(fields)]));
}

/** Fields in which each line is a text. */
const LINE_FIELDS = new Set(["options", "questions"]);

type Translate = (value: unknown) => unknown;

interface FieldTranslation {
  readonly show: Translate;
  readonly store: Translate;
}

function createTranslator(fields: ReadonlyMap<string, FieldTranslation>): DefaultsTranslator {
  const shown = new WeakMap<object, object>();
  const stored = new WeakMap<object, object>();
  const show = (value: unknown): unknown => {
    if (!isObject(value)) return value;
    const cached = shown.get(value);
    if (cached) return cached;
    const translated = Array.isArray(value)
      ? value.map(show)
      : translateItem(value, fields, "show");
    shown.set(value, translated);
    stored.set(translated, value);
    return translated;
  };
  const store = (value: unknown): unknown => {
    if (!isObject(value)) return value;
    const cached = stored.get(value);
    if (cached) return cached;
    return Array.isArray(value) ? value.map(store) : translateItem(value, fields, "store");
  };
  return {
    show: (value) => show(value) as typeof value,
    store: (value) => store(value) as typeof value,
  };
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

function translateItem(
  item: object,
  fields: ReadonlyMap<string, FieldTranslation>,
  direction: keyof FieldTranslation,
): object {
  const values = item as Readonly<Record<string, unknown>>;
  const changedEntries = [...fields].flatMap(([name, texts]) => {
    const value = values[name];
    const translated = value === undefined ? value : texts[direction](value);
    return translated === value ? [] : [[name, translated]];
  });
  return changedEntries.length === 0 ? item : { ...item, ...Object.fromEntries(changedEntries) };
}

type TextFields = Readonly<Record<string, string | Readonly<Record<string, string>>>>;

const splitTexts = (text: TextFields[string]): string[] =>
  typeof text === "string" ? [text] : Object.values(text);

/** Returns the default texts by `entity.field`, in the same order for every language. */
function groupTextsByField({
  defaults,
  testimonialForm,
}: Pick<Words, "defaults" | "testimonialForm">): Map<string, string[]> {
  const { headings, texts } = defaults as { headings: EntityTexts; texts: EntityTexts };
  const byField = new Map<string, string[]>();
  const add = (entityTexts: EntityTexts, toStored: (text: string) => string) => {
    for (const [entity, fields] of Object.entries(entityTexts))
      for (const [field, text] of Object.entries(fields)) {
        const name = `${entity}.${field}`;
        byField.set(name, [...(byField.get(name) ?? []), ...splitTexts(text).map(toStored)]);
      }
  };
  add(headings, (text) => text.toUpperCase());
  add(texts, (text) => text);
  add({ testimonialSettings: { questions: testimonialForm.questions } }, (text) => text);
  return byField;
}

type EntityTexts = Readonly<Record<string, TextFields>>;

function createFieldTranslation(
  english: readonly string[],
  translations: readonly string[],
  isTranslatedByLine: boolean,
): FieldTranslation {
  const createTranslate = (from: readonly string[], to: readonly string[]): Translate => {
    const translate = createDictionary(from, to);
    return (value) => {
      if (typeof value !== "string") return value;
      return isTranslatedByLine ? value.split("\n").map(translate).join("\n") : translate(value);
    };
  };
  return {
    show: createTranslate(english, translations),
    store: createTranslate(translations, english),
  };
}

function createDictionary(
  from: readonly string[],
  to: readonly string[],
): (text: string) => string {
  const translations = new Map<string, string>();
  for (const [index, text] of from.entries())
    if (!translations.has(text)) translations.set(text, to[index] ?? text);
  const numbered = [...translations].filter(([text]) => text.includes("{number}"));
  return (text) => {
    const match = translations.get(text);
    if (match !== undefined) return match;
    for (const [sentence, translation] of numbered) {
      const number = extractValue(text, sentence);
      if (number !== undefined && /^\d{1,4}$/.test(number))
        return fillPlaceholders(translation, { number });
    }
    return text;
  };
}

const translateCondition =
  (translate: Translate): Translate =>
  (value) => {
    if (!isCondition(value)) return value;
    const { values } = value;
    const translated = values.map(translate);
    return translated.every((each, index) => each === values[index])
      ? value
      : { ...value, values: translated };
  };

const isCondition = (value: unknown): value is { readonly values: readonly unknown[] } =>
  isObject(value) && "values" in value && Array.isArray(value.values);
