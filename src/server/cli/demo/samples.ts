/**
 * What `limelight demo` fills an empty site with: a fictional performer, told in data only and shown in the look
 * Spotlight. The JSON beside it is checked by the declarations as it is stored, what they don't say of it here.
 */
import { lookNamed } from "../../../schema/looks.ts";
import { present } from "../../../schema/present.ts";
import content from "./content.json";
import enquiryForm from "./enquiryForm.json";
import { pictureFiles } from "./pictureFiles.ts";
import pictures from "./pictures.json";
import visitors from "./visitors.json";

const { styles, sections } = present(lookNamed("spotlight"), "look Spotlight");

/** By the entities' names: a singleton's values, a list's items. A picture is named by its file. */
export const sampleContent = {
  ...content,
  "highlight-settings": { ...content["highlight-settings"], ...sections.highlightSettings },
  "connect-settings": { ...content["connect-settings"], ...sections.connectSettings },
  "press-settings": { ...content["press-settings"], ...sections.pressSettings },
  "transformation-settings": {
    ...content["transformation-settings"],
    ...sections.transformationSettings,
  },
  styles: { ...styles, ...content.styles },
} satisfies Record<string, unknown>;

/** The pictures: what they show, for people who can't see them, and how the large ones are cut, in percent. */
export const samplePictures = Object.entries(pictures).map(([name, words]) => ({
  name,
  path: present(pictureFiles[name], name),
  words,
}));

/** Three steps that use every kind of answer people meet. By a question's `key` its answers are found. */
export const sampleForm = {
  ...enquiryForm,
  steps: enquiryForm.steps.map(({ fields, ...step }) => ({
    ...step,
    fields: fields.map((field: SampleQuestion) => ({
      ...field,
      adminLabel: field.adminLabel ?? field.label,
      options: (field.options ?? []).join("\n"),
    })),
  })),
};

export interface SampleQuestion {
  readonly key: string;
  readonly fieldType: string;
  readonly label: string;
  readonly adminLabel?: string;
  /** One of each line. */
  readonly options?: readonly string[];
}

/** Whom the site has heard from in a busy month, newest first. */
export const sampleVisitors: {
  readonly enquiries: readonly (Sent & { readonly answers: Answers })[];
  readonly subscribers: readonly (Sent & { readonly email: string })[];
} = visitors;

interface Sent {
  readonly daysAgo: number;
  readonly status: string;
  readonly ipAddress: string;
}

/** By the question's key; several of checkboxes. */
type Answers = Readonly<Record<string, string | string[] | undefined>>;
