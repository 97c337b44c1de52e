/** A deletion that a crash cut short is finished at the next start (specification, section 4.15). */
import { entities } from "../../../src/schema/index.ts";
import { expect, test } from "bun:test";
import { sweepOrphans } from "../../../src/server/content/parents.ts";
import { siteForAll } from "../../support/siteForAll.ts";
import { startSite } from "../../support/startSite.ts";
import { storedSubmission } from "./storedSubmission.ts";

const site = siteForAll(startSite);

test("steps, fields and submissions of a form that is gone go, all others stay", async () => {
  const owner = await site.loginAsOwner();
  const made = async (name: string, body: object) => (await owner.post(`/api/${name}`, body)).body;
  const branch = async () => {
    const form = await made("forms", { title: "F" });
    const step = await made("form-steps", { formId: form.id, title: "S" });
    const field = await made("form-fields", { stepId: step.id });
    return { form, step, field };
  };
  const [gone, kept] = [await branch(), await branch()];
  const submissions = site.store.of(entities.formSubmissions);
  for (const { form } of [gone, kept]) await submissions.insert(storedSubmission(form.id));
  // As after a crash between the parent and what hangs on it.
  await site.store
    .of(entities.forms)
    .update((forms) => forms.filter(({ id }) => id !== gone.form.id));

  const before = site.store.of(entities.forms).read().revision;
  await sweepOrphans(site.store);
  expect((await owner.get(`/api/form-steps/${kept.form.id}`)).body).toEqual([kept.step]);
  expect((await owner.get(`/api/form-fields/${kept.step.id}`)).body).toEqual([kept.field]);
  expect(site.stored()).not.toContain(gone.step.id);
  expect(site.stored()).not.toContain(gone.field.id);
  expect(submissions.count((key) => key.formId === gone.form.id)).toBe(0);
  expect(submissions.count((key) => key.formId === kept.form.id)).toBe(1);
  expect(site.store.of(entities.forms).read().revision).toBe(before);
  const stored = site.stored();
  await sweepOrphans(site.store);
  expect(site.stored()).toBe(stored);
});

test("what hangs on a form that no earlier revision tells of stays: its list is not whole", async () => {
  const submissions = site.store.of(entities.formSubmissions);
  await submissions.insert(storedSubmission("a form of a list that was lost"));
  await sweepOrphans(site.store);
  expect(submissions.count(({ formId }) => formId === "a form of a list that was lost")).toBe(1);
});
