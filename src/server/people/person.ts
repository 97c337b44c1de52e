/** Everything stored about one person, found and erased by e-mail address (security.md). */
import type { Item } from "../../schema/index.ts";
import type { Bin } from "../storage/bin.ts";
import type { Records, Store } from "../storage/store.ts";

type Submission = Item<"formSubmissions">;
type Subscription = Item<"emailSubscriptions">;

/** What the site holds about a person. */
export interface Person {
  readonly email: string;
  readonly subscription: Subscription | null;
  /** Those in which an answer names the address, newest first. */
  readonly submissions: readonly Submission[];
}

/** How much of a person's data went. */
export interface Erased {
  readonly subscriptions: number;
  readonly submissions: number;
}

/** What was deleted and could still be brought back. */
export interface Deleted {
  readonly submissions: Bin<Submission>;
  readonly subscriptions: Bin<Subscription>;
}

/** `email` trimmed and in lower case. Reads every submission, giving way to other work. */
export async function findPerson(store: Store, email: string): Promise<Person> {
  const { submissions, subscriptions } = lists(store);
  const isNamedIn = namesAddress(email);
  const found: Submission[] = [];
  for await (const each of submissions.scan({ newestFirst: true }))
    if (isNamedIn(each)) found.push(each);
  const subscription = (await subscriptions.findUnique(email)) ?? null;
  return { email, subscription, submissions: found };
}

/** Erases from all files, `.bak` included, and from what could still be undone. */
export async function erasePerson(store: Store, deleted: Deleted, email: string): Promise<Erased> {
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

function lists(store: Store): {
  submissions: Records<Submission, { id: string }>;
  subscriptions: Records<Subscription, { email: string }>;
} {
  return {
    submissions: store.records("form-submissions"),
    subscriptions: store.records("email-subscriptions"),
  };
}
