/** A form that goes for good takes all that belongs to it, whatever comes in between; nothing else ever does. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { allEntities, entities } from "../../../src/schema/index.ts";
import { removeBelonging } from "../../../src/server/content/belonging.ts";
import { openBin } from "../../../src/server/bin/bin.ts";
import { openStore } from "../../../src/server/storage/files/openStore.ts";
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
      if ((operation === "rename" || operation === "write") && fails(path))
        throw diskError("ENOSPC");
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
  await discard(store, id);
  await openBin(store).letGo();
  await sweep(store);
}

const discard = (store: Store, id: string) =>
  openBin(store).discard(FORMS, async (transaction) => {
    const forms = transaction.of(FORMS);
    const form = (await forms.read()).value.find((each) => each.id === id)!;
    await forms.update((all) => all.filter((each) => each !== form));
    return form;
  });

function sweep(store: Store): Promise<void> {
  const bin = openBin(store);
  return bin.sweep((binned) =>
    removeBelonging({ store, bin, log: (line) => void log.push(line) }, binned),
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
  expect(await submissionsOf(store, "gone")).toBe(0);
  expect(await submissionsOf(store, "kept")).toBe(1);
  expect(await store.of(entities.bin).count()).toBe(0);
  expect(log).toEqual(["bin: forms gone goes with 1 formSteps, 1 formFields, 1 formSubmissions"]);
  await store.close();
});

test("when that can't be stored, all of it stays, and goes at the next start", async () => {
  const first = await open();
  for (const name of ["gone", "kept"]) await plant(first, name);
  const bin = openBin(first);
  await discard(first, "gone");
  await bin.letGo();
  fails = (path) => path.includes("journal");
  await expect(sweep(first)).rejects.toMatchObject({ code: "cannot_store" });
  const idsOf = (store: Store, entity: typeof FORMS | typeof entities.formSteps) =>
    store
      .of(entity)
      .read()
      .value.map(({ id }) => id);
  expect([idsOf(first, FORMS), idsOf(first, entities.formSteps)]).toEqual([
    ["kept"],
    ["gone-step", "kept-step"],
  ]);
  expect([await submissionsOf(first, "gone"), await first.of(entities.bin).count()]).toEqual([
    1, 1,
  ]);
  fails = () => false;
  await first.close();
  const next = await open();
  await sweep(next);
  expect(idsOf(next, entities.formSteps)).toEqual(["kept-step"]);
  expect([await submissionsOf(next, "gone"), await submissionsOf(next, "kept")]).toEqual([0, 1]);
  expect(await next.of(entities.bin).count()).toBe(0);
  await next.close();
});

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
  expect(await submissionsOf(next, "form-a")).toBe(1);
  expect(await submissionsOf(next, "a form of a list that was lost")).toBe(1);
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
