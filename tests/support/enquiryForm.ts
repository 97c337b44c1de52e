/** Creates enquiry forms for browser tests, by the owner's own calls. */
import type { FieldType } from "../../src/schema/enquiry/questions.ts";
import { replaceItems } from "./replaceItems.ts";
import type { Callers } from "./site.ts";

/** One question, active by default. */
export interface TestField {
  readonly label: string;
  readonly fieldType?: FieldType;
  readonly isRequired?: boolean;
  readonly isActive?: boolean;
  readonly options?: string;
}

/** A step and its questions. */
export interface TestStep {
  readonly title: string;
  readonly isActive?: boolean;
  readonly fields: readonly TestField[];
}

/** The created form: the ids of its steps in order, and of its fields by label. */
export interface CreatedForm {
  readonly id: string;
  readonly stepIds: readonly string[];
  readonly fieldIds: Readonly<Record<string, string>>;
}

/** Three active steps with every kind of question, and parts that visitors must not see. */
export const EVERY_KIND_STEPS: readonly TestStep[] = [
  {
    title: "About you",
    fields: [
      { label: "Your name", isRequired: true },
      { label: "Email", fieldType: "email", isRequired: true },
      { label: "Mobile", fieldType: "international_phone" },
      { label: "Country", fieldType: "country", isRequired: true },
      { label: "Hidden question", isRequired: true, isActive: false },
    ],
  },
  { title: "Asleep", isActive: false, fields: [{ label: "Sleeping", isRequired: true }] },
  { title: "Your story", fields: [{ label: "Story", fieldType: "textarea", isRequired: true }] },
  {
    title: "The rest",
    fields: [
      { label: "Goal", fieldType: "select", options: "Sing\nDance", isRequired: true },
      { label: "Where", fieldType: "radio", options: "Online, In person", isRequired: true },
      { label: "When", fieldType: "checkbox", options: "Mornings\nEvenings", isRequired: true },
      { label: "Sessions", fieldType: "number" },
      { label: "Landline", fieldType: "phone" },
    ],
  },
];

/** Deletes every form and creates an active form with these steps and the further settings in `form`. */
export async function replaceForms(
  site: Pick<Callers, "asOwner">,
  steps: readonly TestStep[],
  form: Record<string, unknown> = {},
): Promise<CreatedForm> {
  await deleteForms(site);
  const settings = { name: "Form 1", title: "Work with me", subtitle: "Enter your details below" };
  return addForm(site, steps, { ...settings, ...form });
}

/** Creates a form with one step called "You". Each of `fields` is [fieldType, label] and further settings. */
export async function makeForm(
  site: Pick<Callers, "asOwner">,
  title: string,
  fields: readonly (readonly [FieldType, string, Partial<TestField>?])[] = [],
): Promise<{ formId: string; stepId: string; ids: string[] }> {
  const questions = fields.map(([fieldType, label, more]) => ({ fieldType, label, ...more }));
  const created = await addForm(site, [{ title: "You", fields: questions }], {
    name: "Inner",
    title,
  });
  return { formId: created.id, stepId: created.stepIds[0]!, ids: Object.values(created.fieldIds) };
}

/** Deletes every form. */
export const deleteForms = (site: Pick<Callers, "asOwner">): Promise<void> =>
  replaceItems(site, "/api/forms");

/** Sends answers as a visitor, but without a page. */
export async function submitEnquiry(
  { visitor }: Pick<Callers, "visitor">,
  formId: string,
  data: object,
): Promise<void> {
  const body = { formId, data, submittedAt: new Date().toISOString() };
  const { status, text } = await visitor().post("/api/form-submissions", body);
  if (status !== 201) throw new Error(`Not sent: ${status} ${text}`);
}

async function addForm(
  site: Pick<Callers, "asOwner">,
  steps: readonly TestStep[],
  form: object,
): Promise<CreatedForm> {
  const { id } = await site.asOwner("POST", "/api/forms", { isActive: true, ...form });
  const stepIds: string[] = [];
  const fieldIds: Record<string, string> = {};
  for (const [at, { fields, ...step }] of steps.entries()) {
    const body = { formId: id, stepOrder: at + 1, isActive: true, ...step };
    const { id: stepId } = await site.asOwner("POST", "/api/form-steps", body);
    stepIds.push(stepId);
    for (const [order, field] of fields.entries()) {
      const created = await site.asOwner(
        "POST",
        "/api/form-fields",
        createFieldBody(stepId, order, field),
      );
      fieldIds[field.label] = created.id;
    }
  }
  return { id, stepIds, fieldIds };
}

function createFieldBody(stepId: string, order: number, field: TestField) {
  const defaults = { fieldType: "text", isRequired: false, isActive: true };
  return { stepId, fieldOrder: order + 1, ...defaults, ...field };
}

/** Makes a step (found by its position) or a question (found by its label) depend on these choices. */
export function setCondition(
  site: Pick<Callers, "asOwner">,
  form: CreatedForm,
  target: number | string,
  condition: string,
  values: readonly string[],
): Promise<unknown> {
  const path =
    typeof target === "number"
      ? `/api/form-steps/${form.stepIds[target]}`
      : `/api/form-fields/${form.fieldIds[target]}`;
  return site.asOwner("PUT", path, { showIf: { fieldId: form.fieldIds[condition], values } });
}

/** Returns answers by the ids of their fields, from answers by label. */
export function toAnswersById(
  form: CreatedForm,
  answers: Record<string, unknown>,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(answers).map(([label, answer]) => [form.fieldIds[label], answer]),
  );
}
