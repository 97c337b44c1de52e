/**
 * Shows default texts in the site's language. They are stored in English and translated when they are read. A default
 * text that is saved unchanged is stored in English again.
 */
import type { Entity } from "../../schema/entities/entity.ts";
import { entities } from "../../schema/index.ts";
import { findTranslationLanguage } from "../../schema/core/languages.ts";
import { getWords } from "../../web/words/allWords.ts";
import {
  createDefaultsTranslators,
  type DefaultsTranslator,
} from "../../web/words/defaultTexts.ts";
import type { Document, DocumentChanges, Snapshot, Store } from "../storage/store.ts";

/** Returns a store whose default texts are in the site's language. */
export function translateStoreDefaults(store: Store): Store {
  const getLanguage = () => store.of(entities.site).read().value.language;
  const findTranslator = ({ key }: Entity): CurrentTranslator | undefined =>
    TRANSLATED_KEYS.has(key)
      ? () => getTranslators(findTranslationLanguage(getLanguage()))?.get(key)
      : undefined;
  return {
    of(entity) {
      // TypeScript can't infer which type of document belongs to the entity.
      const document: any = store.of(entity);
      const translator = findTranslator(entity);
      return translator ? translateDocument(document, translator) : document;
    },
    transaction: (work) =>
      store.transaction((transaction) =>
        work({
          of(entity) {
            const handle: any = transaction.of(entity);
            const translator = findTranslator(entity);
            return translator ? translateChanges(handle, translator) : handle;
          },
        }),
      ),
    onChange: (listener) => store.onChange(listener),
    readSecret: () => store.readSecret(),
    purgeOldVersions: () => store.purgeOldVersions(),
    eraseCopies: (text) => store.eraseCopies(text),
    rewriteHistory: (changes) => store.rewriteHistory(changes),
    checkHealth: () => store.checkHealth(),
    close: () => store.close(),
    coordinator: store.coordinator,
    isInstalled: store.isInstalled,
    siteId: store.siteId,
  };
}

/** Returns an entity's translator for the site's language; undefined if that language is English. */
type CurrentTranslator = () => DefaultsTranslator | undefined;

type TranslatorsByEntity = ReadonlyMap<string, DefaultsTranslator>;

const TRANSLATED_KEYS = new Set(createDefaultsTranslators(getWords("en").words).keys());

const translatorCache = new Map<string, TranslatorsByEntity>();

function getTranslators(locale: string): TranslatorsByEntity | undefined {
  if (locale === "en") return undefined;
  const translators =
    translatorCache.get(locale) ?? createDefaultsTranslators(getWords(locale).words);
  translatorCache.set(locale, translators);
  return translators;
}

function translateDocument(
  document: Document<any>,
  getTranslator: CurrentTranslator,
): Document<any> {
  return {
    ...translateWrites(document, getTranslator),
    read: () => translateSnapshot(document.read(), getTranslator()),
    listRevisions: () => document.listRevisions(),
    async readRevision(number) {
      const snapshot = await document.readRevision(number);
      return snapshot && translateSnapshot(snapshot, getTranslator());
    },
  };
}

const translateChanges = (
  changes: DocumentChanges<any>,
  getTranslator: CurrentTranslator,
): DocumentChanges<any> => ({
  ...translateWrites(changes, getTranslator),
  read: async () => translateSnapshot(await changes.read(), getTranslator()),
});

type DocumentWrites = Pick<Document<any>, "update">;

function translateWrites(
  document: DocumentWrites,
  getTranslator: CurrentTranslator,
): DocumentWrites {
  return {
    async update(change) {
      const saved = await document.update((current, snapshot) => {
        const currentTranslator = getTranslator();
        return restoreDefaults(currentTranslator, current, (shown) =>
          change(shown, translateSnapshot(snapshot, currentTranslator)),
        );
      });
      return translateSnapshot(saved, getTranslator());
    },
  };
}

/** Applies a change to translated texts. Returns the value to store, with unchanged default texts in English. */
function restoreDefaults<T>(
  translator: DefaultsTranslator | undefined,
  current: T,
  change: (shown: T) => T,
): T {
  if (!translator) return change(current);
  const shown = translator.show(current);
  const next = change(shown);
  return next === shown ? current : translator.store(next);
}

function translateSnapshot<T>(
  snapshot: Snapshot<T>,
  translator: DefaultsTranslator | undefined,
): Snapshot<T> {
  const value = translator ? translator.show(snapshot.value) : snapshot.value;
  return value === snapshot.value ? snapshot : { ...snapshot, value };
}
