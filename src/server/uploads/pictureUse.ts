/** Finds and replaces the URLs of pictures, in public content and in letters. */
import { type Collection, entities, publicEntities, type Singleton } from "../../schema/index.ts";
import type { DocumentChanges, Store, Transaction } from "../storage/store.ts";
import { getEntityFields } from "../../schema/entities/entity.ts";

/** Returns a function that looks up in which tabs of the dashboard a picture's URL is used. Reads all letters. */
export async function createPictureUseLookup(store: Store): Promise<(url: string) => string[]> {
  const sections = new Map<string, Set<string>>();
  const recordUse = (section: string, text: string) => {
    for (const [url] of text.matchAll(UPLOAD_URL_PATTERN))
      sections.set(url, (sections.get(url) ?? new Set()).add(section));
  };
  for (const entity of publicEntities)
    recordUse(entity.section, JSON.stringify(store.of<PictureEntity>(entity).read().value));
  for await (const { body } of store.of(entities.letters).scan()) recordUse(LETTERS_SECTION, body);
  return (url) => [...(sections.get(url) ?? [])];
}

type PictureEntity = Singleton | Collection;

const LETTERS_SECTION = entities.letters.section;

/** Matches the URL of an original picture (see `storage/pictures/pictureNames.ts`). */
const UPLOAD_URL_PATTERN = /\/uploads\/[0-9a-f]{32}\.[a-z]{3,4}/g;

/**
 * Replaces a URL in public content and in letters that aren't sent yet. Returns whether somebody may have received a
 * letter with the old URL. Throws `cannot_store`.
 */
export function replacePictureUrl(newUrl: string, oldUrl: string, store: Store): Promise<boolean> {
  return store.transaction(async (transaction) => {
    for (const entity of publicEntities)
      await replaceUrlInDocument(newUrl, oldUrl, entity, transaction);
    let wasSent = false;
    await transaction.of(entities.letters).updateWhere({}, (letter) => {
      if (!letter.body.includes(oldUrl)) return letter;
      const isUnsent = letter.state === "draft" || letter.state === "scheduled";
      // A letter deleted while it was being sent is restored as a draft, so some readers may have received the draft.
      if (!isUnsent || letter.startedAt !== null) wasSent = true;
      return isUnsent ? { ...letter, body: letter.body.replaceAll(oldUrl, newUrl) } : letter;
    });
    return wasSent;
  });
}

type ItemValues = Record<string, unknown>;

async function replaceUrlInDocument(
  newUrl: string,
  oldUrl: string,
  entity: PictureEntity,
  transaction: Transaction,
): Promise<void> {
  const document = transaction.of<PictureEntity>(entity) as DocumentChanges<
    ItemValues | ItemValues[]
  >;
  const fields = Object.entries(getEntityFields(entity));
  const fieldNames = fields.filter(([, { kind }]) => kind.findPictures).map(([field]) => field);
  const replaceInItem = (item: ItemValues) => {
    const usedFields = fieldNames.filter((field) => String(item[field] ?? "").includes(oldUrl));
    const replacements = usedFields.map((field) => [
      field,
      String(item[field]).replaceAll(oldUrl, newUrl),
    ]);
    return usedFields.length === 0 ? item : { ...item, ...Object.fromEntries(replacements) };
  };
  await document.update((value) => {
    const next = Array.isArray(value) ? value.map(replaceInItem) : replaceInItem(value);
    return Bun.deepEquals(next, value) ? value : next;
  });
}
