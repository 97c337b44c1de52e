/** Assembles the enquiry form's server side: the routes, and the handler of the form without scripts. */
import { Elysia } from "elysia";
import { FORM_CHANGED_MESSAGE } from "../../schema/enquiry/answers.ts";
import type { NoScriptState } from "../../schema/enquiry/enquiry.ts";
import { entities } from "../../schema/index.ts";
import { COACHING_PATH } from "../../schema/sections/pageOrder.ts";
import { VISITOR_REFUSALS } from "../../schema/core/refusals.ts";
import type { AccessGuard } from "../accounts/guard.ts";
import { readFields, readJson } from "../http/body.ts";
import type { CreateRateLimit } from "../http/rateLimits.ts";
import type { Visitor, VisitorPlugin } from "../http/visitor.ts";
import { computeCallEnd } from "../shared/callTimes.ts";
import type { Clock } from "../shared/clock.ts";
import { notFound, Refusal } from "../shared/errors.ts";
import { findVisibleIds } from "../bin/listedItems.ts";
import type { Store } from "../storage/store.ts";
import type { VisitorQuota } from "../visitors/visitorQuota.ts";
import {
  createFillingTimeProofs,
  type FillingTimeProofs,
  createEnquiryRateLimits,
} from "../visitors/enquiryRateLimits.ts";
import { createFollowUpRoutes } from "./followUpRoutes.ts";
import { createEnquiryIdDerivation } from "./enquiryDeduplication.ts";
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
  computeMaxEnquiryBytes,
  computeMaxEnquiryBytesOfForms,
  storeOnce,
  type SubmissionContext,
  submitEnquiry,
} from "./submissions.ts";

interface EnquiryContext {
  readonly store: Store;
  readonly clock: Clock;
  readonly guard: AccessGuard;
  readonly visitorPlugin: VisitorPlugin;
  readonly createRateLimit: CreateRateLimit;
  readonly visitorQuota: VisitorQuota;
  readonly storeEnquiry: SubmissionContext["storeEnquiry"];
}

export type Enquiries = Awaited<ReturnType<typeof createEnquiries>>;

export async function createEnquiries(context: EnquiryContext) {
  const { store, clock, createRateLimit } = context;
  const secret = await store.readSecret();
  const fillingTimeProofs = createFillingTimeProofs(secret, clock);
  const rateLimits = createEnquiryRateLimits(createRateLimit, fillingTimeProofs);
  const enquiryIds = createEnquiryIdDerivation(secret, fillingTimeProofs, clock);
  const routesContext = { ...context, enquiryIds, rateLimits, fillingTimeProofs };
  return {
    /** The rate limits of enquiries, which other routes use as well. */
    rateLimits,
    routes: new Elysia()
      .use(createEnquiryRoutes(routesContext))
      .use(context.guard)
      .get("/api/form-submission-counts", () => countSubmissions(store, clock()), {
        may: "account",
      })
      .use(createFollowUpRoutes(context)),
    /** Returns the coaching page's form; null if no form is active. */
    getActiveForm: () => findActiveFormTree(store),
    /** Returns the maximum size in bytes of a post from a page's form. */
    computeMaxBytes: (pagePath: string) =>
      computeMaxEnquiryBytes(findFormTreeOfPage(store, pagePath)),
    /** Handles posts of the form without scripts, with the same limits as the routes. */
    handleNoScriptPost: createNoScriptHandler(routesContext),
  };
}

interface EnquiryRoutesContext extends EnquiryContext, SubmissionContext {
  readonly fillingTimeProofs: FillingTimeProofs;
}

/**
 * POST `/api/form-submissions` stores an enquiry and returns `{id}`. GET `/api/filling-time` returns `{started, key}`:
 * a proof of the visitor's start time, and the key with which the page encrypts the answers that it stores in the
 * browser. POST `/api/filling-time {started}` returns the same key while the proof is valid, for a day.
 */
function createEnquiryRoutes(context: EnquiryRoutesContext) {
  const { visitorPlugin, rateLimits, fillingTimeProofs } = context;
  return new Elysia({ name: "enquiries" })
    .use(visitorPlugin)
    .get("/api/filling-time", ({ set }) => {
      set.headers["cache-control"] = "no-store";
      const started = fillingTimeProofs.createProof();
      return { started, key: fillingTimeProofs.computeEncryptionKey(started) };
    })
    .post(
      "/api/filling-time",
      async ({ request, set }) => {
        set.headers["cache-control"] = "no-store";
        const { started } = await readFields(request);
        const key = fillingTimeProofs.computeEncryptionKey(started);
        if (key === undefined) throw notFound("This key has expired.");
        return { started, key };
      },
      { parse: "none" },
    )
    .post(
      "/api/form-submissions",
      async ({ request, visitor, status }) => {
        // Counted first, so that invalid requests count as well.
        rateLimits.countAttempt(visitor);
        context.visitorQuota.assertOpen();
        const body = await readJson(request, computeMaxEnquiryBytesOfForms(context.store));
        return status(201, await submitEnquiry(context, body, visitor));
      },
      { parse: "none" },
    );
}

interface SubmissionCount {
  total: number;
  new: number;
  /** The number of booked calls that aren't over. */
  calls: number;
}

/** Returns the counts by form id. Omits forms in the bin, and forms without submissions. */
async function countSubmissions(
  store: Store,
  now: number,
): Promise<Record<string, SubmissionCount>> {
  const counts = new Map<string, SubmissionCount>();
  const forms = findVisibleIds(store, entities.forms);
  for (const { facets, count } of await store.of(entities.formSubmissions).countByFacet()) {
    const { formId, status } = facets;
    if (formId === undefined || !forms.has(formId)) continue;
    const formCount = counts.get(formId) ?? { total: 0, new: 0, calls: 0 };
    formCount.total += count;
    if (status === "new") formCount.new += count;
    counts.set(formId, formCount);
  }
  for (const { formId } of await findUpcomingCalls(store, now)) {
    const formCount = counts.get(formId);
    if (formCount) formCount.calls++;
  }
  return Object.fromEntries(counts);
}

async function findUpcomingCalls(store: Store, now: number) {
  const where = { callsUntil: { from: new Date(now).toISOString() } };
  const submissions = await Array.fromAsync(store.of(entities.formSubmissions).scan({ where }));
  return submissions.filter(({ booked }) => booked && computeCallEnd(booked) > now);
}

/**
 * Creates the handler of posts from browsers without scripts (see `advanceNoScriptForm`). A refusal is part of the
 * returned state. The caller must apply the rate limit first.
 */
function createNoScriptHandler(context: EnquiryRoutesContext) {
  const { rateLimits, fillingTimeProofs: fillingTime } = context;
  return async (
    postedFields: PostedFields,
    visitor: Visitor,
    pagePath = COACHING_PATH,
  ): Promise<NoScriptState> => {
    if (!context.visitorQuota.isOpen())
      return { ...createInitialState(), status: 409, error: VISITOR_REFUSALS.notOpen };
    const form = findFormTreeOfPage(context.store, pagePath);
    if (!form) return { ...createInitialState(), status: 422, error: FORM_CHANGED_MESSAGE };
    const { state, checkedAnswers } = advanceNoScriptForm(form, postedFields);
    const proof =
      fillingTime.computeElapsedMs(state.startToken) === undefined ? null : state.startToken;
    const nextState = { ...state, startToken: proof ?? fillingTime.createProof() };
    if (!checkedAnswers) return nextState;
    // Refuses with a message, since a browser's autofill may have filled in the honeypot.
    if (isHoneypotFilled(readPostedText(postedFields, "website")))
      return { ...nextState, status: 422, error: VISITOR_REFUSALS.hiddenField };
    try {
      rateLimits.countAttempt(visitor);
      const enquiry = { form, answers: checkedAnswers, visitor, started: proof };
      await storeOnce(context, context.enquiryIds.createIdsByEmail(enquiry), enquiry);
      return { ...nextState, isDone: true };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const { status, message, details } = error;
      const retryAfterSeconds = details.headers?.["retry-after"];
      return { ...nextState, status, error: message, retryAfterSeconds };
    }
  };
}
