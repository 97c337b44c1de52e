/** The owner's routes for one person's data, by email address: find, export, erase. */
import { Elysia } from "elysia";
import * as v from "valibot";
import { emailSchema } from "../../schema/core/email.ts";
import { toRecordResponse } from "../../schema/entities/entity.ts";
import { entities, type Item } from "../../schema/index.ts";
import type { Submission } from "../../schema/enquiry/visitors.ts";
import { isExtraEnabled } from "../../schema/entities/extra.ts";
import { readCheckedJson } from "../http/body.ts";
import { callEnd } from "../shared/callTimes.ts";
import { isRefusal } from "../shared/errors.ts";
import type { Log } from "../shared/log.ts";
import type { Bin } from "../bin/bin.ts";
import type { Store, Transaction } from "../storage/store.ts";
import {
  findErasuresToRepeat,
  createErasedMatcher,
  recordErasure,
  createErasedRedactor,
} from "./erasures.ts";
import type { RecordContext } from "./recordRoutes.ts";
import {
  erasePersonalItems,
  type ErasedCounts,
  findItemsOfPerson,
  findPersonalItems,
  finishErasures,
  createPersonTest,
} from "./personalItems.ts";

interface PersonContext extends RecordContext {
  /** The person's name is removed there too. */
  readonly audit: AuditRedaction;
}

interface AuditRedaction {
  /** Rewrites all its texts with `without`. */
  redact(transaction: Transaction, without: (text: string) => string): Promise<void>;
}

interface Person {
  readonly email: string;
  readonly subscription: Item<"emailSubscriptions"> | null;
  /** Those with the address in an answer, newest first. */
  readonly submissions: readonly Submission[];
  readonly testimonials: readonly Item<"testimonials">[];
  readonly testimonialRequests: readonly Item<"testimonialRequests">[];
}

/** The number of items that name a person, or were erased. */
type ItemCounts = Readonly<Record<(typeof COUNTED_KINDS)[number]["name"], number>>;

/** The kinds of items, as the owner reads them. */
const COUNTED_KINDS = [
  { name: "submissions", one: "submission", several: "submissions" },
  { name: "subscriptions", one: "subscription", several: "subscriptions" },
  { name: "testimonials", one: "testimonial", several: "testimonials" },
  {
    name: "testimonialRequests",
    one: "testimonial request",
    several: "testimonial requests",
  },
] as const;

/**
 * All accept `{email}` in the body: in a URL it would end up in histories and proxies' logs. POST `/api/people/find`
 * returns the counts, including the bin; `/export` returns a `Person`; `/erase` deletes all of it permanently, and
 * returns the counts and, as `keptIn`, the places beside the data that contain the address. The last two need a
 * proof.
 */
export function personalDataRoutes({ store, guard, proof, bin, audit, clock }: PersonContext) {
  return new Elysia({ prefix: "/api/people" })
    .use(guard)
    .post(
      "/find",
      async ({ request }) => {
        const person = await findPerson(store, bin, await readAddress(request));
        const shown = countPublicTestimonials(store, person);
        return {
          email: person.email,
          ...countItems(person),
          shown,
          calls: countUpcomingCalls(person, clock()),
        };
      },
      {
        owner: true,
        parse: "none",
      },
    )
    .post(
      "/export",
      async ({ request, owner, happened }) => {
        proof.require(owner);
        const person = await findPerson(store, bin, await readAddress(request));
        happened("data", "exported a person's data", formatCounts(countItems(person)));
        return person;
      },
      { owner: true, parse: "none" },
    )
    .post(
      "/erase",
      async ({ request, owner, happened }) => {
        proof.require(owner);
        const email = await readAddress(request);
        const items = await findPersonalItems(
          store,
          bin,
          (entity) => createPersonTest(entity, email),
          email,
        );
        const erased = await erasePersonalItems(store, items, async (transaction) => {
          await audit.redact(
            transaction,
            createErasedRedactor((address) => address === email),
          );
          await recordErasure(store, transaction, email);
        });
        const counts = countErased(erased);
        happened("data", "erased a person's data", formatCounts(counts));
        const leftoverCopies = await store.eraseCopies(email);
        return { ...counts, ...(leftoverCopies.length > 0 && { keptIn: leftoverCopies }) };
      },
      { owner: true, parse: "none" },
    );
}

/** Testimonials and requests are mentioned only if there are any. */
const formatCounts = (counts: ItemCounts) =>
  COUNTED_KINDS.filter(({ name }, at) => at < 2 || counts[name] > 0)
    .map(({ name, one, several }) => `${counts[name]} ${counts[name] === 1 ? one : several}`)
    .join(", ");

const countErased = (erased: ErasedCounts): ItemCounts => ({
  subscriptions: erased.get(entities.emailSubscriptions) ?? 0,
  submissions: erased.get(entities.formSubmissions) ?? 0,
  testimonials: erased.get(entities.testimonials) ?? 0,
  testimonialRequests: erased.get(entities.testimonialRequests) ?? 0,
});

const personBodySchema = v.object({ email: v.nullish(emailSchema, "") }, "Email is required");

async function readAddress(request: Request): Promise<string> {
  return (await readCheckedJson(personBodySchema, request, "email")).email.toLowerCase();
}

const countItems = (person: Person): ItemCounts => ({
  subscriptions: person.subscription ? 1 : 0,
  submissions: person.submissions.length,
  testimonials: person.testimonials.length,
  testimonialRequests: person.testimonialRequests.length,
});

/** The number of agreed calls with them that aren't over: erasing notifies nobody that they are off. */
const countUpcomingCalls = ({ submissions }: Person, now: number) =>
  submissions.filter(({ booked }) => booked && callEnd(booked) > now).length;

/** The number of their testimonials on the site now, which erasing would remove. */
function countPublicTestimonials(store: Store, { testimonials }: Person): number {
  const { on } = store.of(entities.extras).read().value;
  if (!isExtraEnabled(entities.testimonials, on)) return 0;
  const ids = new Set(testimonials.map(({ id }) => id));
  const { value } = store.of(entities.testimonials).read();
  return value.filter(({ id, isActive }) => isActive && ids.has(id)).length;
}

/** `email` is trimmed and in lower case. Reads every submission, yielding to other work. */
async function findPerson(store: Store, bin: Bin, email: string): Promise<Person> {
  const { emailSubscriptions, formSubmissions } = entities;
  const [subscription = null] = await findItemsOfPerson(store, bin, emailSubscriptions, email);
  const records = await findItemsOfPerson(store, bin, formSubmissions, email);
  const submissions = records.map(
    (record) => toRecordResponse(formSubmissions, record) as Submission,
  );
  const testimonials = await findItemsOfPerson(store, bin, entities.testimonials, email);
  const testimonialRequests = await findItemsOfPerson(
    store,
    bin,
    entities.testimonialRequests,
    email,
  );
  return { email, subscription, submissions, testimonials, testimonialRequests };
}

/** At startup, erases people again whom a backup restored. Failures are logged. */
export async function repeatErasures({
  store,
  bin,
  audit,
  log,
}: RepeatErasuresContext): Promise<void> {
  try {
    await finishErasures(store);
    const unseen = await findErasuresToRepeat(store);
    if (!unseen) return;
    const { isErased, recordSeen } = unseen;
    const items = await findPersonalItems(store, bin, createErasedMatcher(isErased));
    const erased = await erasePersonalItems(store, items, async (transaction) => {
      await audit.redact(transaction, createErasedRedactor(isErased));
      await recordSeen(transaction);
    });
    if ([...erased.values()].every((count) => count === 0)) return;
    const action = "erased again after a restore";
    const counts = formatCounts(countErased(erased));
    audit.record({ kind: "data", action, detail: counts });
    log(`privacy: erased again after a restore (${counts})`, "info");
  } catch (error) {
    if (!isRefusal(error, "cannot_store")) throw error;
    log(NOT_ERASED_MESSAGE);
  }
}

interface RepeatErasuresContext {
  readonly store: Store;
  readonly bin: Bin;
  readonly audit: AuditRedaction & {
    record(noted: { kind: "data"; action: string; detail: string }): void;
  };
  readonly log: Log;
}

const NOT_ERASED_MESSAGE =
  "privacy: people who were erased after the backup couldn't be erased again. Make sure that the disk is writable and has free space, then start again.";
