/** The owner's routes on one person's data, known by email address: show everything, erase everything. */
import { Elysia } from "elysia";
import * as v from "valibot";
import { emailSchema } from "../../schema/email.ts";
import { type ItemOf, namesIn, shownOf, type StoredItem } from "../../schema/entity.ts";
import type { Fields } from "../../schema/fields.ts";
import { allEntities, type AnyRecords, entities, type Item } from "../../schema/index.ts";
import type { Submission } from "../../schema/visitors.ts";
import { readChecked } from "../http/checkedBody.ts";
import { isRefusal } from "../shared/errors.ts";
import type { Log } from "../shared/log.ts";
import type { Bin } from "../bin/bin.ts";
import type { Store, Transaction } from "../storage/store.ts";
import { erasuresToRepeat, naming, noteErasure, withoutErased, type Whose } from "./erasures.ts";
import type { RecordContext } from "./records.ts";
import { noteErasedEnquiries } from "./sentOnce.ts";

interface PersonContext extends RecordContext {
  /** What names the person goes from there too. */
  readonly audit: Forgetting;
}

interface Forgetting {
  /** Changes all its texts. */
  forget(transaction: Transaction, without: (text: string) => string): Promise<void>;
}

interface Person {
  readonly email: string;
  readonly subscription: Item<"emailSubscriptions"> | null;
  /** Those in which an answer names the address, newest first. */
  readonly submissions: readonly Submission[];
}

/** How many records name a person, or were erased. */
interface Counted {
  readonly subscriptions: number;
  readonly submissions: number;
}

/**
 * All take `{email}` in the body: an address in an address would stay in histories and proxies' logs.
 * POST `/api/people/find` returns how much there is, in the bin too, `/export` a `Person`, `/erase` erases
 * that, past the bin, and returns how much went; the last two need a proof.
 */
export function personRoutes({ store, guard, proof, bin, audit }: PersonContext) {
  return new Elysia({ prefix: "/api/people" })
    .use(guard)
    .post(
      "/find",
      async ({ request }) => countOf(await findPerson(store, bin, await addressIn(request))),
      {
        owner: true,
        parse: "none",
      },
    )
    .post(
      "/export",
      async ({ request, owner, happened }) => {
        proof.require(owner);
        const person = await findPerson(store, bin, await addressIn(request));
        happened("data", "exported a person's data", amountsOf(countOf(person)));
        return person;
      },
      { owner: true, parse: "none" },
    )
    .post(
      "/erase",
      async ({ request, owner, happened }) => {
        proof.require(owner);
        const email = await addressIn(request);
        const found = await findAll(store, bin, (entity) => isAbout(entity, email), email);
        const erased = await erase(store, found, async (transaction) => {
          await audit.forget(
            transaction,
            withoutErased((address) => address === email),
          );
          await noteErasure(store, transaction, email);
        });
        happened("data", "erased a person's data", amountsOf(erased));
        return erased;
      },
      { owner: true, parse: "none" },
    );
}

const amountsOf = ({ submissions, subscriptions }: Counted) =>
  `${amount(submissions, "submission")}, ${amount(subscriptions, "subscription")}`;

const amount = (count: number, label: string) => `${count} ${label}${count === 1 ? "" : "s"}`;

const personBody = v.object({ email: v.nullish(emailSchema, "") }, "Email is required");

async function addressIn(request: Request): Promise<string> {
  return (await readChecked(personBody, request, "email")).email.toLowerCase();
}

const countOf = ({ email, subscription, submissions }: Person): { email: string } & Counted => ({
  email,
  subscriptions: subscription ? 1 : 0,
  submissions: submissions.length,
});

/** `email` trimmed and in lower case. Reads every submission, giving way to other work. */
async function findPerson(store: Store, bin: Bin, email: string): Promise<Person> {
  const { emailSubscriptions, formSubmissions } = entities;
  const [subscription = null] = await everythingOf(store, bin, emailSubscriptions, email);
  const found = await everythingOf(store, bin, formSubmissions, email);
  const submissions = found.map((record) => shownOf(formSubmissions, record) as Submission);
  return { email, subscription, submissions };
}

/** What is in its list, then what is in the bin. */
async function everythingOf<E extends AnyRecords>(
  store: Store,
  bin: Bin,
  entity: E,
  email: string,
) {
  const isTheirs = isAbout(entity, email);
  const found = await recordsOf(store, entity, isTheirs, email);
  for await (const item of bin.of(entity))
    if (isTheirs(item)) found.push(item as (typeof found)[number]);
  return found;
}

/** Erases again whom a backup has brought back; for the start. What fails is said in the log. */
export async function keepErased({ store, bin, audit, log }: KeepingErased): Promise<void> {
  try {
    const unseen = await erasuresToRepeat(store);
    if (!unseen) return;
    const { isErased, markSeen } = unseen;
    const found = await findAll(store, bin, naming(isErased));
    const erased = await erase(store, found, async (transaction) => {
      await audit.forget(transaction, withoutErased(isErased));
      await markSeen(transaction);
    });
    if (erased.submissions + erased.subscriptions === 0) return;
    const what = "erased again after a restore";
    const counts = amountsOf(erased);
    audit.note({ kind: "data", what, detail: counts });
    log(`privacy: erased again after a restore (${counts})`, "info");
  } catch (error) {
    if (!isRefusal(error, "cannot_store")) throw error;
    log(NOT_ERASED);
  }
}

interface KeepingErased {
  readonly store: Store;
  readonly bin: Bin;
  readonly audit: Forgetting & {
    note(noted: { kind: "data"; what: string; detail: string }): void;
  };
  readonly log: Log;
}

const NOT_ERASED =
  "privacy: persons who were erased after the backup couldn't be erased again. See that the disk takes writes and has room, then start again.";

/** What names somebody: the ids of it, by entity, in the lists and in the bin. */
type Found = ReadonlyMap<AnyRecords, ReadonlySet<string>>;

/** Looks through all lists and the bin; `email` finds them sooner where it is known. */
async function findAll(store: Store, bin: Bin, whose: Whose, email?: string): Promise<Found> {
  const found = new Map<AnyRecords, Set<string>>();
  for (const entity of allEntities) {
    if (entity.shape !== "records") continue;
    const ids = new Set<string>();
    const isTheirs = whose(entity);
    if (namesPeople(entity))
      for (const { id } of await recordsOf(store, entity, isTheirs, email)) ids.add(id);
    for await (const item of bin.of(entity)) if (isTheirs(item)) ids.add(item.id);
    if (ids.size > 0) found.set(entity, ids);
  }
  return found;
}

/**
 * Erases what was found, wherever it is by then, with the messages about it, which hold answers and name the owner
 * alone; `more` belongs to it: all at once or nothing. Resolves once it is in no file, `.bak` included.
 */
async function erase(
  store: Store,
  found: Found,
  more: (transaction: Transaction) => Promise<void>,
): Promise<Counted> {
  const erased = await store.transaction(async (transaction) => {
    const counts = new Map<AnyRecords, number>();
    const binned = transaction.of(entities.bin);
    for (const [entity, ids] of found) {
      const list = transaction.of<AnyRecords>(entity);
      const isThere = async (id: string) =>
        [await list.delete(id), await binned.delete(id)].some((each) => each !== undefined);
      for (const id of ids)
        if (await isThere(id)) counts.set(entity, (counts.get(entity) ?? 0) + 1);
    }
    const about = { oneOf: new Set<string | null>([...found.values()].flatMap((ids) => [...ids])) };
    await transaction.of(entities.outbox).deleteWhere({ about });
    await noteErasedEnquiries(transaction, [...(found.get(entities.formSubmissions) ?? [])]);
    await more(transaction);
    return {
      subscriptions: counts.get(entities.emailSubscriptions) ?? 0,
      submissions: counts.get(entities.formSubmissions) ?? 0,
    };
  });
  await store.writeDown();
  return erased;
}

const namesPeople = ({ fields }: AnyRecords) =>
  Object.values(fields as Fields).some(({ personal }) => personal === "named");

/** The records of an entity that are somebody's, newest first. */
async function recordsOf<E extends AnyRecords>(
  store: Store,
  entity: E,
  isTheirs: (record: StoredItem) => boolean,
  email: string | undefined,
): Promise<(ItemOf<E> & { id: string })[]> {
  const records = store.of<AnyRecords>(entity);
  const found: StoredItem[] = [];
  if (entity.unique && email !== undefined) {
    const record = await records.findUnique(email);
    if (record) found.push(record);
  } else {
    for await (const record of records.scan({ newestFirst: true }))
      if (isTheirs(record)) found.push(record);
  }
  return found as (ItemOf<E> & { id: string })[];
}

/** Whether a record is a person's: by its unique address, else by the address as a whole word in it. */
function isAbout(entity: AnyRecords, email: string): (record: StoredItem) => boolean {
  const { unique } = entity;
  if (unique) return (record) => record[unique] === email;
  // ann@example.com is not named in joann@example.com.
  const literal = email.replace(/[^a-z0-9]/gi, (sign) => `\\u{${sign.charCodeAt(0).toString(16)}}`);
  const whole = new RegExp(
    `(?<![\\p{L}\\p{N}.+_-])${literal}(?![\\p{L}\\p{N}_-]|\\.[\\p{L}\\p{N}])`,
    "iu",
  );
  const names = namesIn(entity);
  return (record) => names(record).some((text) => whole.test(text));
}
