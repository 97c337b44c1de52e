/** Everything about enquiries that the site shares, made once. */
import { type AnyElysia, Elysia } from "elysia";
import { type Answers, FORM_CHANGED } from "../../schema/answers.ts";
import type { EnquiryTree, PlainEnquiryState } from "../../schema/enquiry.ts";
import type { OwnerGuard } from "../accounts/guard.ts";
import { Refusal } from "../errors.ts";
import { PUBLIC_JSON, readJson } from "../http/body.ts";
import type { Clock } from "../http/clock.ts";
import type { RateLimits } from "../http/limits.ts";
import type { Visitor, VisitorPlugin } from "../http/visitor.ts";
import type { Bin } from "../storage/bin.ts";
import { type Store } from "../storage/store.ts";
import { fillingTime, type FillingTime, floodGuards, type FloodGuards } from "./floodGuards.ts";
import { advancePlain, firstPlainState, type Posted, textOf } from "./plainSteps.ts";
import { submissionRoutes } from "./records.ts";
import {
  activeEnquiry,
  isFilled,
  storeSubmission,
  type Submission,
  type SubmissionStore,
  submitEnquiry,
} from "./submissions.ts";

// Takes the posts of the enquiry form before, or without, any script.

/**
 * Takes one post (see `advancePlain` for its fields). A refusal is part of the state and not raised, but
 * for the 429 of someone who posts by the hundred.
 */
type HandlePlainEnquiry = (posted: Posted, visitor: Visitor) => Promise<PlainEnquiryState>;

/** The same guards, checks and store as the call. */
function plainEnquiry(
  to: SubmissionStore,
  guards: FloodGuards,
  filling: FillingTime,
): HandlePlainEnquiry {
  return async (posted, visitor) => {
    guards.draw(visitor);
    const form = activeEnquiry(to.store);
    if (!form) return { ...firstPlainState(), status: 422, error: FORM_CHANGED };
    const { state, send } = advancePlain(form, posted);
    const proof = filling.elapsed(state.started) === undefined ? null : state.started;
    const here = { ...state, started: proof ?? filling.begin() };
    if (!send) return here;
    if (isFilled(textOf(posted, "website"))) return { ...here, done: true };
    return storeOrExplain(here, () => keep(form, send, visitor, proof));
  };

  async function keep(form: EnquiryTree, answers: Answers, visitor: Visitor, proof: unknown) {
    guards.attempt(visitor);
    guards.admit(visitor, proof);
    await storeSubmission(to, form, answers, visitor);
  }
}

async function storeOrExplain(
  here: PlainEnquiryState,
  store: () => Promise<void>,
): Promise<PlainEnquiryState> {
  try {
    await store();
    return { ...here, done: true };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { ...here, status: error.status, error: error.message };
  }
}

// The calls of the public enquiry form.

/** What the calls stand on. */
interface EnquiryRoutesContext extends SubmissionStore {
  readonly visitors: VisitorPlugin;
  readonly guards: FloodGuards;
  readonly filling: FillingTime;
}

/**
 * POST /api/form-submissions stores an enquiry: 201 `{id}`. GET /api/filling-time gives a page the
 * proof of when someone began: `{started}`, to be sent along.
 */
function enquiryRoutes({ store, clock, visitors, guards, filling }: EnquiryRoutesContext) {
  const to = { store, clock };
  return new Elysia({ name: "public-form-calls" })
    .use(visitors)
    .get("/api/filling-time", ({ set }) => {
      set.headers["cache-control"] = "no-store";
      return { started: filling.begin() };
    })
    .post(
      "/api/form-submissions",
      async ({ request, visitor, status }) => {
        const body = await readJson(request, PUBLIC_JSON);
        return status(201, await submitEnquiry(to, guards, body, visitor));
      },
      { parse: "none" },
    );
}

/** What enquiries stand on. */
interface EnquiryContext {
  readonly store: Store;
  readonly clock: Clock;
  readonly guard: OwnerGuard;
  readonly visitors: VisitorPlugin;
  readonly rateLimit: RateLimits;
}

/** The enquiries of a site. */
export interface Enquiries {
  /** The public call and the owner's. */
  readonly calls: AnyElysia;
  /** The form that the coaching page holds, from memory; null when none is active. */
  readonly active: () => EnquiryTree | null;
  /** For the page that takes the form's posts without scripts; shares the calls' limits. */
  readonly handlePlainEnquiry: HandlePlainEnquiry;
}

/** Puts the parts together; asks the store for the secret that signs filling times. */
export async function enquiries(
  parts: EnquiryContext,
  deleted: Bin<Submission>,
): Promise<Enquiries> {
  const { store, clock, rateLimit } = parts;
  const filling = fillingTime(await store.secret(), clock);
  const guards = floodGuards(rateLimit, filling);
  return {
    calls: new Elysia()
      .use(enquiryRoutes({ ...parts, guards, filling }))
      .use(submissionRoutes({ ...parts, deleted })),
    active: () => activeEnquiry(store),
    handlePlainEnquiry: plainEnquiry({ store, clock }, guards, filling),
  };
}
