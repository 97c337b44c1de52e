/** Enquiry forms for browser tests, made by the owner's own calls. */
import type { FieldType } from "../../src/schema/questions.ts";
import type { Executable } from "./executable.ts";

/** One question as a test writes it; active unless it says otherwise. */
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

/** The form made: ids of its fields by their label. */
export interface MadeForm {
  readonly id: string;
  readonly fieldIds: Readonly<Record<string, string>>;
}

/** Three active steps with every kind of question, and what visitors must not see. */
export const EVERY_KIND: readonly TestStep[] = [
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

/** Deletes every form and makes this one, active, with further settings of `form`. */
export async function onlyForm(
  site: Executable,
  steps: readonly TestStep[],
  form: Record<string, unknown> = {},
): Promise<MadeForm> {
  for (const { id } of await site.asOwner("GET", "/api/forms")) {
    await site.asOwner("DELETE", `/api/forms/${id}`);
  }
  const settings = { name: "Form 1", title: "Work with me", subtitle: "Enter your details below" };
  const { id } = await site.asOwner("POST", "/api/forms", { ...settings, isActive: true, ...form });
  const fieldIds: Record<string, string> = {};
  for (const [at, { fields, ...step }] of steps.entries()) {
    const body = { formId: id, stepOrder: at + 1, isActive: true, ...step };
    const { id: stepId } = await site.asOwner("POST", "/api/form-steps", body);
    for (const [order, field] of fields.entries()) {
      const made = await site.asOwner("POST", "/api/form-fields", fieldOf(stepId, order, field));
      fieldIds[field.label] = made.id;
    }
  }
  return { id, fieldIds };
}

function fieldOf(stepId: string, order: number, field: TestField) {
  const defaults = { fieldType: "text", isRequired: false, isActive: true };
  return { stepId, fieldOrder: order + 1, ...defaults, ...field };
}

/** Answers by label as they are sent: by the id of their field. */
export function byId(form: MadeForm, given: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(given).map(([label, answer]) => [form.fieldIds[label], answer]),
  );
}
