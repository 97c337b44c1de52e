/** A permanently deleted form is deleted with all its children, and nothing else is. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getInitialValues } from "../../../src/schema/entities/check.ts";
import { allEntities, entities } from "../../../src/schema/index.ts";
import { prepareDescendantRemoval } from "../../../src/server/content/descendants.ts";
import { Bin } from "../../../src/server/bin/bin.ts";
import { openStore } from "../../../src/server/storage/files/openStore.ts";
import type { Store } from "../../../src/server/storage/store.ts";
import { createStoredSubmission } from "./storedSubmission.ts";

const FORMS = entities.forms;
type Entity = (typeof entities)["forms" | "formSteps" | "formFields"];

let directory = "";
let log: string[] = [];

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "limelight-deletions-"));
  log = [];
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const openTestStore = () =>
  openStore({ directory: join(directory, "data"), entities: allEntities, log: () => {} });

/** A form with a step, a field and a submission, each named after it. */
async function createForm(store: Store, name: string): Promise<void> {
  const add = (list: { update(change: (all: any) => any): Promise<unknown> }, item: object) =>
    list.update((all) => [...all, item]);
  const { formSteps, formFields } = entities;
  await add(store.of(FORMS), { ...getInitialValues(FORMS.fields), id: name, title: name });
  const step = { id: `${name}-step`, formId: name, title: "S" };
  await add(store.of(formSteps), { ...getInitialValues(formSteps.fields), ...step });
  const field = { id: `${name}-field`, stepId: step.id, label: "L" };
  await add(store.of(formFields), { ...getInitialValues(formFields.fields), ...field });
  await store.of(entities.formSubmissions).insert(createStoredSubmission(name));
}

/** Deletes a form into the bin, then permanently. */
async function removeForm(store: Store, id: string): Promise<void> {
  await deleteForm(store, id);
  await new Bin(store).expireItems();
  await purgeExpired(store);
}

const deleteForm = (store: Store, id: string) =>
  new Bin(store).moveToBin(FORMS, async (transaction) => {
    const forms = transaction.of(FORMS);
    const form = (await forms.read()).value.find((each) => each.id === id)!;
    await forms.update((all) => all.filter((each) => each !== form));
    return form;
  });

function purgeExpired(store: Store): Promise<void> {
  const bin = new Bin(store);
  return bin.deleteExpired((binned) =>
    prepareDescendantRemoval({ store, bin, log: (line) => void log.push(line) }, binned),
  );
}

const countSubmissions = (store: Store, name: string) =>
  store.of(entities.formSubmissions).count({ formId: name });
const readIds = (store: Store, entity: Entity): string[] =>
  (store.of(entity).read().value as { id: string }[]).map(({ id }) => id);

test("deleting a form permanently deletes its steps, fields and submissions, and the log says how many", async () => {
  const store = await openTestStore();
  for (const name of ["gone", "kept"]) await createForm(store, name);
  await removeForm(store, "gone");
  expect(readIds(store, entities.formSteps)).toEqual(["kept-step"]);
  expect(readIds(store, entities.formFields)).toEqual(["kept-field"]);
  expect([await countSubmissions(store, "gone"), await countSubmissions(store, "kept")]).toEqual([
    0, 1,
  ]);
  expect(await store.of(entities.bin).count()).toBe(0);
  expect(log).toEqual([
    "bin: deleting forms gone with 1 formSteps, 1 formFields, 1 formSubmissions",
  ]);
  await store.close();
});

test("submissions of a missing form are kept, even if a damaged file changed the form's id", async () => {
  const first = await openTestStore();
  await createForm(first, "form-a");
  await first
    .of(entities.formSubmissions)
    .insert(createStoredSubmission("a form of a list that was lost"));
  await first.close();
  const file = join(directory, "data", "forms.json");
  await Bun.write(file, (await Bun.file(file).text()).replace('"id":"form-a"', '"id":"form-b"'));
  const next = await openTestStore();
  await purgeExpired(next);
  expect(readIds(next, FORMS)).toEqual(["form-a"]);
  for (const form of ["form-a", "a form of a list that was lost"])
    expect(await countSubmissions(next, form)).toBe(1);
  await next.close();
});
