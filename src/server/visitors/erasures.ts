/**
 * Records erased people, so that a backup doesn't restore them. Only a hash of the address is stored, which can
 * confirm a known address but reveals none. A restore carries these hashes over; the data records the last erasure
 * it includes, and the next startup repeats the later ones.
 */
import { createHmac } from "node:crypto";
import { entities, type Item } from "../../schema/index.ts";
import { createPersonTextFinder, type StoredItem } from "../../schema/entities/entity.ts";
import type { DeletableEntity } from "../bin/bin.ts";
import { DAY } from "../shared/time.ts";
import type { Store, Transaction } from "../storage/store.ts";

/** Returns whether a record is about the person, by entity. */
export type CreatePersonMatcher = (entity: DeletableEntity) => (record: StoredItem) => boolean;

/** Records, in the transaction that erases them, the person with this address (in lower case). */
export async function recordErasure(
  { siteId }: Store,
  transaction: Transaction,
  email: string,
): Promise<void> {
  const erasures = transaction.of(entities.erasures);
  const last = (await erasures.keys()).at(-1);
  const id = Bun.randomUUIDv7();
  await erasures.insert({
    id,
    hash: createAddressHash(siteId)(email),
    at: new Date().toISOString(),
  });
  // Unless earlier ones are still unseen: the next startup repeats them.
  await transaction
    .of(entities.erasureMark)
    .update((mark) => ((last?.id ?? null) === mark.seen ? { ...mark, seen: id } : mark));
}

/** Whether an email address, in lower case, belongs to somebody who is to be erased. */
type IsErased = (address: string) => boolean;

/** Erasures newer than the current data. */
interface PendingErasures {
  readonly isErased: IsErased;
  /** Call it in the transaction that repeats them. */
  readonly recordSeen: (transaction: Transaction) => Promise<unknown>;
}

/** Erasures that a restored backup may have undone; undefined where there are none. Call it at startup. */
export async function findErasuresToRepeat(store: Store): Promise<PendingErasures | undefined> {
  const { seen } = store.of(entities.erasureMark).read().value;
  const unseen = await readErasuresSince(store, seen);
  const last = unseen.at(-1);
  if (!last) return undefined;
  return {
    isErased: createErasedCheck(store, unseen),
    recordSeen: (transaction) =>
      transaction.of(entities.erasureMark).update((mark) => ({ ...mark, seen: last.id })),
  };
}

/** Whether somebody was erased after `seen`, the last erasure that the values in question include. */
export async function createErasedCheckSince(store: Store, seen: string | null): Promise<IsErased> {
  return createErasedCheck(store, await readErasuresSince(store, seen));
}

function createErasedCheck({ siteId }: Store, erasures: readonly Item<"erasures">[]): IsErased {
  const hashes = new Set(erasures.map(({ hash }) => hash));
  const hash = createAddressHash(siteId);
  return (address) => hashes.has(hash(address));
}

/** In the order in which they were recorded, regardless of the clock. */
async function readErasuresSince(store: Store, seen: string | null): Promise<Item<"erasures">[]> {
  const all = await Array.fromAsync(store.of(entities.erasures).scan());
  // No mark yet, or another site's: all of them.
  return all.slice(all.findIndex(({ id }) => id === seen) + 1);
}

/** Matches items that name an erased person. */
export const createErasedMatcher =
  (isErased: IsErased): CreatePersonMatcher =>
  (entity) => {
    const names = createPersonTextFinder(entity);
    return (record) => names(record).some((text) => findAddresses(text).some(isErased));
  };

/** Candidates for addresses: runs of the characters they consist of. */
const ADDRESS_RUN_PATTERN = /[\p{L}\p{N}.+_@-]+/gu;
const HOST_PATTERN = /^[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)*/u;

/** The addresses in a text as whole words, as `createPersonTest` finds them. */
const findAddresses = (text: string): string[] =>
  (text.match(ADDRESS_RUN_PATTERN) ?? []).flatMap((run) => {
    const pieces = run.toLowerCase().split("@");
    return pieces.slice(1).flatMap((piece, at) => {
      const host = HOST_PATTERN.exec(piece)?.[0];
      return host !== undefined && pieces[at] !== "" ? [`${pieces[at]}@${host}`] : [];
    });
  });

/** The longest address (RFC 5321), so that the search of a long run is linear. */
const MAX_ADDRESS_LENGTH = 254;

/** Replaces erased addresses in a text, even inside a longer word such as a file name. */
export const createErasedRedactor =
  (isErased: IsErased) =>
  (text: string): string =>
    text.replace(ADDRESS_RUN_PATTERN, (run) => {
      for (const { index: at } of run.matchAll(/@/g)) {
        const erasedRun = findErasedAround(run, at, isErased);
        if (!erasedRun) continue;
        const rest = createErasedRedactor(isErased)(run.slice(erasedRun.end));
        return `${run.slice(0, erasedRun.start)}(erased)${rest}`;
      }
      return run;
    });

/** The longest erased address around the @ at `at`. */
function findErasedAround(run: string, at: number, isErased: IsErased) {
  const first = Math.max(run.lastIndexOf("@", at - 1) + 1, at - MAX_ADDRESS_LENGTH);
  const host = run.slice(at + 1, at + MAX_ADDRESS_LENGTH).split("@", 1)[0] ?? "";
  const ends = [...host.matchAll(/\.|$/g)].map(({ index }) => at + 1 + index).toReversed();
  for (let start = first; start < at; start++)
    for (const end of ends)
      if (isErased(run.slice(start, end).toLowerCase())) return { start, end };
  return undefined;
}

const createAddressHash = (siteId: string) => (email: string) =>
  createHmac("sha256", `limelight-erased:${siteId}`).update(email).digest("base64url");

/**
 * Remembers erased enquiries: a page that is still open may send one again, which must not restore anybody. Only
 * ids are stored, for as long as that can happen.
 */
export async function recordErasedEnquiries(
  transaction: Transaction,
  ids: readonly string[],
): Promise<void> {
  const noted = transaction.of(entities.erasedEnquiries);
  const at = new Date().toISOString();
  for (const id of ids) if (!(await noted.get(id))) await noted.insert({ id, at });
}

/** Forgets those that can no longer be sent again. */
export async function removeOldErasedEnquiries(store: Store, now: number): Promise<void> {
  const before = new Date(now - DAY).toISOString();
  await store.of(entities.erasedEnquiries).deleteWhere({ at: { before } });
}
