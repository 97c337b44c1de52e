/** Fills a data folder with an owner, submissions and subscriptions, through the store. */
import { allEntities, entities, type Item } from "../src/schema/index.ts";
import { getInitialValues } from "../src/schema/entities/check.ts";
import { emailSubscriptions } from "../src/schema/enquiry/visitors.ts";
import { createUser } from "../src/server/accounts/users.ts";
import { createPasswords } from "../src/server/accounts/passwords.ts";
import { openStore } from "../src/server/storage/files/openStore.ts";
import type { Records } from "../src/server/storage/store.ts";
import type { Subscription } from "../src/server/newsletter/subscriptions.ts";
import { addForm } from "../tests/support/enquirySite.ts";
import { OWNER } from "../tests/support/site.ts";

const SHARING_A_WRITE = 200;
/** A million minutes later is still in the past, so new items come last. */
const START = Date.parse("2024-12-01T00:00:00Z");

/** `count` of each, about 0.7 KB and 0.3 KB long. */
export async function seedEnquiries(directory: string, count: number): Promise<void> {
  const store = await openStore({ directory, entities: allEntities });
  await addForm(store);
  await createUser({ store, clock: Date.now, passwords: createPasswords() }, OWNER);
  await insertAll(store.of(entities.formSubmissions), count, submission);
  await insertAll(store.of(entities.emailSubscriptions), count, subscription);
  await store.close();
}

async function insertAll<T extends { id: string }>(
  records: Records<T, unknown>,
  count: number,
  make: (at: number) => T,
): Promise<void> {
  for (let first = 0; first < count; first += SHARING_A_WRITE) {
    const length = Math.min(SHARING_A_WRITE, count - first);
    await Promise.all(Array.from({ length }, (_, at) => records.insert(make(first + at))));
  }
}

const timestampAt = (at: number) => new Date(START + at * 60_000).toISOString();

/** About 0.7 KB. */
export function submission(at: number): Item<"formSubmissions"> {
  const answers = { name: `Person ${at}`, email: `person${at}@example.com`, story: STORY };
  return {
    id: Bun.randomUUIDv7("hex", START + at * 60_000),
    formId: "form",
    status: at % 3 === 0 ? "new" : "reviewed",
    createdAt: timestampAt(at),
    submittedAt: timestampAt(at),
    questions: Object.entries(answers).map(([id, answer]) => ({
      id,
      label: id,
      type: "text",
      answer,
    })),
    about: null,
    stage: at % 20 === 0 ? "talking" : "",
    // A hundred are due, and another hundred later.
    remindOn: at % 1000 === 0 ? "2026-01-01" : at % 1000 === 500 ? "2099-01-01" : null,
    closedAt: null,
    booked: null,
    callsUntil: null,
    replies: [],
    notes: [],
    ipAddress: null,
    userAgent: null,
  };
}

const STORY = "I have sung in a choir for years and would like to stand alone on a stage. ".repeat(
  3,
);

function subscription(at: number): Subscription {
  return {
    ...getInitialValues(emailSubscriptions.fields),
    id: Bun.randomUUIDv7("hex", START + at * 60_000),
    email: `person${at}@example.com`,
    name: `Person ${at}`,
    status: at % 10 === 0 ? "unsubscribed" : "active",
    source: "website",
    subscribedAt: timestampAt(at),
    ipAddress: null,
    userAgent: null,
  };
}
