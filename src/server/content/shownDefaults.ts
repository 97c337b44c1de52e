/**
 * Texts that nobody has typed follow the site's language: the storage has them in English, as declared, and whoever
 * reads the store gets them in the site's language. A text saved as it was shown is stored in English again. A site
 * in English reads the stored texts.
 */
import type { Entity } from "../../schema/entities/entity.ts";
import { entities } from "../../schema/index.ts";
import { languageOfWords } from "../../schema/core/languages.ts";
import { wordsFor } from "../../web/words/all.ts";
import { defaultsIn, type DefaultsTranslator } from "../../web/words/defaultTexts.ts";
import type { Document, DocumentChanges, Snapshot, Store } from "../storage/store.ts";

/** A store that shows defaults in the site's language. */
export function withShownDefaults(store: Store): Store {
  const showing = translatorsOf(() => store.of(entities.site).read().value.language);
  return {
    of(entity) {
      // TypeScript can't infer a document's handle from its entity here.
      const handle: any = store.of(entity);
      const translator = showing(entity);
      return translator ? shownDocument(handle, translator) : handle;
    },
    transaction: (work) =>
      store.transaction((transaction) =>
        work({
          of(entity) {
            const handle: any = transaction.of(entity);
            const translator = showing(entity);
            return translator ? shownChanges(handle, translator) : handle;
          },
        }),
      ),
    onChange: (listener) => store.onChange(listener),
    existingIds: (lists, ids) => store.existingIds(lists, ids),
    secret: () => store.secret(),
    purgeOldVersions: () => store.purgeOldVersions(),
    eraseCopies: (text) => store.eraseCopies(text),
    rewriteHistory: (changes) => store.rewriteHistory(changes),
    health: () => store.health(),
    close: () => store.close(),
    instances: store.instances,
    installed: store.installed,
    siteId: store.siteId,
  };
}

/** Undefined while the site is in English. */
type CurrentTranslator = () => DefaultsTranslator | undefined;

/** An entity's translator; undefined for one without such texts. */
function translatorsOf(language: () => string): (entity: Entity) => CurrentTranslator | undefined {
  return ({ key }) =>
    TRANSLATED.has(key) ? () => translatorsIn(languageOfWords(language()))?.get(key) : undefined;
}

type Translators = ReadonlyMap<string, DefaultsTranslator>;

const TRANSLATED = new Set(defaultsIn(wordsFor("en").words).keys());

/** By language; each is made once. */
const made = new Map<string, Translators>();

function translatorsIn(locale: string): Translators | undefined {
  if (locale === "en") return undefined;
  const translators = made.get(locale) ?? defaultsIn(wordsFor(locale).words);
  made.set(locale, translators);
  return translators;
}

function shownDocument(document: Document<any>, translator: CurrentTranslator): Document<any> {
  return {
    ...shownWrites(document, translator),
    read: () => shownSnapshot(document.read(), translator()),
    history: () => document.history(),
    async revision(number) {
      const snapshot = await document.revision(number);
      return snapshot && shownSnapshot(snapshot, translator());
    },
  };
}

const shownChanges = (
  changes: DocumentChanges<any>,
  translator: CurrentTranslator,
): DocumentChanges<any> => ({
  ...shownWrites(changes, translator),
  read: async () => shownSnapshot(await changes.read(), translator()),
});

type Writes = Pick<Document<any>, "update" | "put">;

function shownWrites(document: Writes, translator: CurrentTranslator): Writes {
  return {
    async update(change) {
      const saved = await document.update((current, snapshot) => {
        const used = translator();
        return valueToStore(used, current, (shown) => change(shown, shownSnapshot(snapshot, used)));
      });
      return shownSnapshot(saved, translator());
    },
    async put(id, change) {
      const saved = await document.put(id, (item) => valueToStore(translator(), item, change));
      return shownSnapshot(saved, translator());
    },
  };
}

/** The value that a change of the shown one stores. */
function valueToStore<T>(
  translator: DefaultsTranslator | undefined,
  current: T,
  change: (shown: T) => T,
): T {
  if (!translator) return change(current);
  const shown = translator.show(current);
  const next = change(shown);
  return next === shown ? current : translator.store(next);
}

function shownSnapshot<T>(
  snapshot: Snapshot<T>,
  translator: DefaultsTranslator | undefined,
): Snapshot<T> {
  const value = translator ? translator.show(snapshot.value) : snapshot.value;
  return value === snapshot.value ? snapshot : { ...snapshot, value };
}
