/** The entities of enquiry forms: forms, steps and fields (specification, section 3.11). */
import { collection } from "../entities/entity.ts";
import {
  choice,
  condition,
  longText,
  timestamp,
  optionalLink,
  optionalText,
  optionLines,
  order,
  reference,
  text,
  toggle,
} from "../kinds/fields.ts";
import { createTooLongMessage } from "../core/formatNumber.ts";
import { FIELD_TYPES } from "./questions.ts";

export * from "./questions.ts";

const DELETE_AFTER_CHOICES = [
  { value: "never", label: "Never" },
  { value: "6", label: "After 6 months" },
  { value: "12", label: "After 12 months" },
  { value: "24", label: "After 24 months" },
] as const;

export const forms = collection("forms", "Form", {
  missingFieldMessage: "A form needs a title",
  activeField: "isActive",
  // The dashboard sends `name` only with a new form (specification, section 8.3).
  setOnceFields: ["name"],
  version: 2,
  // Owners may type the path with its slash, but it is stored without the slash.
  normalizeInput: ({ path, ...others }) => ({
    ...others,
    path: typeof path === "string" ? path.replace(/^\//, "") : path,
  }),
  fields: {
    name: text("Name", { maxLength: 120, audience: "owner" }),
    title: text("Title", { required: true, initial: "New Form", maxLength: 120 }),
    subtitle: text("Subtitle", { maxLength: 240 }),
    description: longText("Description"),
    path: optionalText("Page URL", {
      maxLength: 60,
      hint: "Gives the form its own page: enter book for the page /book. Leave empty to show it only on the coaching page.",
    }),
    isActive: toggle("Active", true),
    deleteAfter: choice("Delete closed submissions", DELETE_AFTER_CHOICES, "never", {
      audience: "owner",
      permission: "site",
    }),
    thankYouMessage: longText("Thank You Message"),
    redirectUrl: optionalLink("Redirect URL"),
    // Reauthentication keeps a stolen session from sending spam: the email goes to any address that a visitor enters.
    thanksMail: toggle("Send a thank-you email", false, {
      audience: "owner",
      permission: "site",
      isReauthenticationRequired: true,
    }),
    thanksWords: longText("Text of the email", {
      audience: "owner",
      permission: "site",
      isReauthenticationRequired: true,
    }),
    createdAt: timestamp("Created", "create"),
  },
});

export const STEP_ARRANGEMENT = {
  field: "stepOrder",
  firstPosition: 1,
  bodyKey: "stepIds",
} as const;

export const formSteps = collection("formSteps", "Step", {
  missingFieldMessage: "A step needs a title",
  activeField: "isActive",
  arrangement: STEP_ARRANGEMENT,
  parent: { entity: "forms", field: "formId" },
  maxItems: 2000,
  fields: {
    formId: reference("Form"),
    title: text("Title", { required: true, initial: "Step", maxLength: 120 }),
    subtitle: text("Subtitle", { maxLength: 240 }),
    description: longText("Description"),
    stepOrder: order(),
    isActive: toggle("Active", true),
    showIf: condition("Show only if"),
  },
});

const MAX_LABEL_LENGTH = 200;

export const FIELD_ARRANGEMENT = {
  field: "fieldOrder",
  firstPosition: 1,
  bodyKey: "fieldIds",
} as const;

export const formFields = collection("formFields", "Field", {
  missingFieldMessage: "A field needs a label",
  activeField: "isActive",
  arrangement: FIELD_ARRANGEMENT,
  parent: { entity: "formSteps", field: "stepId" },
  maxItems: 5000,
  fields: {
    stepId: reference("Step"),
    fieldType: choice("Field Type", FIELD_TYPES, "text"),
    label: text("Label", { required: true, initial: "New Field", maxLength: 500 }),
    adminLabel: text("Dashboard label", { maxLength: 200, audience: "owner" }),
    placeholder: text("Placeholder", { maxLength: 200 }),
    isRequired: toggle("Required", false),
    isActive: toggle("Active", true),
    fieldOrder: order(),
    options: optionLines("Options"),
    showIf: condition("Show only if"),
  },
  // Only the text of a consent may be longer than `MAX_LABEL_LENGTH`.
  checkItemRules: ({ fieldType, label }): Record<string, string> =>
    fieldType !== "consent" && label.length > MAX_LABEL_LENGTH
      ? { label: createTooLongMessage(MAX_LABEL_LENGTH) }
      : {},
});
