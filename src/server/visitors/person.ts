/** The owner's routes on one person's data, known by email address: show everything, erase everything. */
import { Elysia } from "elysia";
import pLimit from "p-limit";
import * as v from "valibot";
import { emailSchema } from "../../schema/email.ts";
import { type ItemOf, namesIn, shownOf, type StoredItem } from "../../schema/entity.ts";
import type { Fields } from "../../schema/fields.ts";
import { allEntities, type AnyRecords, entities, type Item } from "../../schema/index.ts";
import type { Submission } from "../../schema/visitors.ts";
import { readChecked } from "../http/checkedBody.ts";
import { isRefusal } from "../shared/errors.ts";
import { whenFree } from "../shared/instances.ts";
import type { Log } from "../shared/log.ts";
import type { Bin } from "../storage/bin.ts";
import type { Store } from "../storage/store.ts";
import { eraseAgain, naming, noteErasure, withoutErased, type Whose } from "./erasures.ts";
import type { RecordContext } from "./records.ts";
import { noteErasedEnquiries } from "./sentOnce.ts";

interface PersonContext extends RecordContext {
  /** What names the person goes from there too. */
  readonly audit: Forgetting;
}

interface Forgetting {
  /** Changes all its texts. */
  forget(without: (text: string) => string): Promise<void>;
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
  // Here and on other instances, so that the data has seen all erasures before the one that it says it has.
  const oneAtATime = pLimit(1);
  const inTurn = <R>(work: () => Promise<R>) =>
    oneAtATime(() => whenFree(store.instances, "erasure", PATIENCE_MS, work));
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
        const erased = await inTurn(async () => {
          const done = await noteErasure(store, email);
          const counted = await erase(store, bin, (entity) => isAbout(entity, email), email);
          await audit.forget(withoutErased((address) => address === email));
          await done();
          return counted;
        });
        happened("data", "erased a person's data", amountsOf(erased));
        return erased;
      },
      { owner: true, parse: "none" },
    );
}

/** As long as it is waited for an erasure of another instance, which reads all submissions. */
const PATIENCE_MS = 30_000;

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
  for await (const item of bin.of(entity)) if (isTheirs(item)) found.push(item as never);
  return found;
}

/** Erases again whom a backup has brought back; for the start. What fails is said in the log. */
export async function keepErased({ store, bin, audit, log }: KeepingErased): Promise<void> {
  try {
    const erased = await eraseAgain(store, async (isErased) => {
      const counted = await erase(store, bin, naming(isErased));
      await audit.forget(withoutErased(isErased));
      return counted;
    });
    if (!erased || erased.submissions + erased.subscriptions === 0) return;
    const what = "erased again whom a backup brought back";
    const counts = amountsOf(erased);
    audit.note({ kind: "data", what, detail: counts });
    log(`privacy: erased again whom a backup brought back (${counts})`);
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

/**
 * Erases from all files, `.bak` included, and from the bin, with the messages about what they sent, which hold
 * their answers and name the owner alone. `email` finds them sooner where it is known.
 */
async function erase(store: Store, bin: Bin, whose: Whose, email?: string): Promise<Counted> {
  const erased = new Map<string, number>();
  const isTheirs = (entity: AnyRecords, item: StoredItem) => whose(entity)(item);
  const inBin = await bin.erase(isTheirs, async () => {
    const deleted = await Array.fromAsync(bin.of(entities.formSubmissions));
    const theirs = deleted.filter(whose(entities.formSubmissions));
    await eraseMessages(store, theirs);
    await noteErasedEnquiries(store, idsOf(theirs));
    for (const entity of allEntities) {
      if (entity.shape !== "records" || !namesPeople(entity)) continue;
      const theirs = await recordsOf(store, entity, whose(entity), email);
      // First, so that an erasure which is cut short finds them again.
      await eraseMessages(store, theirs);
      if (entity === entities.formSubmissions) await noteErasedEnquiries(store, idsOf(theirs));
      const ids = new Set(theirs.map(({ id }) => id));
      const gone = () => store.of<AnyRecords>(entity).deleteWhere({ id: { oneOf: ids } });
      erased.set(entity.key, ids.size > 0 ? await gone() : 0);
    }
  });
  const went = ({ key }: AnyRecords) => (erased.get(key) ?? 0) + (inBin[key] ?? 0);
  return {
    subscriptions: went(entities.emailSubscriptions),
    submissions: went(entities.formSubmissions),
  };
}

/** Those about so many records. */
async function eraseMessages(store: Store, records: readonly StoredItem[]): Promise<void> {
  if (records.length === 0) return;
  const about = { oneOf: new Set<string | null>(records.map(({ id }) => id)) };
  await store.of(entities.outbox).deleteWhere({ about });
}

const idsOf = (records: readonly StoredItem[]) => records.map(({ id }) => id);

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
  const literal = email.replace(
    /[^a-z0-9]/gi,
    (sign) => `\\u{${sign.codePointAt(0)!.toString(16)}}`,
  );
  const whole = new RegExp(
    `(?<![\\p{L}\\p{N}.+_-])${literal}(?![\\p{L}\\p{N}_-]|\\.[\\p{L}\\p{N}])`,
    "iu",
  );
  const names = namesIn(entity);
  return (record) => names(record).some((text) => whole.test(text));
}
