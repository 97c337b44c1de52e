/**
 * The sections of the public site. Every export is an entity, from which its data file, routes, checks, dashboard
 * inputs and tests are derived (docs/adding-a-section.md).
 */
import { COACHING_DEFAULTS } from "./coachingDefaults.ts";
import { DEFAULT_ARRANGEMENT, collection, singleton } from "../entities/entity.ts";
import {
  image,
  link,
  longText,
  timestamp,
  optionalImage,
  optionalLink,
  optionalText,
  order,
  plainName,
  richText,
  text,
  toggle,
} from "../kinds/fields.ts";
import { createUpdateMessages } from "../entities/messages.ts";
import { OFFERED_PLATFORMS, completeProfileUrl } from "./platforms.ts";
import {
  createSectionColorFields,
  createHeadingField,
  SETTINGS_MESSAGES,
} from "./sectionSettings.ts";
import { createDisplayPeriodFields } from "../entities/displayPeriod.ts";
import { MINUTE } from "../core/time.ts";

/** The fields for the button in a hero. A button without a text isn't shown. */
const callToActionFields = {
  buttonText: optionalText("Button Text", {
    maxLength: 40,
    placeholder: "Work with me",
    hint: "Leave empty for no button.",
  }),
  buttonLink: optionalLink("Button Link", {
    placeholder: "https://",
    hint: "For example, a booking calendar. Leave empty to link to the enquiry form.",
  }),
};

export const hero = singleton("hero", "Hero", {
  version: 2,
  tab: { icon: "image", note: "The first thing visitors see." },
  missingFieldMessage: "Please fill in all text fields",
  messages: createUpdateMessages("Hero content"),
  fields: {
    mainTitle: text("Main Title", {
      required: true,
      initial: "Your Name",
      maxLength: 80,
      hint: "The largest text: your name.",
    }),
    subtitle: text("Subtitle", { required: true, initial: "Your Name", maxLength: 120 }),
    tagline: text("Tagline", {
      required: true,
      initial: "Performer • Reality TV Personality • Dreamboy",
      maxLength: 240,
      hint: "Separate the items with a bullet (•).",
    }),
    backgroundImage: optionalImage("Background Image"),
    ...callToActionFields,
  },
});

export const about = singleton("about", "About", {
  tab: {
    icon: "user",
    note: "Who you are, in your own words.",
    contentNote: "your About text",
    fieldsSentIfSet: ["image"],
  },
  missingFieldMessage: "Title and content are required",
  messages: createUpdateMessages("About content"),
  maxAgeMs: 5 * MINUTE,
  fields: {
    title: text("Title", { required: true, initial: "ABOUT", maxLength: 120 }),
    content: richText("Content", {
      required: true,
      initial:
        "<p>A performer and coach with a name people remember, on stage, on screen and in the room.</p>",
    }),
    image: optionalImage("Image"),
    updatedAt: timestamp("Last updated", "save"),
  },
});

export const statistics = collection("statistics", "Statistic", {
  missingFieldMessage: "Value and label are required",
  tab: {
    icon: "chart",
    note: "The numbers below your story, in this order.",
    emptyListHint: "Add a number you're proud of, such as shows performed or people coached.",
    rowFields: { title: "label" },
    formRows: [["value", "label", "order"]],
    saveLabels: ["Save", "Save"],
  },
  arrangement: DEFAULT_ARRANGEMENT,
  maxAgeMs: 5 * MINUTE,
  fields: {
    value: text("Value", { required: true, maxLength: 20, placeholder: "15+" }),
    label: text("Label", { required: true, maxLength: 80, placeholder: "Years on stage" }),
    order: order(),
  },
});

export const highlights = collection("highlights", "Highlight", {
  missingFieldMessage: "Title and image are required",
  tab: {
    icon: "sparkles",
    note: "Posters of your best moments.",
    emptyListHint: "Add an image with a title: a show, a shoot, a night to remember.",
    addLabel: "Add Highlight",
    deletionQuestion: false,
    dialogTitles: ["Add New Highlight", "Edit Highlight"],
    saveLabels: ["Create Highlight", "Update Highlight"],
    savingLabels: ["Creating...", "Updating..."],
    fieldsRequiredToSave: ["title", "imageUrl"],
    previewPosition: "inSubtab",
    previewCount: 3,
  },
  arrangement: DEFAULT_ARRANGEMENT,
  settingsKey: "highlightSettings",
  version: 2,
  fields: {
    title: text("Title", { required: true, maxLength: 120 }),
    subtitle: optionalText("Subtitle (Optional)"),
    imageUrl: image("Image"),
    order: order(),
    ...createDisplayPeriodFields(),
  },
});

export const highlightSettings = singleton("highlightSettings", "Highlights settings", {
  colorSet: "posters",
  section: "Highlights",
  messages: SETTINGS_MESSAGES,
  fields: { heading: createHeadingField("HIGHLIGHTS"), ...createSectionColorFields("#000000") },
});

export const connectLinks = collection("connectLinks", "Connect link", {
  section: "Connect",
  missingFieldMessage: "URL and Display Text are required",
  tab: {
    icon: "link",
    note: "Your profiles on other sites.",
    emptyListHint: "Add your first profile, such as Instagram.",
    listSubtab: ["links", "Connect Links"],
    title: "All links",
    addLabel: "Add Link",
    deletionQuestion: "Are you sure you want to delete this link?",
    dialogTitles: ["Add Connect Link", "Edit Connect Link"],
    saveLabels: ["Save", "Save"],
    shouldSendId: true,
    settings: { label: "Section Settings" },
    previewPosition: "inSettings",
  },
  messages: {
    create: { success: "Connect link saved successfully" },
    update: { success: "Connect link saved successfully" },
  },
  arrangement: DEFAULT_ARRANGEMENT,
  settingsKey: "connectSettings",
  version: 2,
  activeField: "isActive",
  normalizeInput: ({ platform, url, ...others }) => ({
    ...others,
    platform,
    url:
      typeof platform === "string" && typeof url === "string"
        ? completeProfileUrl(platform, url)
        : url,
  }),
  fields: {
    platform: plainName("Platform", OFFERED_PLATFORMS, "instagram"),
    url: link("URL"),
    displayText: text("Display Text", { required: true, maxLength: 80 }),
    order: order(),
    isActive: toggle("Active", true),
    ...createDisplayPeriodFields(),
  },
});

export const connectSettings = singleton("connectSettings", "Connect settings", {
  colorSet: "calm",
  section: "Connect",
  messages: SETTINGS_MESSAGES,
  fields: {
    heading: createHeadingField("CONNECT"),
    description: richText("Description Text", {
      initial: "<p>Follow my journey and connect with me on upcoming projects!</p>",
    }),
    ...createSectionColorFields(),
  },
});

export const pressFeatures = collection("pressFeatures", "Press feature", {
  section: "Press",
  missingFieldMessage: "Name and subtitle are required",
  tab: {
    icon: "newspaper",
    note: "Who has written or talked about you.",
    emptyListHint: "Add a network, a magazine or a show that featured you.",
    rowFields: { isLogo: true },
    listSubtab: ["features", "Features"],
    title: "All features",
    addLabel: "Add Feature",
    saveLabels: ["Save", "Save"],
    fieldsRequiredToSave: ["name", "subtitle"],
    previewPosition: "inSubtab",
  },
  arrangement: DEFAULT_ARRANGEMENT,
  settingsKey: "pressSettings",
  version: 2,
  fields: {
    name: text("Name", { required: true, maxLength: 120 }),
    subtitle: text("Subtitle", {
      required: true,
      maxLength: 200,
      hint: "The largest text: what was said about you.",
    }),
    description: optionalText("Description (Optional)", {
      maxLength: 1000,
      hint: "Small text below. If you put it in quotation marks, it becomes the large text instead of the subtitle.",
    }),
    logoUrl: optionalImage("Logo Image (Optional)"),
    order: order(),
    ...createDisplayPeriodFields(),
  },
});

export const pressSettings = singleton("pressSettings", "Press settings", {
  colorSet: "posters",
  section: "Press",
  fields: {
    heading: createHeadingField("PRESS & FEATURES"),
    description: longText("Section Description", {
      initial: "Featured on major networks and publications",
    }),
    ...createSectionColorFields(),
  },
});

export const coachingHero = singleton("coachingHero", "Coaching hero", {
  version: 2,
  section: "Coaching",
  tab: { icon: "graduation", note: "The page for people who want to work with you." },
  fields: {
    mainTitle: text("Main Title", {
      initial: COACHING_DEFAULTS.mainTitle,
      placeholder: COACHING_DEFAULTS.mainTitle,
      maxLength: 80,
      hint: "The largest text on this page.",
    }),
    subtitle: text("Subtitle", {
      initial: COACHING_DEFAULTS.subtitle,
      placeholder: COACHING_DEFAULTS.subtitle,
      maxLength: 120,
    }),
    tagline: text("Tagline", {
      initial: COACHING_DEFAULTS.tagline,
      placeholder: COACHING_DEFAULTS.tagline,
      maxLength: 240,
      hint: "One sentence: what clients get from working with you.",
    }),
    backgroundImage: optionalImage("Background Image"),
    ...callToActionFields,
  },
});

export const transformations = collection("transformations", "Transformation", {
  section: "Coaching",
  missingFieldMessage: "Image is required",
  tab: {
    icon: "images",
    emptyListHint: "Add an image that shows what your coaching has done for someone.",
    rowFields: { title: false, line: "title" },
    listSubtab: ["gallery", "Gallery"],
    addLabel: "Add Transformation",
    dialogTitles: ["Add Transformation", "Edit Transformation"],
    saveLabels: ["Save Transformation", "Save Transformation"],
    fold: { title: "Add a before image", fields: ["beforeUrl", "consent"] },
    fieldsSentIfSet: ["title", "beforeUrl", "consent"],
    // The autosave delay is prescribed (specification, section 4.9).
    settings: { autosaveDelayMs: 1000 },
    previewPosition: "inSubtab",
    // The number of previewed items is prescribed (specification, section 9.2).
    previewCount: 6,
  },
  arrangement: DEFAULT_ARRANGEMENT,
  settingsKey: "transformationSettings",
  version: 2,
  maxAgeMs: 0,
  fields: {
    imageUrl: image("Image"),
    title: optionalText("Title"),
    order: order(),
    beforeUrl: optionalImage("Before image (optional)"),
    consent: longText("Consent", {
      maxLength: 500,
      audience: "owner",
      hint: "Not shown on your site. For example: Mia agreed by email on May 3.",
    }),
  },
  checkItemRules({ beforeUrl, consent }): Record<string, string> {
    const isMissing = beforeUrl !== null && consent === "";
    return isMissing ? { consent: "Enter who gave consent to be shown, and how." } : {};
  },
});

export const transformationSettings = singleton(
  "transformationSettings",
  "Transformations settings",
  {
    colorSet: "calm",
    section: "Coaching",
    messages: SETTINGS_MESSAGES,
    maxAgeMs: 5 * MINUTE,
    fields: {
      heading: createHeadingField("TRANSFORMATIONS"),
      description: longText("Section Description"),
      ...createSectionColorFields("#0a0a0a", "#ffffff", "#00bfff"),
    },
  },
);
