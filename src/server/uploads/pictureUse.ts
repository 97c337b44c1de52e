/**
 * The places where pictures are used: in public content, and in letters, which mail programs load them for.
 */
import { allEntities, type Collection, entities, type Singleton } from "../../schema/index.ts";
import type { DocumentChanges, Store, Transaction } from "../storage/store.ts";
import { fieldsOf } from "../../schema/entities/entity.ts";

/** Returns where each URL is used, as the dashboard's tabs are called. Reads all letters. */
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

/** Public content. */
const SHOWING = allEntities.filter(
  (entity): entity is Showing => entity.shape !== "records" && entity.readers === "everyone",
);

const LETTERS = entities.letters.section;

/** An original's URL (see `storage/pictures/pictureNames.ts`). */
const ADDRESS = /\/uploads\/[0-9a-f]{32}\.[a-z]{3,4}/g;

/**
 * Replaces one URL by another wherever that is still possible, in one transaction: in public content, and in letters
 * that aren't being sent. Returns whether somebody may have received a letter with the old one. Throws
 * `cannot_store`.
 */
export function replacePictureUrl(to: string, from: string, store: Store): Promise<boolean> {
  return store.transaction(async (transaction) => {
    for (const entity of SHOWING) await pointInDocument(to, from, entity, transaction);
    let isOut = false;
    await transaction.of(entities.letters).updateWhere({}, (letter) => {
      if (!letter.body.includes(from)) return letter;
      const isWritten = letter.state === "draft" || letter.state === "scheduled";
      // A letter stopped while sending becomes a draft again when it is restored from the bin.
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
  const fields = Object.entries(fieldsOf(entity));
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
