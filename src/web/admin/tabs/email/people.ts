/** The calls on one person's data (security.md, "Personal data"). */
import { format } from "date-fns";
import type { Item } from "../../../../schema/index.ts";
import { call } from "../../../api.ts";
import { withSession } from "../../queries/session.ts";
import { refresh } from "../../queries/writes.ts";

/** Everything stored about a person. */
export interface Person {
  readonly email: string;
  readonly subscription: Item<"emailSubscriptions"> | null;
  readonly submissions: readonly Item<"formSubmissions">[];
}

const pathFor = (email: string) => `/api/people?email=${encodeURIComponent(email)}`;

/** GET /api/people?email=. Throws CallFailed. */
export function findPerson(email: string): Promise<Person> {
  return withSession(() => call<Person>(pathFor(email)));
}

/** DELETE /api/people?email=; both lists are read anew. Throws CallFailed. */
export async function erasePerson(email: string): Promise<void> {
  await withSession(() => call(pathFor(email), { method: "DELETE" }));
  await Promise.all([refresh("emailSubscriptions"), refresh("formSubmissions")]);
}

/** `personal-data-2026-11-20.json`: the address stays out of file names. */
export const personFileName = (today: Date) => `personal-data-${format(today, "yyyy-MM-dd")}.json`;
