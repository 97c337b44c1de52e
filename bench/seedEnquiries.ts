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

const WRITE_BATCH_SIZE = 200;
/**
 * The time of the first item. Even the millionth item, a million minutes later, is in the past, so new items come last.
 */
const START_MS = Date.parse("2024-12-01T00:00:00Z");

/** Stores an owner, a form, `count` submissions of about 0.7 KB and `count` subscriptions of about 0.3 KB. */
export async function seedEnquiries(directory: string, count: number): Promise<void> {
  const store = await openStore({ directory, entities: allEntities });
  await addForm(store);
  await createUser({ store, clock: Date.now, passwords: createPasswords() }, OWNER);
  await insertAll(store.of(entities.formSubmissions), count, createSubmission);
  await insertAll(store.of(entities.emailSubscriptions), count, createSubscription);
  await store.close();
}

async function insertAll<T extends { id: string }>(
  records: Records<T, unknown>,
  count: number,
  createItem: (index: number) => T,
): Promise<void> {
  for (let first = 0; first < count; first += WRITE_BATCH_SIZE) {
    const length = Math.min(WRITE_BATCH_SIZE, count - first);
    await Promise.all(
      Array.from({ length }, (_, index) => records.insert(createItem(first + index))),
    );
  }
}

const formatTimestamp = (index: number) => new Date(START_MS + index * 60_000).toISOString();

/** Creates a submission of about 0.7 KB. */
export function createSubmission(index: number): Item<"formSubmissions"> {
  const answers = { name: `Person ${index}`, email: `person${index}@example.com`, story: STORY };
  return {
    id: Bun.randomUUIDv7("hex", START_MS + index * 60_000),
    formId: "form",
    status: index % 3 === 0 ? "new" : "reviewed",
    createdAt: formatTimestamp(index),
    submittedAt: formatTimestamp(index),
    questions: Object.entries(answers).map(([id, answer]) => ({
      id,
      label: id,
      type: "text",
      answer,
    })),
    about: null,
    stage: index % 20 === 0 ? "talking" : "",
    // Of 100,000 submissions, a hundred are due now and another hundred later.
    remindOn: index % 1000 === 0 ? "2026-01-01" : index % 1000 === 500 ? "2099-01-01" : null,
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

function createSubscription(index: number): Subscription {
  return {
    ...getInitialValues(emailSubscriptions.fields),
    id: Bun.randomUUIDv7("hex", START_MS + index * 60_000),
    email: `person${index}@example.com`,
    name: `Person ${index}`,
    status: index % 10 === 0 ? "unsubscribed" : "active",
    source: "website",
    subscribedAt: formatTimestamp(index),
    ipAddress: null,
    userAgent: null,
  };
}
