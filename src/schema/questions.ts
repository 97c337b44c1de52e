/** The kinds of question an enquiry form asks; free of checks, so that visitors load little. */

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

/** The longest answers taken, in characters: one line, and several. */
export const MAX_TEXT_ANSWER = 500;
export const MAX_TEXTAREA_ANSWER = 5000;

/** What a visitor reads after sending, when the form has no message of its own (spec section 4). */
export const DEFAULT_THANK_YOU =
  "Your form has been submitted successfully. We'll be in touch soon!";
