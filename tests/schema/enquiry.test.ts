import { expect, test } from "bun:test";
import { findActiveForm, createEnquiryTree } from "../../src/schema/enquiry/enquiry.ts";

const createForm = (id: string, isActive: boolean) => ({
  id,
  name: `Only the owner reads ${id}`,
  title: `Form ${id}`,
  subtitle: "",
  description: "",
  path: null,
  isActive,
  deleteAfter: "never" as const,
  thankYouMessage: "",
  redirectUrl: null as string | null,
  thanksMail: true,
  thanksWords: "Only the owner reads this before it is sent",
  createdAt: null,
});
const createStep = (id: string, formId: string, isActive = true) => ({
  id,
  formId,
  title: `Step ${id}`,
  subtitle: "",
  description: "",
  stepOrder: 1,
  isActive,
  showIf: null,
});
const createField = (id: string, stepId: string, isActive = true) => ({
  id,
  stepId,
  fieldType: "text" as const,
  label: `Question ${id}`,
  adminLabel: `Only the owner reads ${id}`,
  placeholder: "",
  isRequired: false,
  isActive,
  fieldOrder: 1,
  options: "",
  showIf: null,
});

test("Visitors get the first form that is active.", () => {
  expect(
    findActiveForm([createForm("a", false), createForm("b", true), createForm("c", true)])?.id,
  ).toBe("b");
  expect(findActiveForm([createForm("a", false)])).toBeUndefined();
});

test("A form's tree has the form's active steps and questions, in the order of the lists.", () => {
  const tree = createEnquiryTree(createForm("a", true), {
    formSteps: [
      createStep("2", "a"),
      createStep("other", "b"),
      createStep("asleep", "a", false),
      createStep("1", "a"),
    ],
    formFields: [
      createField("y", "1"),
      createField("x", "1"),
      createField("z", "2", false),
      createField("o", "other"),
    ],
  });
  expect(tree.steps.map(({ id, fields }) => [id, ...fields.map((each) => each.id)])).toEqual([
    ["2"],
    ["1", "y", "x"],
  ]);
});

test("A form's tree has no owner-only field, and no redirect URL that runs code.", () => {
  const unsafe = { ...createForm("a", true), redirectUrl: "javascript:alert(1)" };
  const tree = createEnquiryTree(unsafe, {
    formSteps: [createStep("1", "a")],
    formFields: [createField("x", "1")],
  });
  expect(JSON.stringify(tree)).not.toContain("Only the owner");
  expect(tree).not.toHaveProperty("deleteAfter");
  expect(tree.redirectUrl).toBe(null);
});
