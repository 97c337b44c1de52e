/**
 * Who was erased, so that a backup from before brings nobody back. Nothing but a hash of the address is
 * kept, which tells those who know an address whether it was erased, and nobody anything else.
 *
 * An erasure is noted before it is done, and the data says which one it has seen last: one that a kill cut
 * short, or that came after a backup which is brought back, is done by the next start.
 */
import { createHmac } from "node:crypto";
import { type AnyRecords, entities, type Item } from "../../schema/index.ts";
import { namesIn, type StoredItem } from "../../schema/entity.ts";
import type { Store } from "../storage/store.ts";

/** Whether a record is about somebody, by its entity. */
export type Whose = (entity: AnyRecords) => (record: StoredItem) => boolean;

/** Notes that the person with this address, in lower case, is about to be erased. Returns what is to be called once they are. */
export async function noteErasure(store: Store, email: string): Promise<() => Promise<void>> {
  const id = Bun.randomUUIDv7();
  const hash = hashOf(store)(email);
  await store.of(entities.erasures).insert({ id, hash, at: new Date().toISOString() });
  // Where a full disk doesn't take it, the next start erases once more.
  return () => done(store, id).catch(() => undefined);
}

/** An earlier one may still be under way, at an instance that lost its turn: then the next start does both again. */
async function done(store: Store, id: string): Promise<void> {
  const [first] = await unseenErasures(store);
  if (first?.id === id) await markSeen(store, id);
}

const markSeen = async (store: Store, seen: string) =>
  void (await store.of(entities.erasureMark).update(() => ({ seen })));

/** Whether an email address, in lower case, is that of somebody who is to be erased. */
export type IsErased = (address: string) => boolean;

/**
 * Has erased whom the present data brought back; to be called at the start. `erase` returns how much went.
 * Returns that, undefined when there was nothing to do. Throws `cannot_store`.
 */
export async function eraseAgain<T>(
  store: Store,
  erase: (isErased: IsErased) => Promise<T>,
): Promise<T | undefined> {
  const unseen = await unseenErasures(store);
  const last = unseen.at(-1);
  if (!last) return undefined;
  const hashes = new Set(unseen.map(({ hash }) => hash));
  const hash = hashOf(store);
  const erased = await erase((address) => hashes.has(hash(address)));
  await markSeen(store, last.id);
  return erased;
}

/** In the order in which they were noted, whatever the clock said then. */
async function unseenErasures(store: Store): Promise<Item<"erasures">[]> {
  const { seen } = store.of(entities.erasureMark).read().value;
  const all = await Array.fromAsync(store.of(entities.erasures).scan());
  // From before there was a mark, or of another site: all of them.
  return all.slice(all.findIndex(({ id }) => id === seen) + 1);
}

/** The records that name somebody who is erased. */
export const naming =
  (isErased: IsErased): Whose =>
  (entity) => {
    const names = namesIn(entity);
    return (record) => names(record).some((text) => addressesIn(text).some(isErased));
  };

/** An address that stands in a text as a whole word, as `isAbout` of a person's address has it. */
const ADDRESS = /[\p{L}\p{N}.+_-]+@[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)*/giu;

const addressesIn = (text: string): string[] =>
  (text.match(ADDRESS) ?? []).map((address) => address.toLowerCase());

/** A text without the addresses that are erased, also within a longer word such as a file's name. */
export const withoutErased =
  (isErased: IsErased) =>
  (text: string): string =>
    text.replace(ADDRESS, (word) => {
      const at = word.indexOf("@");
      const ends = [...word.slice(at).matchAll(/\.|$/g)].map((end) => at + end.index).toReversed();
      for (let start = 0; start < at; start++)
        for (const end of ends)
          if (isErased(word.slice(start, end).toLowerCase()))
            return `${word.slice(0, start)}(erased)${word.slice(end)}`;
      return word;
    });

const hashOf = (store: Store) => (email: string) =>
  createHmac("sha256", `limelight-erased:${store.siteId}`).update(email).digest("base64url");
