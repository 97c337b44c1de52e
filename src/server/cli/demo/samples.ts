/** The sample content of `limelight demo`: a fictional performer in the look Spotlight. */
import { join } from "node:path";
import { findLook } from "../../../schema/looks/looks.ts";
import { assertDefined } from "../../../schema/core/assertDefined.ts";
import content from "./content.json";
import enquiryForm from "./enquiryForm.json";
import pictures from "./pictures.json";
import visitors from "./visitors.json";

const { styles, sections } = assertDefined(findLook("spotlight"), "look Spotlight");

/** The content by entity name: a singleton's values, or a collection's items. A picture is given by its file name. */
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

/** The picture files with their alternative texts, and the crops of large pictures. */
export const samplePictures = Object.entries(pictures).map(([name, fields]) => ({
  name,
  path: join(import.meta.dir, "pictures", name),
  fields,
}));

/** An enquiry form of three steps with every common type of question. Answers refer to a question by its `key`. */
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
  readonly options?: readonly string[];
}

/** The enquiries and subscribers of a busy month, newest first. */
export const sampleVisitors: {
  readonly enquiries: readonly (VisitorSample & { readonly answers: Answers })[];
  readonly subscribers: readonly (VisitorSample & { readonly email: string })[];
} = visitors;

interface VisitorSample {
  readonly daysAgo: number;
  readonly status: string;
  readonly ipAddress: string;
}

/** Answers by the key of their question. An array is the answer to checkboxes. */
type Answers = Readonly<Record<string, string | string[] | undefined>>;
