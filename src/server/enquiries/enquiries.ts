/** The parts of enquiries that the site uses: the routes, and the form without scripts. */
import { Elysia } from "elysia";
import * as v from "valibot";
import { type Answers, FORM_CHANGED_MESSAGE } from "../../schema/enquiry/answers.ts";
import type { EnquiryTree, NoScriptState } from "../../schema/enquiry/enquiry.ts";
import { toRecordResponse } from "../../schema/entities/entity.ts";
import { entities } from "../../schema/index.ts";
import { COACHING_PATH } from "../../schema/sections/pagePaths.ts";
import { VISITOR_REFUSALS } from "../../schema/core/refusals.ts";
import type { AccessGuard } from "../accounts/guard.ts";
import { readCheckedJson, readFields, readJson } from "../http/body.ts";
import type { RateLimits } from "../http/rateLimits.ts";
import type { Visitor, VisitorPlugin } from "../http/visitor.ts";
import { callEnd } from "../shared/callTimes.ts";
import type { Clock } from "../shared/clock.ts";
import { noLongerExists, notFound, Refusal } from "../shared/errors.ts";
import { findVisibleIds } from "../bin/listedItems.ts";
import type { Store } from "../storage/store.ts";
import type { VisitorQuota } from "../visitors/visitorQuota.ts";
import {
  createFillingTime,
  type FillingTimeProofs,
  createEnquiryRateLimits,
  type EnquiryRateLimits,
} from "../visitors/enquiryRateLimits.ts";
import { followUpRoutes } from "./followUps.ts";
import { createEnquiryIds } from "./enquiryDeduplication.ts";
import { maxEnquiryBytes } from "./enquirySize.ts";
import {
  advanceNoScriptForm,
  createInitialState,
  type PostedFields,
  readPostedText,
} from "./noScriptForm.ts";
import {
  findActiveFormTree,
  findFormTreeOfPage,
  isHoneypotFilled,
  maxEnquiryBytesOfForms,
  storeOnce,
  type SubmissionContext,
  submitEnquiry,
} from "./submissions.ts";

interface EnquiryContext {
  readonly store: Store;
  readonly clock: Clock;
  readonly guard: AccessGuard;
  readonly visitors: VisitorPlugin;
  readonly rateLimit: RateLimits;
  readonly room: VisitorQuota;
  readonly storeEnquiry: SubmissionContext["storeEnquiry"];
}

export type Enquiries = Awaited<ReturnType<typeof createEnquiries>>;

/** Reads the store's secret, which signs the filling times. */
export async function createEnquiries(context: EnquiryContext) {
  const { store, clock, rateLimit, room, storeEnquiry } = context;
  const secret = await store.readSecret();
  const filling = createFillingTime(secret, clock);
  const guards = createEnquiryRateLimits(rateLimit, filling);
  const ids = createEnquiryIds(secret, filling, clock);
  const to = { store, clock, room, storeEnquiry, ids };
  return {
    /** The enquiries' limits, for other routes that need the same. */
    guards,
    routes: new Elysia()
      .use(
        enquiryRoutes({
          ...to,
          visitors: context.visitors,
          rateLimits: guards,
          fillingTime: filling,
        }),
      )
      .use(reviewRoutes(context))
      .use(followUpRoutes(context)),
    /** The coaching page's form, from memory; null when none is active. */
    active: () => findActiveFormTree(store),
    /** The size limit of a post of a page's form, in bytes. */
    maxBytes: (page: string) => maxEnquiryBytes(findFormTreeOfPage(store, page)),
    /** Handles posts of the form without scripts, within the routes' limits. */
    handleNoScriptPost: createNoScriptHandler(to, guards, filling),
  };
}

interface EnquiryRoutesContext extends SubmissionContext {
  readonly visitors: VisitorPlugin;
  readonly rateLimits: EnquiryRateLimits;
  readonly fillingTime: FillingTimeProofs;
}

/**
 * POST `/api/form-submissions` stores an enquiry once, however often it is sent: 201 `{id}`. GET `/api/filling-time`
 * gives a page a proof of the visitor's start time, to be sent along, and a key to encrypt the answers it stores:
 * `{started, key}`. POST `/api/filling-time {started}` returns the key again, for a day.
 */
function enquiryRoutes({ visitors, rateLimits, fillingTime, ...to }: EnquiryRoutesContext) {
  return new Elysia({ name: "enquiries" })
    .use(visitors)
    .get("/api/filling-time", ({ set }) => {
      set.headers["cache-control"] = "no-store";
      const started = fillingTime.begin();
      return { started, key: fillingTime.encryptionKey(started) };
    })
    .post(
      "/api/filling-time",
      async ({ request, set }) => {
        set.headers["cache-control"] = "no-store";
        const { started } = await readFields(request);
        const key = fillingTime.encryptionKey(started);
        if (key === undefined) throw notFound("This key has expired.");
        return { started, key };
      },
      { parse: "none" },
    )
    .post(
      "/api/form-submissions",
      async ({ request, visitor, status }) => {
        // Before the largest size is worked out and the body is read.
        rateLimits.attempt(visitor);
        to.room.assertOpen();
        const body = await readJson(request, maxEnquiryBytesOfForms(to.store));
        return status(201, await submitEnquiry(to, rateLimits, body, visitor));
      },
      { parse: "none" },
    );
}

/**
 * The owner's routes for submissions beyond `recordRoutes`: GET `/api/form-submission-counts`, PUT
 * `/api/form-submissions/{id}/status`.
 */
function reviewRoutes({ store, guard, clock }: EnquiryContext) {
  return new Elysia({ name: "review" })
    .use(guard)
    .get("/api/form-submission-counts", () => countSubmissions(store, clock()), { may: "account" })
    .put(
      "/api/form-submissions/:id/status",
      async ({ params: { id }, request }) => {
        const { status } = await readCheckedJson(statusBodySchema, request, "status");
        const records = store.of(entities.formSubmissions);
        const changed = await records.update(id, (record) => ({ ...record, status }));
        if (!changed) throw noLongerExists(entities.formSubmissions);
        return toRecordResponse(entities.formSubmissions, changed);
      },
      { may: entities.formSubmissions.permission, parse: "none" },
    );
}

/** A missing status gets the same message as an unknown one. */
const statusBodySchema = v.object(
  { status: entities.formSubmissions.fields.status.schema },
  "Choose one of the options.",
);

/** The submissions of a form, for badges and for what is deleted with it. */
interface SubmissionCount {
  total: number;
  new: number;
  /** Those that are agreed on and not over. */
  calls: number;
}

/** Counts by form id, for every form with submissions that isn't in the bin. */
async function countSubmissions(
  store: Store,
  now: number,
): Promise<Record<string, SubmissionCount>> {
  const counts = new Map<string, SubmissionCount>();
  const forms = findVisibleIds(store, entities.forms);
  for (const { key, count } of await store.of(entities.formSubmissions).groups()) {
    const { formId, status } = key;
    if (formId === undefined || !forms.has(formId)) continue;
    const sum = counts.get(formId) ?? { total: 0, new: 0, calls: 0 };
    sum.total += count;
    if (status === "new") sum.new += count;
    counts.set(formId, sum);
  }
  for (const { formId } of await findUpcomingCalls(store, now)) {
    const sum = counts.get(formId);
    if (sum) sum.calls++;
  }
  return Object.fromEntries(counts);
}

/** Enquiries whose call isn't over. */
async function findUpcomingCalls(store: Store, now: number) {
  const submissions = store.of(entities.formSubmissions);
  const keys = await submissions.keys({ callsUntil: { from: new Date(now).toISOString() } });
  const submissionsWithCalls = await Promise.all(keys.map(({ id }) => submissions.get(id)));
  return submissionsWithCalls.flatMap((each) =>
    each?.booked && callEnd(each.booked) > now ? [each] : [],
  );
}

/**
 * Handles one post of the form before, or without, any script (see `advanceNoScriptForm` for its fields). A refusal becomes
 * part of the state. The caller has counted the post (`admitEnquiry`). `page` is the path of the form's page.
 */
type HandleNoScriptEnquiry = (
  posted: PostedFields,
  visitor: Visitor,
  page?: string,
) => Promise<NoScriptState>;

/** The same guards, checks and storage as the route. */
function createNoScriptHandler(
  to: SubmissionContext,
  guards: EnquiryRateLimits,
  filling: FillingTimeProofs,
): HandleNoScriptEnquiry {
  return async (posted, visitor, page = COACHING_PATH) => {
    if (!to.room.isOpen())
      return { ...createInitialState(), status: 409, error: VISITOR_REFUSALS.notOpen };
    const form = findFormTreeOfPage(to.store, page);
    if (!form) return { ...createInitialState(), status: 422, error: FORM_CHANGED_MESSAGE };
    const { state, send } = advanceNoScriptForm(form, posted);
    const proof = filling.elapsed(state.started) === undefined ? null : state.started;
    const nextState = { ...state, started: proof ?? filling.begin() };
    if (!send) return nextState;
    // A browser's autofill may have done it, and without scripts nothing empties the field before it is sent.
    if (isHoneypotFilled(readPostedText(posted, "website")))
      return { ...nextState, status: 422, error: VISITOR_REFUSALS.hiddenField };
    return storeOrExplain(nextState, () => storeEnquiry(form, send, visitor, proof));
  };

  async function storeEnquiry(
    form: EnquiryTree,
    answers: Answers,
    visitor: Visitor,
    proof: unknown,
  ) {
    guards.attempt(visitor);
    const sent = { form, answers, visitor, started: proof };
    await storeOnce(to, guards, to.ids.byEmail(sent), sent);
  }
}

async function storeOrExplain(
  state: NoScriptState,
  store: () => Promise<void>,
): Promise<NoScriptState> {
  try {
    await store();
    return { ...state, isDone: true };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const retryAfter = error.details.headers?.["retry-after"];
    return { ...state, status: error.status, error: error.message, retryAfterSeconds: retryAfter };
  }
}
