/**
 * Enquiries of before they had stages, reminders, calls and notes, and of before replies: read by this release, and by
 * the earlier one again after `limelight upgrade --back`. OLDER_SUBMISSIONS says how many (default 300).
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as v from "valibot";
import { initialValues } from "../../../src/schema/check.ts";
import { collection, records } from "../../../src/schema/entity.ts";
import { internal } from "../../../src/schema/fields.ts";
import { allEntities, entities, type Item } from "../../../src/schema/index.ts";
import { openStore } from "../../../src/server/storage/files/openStore.ts";

const COUNT = Number(process.env["OLDER_SUBMISSIONS"] ?? 300);

const { formSubmissions } = entities;
const { formId, status, createdAt, submittedAt, questions, replies, ipAddress, userAgent } =
  formSubmissions.fields;
const kept = { formId, status, createdAt, submittedAt, questions, ipAddress, userAgent };
const keys = ["id", "formId", "status", "createdAt", "ipAddress"] as const;

/** As the release before stored them, and the one before that, which had no replies. */
const before = records("formSubmissions", "Submission", {
  version: 3,
  migrations: formSubmissions.migrations,
  keys,
  fields: { ...kept, replies },
});
/** The first release stored the answers as text besides. */
const first = records("formSubmissions", "Submission", {
  version: 1,
  keys,
  fields: { ...kept, submissionData: internal("Answers", v.string(), "") },
});

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "limelight-older-"));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

const open = (known: Parameters<typeof openStore>[0]["entities"]) =>
  openStore({ directory, entities: known, log: () => {} });

/** One that was sent before. */
const sent = (at: number) => ({
  id: `00000000-0000-7000-8000-${String(at).padStart(12, "0")}`,
  formId: "form",
  status: at % 3 === 0 ? ("new" as const) : ("reviewed" as const),
  createdAt: new Date(Date.UTC(2026, 0, 1) + at * 60_000).toISOString(),
  submittedAt: null,
  questions: [{ id: "name", label: "Name", type: "text", answer: `Ann ${at}` }],
  ipAddress: null,
  userAgent: null,
});

const ADDED = {
  about: null,
  stage: "" as const,
  remindOn: null,
  closedAt: null,
  booked: null,
  callsUntil: null,
  notes: [],
};

test("all of them are read with their first values, and nothing of them is lost", async () => {
  const older = await open([first]);
  for (let at = 0; at < COUNT; at += 500)
    // oxlint-disable-next-line no-await-in-loop -- in turn, so that they lie in their order
    await Promise.all(
      Array.from({ length: Math.min(500, COUNT - at) }, (_, more) =>
        older
          .of(first)
          .insert({ ...sent(at + more), submissionData: `{"name":"Ann ${at + more}"}` }),
      ),
    );
  await older.close();
  const started = performance.now();
  const store = await open(allEntities);
  const list = store.of(formSubmissions);
  let read = 0;
  for await (const each of list.scan()) {
    if (read % 97 === 0) expect(each).toEqual({ ...sent(read), replies: [], ...ADDED });
    read++;
  }
  expect(read).toBe(COUNT);
  expect(await list.count({ stage: "" })).toBe(COUNT);
  expect(await list.count({ status: "new" })).toBe(Math.ceil(COUNT / 3));
  if (process.env["OLDER_SUBMISSIONS"])
    console.log(
      `${COUNT} of the first release open and read in ${Math.round(performance.now() - started)} ms`,
    );
  await store.close();
}, 600_000);

test("the release before reads what this one has written, leaves what it doesn't know, and gives it back", async () => {
  const [one, other] = [sent(1), sent(2)];
  const now = await open(allEntities);
  const list = now.of(formSubmissions);
  const note = { id: "n", at: one.createdAt, by: "Ada", text: "Call first." };
  for (const { id } of [one, other])
    await list.update(id, (each) => ({
      ...each,
      stage: "client",
      remindOn: "2027-03-14",
      notes: [note],
    }));
  await now.close();

  const back = await open([before]);
  expect(await back.of(before).count({})).toBe(COUNT);
  expect(await back.of(before).get(one.id)).toMatchObject({ ...one, replies: [] });
  await back.of(before).update(one.id, (each) => ({ ...each, status: "archived" }));
  const made = { ...sent(COUNT), replies: [] };
  await back.of(before).insert(made);
  await back.close();

  const again = await open(allEntities);
  const found = again.of(formSubmissions);
  const followed = { stage: "client", remindOn: "2027-03-14", notes: [note] };
  expect(await found.get(one.id)).toMatchObject({ ...one, status: "archived", ...followed });
  expect(await found.get(other.id)).toMatchObject({ ...other, ...followed });
  expect(await found.get(made.id)).toEqual({ ...made, ...ADDED });
  expect(await found.count({ stage: "client" })).toBe(2);
  await again.close();
}, 600_000);

test("the release before keeps how long a form's closed enquiries are kept, and when one was closed, through its own saves", async () => {
  const { deleteAfter: _, path: __, id: ___, ...known } = entities.forms.fields;
  const formsBefore = collection("forms", "Form", {
    version: 2,
    migrations: entities.forms.migrations!,
    fields: known,
  });
  const now = await open(allEntities);
  const form = { ...initialValues(entities.forms.fields), id: "form" } as Item<"forms">;
  await now.of(entities.forms).update(() => [{ ...form, deleteAfter: "12" }]);
  const closed = { ...sent(COUNT + 1), ...ADDED, replies: [] };
  const closedAt = "2026-03-14T10:00:00.000Z";
  await now.of(formSubmissions).insert({ ...closed, stage: "closed", closedAt });
  await now.close();

  const back = await open([before, formsBefore]);
  await back.of(formsBefore).update(([one]) => [{ ...one!, title: "Renamed" }]);
  await back.of(before).update(closed.id, (each) => ({ ...each, status: "archived" }));
  await back.close();

  const again = await open(allEntities);
  expect(again.of(entities.forms).read().value).toMatchObject([
    { title: "Renamed", deleteAfter: "12" },
  ]);
  const found = await again.of(formSubmissions).get(closed.id);
  expect(found).toMatchObject({ status: "archived", stage: "closed", closedAt });
  await again.close();
});
