/** Enquiry forms: forms, their steps, the fields of a step (spec section 3). */
import { collection } from "./entity.ts";
import {
  choice,
  longText,
  moment,
  optionalLink,
  optionLines,
  order,
  reference,
  text,
  toggle,
} from "./fields.ts";

/** The kinds of question a form can ask, in the order offered. */
export const FIELD_TYPES = [
  { value: "text", label: "Text Input" },
  { value: "email", label: "Email" },
  { value: "phone", label: "Phone" },
  { value: "international_phone", label: "International Phone" },
  { value: "country", label: "Country Dropdown" },
  { value: "textarea", label: "Text Area" },
  { value: "select", label: "Dropdown" },
  { value: "radio", label: "Radio Buttons" },
  { value: "checkbox", label: "Checkboxes" },
  { value: "number", label: "Number" },
] as const;

/** One of the kinds of question. */
export type FieldType = (typeof FIELD_TYPES)[number]["value"];

/** True for the kinds that choose from options: select, radio and checkbox. */
export function hasOptions(type: FieldType): boolean {
  return type === "select" || type === "radio" || type === "checkbox";
}

/** Options as typed: split on commas or line breaks, trimmed, empties dropped (spec section 3). */
export function parseOptions(options: string): string[] {
  return options
    .split(/[,\n]/)
    .map((option) => option.trim())
    .filter((option) => option !== "");
}

/** What a visitor reads after sending, when the form has no message of its own (spec section 4). */
export const DEFAULT_THANK_YOU =
  "Your form has been submitted successfully. We'll be in touch soon!";

export const forms = collection("forms", "Form", {
  incomplete: "A form needs a title",
  activeField: "isActive",
  fields: {
    name: text("Name", { maxLength: 120, audience: "owner" }),
    title: text("Title", { required: true, initial: "New Form", maxLength: 120 }),
    subtitle: text("Subtitle", { maxLength: 240 }),
    description: longText("Description"),
    isActive: toggle("Active", true),
    thankYouMessage: longText("Thank You Message"),
    redirectUrl: optionalLink("Redirect address"),
    createdAt: moment("Created", "create"),
  },
});

export const formSteps = collection("form-steps", "Step", {
  incomplete: "A step needs a title",
  activeField: "isActive",
  arrangement: { field: "stepOrder", first: 1, request: "stepIds" },
  parent: { entity: "forms", field: "formId" },
  limit: 2000,
  fields: {
    formId: reference("Form"),
    title: text("Title", { required: true, initial: "Step", maxLength: 120 }),
    subtitle: text("Subtitle", { maxLength: 240 }),
    description: longText("Description"),
    stepOrder: order(),
    isActive: toggle("Active", true),
  },
});

export const formFields = collection("form-fields", "Field", {
  incomplete: "A field needs a label",
  activeField: "isActive",
  arrangement: { field: "fieldOrder", first: 1, request: "fieldIds" },
  parent: { entity: "form-steps", field: "stepId" },
  limit: 5000,
  fields: {
    stepId: reference("Step"),
    fieldType: choice("Field Type", FIELD_TYPES, "text"),
    label: text("Label", { required: true, initial: "New Field", maxLength: 200 }),
    adminLabel: text("Admin Label", { maxLength: 200, audience: "owner" }),
    placeholder: text("Placeholder", { maxLength: 200 }),
    isRequired: toggle("Required", false),
    isActive: toggle("Active", true),
    fieldOrder: order(),
    options: optionLines("Options"),
  },
});
