/**
 * The sample content of `limelight demo`: a fictional performer, in the look Spotlight. The declarations check the
 * JSON when it is stored; the types here cover the rest.
 */
import { findLook } from "../../../schema/looks/looks.ts";
import { assertDefined } from "../../../schema/core/assertDefined.ts";
import content from "./content.json";
import enquiryForm from "./enquiryForm.json";
import pictures from "./pictures.json";
import visitors from "./visitors.json";
import about from "./pictures/about.webp" with { type: "file" };
import coachingHero from "./pictures/coaching-hero.webp" with { type: "file" };
import hero from "./pictures/hero.webp" with { type: "file" };
import highlightChair from "./pictures/highlight-chair.webp" with { type: "file" };
import highlightCurtain from "./pictures/highlight-curtain.webp" with { type: "file" };
import highlightDressingRoom from "./pictures/highlight-dressing-room.webp" with { type: "file" };
import highlightFestival from "./pictures/highlight-festival.webp" with { type: "file" };
import highlightLamps from "./pictures/highlight-lamps.webp" with { type: "file" };
import highlightMicrophone from "./pictures/highlight-microphone.webp" with { type: "file" };
import highlightOpeningNight from "./pictures/highlight-opening-night.webp" with { type: "file" };
import highlightWalkHome from "./pictures/highlight-walk-home.webp" with { type: "file" };
import pressFootlight from "./pictures/press-footlight.webp" with { type: "file" };
import pressForm from "./pictures/press-form.webp" with { type: "file" };
import pressHarbour from "./pictures/press-harbour.webp" with { type: "file" };
import pressLate from "./pictures/press-late.webp" with { type: "file" };
import pressLedger from "./pictures/press-ledger.webp" with { type: "file" };
import pressSofa from "./pictures/press-sofa.webp" with { type: "file" };
import transformationBarbell from "./pictures/transformation-barbell.webp" with { type: "file" };
import transformationGym from "./pictures/transformation-gym.webp" with { type: "file" };
import transformationKettlebell from "./pictures/transformation-kettlebell.webp" with { type: "file" };
import transformationPunchbag from "./pictures/transformation-punchbag.webp" with { type: "file" };
import transformationRings from "./pictures/transformation-rings.webp" with { type: "file" };
import transformationRunner from "./pictures/transformation-runner.webp" with { type: "file" };

const { styles, sections } = assertDefined(findLook("spotlight"), "look Spotlight");

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

/** The pictures embedded in the program: file name -> readable path. */
const pictureFiles: Readonly<Record<string, string>> = {
  "about.webp": about,
  "coaching-hero.webp": coachingHero,
  "hero.webp": hero,
  "highlight-chair.webp": highlightChair,
  "highlight-curtain.webp": highlightCurtain,
  "highlight-dressing-room.webp": highlightDressingRoom,
  "highlight-festival.webp": highlightFestival,
  "highlight-lamps.webp": highlightLamps,
  "highlight-microphone.webp": highlightMicrophone,
  "highlight-opening-night.webp": highlightOpeningNight,
  "highlight-walk-home.webp": highlightWalkHome,
  "press-footlight.webp": pressFootlight,
  "press-form.webp": pressForm,
  "press-harbour.webp": pressHarbour,
  "press-late.webp": pressLate,
  "press-ledger.webp": pressLedger,
  "press-sofa.webp": pressSofa,
  "transformation-barbell.webp": transformationBarbell,
  "transformation-gym.webp": transformationGym,
  "transformation-kettlebell.webp": transformationKettlebell,
  "transformation-punchbag.webp": transformationPunchbag,
  "transformation-rings.webp": transformationRings,
  "transformation-runner.webp": transformationRunner,
};

/** The pictures: their descriptions for people who can't see them, and the crops of the large ones, in percent. */
export const samplePictures = Object.entries(pictures).map(([name, fields]) => ({
  name,
  path: assertDefined(pictureFiles[name], name),
  fields,
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
  readonly enquiries: readonly (SentSample & { readonly answers: Answers })[];
  readonly subscribers: readonly (SentSample & { readonly email: string })[];
} = visitors;

interface SentSample {
  readonly daysAgo: number;
  readonly status: string;
  readonly ipAddress: string;
}

/** By the question's key; an array for checkboxes. */
type Answers = Readonly<Record<string, string | string[] | undefined>>;
