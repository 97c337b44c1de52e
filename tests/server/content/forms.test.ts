/** Forms, steps and fields over HTTP (specification, section 3.11). */
import { beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { type Client, ownerOf, setUpSiteForAll, startSite } from "../../support/testSite.ts";

const site = setUpSiteForAll(startSite);
const owner = ownerOf(site);
let visitor: Client;
let form: { id: string };

beforeAll(async () => {
  visitor = site.visitor();
});
beforeEach(async () => {
  form = await createItem("forms", { name: "Form 1", title: "New Form", isActive: true });
});

const createItem = async (name: string, body: object) => {
  const answer = await owner.post(`/api/${name}`, body);
  expect(answer.status).toBe(201);
  return answer.body;
};
const createStep = (more = {}) =>
  createItem("form-steps", { formId: form.id, title: "Step 1", ...more });
const createField = (stepId: string, more = {}) =>
  createItem("form-fields", { stepId, fieldType: "text", label: "New Field", ...more });
const getIds = (items: { id: string }[]) => items.map(({ id }) => id);

describe("steps and fields", () => {
  test("a new step or field gets the next number within its form or step", async () => {
    await createField((await createStep()).id);
    form = await createItem("forms", { title: "Another" });
    const first = await createStep();
    const second = await createStep();
    expect([first.stepOrder, second.stepOrder]).toEqual([1, 2]);
    expect((await createField(first.id)).fieldOrder).toBe(1);
    expect((await createField(first.id)).fieldOrder).toBe(2);
    expect((await createField(second.id)).fieldOrder).toBe(1);
  });

  test("each list has only the steps of one form or the fields of one step", async () => {
    const [one, two] = [await createStep(), await createStep()];
    const [a, b] = [await createField(one.id), await createField(two.id)];
    const fields = await visitor.get(`/api/form-fields/${one.id}`);
    expect(getIds(fields.body)).toEqual([a.id]);
    expect(fields.body[0].stepId).toBe(one.id);
    expect(getIds((await owner.get(`/api/form-fields/${two.id}`)).body)).toEqual([b.id]);
    expect(getIds((await owner.get(`/api/form-steps/${form.id}`)).body)).toEqual([one.id, two.id]);
  });

  test("an update keeps the other values, and is refused with the specification's message if invalid", async () => {
    const step = await createStep();
    const field = await createField(step.id);
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
    const before = site.readStored();
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
    expect(site.readStored()).toBe(before);
  });

  test("a step without a form and a field without a step are refused", async () => {
    const before = site.readStored();
    for (const [name, body] of [
      ["form-steps", { formId: "nobody", title: "S" }],
      ["form-steps", { title: "S" }],
      ["form-fields", { stepId: "nobody", label: "F" }],
      ["form-fields", { label: "F" }],
    ] as const)
      expect((await owner.post(`/api/${name}`, body)).status).toBe(422);
    expect(site.readStored()).toBe(before);
  });
});

describe("what visitors see", () => {
  test("excludes inactive forms, steps and fields, and admin labels, which only the owner gets", async () => {
    const step = await createStep();
    const hiddenStep = await createStep({ isActive: false });
    const field = await createField(step.id, { adminLabel: "secret words" });
    const hiddenField = await createField(step.id, { isActive: false });
    const hiddenForm = await createItem("forms", { title: "Draft", isActive: false });

    const forms = await visitor.get("/api/forms");
    expect(getIds(forms.body)).not.toContain(hiddenForm.id);
    expect(getIds((await owner.get("/api/forms")).body)).toContain(hiddenForm.id);
    expect(getIds((await visitor.get(`/api/form-steps/${form.id}`)).body)).toEqual([step.id]);
    const fields = await visitor.get(`/api/form-fields/${step.id}`);
    expect(getIds(fields.body)).toEqual([field.id]);
    expect(fields.text).not.toContain("adminLabel");
    const all = await owner.get(`/api/form-fields/${step.id}`);
    expect(getIds(all.body)).toEqual([field.id, hiddenField.id]);
    expect(all.body[0].adminLabel).toBe("secret words");
    expect((await visitor.get(`/api/form-fields/${hiddenStep.id}`)).status).toBe(404);
    expect((await owner.get(`/api/form-fields/${hiddenStep.id}`)).status).toBe(200);
  });

  test("is a 404 for the steps and fields of an inactive form, which the owner can read", async () => {
    const step = await createStep();
    await createField(step.id);
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
  test("numbers steps from one on, in the order of the call", async () => {
    const steps = [await createStep(), await createStep(), await createStep()];
    const stepIds = getIds(steps).toReversed();
    const { status, body } = await owner.post("/api/form-steps/reorder", { stepIds });
    expect(status).toBe(200);
    expect(body).toMatchObject(stepIds.map((id, at) => ({ id, stepOrder: at + 1 })));
    expect((await owner.get(`/api/form-steps/${form.id}`)).body).toEqual(body);
  });

  test("puts fields that the call doesn't list after the listed fields", async () => {
    const { id } = await createStep();
    const [a, b, c] = [await createField(id), await createField(id), await createField(id)];
    const { body } = await owner.post("/api/form-fields/reorder", { fieldIds: [c.id] });
    expect(getIds(body)).toEqual([c.id, a.id, b.id]);
    expect(body.map((field: any) => field.fieldOrder)).toEqual([1, 2, 3]);
  });

  test("refuses an unknown id, an id named twice, or steps of two forms, and changes nothing", async () => {
    const mine = await createStep();
    form = await createItem("forms", { title: "Another" });
    const other = await createStep();
    const before = site.readStored();
    const others = ["nobody", mine.id, other.id].map((id) => [mine.id, id]);
    for (const stepIds of [...others, [], "x", [1]]) {
      const { status, body } = await owner.post("/api/form-steps/reorder", { stepIds });
      expect([status, body.code]).toEqual([422, "invalid"]);
    }
    expect(site.readStored()).toBe(before);
  });
});
