/** The owners' routes to find, export and erase one person's data by email address. */
import { Elysia } from "elysia";
import * as v from "valibot";
import { emailSchema } from "../../schema/core/email.ts";
import { formatCount } from "../../schema/core/formatNumber.ts";
import { toRecordResponse } from "../../schema/entities/entity.ts";
import { entities, type Item } from "../../schema/index.ts";
import type { Submission } from "../../schema/enquiry/visitors.ts";
import { isExtraEnabled } from "../../schema/entities/extra.ts";
import { readCheckedJson } from "../http/body.ts";
import { computeCallEnd } from "../shared/callTimes.ts";
import { isRefusal } from "../shared/errors.ts";
import type { Log } from "../shared/log.ts";
import type { Bin, DeletableEntity } from "../bin/bin.ts";
import type { Store, Transaction } from "../storage/store.ts";
import {
  type CreatePersonMatcher,
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
  createEmailMatcher,
} from "./personalItems.ts";

interface PersonalDataContext extends RecordContext {
  /** An erasure replaces the person's address in the audit log. */
  readonly audit: AuditRedactor;
}

interface AuditRedactor {
  /** Replaces each text of the audit log by the result of `redactText`. */
  redact(transaction: Transaction, redactText: (text: string) => string): Promise<void>;
}

interface Person {
  readonly email: string;
  readonly subscription: Item<"emailSubscriptions"> | null;
  /** The submissions with the address in an answer, newest first. */
  readonly submissions: readonly Submission[];
  readonly testimonials: readonly Item<"testimonials">[];
  readonly testimonialRequests: readonly Item<"testimonialRequests">[];
}

type ItemCounts = Readonly<Record<(typeof COUNTED_KINDS)[number]["name"], number>>;

const COUNTED_KINDS = [
  { name: "submissions", label: "submission" },
  { name: "subscriptions", label: "subscription" },
  { name: "testimonials", label: "testimonial" },
  { name: "testimonialRequests", label: "testimonial request" },
] as const;

/**
 * All routes take `{email}` in the body, because an address in a URL would be stored in histories and logs. POST
 * `/api/people/find` returns how many items of each kind a person has, POST `/export` returns a `Person`. POST `/erase`
 * permanently deletes the items, and returns their counts and, as `keptIn`, copies that still contain the address.
 */
export function createPersonalDataRoutes({ store, guard, bin, audit, clock }: PersonalDataContext) {
  return new Elysia({ prefix: "/api/people" })
    .use(guard)
    .post(
      "/find",
      async ({ request }) => {
        const person = await findPerson(store, bin, await readAddress(request));
        const shown = countPublicTestimonials(store, person);
        const calls = countUpcomingCalls(person, clock());
        return { email: person.email, ...countItems(person), shown, calls };
      },
      { owner: true, parse: "none" },
    )
    .post(
      "/export",
      async ({ request, logAudit }) => {
        const person = await findPerson(store, bin, await readAddress(request));
        logAudit("data", "exported a person's data", formatCounts(countItems(person)));
        return person;
      },
      { owner: "reauthenticated", parse: "none" },
    )
    .post(
      "/erase",
      async ({ request, logAudit }) => {
        const email = await readAddress(request);
        const createMatcher: CreatePersonMatcher = (entity) => createEmailMatcher(entity, email);
        const items = await findPersonalItems(store, bin, createMatcher, email);
        const redact = createErasedRedactor((address) => address === email);
        const erasedCounts = await erasePersonalItems(store, items, async (transaction) => {
          await audit.redact(transaction, redact);
          await recordErasure(store, transaction, email);
        });
        const counts = countErased(erasedCounts);
        logAudit("data", "erased a person's data", formatCounts(counts));
        const leftoverCopies = await store.eraseCopies(email);
        return { ...counts, ...(leftoverCopies.length > 0 && { keptIn: leftoverCopies }) };
      },
      { owner: "reauthenticated", parse: "none" },
    );
}

/** Formats the counts for the audit log: "1 submission, 0 subscriptions". Omits other kinds if they are 0. */
const formatCounts = (counts: ItemCounts) =>
  COUNTED_KINDS.filter(({ name }, index) => index < 2 || counts[name] > 0)
    .map(({ name, label }) => formatCount(counts[name], label))
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

/** Returns the number of booked calls that aren't over. Owners must cancel them, since an erasure notifies nobody. */
const countUpcomingCalls = ({ submissions }: Person, now: number) =>
  submissions.filter(({ booked }) => booked && computeCallEnd(booked) > now).length;

function countPublicTestimonials(store: Store, { testimonials }: Person): number {
  const { on: enabledExtras } = store.of(entities.extras).read().value;
  if (!isExtraEnabled(entities.testimonials, enabledExtras)) return 0;
  const ids = new Set(testimonials.map(({ id }) => id));
  const { value } = store.of(entities.testimonials).read();
  return value.filter(({ id, isActive }) => isActive && ids.has(id)).length;
}

/** Returns a person's data. `email` is in lower case. */
async function findPerson(store: Store, bin: Bin, email: string): Promise<Person> {
  const find = <E extends DeletableEntity>(entity: E) =>
    findItemsOfPerson(store, bin, entity, email);
  const [subscription = null] = await find(entities.emailSubscriptions);
  const submissions = (await find(entities.formSubmissions)).map(
    (record) => toRecordResponse(entities.formSubmissions, record) as Submission,
  );
  const testimonials = await find(entities.testimonials);
  const testimonialRequests = await find(entities.testimonialRequests);
  return { email, subscription, submissions, testimonials, testimonialRequests };
}

/** Erases people again if a restored backup has undone their erasure. Call this at startup. */
export async function repeatErasures({
  store,
  bin,
  audit,
  log,
}: RepeatErasuresContext): Promise<void> {
  try {
    await finishErasures(store);
    const pendingErasures = await findErasuresToRepeat(store);
    if (!pendingErasures) return;
    const { isErased, recordRepeated } = pendingErasures;
    const items = await findPersonalItems(store, bin, createErasedMatcher(isErased));
    const erasedCounts = await erasePersonalItems(store, items, async (transaction) => {
      await audit.redact(transaction, createErasedRedactor(isErased));
      await recordRepeated(transaction);
    });
    if ([...erasedCounts.values()].every((count) => count === 0)) return;
    const counts = formatCounts(countErased(erasedCounts));
    audit.record({
      kind: "data",
      action: "erased people's data again after a restore",
      detail: counts,
    });
    log(`privacy: people's data was erased again after a restore (${counts})`, "info");
  } catch (error) {
    if (!isRefusal(error, "cannot_store")) throw error;
    log(NOT_ERASED_MESSAGE);
  }
}

interface RepeatErasuresContext {
  readonly store: Store;
  readonly bin: Bin;
  readonly audit: AuditRedactor & {
    record(event: { kind: "data"; action: string; detail: string }): void;
  };
  readonly log: Log;
}

const NOT_ERASED_MESSAGE =
  "privacy: people who were erased after the backup couldn't be erased again. Make sure that the site's data can be written and its disk has free space, then restart Limelight.";
