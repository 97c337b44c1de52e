/** A form that goes for good takes all that belongs to it, whatever comes in between; nothing else ever does. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { allEntities, entities } from "../../../src/schema/index.ts";
import { removeBelonging } from "../../../src/server/content/belonging.ts";
import { openBin } from "../../../src/server/storage/bin.ts";
import { openStore } from "../../../src/server/storage/openStore.ts";
import type { Store } from "../../../src/server/storage/store.ts";
import { filesHolding } from "../../support/keptTexts.ts";
import { diskError, faultyDisk } from "../storage/faultyDisk.ts";
import { storedSubmission } from "./storedSubmission.ts";

const FORMS = entities.forms;

let directory = "";
let log: string[] = [];
/** Which write fails from now on. */
let fails: (path: string) => boolean = () => false;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "limelight-deletions-"));
  log = [];
  fails = () => false;
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const open = () =>
  openStore({
    directory: join(directory, "data"),
    entities: allEntities,
    log: () => {},
    disk: faultyDisk((operation, path) => {
      if (operation === "rename" && fails(path)) throw diskError("ENOSPC");
    }),
  });

/** A form with a step, a field and a submission, each named after it. */
async function plant(store: Store, name: string): Promise<void> {
  const add = (list: { update(change: (all: any) => any): Promise<unknown> }, item: object) =>
    list.update((all) => [...all, item]);
  const initial = (fields: object) =>
    Object.fromEntries(
      Object.entries(fields).map(([key, field]) => [key, (field as { initial: unknown }).initial]),
    );
  await add(store.of(FORMS), { ...initial(FORMS.fields), id: name, title: name });
  const step = { ...initial(entities.formSteps.fields), id: `${name}-step`, formId: name };
  await add(store.of(entities.formSteps), { ...step, title: "S" });
  const field = { ...initial(entities.formFields.fields), id: `${name}-field`, stepId: step.id };
  await add(store.of(entities.formFields), { ...field, label: "L" });
  await store.of(entities.formSubmissions).insert(storedSubmission(name));
}

/** Into the bin, and out of it for good. */
async function remove(store: Store, id: string): Promise<void> {
  const bin = openBin(store);
  await bin.discard(FORMS, id, async () => {
    const form = store
      .of(FORMS)
      .read()
      .value.find((each) => each.id === id)!;
    await store.of(FORMS).update((forms) => forms.filter((each) => each !== form));
    return form;
  });
  await bin.letGo();
  await sweep(store);
}

function sweep(store: Store): Promise<void> {
  const bin = openBin(store);
  return bin.sweep((binned, letGo) =>
    removeBelonging({ store, bin, letGo, log: (line) => void log.push(line) }, binned),
  );
}

const submissionsOf = (store: Store, name: string) =>
  store.of(entities.formSubmissions).count({ formId: name });

test("steps, fields and submissions go with their form, all others stay, and the log says how many", async () => {
  const store = await open();
  for (const name of ["gone", "kept"]) await plant(store, name);
  await remove(store, "gone");
  expect(
    store
      .of(entities.formSteps)
      .read()
      .value.map(({ id }) => id),
  ).toEqual(["kept-step"]);
  expect(
    store
      .of(entities.formFields)
      .read()
      .value.map(({ id }) => id),
  ).toEqual(["kept-field"]);
  expect(submissionsOf(store, "gone")).toBe(0);
  expect(submissionsOf(store, "kept")).toBe(1);
  expect(store.of(entities.bin).count()).toBe(0);
  expect(log).toEqual(["bin: forms gone went with 1 formSteps, 1 formFields, 1 formSubmissions"]);
  await store.close();
});

test.each(["form-submissions", "form-steps.json", "form-fields.json"])(
  "when %s can't be written, the rest goes at the next start",
  async (failing) => {
    const first = await open();
    for (const name of ["gone", "kept"]) await plant(first, name);
    fails = (path) => path.includes(failing);
    await expect(remove(first, "gone")).rejects.toMatchObject({ code: "cannot_store" });
    expect(
      first
        .of(FORMS)
        .read()
        .value.map(({ id }) => id),
    ).toEqual(["kept"]);
    expect(first.of(entities.bin).count()).toBe(1);
    fails = () => false;
    await first.close();
    const next = await open();
    await sweep(next);
    expect(submissionsOf(next, "gone")).toBe(0);
    expect(
      next
        .of(entities.formSteps)
        .read()
        .value.map(({ id }) => id),
    ).toEqual(["kept-step"]);
    expect(
      next
        .of(entities.formFields)
        .read()
        .value.map(({ id }) => id),
    ).toEqual(["kept-field"]);
    expect(submissionsOf(next, "kept")).toBe(1);
    expect(next.of(entities.bin).count()).toBe(0);
    await next.close();
  },
);

test("what belongs to a form that is merely missing stays, and one wrong letter in its id loses nothing", async () => {
  const first = await open();
  await plant(first, "form-a");
  await first
    .of(entities.formSubmissions)
    .insert(storedSubmission("a form of a list that was lost"));
  await first.close();
  const file = join(directory, "data", "forms.json");
  await Bun.write(file, (await Bun.file(file).text()).replace('"id":"form-a"', '"id":"form-b"'));
  const next = await open();
  await openBin(next).settle();
  await sweep(next);
  expect(
    next
      .of(FORMS)
      .read()
      .value.map(({ id }) => id),
  ).toEqual(["form-a"]);
  expect(submissionsOf(next, "form-a")).toBe(1);
  expect(submissionsOf(next, "a form of a list that was lost")).toBe(1);
  await next.close();
});

test("nothing of a deleted form is left in any file but its history", async () => {
  const store = await open();
  await plant(store, "form-of-secrets");
  await remove(store, "form-of-secrets");
  await store.close();
  await rm(join(directory, "data", "history"), { recursive: true });
  expect(await filesHolding(directory, "form-of-secrets")).toEqual([]);
});
