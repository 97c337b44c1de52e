/** Everything about enquiries that the site shares, made once. */
import { type AnyElysia, Elysia } from "elysia";
import type { EnquiryForm } from "../../schema/enquiry.ts";
import type { OwnerGuard } from "../accounts/guard.ts";
import type { Clock } from "../http/clock.ts";
import type { RateLimits } from "../http/rateLimit.ts";
import type { VisitorPlugin } from "../http/visitorPlugin.ts";
import type { Bin } from "../storage/bin.ts";
import type { Store } from "../storage/store.ts";
import { activeEnquiry } from "./activeEnquiry.ts";
import { fillingTime } from "./fillingTime.ts";
import { floodGuards } from "./floodGuards.ts";
import { type HandlePlainEnquiry, plainEnquiry } from "./plainEnquiry.ts";
import { publicFormCalls } from "./publicCalls.ts";
import { reviewCalls } from "./reviewCalls.ts";
import type { Submission } from "./submissionRecords.ts";

/** What enquiries stand on. */
export interface FormParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly guard: OwnerGuard;
  readonly visitors: VisitorPlugin;
  readonly rateLimit: RateLimits;
}

/** The enquiries of a site. */
export interface Forms {
  /** The public call and the owner's. */
  readonly calls: AnyElysia;
  /** The form that the coaching page holds, from memory; null when none is active. */
  readonly active: () => EnquiryForm | null;
  /** For the page that takes the form's posts without scripts; shares the calls' limits. */
  readonly handlePlainEnquiry: HandlePlainEnquiry;
}

/** Puts the parts together; asks the store for the secret that signs filling times. */
export async function forms(parts: FormParts, deleted: Bin<Submission>): Promise<Forms> {
  const { store, clock, rateLimit } = parts;
  const filling = fillingTime(await store.secret(), clock);
  const guards = floodGuards(rateLimit, filling);
  return {
    calls: new Elysia()
      .use(publicFormCalls({ ...parts, guards, filling }))
      .use(reviewCalls({ ...parts, deleted })),
    active: () => activeEnquiry(store),
    handlePlainEnquiry: plainEnquiry({ store, clock }, guards, filling),
  };
}
