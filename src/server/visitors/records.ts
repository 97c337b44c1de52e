/** The owner's calls on the mailing list: read, delete, take back a deletion. */
import { Elysia } from "elysia";
import * as v from "valibot";
import { entities } from "../../schema/index.ts";
import {
  formSubmissions,
  SUBMISSION_STATUSES,
  SUBSCRIPTION_STATUSES,
} from "../../schema/visitors.ts";
import type { OwnerGuard } from "../accounts/guard.ts";
import { invalid, notFound } from "../errors.ts";
import { DASHBOARD_JSON, readJson } from "../http/body.ts";
import type { Bin } from "../storage/bin.ts";
import { type Page, searchPage, type Store } from "../storage/store.ts";
import { type Subscription, type SubscriptionKey, subscriptionRecords } from "./mailingList.ts";
import { type Submission, type SubmissionKey, submissionRecords } from "./submissions.ts";

// What the owner asks of a long list: which page of it, which state, which words.

/** One page, newest first. */
interface ListQuery {
  readonly offset: number;
  readonly limit: number;
  readonly status: string | undefined;
  /** Trimmed and in lower case; undefined for everything. */
  readonly search: string | undefined;
}

const USUAL_LIMIT = 200;
const MOST = 1000;
const LONGEST_SEARCH = 200;

/** Reads `offset`, `limit`, `status` and `search` of an address. Raises a 422 with words by name. */
export function readListQuery(url: string, statuses: readonly { value: string }[]): ListQuery {
  const query = new URL(url).searchParams;
  const status = query.get("status") || undefined;
  const search = query.get("search")?.trim().slice(0, LONGEST_SEARCH).toLowerCase();
  if (status !== undefined && !statuses.some(({ value }) => value === status))
    throw wrongQuery("status", "Choose one of the values offered.");
  return {
    offset: wholeNumber(query, "offset", 0, 0, Number.MAX_SAFE_INTEGER),
    limit: wholeNumber(query, "limit", USUAL_LIMIT, 1, MOST),
    status,
    search: search || undefined,
  };
}

function wholeNumber(
  query: URLSearchParams,
  name: string,
  usual: number,
  least: number,
  most: number,
): number {
  const given = query.get(name);
  if (given === null || given === "") return usual;
  const number = /^\d{1,15}$/.test(given) ? Number(given) : Number.NaN;
  if (number >= least && number <= most) return number;
  const bound = most === MOST ? ` to ${MOST}` : " or more";
  throw wrongQuery(name, `The ${name} must be a whole number, ${least}${bound}.`);
}

const wrongQuery = (name: string, words: string) => invalid(words, { [name]: words });

// A form's submissions as the owner reviews them: page by page, newest first.

/** How many a form has, for badges and for what goes with a deleted form. */
interface SubmissionCount {
  readonly total: number;
  readonly new: number;
}

/** One page, by state and by words in the answers. */
function listSubmissions(
  store: Store,
  formId: string,
  { offset, limit, status, search }: ListQuery,
): Promise<Page<Submission>> {
  const records = submissionRecords(store);
  const where = (key: SubmissionKey) =>
    key.formId === formId && (status === undefined || key.status === status);
  const request = { where, newestFirst: true, offset, limit };
  return search === undefined
    ? records.page(request)
    : searchPage(records, (each) => answersHold(each, search), request);
}

function answersHold({ questions }: Submission, search: string): boolean {
  return questions.some(({ answer }) =>
    [answer].flat().some((text) => text.toLowerCase().includes(search)),
  );
}

/** The counts of every form that has submissions, by form id; from memory. */
function countSubmissions(store: Store): Record<string, SubmissionCount> {
  const counts = new Map<string, { total: number; new: number }>();
  submissionRecords(store).count(({ formId, status }) => {
    const count = counts.get(formId) ?? { total: 0, new: 0 };
    count.total++;
    if (status === "new") count.new++;
    counts.set(formId, count);
    return true;
  });
  return Object.fromEntries(counts);
}

// The owner's calls on submissions: read, mark, delete, take back a deletion.

/** What the calls stand on. */
interface SubmissionContext {
  readonly store: Store;
  readonly guard: OwnerGuard;
  readonly deleted: Bin<Submission>;
}

const SUBMISSION_GONE = "This submission is no longer there.";
const SUBMISSION_NOT_KEPT = "This submission can no longer be brought back.";

/**
 * GET /api/form-submissions/{formId}?offset&limit&status&search, newest first, with X-Total-Count
 * and X-Count-New; GET /api/form-submission-counts; PUT …/{id}/status; DELETE …/{id};
 * POST …/{id}/restore within ten minutes.
 */
export function submissionRoutes({ store, guard, deleted }: SubmissionContext) {
  const records = submissionRecords(store);
  return new Elysia({ name: "review-calls" })
    .use(guard)
    .get("/api/form-submission-counts", () => countSubmissions(store), { owner: true })
    .get(
      "/api/form-submissions/:id",
      async ({ params: { id: formId }, request, set }) => {
        if (!formThere(store, formId)) throw notFound("This form is no longer there.");
        const query = readListQuery(request.url, SUBMISSION_STATUSES);
        const { items, total } = await listSubmissions(store, formId, query);
        const isNew = (key: { formId: string; status: string }) =>
          key.formId === formId && key.status === "new";
        set.headers["x-total-count"] = String(total);
        set.headers["x-count-new"] = String(records.count(isNew));
        return items;
      },
      { owner: true },
    )
    .put(
      "/api/form-submissions/:id/status",
      async ({ params: { id }, request }) => {
        const status = readStatus(await readJson(request, DASHBOARD_JSON));
        return (await records.update(id, (record) => ({ ...record, status }))) ?? gone();
      },
      { owner: true, parse: "none" },
    )
    .delete(
      "/api/form-submissions/:id",
      async ({ params: { id }, status }) => {
        deleted.keep((await records.delete(id)) ?? gone());
        return status(204, undefined);
      },
      { owner: true },
    )
    .post(
      "/api/form-submissions/:id/restore",
      async ({ params: { id }, status }) => {
        const restored = await deleted.take(id, (record) => {
          if (!formThere(store, record.formId)) throw notFound(SUBMISSION_NOT_KEPT);
          return records.insert(record);
        });
        return status(201, restored ?? notKept());
      },
      { owner: true, parse: "none" },
    );
}

function readStatus(body: unknown): Submission["status"] {
  const given = (body as { status?: unknown } | null)?.status;
  const outcome = v.safeParse(formSubmissions.fields.status.schema, given);
  if (outcome.success) return outcome.output;
  const words = outcome.issues[0].message;
  throw invalid(words, { status: words });
}

/** A deleted form takes its submissions along. */
const formThere = (store: Store, formId: string) =>
  store
    .of(entities.forms)
    .read()
    .value.some(({ id }) => id === formId);

function gone(): never {
  throw notFound(SUBMISSION_GONE);
}

function notKept(): never {
  throw notFound(SUBMISSION_NOT_KEPT);
}

/** What the calls stand on. */
interface SubscriptionContext {
  readonly store: Store;
  readonly guard: OwnerGuard;
  readonly deleted: Bin<Subscription>;
}

const SUBSCRIPTION_GONE = "This subscription is no longer there.";
const SUBSCRIPTION_NOT_KEPT = "This subscription can no longer be brought back.";

/**
 * GET /api/email-subscriptions?offset&limit&status&search, newest first, with X-Total-Count;
 * DELETE …/{id}; POST …/{id}/restore within ten minutes (409 when the address joined again).
 */
export function subscriptionRoutes({ store, guard, deleted }: SubscriptionContext) {
  const records = subscriptionRecords(store);
  return new Elysia({ name: "owner-list-calls" })
    .use(guard)
    .get(
      "/api/email-subscriptions",
      async ({ request, set }) => {
        const query = readListQuery(request.url, SUBSCRIPTION_STATUSES);
        const { items, total } = await listSubscriptions(store, query);
        set.headers["x-total-count"] = String(total);
        return items;
      },
      { owner: true },
    )
    .delete(
      "/api/email-subscriptions/:id",
      async ({ params: { id }, status }) => {
        const record = await records.delete(id);
        if (!record) throw notFound(SUBSCRIPTION_GONE);
        deleted.keep(record);
        return status(204, undefined);
      },
      { owner: true },
    )
    .post(
      "/api/email-subscriptions/:id/restore",
      async ({ params: { id }, status }) => {
        const restored = await deleted.take(id, (record) => records.insert(record));
        if (!restored) throw notFound(SUBSCRIPTION_NOT_KEPT);
        return status(201, restored);
      },
      { owner: true, parse: "none" },
    );
}

function listSubscriptions(
  store: Store,
  { offset, limit, status, search }: ListQuery,
): Promise<Page<Subscription>> {
  const records = subscriptionRecords(store);
  const where = (key: SubscriptionKey) => status === undefined || key.status === status;
  const request = { where, newestFirst: true, offset, limit };
  if (search === undefined) return records.page(request);
  const holds = (text: string | null) => text?.toLowerCase().includes(search) ?? false;
  return searchPage(records, ({ email, name }) => holds(email) || holds(name), request);
}
