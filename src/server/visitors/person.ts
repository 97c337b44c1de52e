/** The owner's calls on one person's data: show everything, erase everything (security.md). */
import { Elysia } from "elysia";
import * as v from "valibot";
import { emailSchema } from "../../schema/fields.ts";
import { entities, type Item } from "../../schema/index.ts";
import type { OwnerGuard } from "../accounts/guard.ts";
import { invalid } from "../errors.ts";
import type { Bin } from "../storage/bin.ts";
import type { Store } from "../storage/store.ts";

// Everything stored about one person, found and erased by e-mail address (security.md).

type Submission = Item<"formSubmissions">;
type Subscription = Item<"emailSubscriptions">;

/** What the site holds about a person. */
interface Person {
  readonly email: string;
  readonly subscription: Subscription | null;
  /** Those in which an answer names the address, newest first. */
  readonly submissions: readonly Submission[];
}

/** How much of a person's data went. */
interface Erased {
  readonly subscriptions: number;
  readonly submissions: number;
}

/** What was deleted and could still be brought back. */
interface Deleted {
  readonly submissions: Bin<Submission>;
  readonly subscriptions: Bin<Subscription>;
}

/** `email` trimmed and in lower case. Reads every submission, giving way to other work. */
async function findPerson(store: Store, email: string): Promise<Person> {
  const { submissions, subscriptions } = lists(store);
  const isNamedIn = namesAddress(email);
  const found: Submission[] = [];
  for await (const each of submissions.scan({ newestFirst: true }))
    if (isNamedIn(each)) found.push(each);
  const subscription = (await subscriptions.findUnique(email)) ?? null;
  return { email, subscription, submissions: found };
}

/** Erases from all files, `.bak` included, and from what could still be undone. */
async function erasePerson(store: Store, deleted: Deleted, email: string): Promise<Erased> {
  const { submissions, subscriptions } = lists(store);
  const person = await findPerson(store, email);
  const ids = new Set(person.submissions.map(({ id }) => id));
  const erased = {
    subscriptions: await subscriptions.deleteWhere((key) => key.email === email),
    submissions: ids.size > 0 ? await submissions.deleteWhere((key) => ids.has(key.id)) : 0,
  };
  deleted.subscriptions.forget((row) => row.email === email);
  deleted.submissions.forget(namesAddress(email));
  return erased;
}

/** The address as a whole word: ann@example.com is not named in joann@example.com. */
function namesAddress(email: string): (submission: Submission) => boolean {
  const literal = email.replace(
    /[^a-z0-9]/gi,
    (sign) => `\\u{${sign.codePointAt(0)!.toString(16)}}`,
  );
  const whole = new RegExp(
    `(?<![\\p{L}\\p{N}.+_-])${literal}(?![\\p{L}\\p{N}_-]|\\.[\\p{L}\\p{N}])`,
    "iu",
  );
  return ({ questions, submissionData }) =>
    whole.test(submissionData) ||
    questions.some(({ answer }) => [answer].flat().some((text) => whole.test(text)));
}

function lists(store: Store) {
  return {
    submissions: store.of(entities.formSubmissions),
    subscriptions: store.of(entities.emailSubscriptions),
  };
}

/** What the calls stand on. */
interface PersonContext {
  readonly store: Store;
  readonly guard: OwnerGuard;
  readonly deleted: Deleted;
}

/**
 * GET /api/people?email= answers `{email, subscription, submissions}`; DELETE /api/people?email=
 * erases that and answers how much went: `{subscriptions, submissions}`.
 */
export function personRoutes({ store, guard, deleted }: PersonContext) {
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
