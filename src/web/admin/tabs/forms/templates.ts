/** Forms that work as they are, questions that are ready, and what kind of answer a question asks for. */
import { entities, type Item } from "../../../../schema/index.ts";
import { messagesFor } from "../../../../schema/messages.ts";
import type { FieldType } from "../../../../schema/questions.ts";
import { createItem, updateItem, withToast } from "../../data/writes.ts";
import { FORM_FIELDS } from "./formSteps.ts";

/** A question as it is added: what differs from a new field. */
export interface ReadyQuestion {
  readonly label: string;
  readonly fieldType: FieldType;
  readonly isRequired?: boolean;
  readonly placeholder?: string;
  /** One per line. */
  readonly options?: string;
  /** Not asked until its owner switches it on. */
  readonly isActive?: false;
}

export interface FormTemplate {
  readonly name: string;
  /** Whom it is for, in a line. */
  readonly note: string;
  readonly title: string;
  readonly subtitle: string;
  readonly thankYouMessage: string;
  readonly steps: readonly { readonly title: string; readonly asks: readonly ReadyQuestion[] }[];
}

const NAME: ReadyQuestion = { label: "Your name", fieldType: "text", isRequired: true };
const EMAIL: ReadyQuestion = { label: "Email address", fieldType: "email", isRequired: true };
const PHONE: ReadyQuestion = { label: "Phone", fieldType: "international_phone" };
const COUNTRY: ReadyQuestion = { label: "Where do you live?", fieldType: "country" };
const TIMES: ReadyQuestion = {
  label: "When suits you?",
  fieldType: "radio",
  options: "Weekday mornings\nWeekday evenings\nWeekends",
};
const BUDGET: ReadyQuestion = {
  label: "Budget",
  fieldType: "select",
  options: "Up to 500\n500 to 2000\n2000 to 5000\nMore than 5000\nNot fixed yet",
};
const GUESTS: ReadyQuestion = { label: "How many guests?", fieldType: "number" };

/** Whoever needs one switches it on: it is the owner's to know what has to be agreed to. */
const CONSENT: ReadyQuestion = {
  label: "I agree that my answers are kept so that you can reply. More in /privacy-policy",
  fieldType: "consent",
  isRequired: true,
  isActive: false,
};

/** Offered when a form is begun. Every word can be changed. */
export const TEMPLATES: readonly [
  coaching: FormTemplate,
  show: FormTemplate,
  ...others: FormTemplate[],
] = [
  {
    name: "Coaching enquiry",
    note: "For people who want to work with you.",
    title: "WORK WITH ME",
    subtitle: "Two short steps, about two minutes",
    thankYouMessage: "Thank you. I read every enquiry myself and will write back soon.",
    steps: [
      { title: "About you", asks: [NAME, EMAIL, PHONE, COUNTRY] },
      {
        title: "Your goal",
        asks: [
          { label: "What would you like to change?", fieldType: "textarea", isRequired: true },
          TIMES,
          CONSENT,
        ],
      },
    ],
  },
  {
    name: "Booking a show",
    note: "Date, place, size of the room, fee.",
    title: "BOOK A SHOW",
    subtitle: "Tell me about your evening",
    thankYouMessage: "Thank you. I'll check the date and write back soon.",
    steps: [
      {
        title: "About you",
        asks: [NAME, { label: "Company or venue", fieldType: "text" }, EMAIL, PHONE],
      },
      {
        title: "The show",
        asks: [
          { label: "Date and town", fieldType: "text", isRequired: true },
          { label: "Link to the venue or the event", fieldType: "link" },
          GUESTS,
          BUDGET,
          CONSENT,
        ],
      },
    ],
  },
  {
    name: "Brand work",
    note: "For agencies and campaigns.",
    title: "WORK TOGETHER",
    subtitle: "Tell me about your brand",
    thankYouMessage: "Thank you. I'll have a look and write back soon.",
    steps: [
      {
        title: "About you",
        asks: [
          NAME,
          { label: "Brand", fieldType: "text", isRequired: true },
          { label: "Link to the brand", fieldType: "link" },
          EMAIL,
        ],
      },
      {
        title: "The plan",
        asks: [
          { label: "What is planned?", fieldType: "textarea", isRequired: true },
          {
            label: "Where will it run?",
            fieldType: "checkbox",
            options: "Instagram\nTikTok\nYouTube\nTelevision\nPrint",
          },
          BUDGET,
          CONSENT,
        ],
      },
    ],
  },
];

/** Offered under a step's questions, each one press away. */
export const READY_QUESTIONS: readonly ReadyQuestion[] = [
  NAME,
  EMAIL,
  PHONE,
  COUNTRY,
  { label: "What is it about?", fieldType: "textarea" },
  TIMES,
  {
    label: "How did you find me?",
    fieldType: "select",
    options: "A friend\nInstagram\nA search\nA show\nSomewhere else",
  },
  { label: "Company", fieldType: "text" },
  { label: "Date", fieldType: "text" },
  GUESTS,
  BUDGET,
  { label: "Anything else?", fieldType: "textarea" },
];

/** What a question asks for by its words; the first that fits. */
const KINDS: readonly [RegExp, FieldType][] = [
  [/e-?mail/i, "email"],
  [/\b(phone|mobile|whatsapp|telephone)\b/i, "international_phone"],
  [/\bcountry\b|where do you live/i, "country"],
  [/^how (many|old)\b|\bnumber of\b|\bage\b/i, "number"],
  [/^(tell|describe|explain|why|what|how)\b|anything|message|story/i, "textarea"],
];

/** The kind of answer that a typed question most likely asks for; it can be changed afterwards. */
export function guessedType(question: string): FieldType {
  return KINDS.find(([words]) => words.test(question))?.[1] ?? "text";
}

/** POST /api/form-fields: a ready question at this place. */
export function fieldOf(question: ReadyQuestion, stepId: string, fieldOrder: number) {
  const { label, fieldType, isRequired = false, placeholder = "", options = "" } = question;
  const shown = { label, fieldType, isRequired, placeholder, options };
  return { stepId, ...shown, fieldOrder, isActive: question.isActive ?? true };
}

/**
 * Makes a form with all its steps and questions, and shows it to visitors once it is whole. Resolves to it, or
 * to undefined when that failed; then it stays inactive with what it has.
 */
export function makeFromTemplate(template: FormTemplate): Promise<Item<"forms"> | undefined> {
  return withToast(messagesFor(entities.forms, "create"), () => writeTemplate(template));
}

/** As `makeFromTemplate`, without a word. Throws CallFailed. */
export async function writeTemplate(template: FormTemplate): Promise<Item<"forms">> {
  const { name, title, subtitle, thankYouMessage, steps } = template;
  const words = { name, title, subtitle, thankYouMessage };
  const form = await createItem("forms", { ...words, isActive: false });
  /* oxlint-disable no-await-in-loop -- each goes after the last that is there */
  for (const [at, { title: stepTitle, asks }] of steps.entries()) {
    const step = { formId: form.id, title: stepTitle, stepOrder: at + 1, isActive: true };
    const { id } = await createItem("formSteps", step);
    for (const [before, question] of asks.entries())
      await createItem("formFields", fieldOf(question, id, before + 1));
  }
  /* oxlint-enable no-await-in-loop */
  const shown = { ...form, isActive: true };
  const body = Object.fromEntries(FORM_FIELDS.map((field) => [field, shown[field]]));
  return updateItem("forms", form.id, body);
}
