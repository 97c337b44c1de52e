/**
 * Who was erased, so that a backup from before brings nobody back. Nothing but a hash of the address is
 * kept, which tells those who know an address whether it was erased, and nobody anything else. It is kept when a
 * backup comes back; the data says which erasure it has seen last, and the next start does those after it.
 */
import { createHmac } from "node:crypto";
import { entities, type Item } from "../../schema/index.ts";
import { namesIn, type StoredItem } from "../../schema/entity.ts";
import type { Listed } from "../bin/bin.ts";
import type { Store, Transaction } from "../storage/store.ts";

/** Whether an item is about somebody, by its entity. */
export type Whose = (entity: Listed) => (record: StoredItem) => boolean;

/** Notes that an erasure is done: until then the next start does it once more. */
export type NoteDone = (transaction: Transaction) => Promise<unknown>;

/** Notes, in the transaction that erases them, the person with this address, in lower case. */
export async function noteErasure(
  { siteId }: Store,
  transaction: Transaction,
  email: string,
): Promise<NoteDone> {
  const erasures = transaction.of(entities.erasures);
  const last = (await erasures.keys()).at(-1);
  const id = Bun.randomUUIDv7();
  await erasures.insert({ id, hash: hashOf(siteId)(email), at: new Date().toISOString() });
  // Not over those that a start couldn't do: the next one has to.
  return (later) =>
    later
      .of(entities.erasureMark)
      .update((value) => ((last?.id ?? null) === value.seen ? { seen: id } : value));
}

/** Whether an email address, in lower case, is that of somebody who is to be erased. */
type IsErased = (address: string) => boolean;

/** Erasures that the present data has not seen. */
interface Unseen {
  readonly isErased: IsErased;
  readonly noteDone: NoteDone;
}

/** Those whom a backup may have brought back; undefined where there are none. To be asked at the start. */
export async function erasuresToRepeat(store: Store): Promise<Unseen | undefined> {
  const unseen = await unseenErasures(store);
  const last = unseen.at(-1);
  if (!last) return undefined;
  const hashes = new Set(unseen.map(({ hash }) => hash));
  const hash = hashOf(store.siteId);
  return {
    isErased: (address) => hashes.has(hash(address)),
    noteDone: (transaction) =>
      transaction.of(entities.erasureMark).update(() => ({ seen: last.id })),
  };
}

/** Whether somebody was ever erased; for what comes out of a backup by itself. */
export async function everErased(store: Store): Promise<IsErased> {
  const all = await Array.fromAsync(store.of(entities.erasures).scan());
  const hashes = new Set(all.map(({ hash }) => hash));
  const hash = hashOf(store.siteId);
  return (address) => hashes.has(hash(address));
}

/** In the order in which they were noted, whatever the clock said then. */
async function unseenErasures(store: Store): Promise<Item<"erasures">[]> {
  const { seen } = store.of(entities.erasureMark).read().value;
  const all = await Array.fromAsync(store.of(entities.erasures).scan());
  // From before there was a mark, or of another site: all of them.
  return all.slice(all.findIndex(({ id }) => id === seen) + 1);
}

/** The items that name somebody who is erased. */
export const naming =
  (isErased: IsErased): Whose =>
  (entity) => {
    const names = namesIn(entity);
    return (record) => names(record).some((text) => addressesIn(text).some(isErased));
  };

/** What may hold addresses: their letters and signs, up to the next other one. */
const RUN = /[\p{L}\p{N}.+_@-]+/gu;
const HOST = /^[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)*/u;

/** Those that stand in a text as whole words, as `isAbout` of a person's address has it. */
const addressesIn = (text: string): string[] =>
  (text.match(RUN) ?? []).flatMap((run) => {
    const pieces = run.toLowerCase().split("@");
    return pieces.slice(1).flatMap((piece, at) => {
      const host = HOST.exec(piece)?.[0];
      return host !== undefined && pieces[at] !== "" ? [`${pieces[at]}@${host}`] : [];
    });
  });

/** Of an address (RFC 5321), so that a long run costs no more than its length. */
const LONGEST = 254;

/** A text without the addresses that are erased, also within a longer word such as a file's name. */
export const withoutErased =
  (isErased: IsErased) =>
  (text: string): string =>
    text.replace(RUN, (run) => {
      for (const { index: at } of run.matchAll(/@/g)) {
        const found = erasedAround(run, at, isErased);
        if (!found) continue;
        const rest = withoutErased(isErased)(run.slice(found.end));
        return `${run.slice(0, found.start)}(erased)${rest}`;
      }
      return run;
    });

/** The longest address around the sign at `at` that is erased. */
function erasedAround(run: string, at: number, isErased: IsErased) {
  const first = Math.max(run.lastIndexOf("@", at - 1) + 1, at - LONGEST);
  const host = run.slice(at + 1, at + LONGEST).split("@", 1)[0] ?? "";
  const ends = [...host.matchAll(/\.|$/g)].map(({ index }) => at + 1 + index).toReversed();
  for (let start = first; start < at; start++)
    for (const end of ends)
      if (isErased(run.slice(start, end).toLowerCase())) return { start, end };
  return undefined;
}

const hashOf = (siteId: string) => (email: string) =>
  createHmac("sha256", `limelight-erased:${siteId}`).update(email).digest("base64url");
