/** The owner's calls on one person's data: show everything, erase everything (security.md). */
import { Elysia } from "elysia";
import * as v from "valibot";
import { emailSchema } from "../../schema/fields.ts";
import type { OwnerGuard } from "../accounts/guard.ts";
import { invalid } from "../http/refusal.ts";
import type { Store } from "../storage/store.ts";
import { erasePerson, findPerson, type Deleted } from "./person.ts";

/** What the calls stand on. */
export interface PeopleParts {
  readonly store: Store;
  readonly guard: OwnerGuard;
  readonly deleted: Deleted;
}

/**
 * GET /api/people?email= answers `{email, subscription, submissions}`; DELETE /api/people?email=
 * erases that and answers how much went: `{subscriptions, submissions}`.
 */
export function peopleCalls({ store, guard, deleted }: PeopleParts) {
  return new Elysia({ name: "people-calls" })
    .use(guard)
    .get("/api/people", ({ request }) => findPerson(store, addressOf(request)), { owner: true })
    .delete("/api/people", ({ request }) => erasePerson(store, deleted, addressOf(request)), {
      owner: true,
    });
}

function addressOf({ url }: Request): string {
  const outcome = v.safeParse(emailSchema, new URL(url).searchParams.get("email") ?? "");
  if (outcome.success) return outcome.output.toLowerCase();
  const words = outcome.issues[0].message;
  throw invalid(words, { email: words });
}
