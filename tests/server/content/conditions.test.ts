/** Conditional questions, over HTTP (specification, section 3.11). */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { entities } from "../../../src/schema/index.ts";
import {
  setCondition,
  toAnswersById,
  type CreatedForm,
  replaceForms,
} from "../../support/enquiryForm.ts";
import { ownerOf, setUpSiteForAll, startSite } from "../../support/testSite.ts";

const site = setUpSiteForAll(() => startSite({ env: { RATE_LIMIT: "off" } }));
const owner = ownerOf(site);
let form: CreatedForm;

const ABOUT_LABEL = "What is it about?";
const getFieldId = (label: string) => form.fieldIds[label]!;

/** A form of three steps: the second is for coaching only, and the third has one question for shows. */
beforeEach(async () => {
  form = await replaceForms(site, [
    {
      title: "First",
      fields: [
        {
          label: ABOUT_LABEL,
          fieldType: "radio",
          options: "Coaching\nA show\nBoth",
          isRequired: true,
        },
        { label: "Nickname" },
      ],
    },
    { title: "Coaching", fields: [{ label: "Your goal", isRequired: true }] },
    {
      title: "Last",
      fields: [
        { label: "Name", isRequired: true },
        { label: "Which day?", isRequired: true },
      ],
    },
  ]);
  await setCondition(site, form, 1, ABOUT_LABEL, ["Coaching", "Both"]);
  await setCondition(site, form, "Which day?", ABOUT_LABEL, ["A show"]);
});

afterEach(() => expect(site.reportedErrors).toEqual([]));

const readStoredStep = (at: number) =>
  site.store
    .of(entities.formSteps)
    .read()
    .value.find((each) => each.id === form.stepIds[at])!;
const fetchPage = async () => (await site.visitor().get("/coaching")).text;
const sendAnswers = (data: Record<string, unknown>) =>
  site
    .visitor()
    .post("/api/form-submissions", { formId: form.id, data: toAnswersById(form, data) });
describe("a condition for showing a step or question", () => {
  const NOT_ASKABLE = "Choose a dropdown, radio buttons or checkboxes from an earlier step.";
  const createCondition = (fieldId: string, values: unknown = ["Coaching"]) => ({
    fieldId,
    values,
  });
  const expectRefused = async (showIf: unknown, label = "Name") => {
    const before = site.readStored();
    const { status, body } = await owner.put(`/api/form-fields/${getFieldId(label)}`, { showIf });
    expect(site.readStored()).toBe(before);
    return [status, body.fields?.showIf];
  };

  test("is refused unless it is about a question with choices from an earlier step", async () => {
    for (const other of [
      "nobody",
      getFieldId("Nickname"),
      getFieldId("Name"),
      getFieldId("Which day?"),
      form.stepIds[0]!,
    ])
      expect(await expectRefused(createCondition(other))).toEqual([422, NOT_ASKABLE]);
    expect(await expectRefused(createCondition(getFieldId(ABOUT_LABEL)), "Nickname")).toEqual([
      422,
      NOT_ASKABLE,
    ]);
  });

  test("is refused if it is about a question of another form", async () => {
    const { id: other } = await site.asOwner("POST", "/api/forms", { title: "Other" });
    const body = { formId: other, title: "x", showIf: createCondition(getFieldId(ABOUT_LABEL)) };
    const answer = await owner.post("/api/form-steps", body);
    expect([answer.status, answer.body.fields]).toEqual([422, { showIf: NOT_ASKABLE }]);
  });

  test("is refused if it has an unknown choice, no choice, too many choices or another type", async () => {
    const of = (values: unknown) => expectRefused(createCondition(getFieldId(ABOUT_LABEL), values));
    expect(await of(["Cooking"])).toEqual([422, "Choose from the options."]);
    expect(await of([])).toEqual([422, "Choose one of the options."]);
    expect(await of(Array.from({ length: 21 }, () => "Coaching"))).toEqual([
      422,
      "Choose up to 20 options.",
    ]);
    for (const wrong of ["Coaching", null, [7], [""], ["x".repeat(501)], { 0: "Coaching" }])
      expect((await of(wrong))[0]).toBe(422);
    for (const wrong of [7, "x", [], { values: ["Coaching"] }, createCondition("x".repeat(65))])
      expect((await expectRefused(wrong))[0]).toBe(422);
  });

  test("can be saved again unchanged after its question was deleted", async () => {
    await owner.delete(`/api/form-fields/${getFieldId(ABOUT_LABEL)}`);
    const put = (body: object) => owner.put(`/api/form-steps/${form.stepIds[1]}`, body);
    const { status, body } = await put({ title: "Later", showIf: readStoredStep(1).showIf });
    expect([status, body.title]).toEqual([200, "Later"]);
    expect((await put({ showIf: null })).status).toBe(200);
  });
});

describe("a question used in conditions", () => {
  test("ends the conditions for visitors when it is deleted, and brings them back when it is restored", async () => {
    expect(await fetchPage()).toContain('"showIf"');
    await owner.delete(`/api/form-fields/${getFieldId(ABOUT_LABEL)}`);
    expect(await fetchPage()).not.toContain("showIf");
    expect((await sendAnswers({ Name: "Ada", "Which day?": "x" })).body.error).toBe(
      "Your goal is required",
    );
    expect((await owner.post(`/api/bin/${getFieldId(ABOUT_LABEL)}/restore`, {})).status).toBe(200);
    expect(
      (await sendAnswers({ [ABOUT_LABEL]: "A show", Name: "Ada", "Which day?": "x" })).status,
    ).toBe(201);
  });

  test("updates the conditions of steps and questions when one of its choices is renamed", async () => {
    const put = (options: string) =>
      owner.put(`/api/form-fields/${getFieldId(ABOUT_LABEL)}`, { options });
    expect((await put("Lessons\nA show\nBoth")).status).toBe(200);
    expect(readStoredStep(1).showIf?.values).toEqual(["Lessons", "Both"]);
    await put("Lessons\nOn stage\nBoth");
    const fields = (await owner.get(`/api/form-fields/${form.stepIds[2]}`)).body;
    expect(fields[1].showIf.values).toEqual(["On stage"]);
    // If two choices change at once, it is unclear which of them the condition is about.
    await put("Coaching\nShow\nBoth");
    expect(readStoredStep(1).showIf?.values).toEqual(["Lessons", "Both"]);
    expect(await fetchPage()).not.toContain("showIf");
    // A refused change doesn't rename conditions.
    await put("Lessons\nShow\nBoth");
    const before = site.readStored();
    const refused = await owner.put(`/api/form-fields/${getFieldId(ABOUT_LABEL)}`, {
      options: "Classes\nShow\nBoth",
      label: "x".repeat(201),
    });
    expect([refused.status, site.readStored()]).toEqual([422, before]);
  });
});
