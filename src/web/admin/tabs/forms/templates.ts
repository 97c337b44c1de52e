/** Form templates, suggested questions, and guesses of a question's kind. */
import { createChangeBody } from "../../../../schema/entities/check.ts";
import { entities, type Item } from "../../../../schema/index.ts";
import type { FieldType } from "../../../../schema/enquiry/questions.ts";
import { type DefaultTexts, en } from "../../../words/defaults.en.ts";
import type { Words } from "../../../words/en.ts";
import type { SiteWords } from "../../../words/siteWords.ts";
import { createItem, updateItem } from "../../data/entityWrites.ts";

/** The properties in which a suggested question differs from a new field. */
export interface SuggestedQuestion {
  readonly label: string;
  readonly fieldType: FieldType;
  readonly isRequired?: boolean;
  readonly placeholder?: string;
  /** The options, one per line. */
  readonly options?: string;
  /** The question is inactive until the owner activates it. */
  readonly isActive?: false;
}

export interface FormTemplate {
  /** The key of the form's texts in all languages. */
  readonly key: keyof DefaultTexts["headings"]["forms"]["title"];
  readonly name: string;
  readonly note: string;
  readonly title: string;
  readonly subtitle: string;
  readonly thankYouMessage: string;
  readonly steps: readonly {
    readonly title: string;
    readonly questions: readonly SuggestedQuestion[];
  }[];
}

const NAME_QUESTION: SuggestedQuestion = {
  label: "Your name",
  fieldType: "text",
  isRequired: true,
};
const EMAIL_QUESTION: SuggestedQuestion = {
  label: "Email address",
  fieldType: "email",
  isRequired: true,
};
const PHONE_QUESTION: SuggestedQuestion = { label: "Phone", fieldType: "international_phone" };
const COUNTRY_QUESTION: SuggestedQuestion = { label: "Where do you live?", fieldType: "country" };
const TIMES_QUESTION: SuggestedQuestion = {
  label: "When works best for you?",
  fieldType: "radio",
  options: "Weekday mornings\nWeekday evenings\nWeekends",
};
const BUDGET_QUESTION: SuggestedQuestion = {
  label: "Budget",
  fieldType: "select",
  options: "Up to 500\n500 to 2000\n2000 to 5000\nMore than 5000\nNot sure yet",
};
const GUESTS_QUESTION: SuggestedQuestion = { label: "How many guests?", fieldType: "number" };

/** Inactive, since only the owner can judge which answers require consent. */
const CONSENT_QUESTION: SuggestedQuestion = {
  label: "I agree that you may store my answers to reply to me. See /privacy-policy",
  fieldType: "consent",
  isRequired: true,
  isActive: false,
};

export const FORM_TEMPLATES: readonly [
  coaching: FormTemplate,
  show: FormTemplate,
  ...others: FormTemplate[],
] = [
  createTemplate("coaching", "For people who want to work with you.", [
    {
      title: "About you",
      questions: [NAME_QUESTION, EMAIL_QUESTION, PHONE_QUESTION, COUNTRY_QUESTION],
    },
    {
      title: "Your goal",
      questions: [
        { label: "What would you like to change?", fieldType: "textarea", isRequired: true },
        TIMES_QUESTION,
        CONSENT_QUESTION,
      ],
    },
  ]),
  createTemplate("show", "Date, venue, audience size, fee.", [
    {
      title: "About you",
      questions: [
        NAME_QUESTION,
        { label: "Company or venue", fieldType: "text" },
        EMAIL_QUESTION,
        PHONE_QUESTION,
      ],
    },
    {
      title: "The show",
      questions: [
        { label: "Date of the show", fieldType: "date", isRequired: true },
        { label: "Town", fieldType: "text", isRequired: true },
        { label: "Link to the venue or the event", fieldType: "link" },
        GUESTS_QUESTION,
        BUDGET_QUESTION,
        CONSENT_QUESTION,
      ],
    },
  ]),
  createTemplate("brand", "For brands and agencies that want to work with you.", [
    {
      title: "About you",
      questions: [
        NAME_QUESTION,
        { label: "Brand", fieldType: "text", isRequired: true },
        { label: "Link to the brand's website", fieldType: "link" },
        EMAIL_QUESTION,
      ],
    },
    {
      title: "The plan",
      questions: [
        { label: "What are you planning?", fieldType: "textarea", isRequired: true },
        {
          label: "Where will it appear?",
          fieldType: "checkbox",
          options: "Instagram\nTikTok\nYouTube\nTelevision\nPrint",
        },
        BUDGET_QUESTION,
        CONSENT_QUESTION,
      ],
    },
  ]),
];

function createTemplate(
  key: FormTemplate["key"],
  note: string,
  steps: FormTemplate["steps"],
): FormTemplate {
  const { name, subtitle, thankYouMessage } = en.texts.forms;
  return {
    key,
    name: name[key],
    note,
    title: en.headings.forms.title[key].toUpperCase(),
    subtitle: subtitle[key],
    thankYouMessage: thankYouMessage[key],
    steps,
  };
}

export const SUGGESTED_QUESTIONS: readonly SuggestedQuestion[] = [
  NAME_QUESTION,
  EMAIL_QUESTION,
  PHONE_QUESTION,
  COUNTRY_QUESTION,
  { label: "What is it about?", fieldType: "textarea" },
  TIMES_QUESTION,
  {
    label: "How did you find me?",
    fieldType: "select",
    options: "A friend\nInstagram\nA search\nA show\nSomewhere else",
  },
  { label: "Company", fieldType: "text" },
  { label: "Date", fieldType: "date" },
  GUESTS_QUESTION,
  BUDGET_QUESTION,
  { label: "Anything else?", fieldType: "textarea" },
];

const FIELD_TYPE_PATTERNS: readonly [RegExp, FieldType][] = [
  [/e-?mail|correo|courriel/i, "email"],
  [
    /\b(phone|mobile|whatsapp|tel[eé]fono|t[eé]l[eé]phone|telefon|telefoon|telefone|handy)\b/i,
    "international_phone",
  ],
  [/\bcountry\b|where do you live/i, "country"],
  [/^how (many|old)\b|\bnumber of\b|\bage\b/i, "number"],
  [/^(tell|describe|explain|why|what|how)\b|anything|message|story/i, "textarea"],
];

export function guessFieldType(question: string): FieldType {
  return FIELD_TYPE_PATTERNS.find(([pattern]) => pattern.test(question))?.[1] ?? "text";
}

/** The body of POST /api/form-fields. */
export function createSuggestedFieldBody(
  question: SuggestedQuestion,
  stepId: string,
  fieldOrder: number,
) {
  const { label, fieldType, isRequired = false, placeholder = "", options = "" } = question;
  const texts = { label, fieldType, isRequired, placeholder, options };
  return { stepId, ...texts, fieldOrder, isActive: question.isActive ?? true };
}

/** Returns the path of a new form's page; null if the path is taken or the coaching page shows the form. */
export function proposePath(
  { key }: FormTemplate,
  forms: readonly Pick<Item<"forms">, "path" | "isActive">[],
  { words }: SiteWords,
): string | null {
  if (!forms.some(({ isActive }) => isActive)) return null;
  const title = words.defaults.headings.forms.title[key];
  const unaccentedTitle = title.normalize("NFD").replaceAll("ł", "l").replace(/\p{M}/gu, "");
  const path = unaccentedTitle.toLowerCase().replace(/[^a-z]+/g, "-");
  return forms.some((form) => form.path === path) ? null : path;
}

/** Says where visitors will find a template's form. `siteWords` is undefined until loaded. */
export function describePage(
  template: FormTemplate,
  forms: readonly Pick<Item<"forms">, "path" | "isActive">[],
  siteWords: SiteWords | undefined,
): string {
  if (!forms.some(({ isActive }) => isActive)) return "Its page: /coaching";
  if (!siteWords) return "";
  const path = proposePath(template, forms, siteWords);
  return path === null ? "This form has no page until you enter its URL." : `Its page: /${path}`;
}

/** Translates a predefined label into the site's language. Other labels are returned unchanged. */
export function translateLabel(label: string, words: Words | undefined): string {
  const labelEntries = Object.entries(en.texts.formFields.label);
  const key = labelEntries.find(([, text]) => text === label)?.[0];
  const labels: Readonly<Record<string, string>> | undefined =
    words?.defaults.texts.formFields.label;
  return (key !== undefined && labels?.[key]) || label;
}

/** Creates a form, and activates it once it is complete. After a CallError, the form is inactive and incomplete. */
export async function createFormFromTemplate(
  template: FormTemplate,
  path: string | null = null,
): Promise<Item<"forms">> {
  const { name, title, subtitle, thankYouMessage, steps } = template;
  const texts = { name, title, subtitle, thankYouMessage };
  const form = await createItem("forms", { ...texts, path, isActive: false });
  /* oxlint-disable no-await-in-loop -- each is added after the last one */
  for (const [stepIndex, { title: stepTitle, questions }] of steps.entries()) {
    const step = { formId: form.id, title: stepTitle, stepOrder: stepIndex + 1, isActive: true };
    const { id } = await createItem("formSteps", step);
    for (const [fieldIndex, question] of questions.entries())
      await createItem("formFields", createSuggestedFieldBody(question, id, fieldIndex + 1));
  }
  /* oxlint-enable no-await-in-loop */
  return updateItem("forms", form.id, {
    ...createChangeBody(entities.forms, form),
    isActive: true,
  });
}
