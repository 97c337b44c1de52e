/** Where pictures are used: in what visitors see, and in letters, whose readers' mail programs fetch them too. */
import { allEntities, type Collection, entities, type Singleton } from "../../schema/index.ts";
import type { Field } from "../../schema/fields.ts";
import type { DocumentChanges, Store, Transaction } from "../storage/store.ts";

/** For each address asked for, where it is used, in the words of the dashboard's tabs. Reads all letters. */
export async function pictureUse(store: Store): Promise<(url: string) => string[]> {
  const sections = new Map<string, Set<string>>();
  const note = (section: string, text: string) => {
    for (const [url] of text.matchAll(ADDRESS))
      sections.set(url, (sections.get(url) ?? new Set()).add(section));
  };
  for (const entity of SHOWING)
    note(entity.section, JSON.stringify(store.of<Showing>(entity).read().value));
  for await (const { body } of store.of(entities.letters).scan()) note(LETTERS, body);
  return (url) => [...(sections.get(url) ?? [])];
}

type Showing = Singleton | Collection;

/** What visitors see. */
const SHOWING = allEntities.filter(
  (entity): entity is Showing => entity.shape !== "records" && entity.readers === "everyone",
);

const LETTERS = entities.letters.section;

/** Of an original, as `storage/pictureNames.ts` has its name. */
const ADDRESS = /\/uploads\/[0-9a-f]{32}\.[a-z]{3,4}/g;

/**
 * Puts one address in the place of another wherever that can still be changed, all at once: in each section, and in
 * each letter that isn't on its way. Returns whether a letter shows the old one that somebody may have.
 * Throws `cannot_store`.
 */
export function pointTo(to: string, from: string, store: Store): Promise<boolean> {
  return store.transaction(async (transaction) => {
    for (const entity of SHOWING) await pointInDocument(to, from, entity, transaction);
    let isOut = false;
    await transaction.of(entities.letters).updateWhere({}, (letter) => {
      if (!letter.body.includes(from)) return letter;
      const isWritten = letter.state === "draft" || letter.state === "scheduled";
      // One that was stopped on its way is a draft again once it is put back from the bin.
      if (!isWritten || letter.startedAt !== null) isOut = true;
      return isWritten ? { ...letter, body: letter.body.replaceAll(from, to) } : letter;
    });
    return isOut;
  });
}

type Shown = Record<string, unknown>;

async function pointInDocument(
  to: string,
  from: string,
  entity: Showing,
  transaction: Transaction,
): Promise<void> {
  const document = transaction.of<Showing>(entity) as DocumentChanges<Shown | Shown[]>;
  const fields = Object.entries(entity.fields as Record<string, Field>);
  const names = fields.filter(([, { kind }]) => kind.picturesIn).map(([field]) => field);
  const changed = (item: Shown) => {
    const shown = names.filter((field) => String(item[field] ?? "").includes(from));
    const swapped = shown.map((field) => [field, String(item[field]).replaceAll(from, to)]);
    return shown.length === 0 ? item : { ...item, ...Object.fromEntries(swapped) };
  };
  await document.update((value) => {
    const next = Array.isArray(value) ? value.map(changed) : changed(value);
    return Bun.deepEquals(next, value) ? value : next;
  });
}
