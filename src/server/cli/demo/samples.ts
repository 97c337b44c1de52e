/**
 * The sample content of `limelight demo`: a fictional performer, in the look Spotlight. The declarations check the
 * JSON when it is stored; the types here cover the rest.
 */
import { lookNamed } from "../../../schema/looks.ts";
import { present } from "../../../schema/present.ts";
import content from "./content.json";
import enquiryForm from "./enquiryForm.json";
import { pictureFiles } from "./pictureFiles.ts";
import pictures from "./pictures.json";
import visitors from "./visitors.json";

const { styles, sections } = present(lookNamed("spotlight"), "look Spotlight");

/** By entity name: a singleton's values, a list's items. Pictures are named by file. */
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

/** The pictures: their descriptions for people who can't see them, and the crops of the large ones, in percent. */
export const samplePictures = Object.entries(pictures).map(([name, words]) => ({
  name,
  path: present(pictureFiles[name], name),
  words,
}));

/** Three steps with every common type of question. Answers refer to a question by its `key`. */
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
  /** One per line. */
  readonly options?: readonly string[];
}

/** The enquiries and subscribers of a busy month, newest first. */
export const sampleVisitors: {
  readonly enquiries: readonly (Sent & { readonly answers: Answers })[];
  readonly subscribers: readonly (Sent & { readonly email: string })[];
} = visitors;

interface Sent {
  readonly daysAgo: number;
  readonly status: string;
  readonly ipAddress: string;
}

/** By the question's key; an array for checkboxes. */
type Answers = Readonly<Record<string, string | string[] | undefined>>;
