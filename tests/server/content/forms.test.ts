/** Forms, steps and fields over HTTP (specification, section 3.11). */
import { entities } from "../../../src/schema/index.ts";
import { beforeAll, beforeEach, describe, expect, test } from "bun:test";
import type { Client } from "../../support/client.ts";
import { siteForAll } from "../../support/siteForAll.ts";
import { startSite } from "../../support/startSite.ts";
import { storedSubmission } from "./storedSubmission.ts";

const site = siteForAll(startSite);
let owner: Client;
let visitor: Client;
let form: { id: string };

beforeAll(async () => {
  owner = await site.loginAsOwner();
  visitor = site.visitor();
});
beforeEach(async () => {
  form = await made("forms", { name: "Form 1", title: "New Form", isActive: true });
});

const made = async (name: string, body: object) => {
  const answer = await owner.post(`/api/${name}`, body);
  expect(answer.status).toBe(201);
  return answer.body;
};
const newStep = (more = {}) => made("form-steps", { formId: form.id, title: "Step 1", ...more });
const newField = (stepId: string, more = {}) =>
  made("form-fields", { stepId, fieldType: "text", label: "New Field", ...more });
const idsOf = (items: { id: string }[]) => items.map(({ id }) => id);

describe("steps and fields", () => {
  test("a new step or field gets an order equal to the count plus one, within its parent", async () => {
    await newField((await newStep()).id);
    form = await made("forms", { title: "Another" });
    const first = await newStep();
    const second = await newStep();
    expect([first.stepOrder, second.stepOrder]).toEqual([1, 2]);
    expect((await newField(first.id)).fieldOrder).toBe(1);
    expect((await newField(first.id)).fieldOrder).toBe(2);
    expect((await newField(second.id)).fieldOrder).toBe(1);
  });

  test("a new field is a text field, not required and active", async () => {
    const { id } = await newStep();
    expect(await made("form-fields", { stepId: id })).toMatchObject({
      stepId: id,
      fieldType: "text",
      isRequired: false,
      isActive: true,
      options: "",
    });
  });

  test("each field response carries its stepId, and each list is one parent's", async () => {
    const [one, two] = [await newStep(), await newStep()];
    const [a, b] = [await newField(one.id), await newField(two.id)];
    const fields = await visitor.get(`/api/form-fields/${one.id}`);
    expect(idsOf(fields.body)).toEqual([a.id]);
    expect(fields.body[0].stepId).toBe(one.id);
    expect(idsOf((await owner.get(`/api/form-fields/${two.id}`)).body)).toEqual([b.id]);
    expect(idsOf((await owner.get(`/api/form-steps/${form.id}`)).body)).toEqual([one.id, two.id]);
  });

  test("an update merges and keeps the words of the specification", async () => {
    const step = await newStep();
    const field = await newField(step.id);
    const change = {
      fieldType: "select",
      label: "Color",
      adminLabel: "c",
      placeholder: "Pick",
      isRequired: true,
      options: "Red, Green\nBlue",
    };
    const changed = await owner.put(`/api/form-fields/${field.id}`, change);
    expect(changed.body).toEqual({ ...field, ...change });
    const before = site.stored();
    for (const [path, body, words] of [
      [`form-fields/${field.id}`, { label: "" }, "A field needs a label"],
      [`form-fields/${field.id}`, { fieldType: "file" }, "Choose one of the options."],
      [`form-steps/${step.id}`, { title: " " }, "A step needs a title"],
      [`form-steps/${step.id}`, { formId: "gone" }, "This form no longer exists."],
      [`form-fields/${field.id}`, { stepId: "gone" }, "This step no longer exists."],
    ] as const) {
      const { status, body: answer } = await owner.put(`/api/${path}`, body);
      expect([status, answer.error]).toEqual([422, words]);
    }
    expect(site.stored()).toBe(before);
  });

  test("a step of no form and a field of no step are refused", async () => {
    const before = site.stored();
    for (const [name, body] of [
      ["form-steps", { formId: "nobody", title: "S" }],
      ["form-steps", { title: "S" }],
      ["form-fields", { stepId: "nobody", label: "F" }],
      ["form-fields", { label: "F" }],
    ] as const)
      expect((await owner.post(`/api/${name}`, body)).status).toBe(422);
    expect(site.stored()).toBe(before);
  });

  test("no write goes through without a session", async () => {
    const step = await newStep();
    const field = await newField(step.id);
    const before = site.stored();
    const answers = [
      await visitor.post("/api/form-steps", { formId: form.id, title: "S" }),
      await visitor.put(`/api/form-steps/${step.id}`, { title: "S" }),
      await visitor.delete(`/api/form-steps/${step.id}`),
      await visitor.post("/api/form-steps/reorder", { stepIds: [step.id] }),
      await visitor.post("/api/form-fields", { stepId: step.id }),
      await visitor.put(`/api/form-fields/${field.id}`, { label: "F" }),
      await visitor.delete(`/api/form-fields/${field.id}`),
      await visitor.post("/api/form-fields/reorder", { fieldIds: [field.id] }),
    ];
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 401));
    expect(site.stored()).toBe(before);
  });
});

describe("what visitors see", () => {
  test("inactive forms, steps and fields and adminLabel are the owner's alone", async () => {
    const step = await newStep();
    const hiddenStep = await newStep({ isActive: false });
    const field = await newField(step.id, { adminLabel: "secret words" });
    const hiddenField = await newField(step.id, { isActive: false });
    const hiddenForm = await made("forms", { title: "Draft", isActive: false });

    const forms = await visitor.get("/api/forms");
    expect(idsOf(forms.body)).not.toContain(hiddenForm.id);
    expect(idsOf((await owner.get("/api/forms")).body)).toContain(hiddenForm.id);
    expect(idsOf((await visitor.get(`/api/form-steps/${form.id}`)).body)).toEqual([step.id]);
    const fields = await visitor.get(`/api/form-fields/${step.id}`);
    expect(idsOf(fields.body)).toEqual([field.id]);
    expect(fields.text).not.toContain("adminLabel");
    const all = await owner.get(`/api/form-fields/${step.id}`);
    expect(idsOf(all.body)).toEqual([field.id, hiddenField.id]);
    expect(all.body[0].adminLabel).toBe("secret words");
    expect((await visitor.get(`/api/form-fields/${hiddenStep.id}`)).status).toBe(404);
    expect((await owner.get(`/api/form-fields/${hiddenStep.id}`)).status).toBe(200);
  });

  test("the steps and fields of an inactive form answer 404, to the owner 200", async () => {
    const step = await newStep();
    await newField(step.id);
    await owner.put(`/api/forms/${form.id}`, { isActive: false });
    for (const path of [`/api/form-steps/${form.id}`, `/api/form-fields/${step.id}`]) {
      expect((await visitor.get(path)).body.code).toBe("not_found");
      expect((await owner.get(path)).status).toBe(200);
    }
    expect((await owner.get("/api/form-steps/nobody")).status).toBe(404);
    expect((await visitor.get("/api/form-fields/nobody")).status).toBe(404);
  });
});

describe("reordering", () => {
  test("steps get the orders from one on, as named", async () => {
    const steps = [await newStep(), await newStep(), await newStep()];
    const stepIds = idsOf(steps).toReversed();
    const { status, body } = await owner.post("/api/form-steps/reorder", { stepIds });
    expect(status).toBe(200);
    expect(body.map((step: any) => [step.id, step.stepOrder])).toEqual(
      stepIds.map((id, at) => [id, at + 1]),
    );
    expect((await owner.get(`/api/form-steps/${form.id}`)).body).toEqual(body);
  });

  test("fields that are not named follow those that are", async () => {
    const { id } = await newStep();
    const [a, b, c] = [await newField(id), await newField(id), await newField(id)];
    const { body } = await owner.post("/api/form-fields/reorder", { fieldIds: [c.id] });
    expect(idsOf(body)).toEqual([c.id, a.id, b.id]);
    expect(body.map((field: any) => field.fieldOrder)).toEqual([1, 2, 3]);
  });

  test("an unknown id, one named twice, or steps of two forms change nothing", async () => {
    const mine = await newStep();
    form = await made("forms", { title: "Another" });
    const other = await newStep();
    const before = site.stored();
    for (const stepIds of [
      [mine.id, "nobody"],
      [mine.id, mine.id],
      [mine.id, other.id],
      [],
      "x",
      [1],
    ]) {
      const { status, body } = await owner.post("/api/form-steps/reorder", { stepIds });
      expect([status, body.code]).toEqual([422, "invalid"]);
    }
    expect(site.stored()).toBe(before);
  });
});

describe("deleting", () => {
  test("a form takes its steps, their fields and its submissions along, and no others", async () => {
    const kept = form;
    const keptStep = await newStep();
    form = await made("forms", { title: "Goes" });
    const step = await newStep();
    const field = await newField(step.id);
    const keptField = await newField(keptStep.id);
    const submissions = site.store.of(entities.formSubmissions);
    await submissions.insert(storedSubmission(form.id));
    await submissions.insert(storedSubmission(kept.id));

    expect((await owner.delete(`/api/forms/${form.id}`)).status).toBe(204);
    expect((await owner.delete(`/api/bin/${form.id}`)).status).toBe(204);
    expect(site.stored()).not.toContain(step.id);
    expect(site.stored()).not.toContain(field.id);
    expect(site.stored()).toContain(keptStep.id);
    expect(site.stored()).toContain(keptField.id);
    expect(await submissions.count({ formId: form.id })).toBe(0);
    expect(await submissions.count({ formId: kept.id })).toBe(1);
  });

  test("a step takes its fields along", async () => {
    const step = await newStep();
    const field = await newField(step.id);
    expect((await owner.delete(`/api/form-steps/${step.id}`)).status).toBe(204);
    expect((await owner.get(`/api/form-fields/${step.id}`)).status).toBe(404);
    expect((await owner.delete(`/api/bin/${step.id}`)).status).toBe(204);
    expect(site.stored()).not.toContain(field.id);
  });
});
