/**
 * Records which people were erased, so that a restored backup doesn't bring their data back. Only a hash of the email
 * address is stored: it can confirm a known address, but reveals none. A restore replaces the data, but not the hashes.
 * The data contains the id of the last erasure that it includes; the next startup repeats later erasures.
 */
import { createHmac } from "node:crypto";
import { entities, type Item } from "../../schema/index.ts";
import { createPersonTextFinder, type StoredItem } from "../../schema/entities/entity.ts";
import type { DeletableEntity } from "../bin/bin.ts";
import { DAY } from "../shared/time.ts";
import type { Store, Transaction } from "../storage/store.ts";

/** Returns a function that is true for an entity's items about the person. */
export type CreatePersonMatcher = (entity: DeletableEntity) => (record: StoredItem) => boolean;

/** Records an erasure, in the transaction that erases the data. `email` is in lower case. */
export async function recordErasure(
  { siteId }: Store,
  transaction: Transaction,
  email: string,
): Promise<void> {
  const erasures = transaction.of(entities.erasures);
  const lastErasure = (await erasures.readKeys()).at(-1);
  const id = Bun.randomUUIDv7();
  const at = new Date().toISOString();
  await erasures.insert({ id, hash: createAddressHash(siteId)(email), at });
  // If the data lacks earlier erasures, the next startup must still repeat them.
  await transaction
    .of(entities.erasureMark)
    .update((mark) => ((lastErasure?.id ?? null) === mark.seen ? { ...mark, seen: id } : mark));
}

/** Whether an email address in lower case belongs to an erased person. */
type IsErased = (address: string) => boolean;

/** Returns the erasures that a restored backup has undone; undefined if there are none. Call this at startup. */
export async function findErasuresToRepeat(store: Store) {
  const { seen: lastSeenErasureId } = store.of(entities.erasureMark).read().value;
  const missedErasures = await readErasuresSince(store, lastSeenErasureId);
  const lastErasure = missedErasures.at(-1);
  if (!lastErasure) return undefined;
  return {
    isErased: createErasedCheck(store, missedErasures),
    /** Records that these erasures were repeated. Call this in the same transaction. */
    recordRepeated: (transaction: Transaction) =>
      transaction.of(entities.erasureMark).update((mark) => ({ ...mark, seen: lastErasure.id })),
  };
}

/** Returns a check for people who were erased after `lastSeenErasureId`, the last erasure in a backup's values. */
export async function createErasedCheckSince(
  store: Store,
  lastSeenErasureId: string | null,
): Promise<IsErased> {
  return createErasedCheck(store, await readErasuresSince(store, lastSeenErasureId));
}

function createErasedCheck({ siteId }: Store, erasures: readonly Item<"erasures">[]): IsErased {
  const hashes = new Set(erasures.map(({ hash }) => hash));
  const hash = createAddressHash(siteId);
  return (address) => hashes.has(hash(address));
}

/** Returns the erasures recorded after the one with this id. Times may mislead: a clock may have been set back. */
async function readErasuresSince(
  store: Store,
  lastSeenErasureId: string | null,
): Promise<Item<"erasures">[]> {
  const all = await Array.fromAsync(store.of(entities.erasures).scan());
  // Without a known id, the values may be from another site: returns all erasures.
  return all.slice(all.findIndex(({ id }) => id === lastSeenErasureId) + 1);
}

/** Creates a function that is true for items with an erased address as a whole word. */
export const createErasedMatcher =
  (isErased: IsErased): CreatePersonMatcher =>
  (entity) => {
    const findTexts = createPersonTextFinder(entity);
    return (item) => findTexts(item).some((text) => findErasedAddress(text, isErased, true));
  };

/** Creates a function that replaces erased addresses in a text, even inside a longer word such as a file name. */
export const createErasedRedactor =
  (isErased: IsErased) =>
  (text: string): string => {
    const match = findErasedAddress(text, isErased, false);
    if (!match) return text;
    const tail = createErasedRedactor(isErased)(text.slice(match.end));
    return `${text.slice(0, match.start)}(erased)${tail}`;
  };

/** The maximum length of an email address in characters (RFC 5321). */
const MAX_ADDRESS_LENGTH = 254;
/** Matches a character that can be before the @ of an address (RFC 5322). */
const LOCAL_CHARACTER_PATTERN = /[\p{L}\p{N}.!#$%&'*+/=?^_`{|}~-]/u;
/**
 * Matches a character that makes an address part of a longer word: joann@example.com doesn't contain ann@example.com,
 * but 'ann@example.com' does.
 */
const WORD_CHARACTER_PATTERN = /[\p{L}\p{N}.+_-]/u;
/** Matches a host name. A dot belongs to it only before a letter or digit: "ann@example.com.--Ann" has example.com. */
const HOST_PATTERN = /^[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}][\p{L}\p{N}_-]*)*/u;

/** Finds the first erased address in a text, and the longest if several match there. */
function findErasedAddress(text: string, isErased: IsErased, isWholeWord: boolean) {
  for (let atIndex = text.indexOf("@"); atIndex !== -1; atIndex = text.indexOf("@", atIndex + 1)) {
    const host =
      HOST_PATTERN.exec(text.slice(atIndex + 1, atIndex + MAX_ADDRESS_LENGTH))?.[0] ?? "";
    const hostLengths = isWholeWord
      ? [host.length]
      : [...host.matchAll(/\.|$/g)].map((dot) => dot.index);
    let localStart = atIndex;
    while (
      localStart > atIndex - MAX_ADDRESS_LENGTH &&
      LOCAL_CHARACTER_PATTERN.test(text.charAt(localStart - 1))
    )
      localStart--;
    for (let start = localStart; start < atIndex; start++) {
      if (isWholeWord && WORD_CHARACTER_PATTERN.test(text.charAt(start - 1))) continue;
      const end = hostLengths
        .map((length) => atIndex + 1 + length)
        .findLast((each) => isErased(text.slice(start, each).toLowerCase()));
      if (end !== undefined) return { start, end };
    }
  }
  return undefined;
}

const createAddressHash = (siteId: string) => (email: string) =>
  createHmac("sha256", `limelight-erased:${siteId}`).update(email).digest("base64url");

/** Records the ids of erased enquiries, so that a page that is still open can't send them again. */
export async function recordErasedEnquiries(
  transaction: Transaction,
  ids: readonly string[],
): Promise<void> {
  const erasedEnquiries = transaction.of(entities.erasedEnquiries);
  // Uses the system's clock, as the signed start times of forms do. A trusted clock may be behind; when it catches up,
  // ids would be deleted while pages could still send the enquiries.
  const at = new Date().toISOString();
  for (const id of ids) await erasedEnquiries.insertMissing({ id, at });
}

/** Deletes the ids of enquiries that no page can send again, since their signed start times have expired. */
export async function removeOldErasedEnquiries(store: Store, now: number): Promise<void> {
  const before = new Date(now - DAY).toISOString();
  await store.of(entities.erasedEnquiries).deleteWhere({ at: { before } });
}
