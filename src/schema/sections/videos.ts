/** The extra Showreel: videos that play on the page. Each has a cover image until it is played. */
import { DEFAULT_ARRANGEMENT, collection } from "../entities/entity.ts";
import type { Extra } from "../entities/extra.ts";
import { image, link, timestamp, optionalText, order, text, toggle } from "../kinds/fields.ts";
import { createExtraSettings } from "./sectionSettings.ts";
import { findVideoUrlProblem } from "./videoAddress.ts";
import { createDisplayPeriodFields } from "../entities/displayPeriod.ts";

const VIDEO_LENGTH_PATTERN = /^\d{1,2}(?::\d\d){1,2}$/;

export const extra: Extra = {
  label: "Showreel",
  description: "Videos that play on your page.",
  group: "home",
};

export const videos = collection("videos", "Video", {
  extra: "showreel",
  section: "Showreel",
  maxItems: 12,
  missingFieldMessage: "A video needs a title, a link and a cover image",
  tab: {
    emptyListHint: "Paste the link to your reel and choose a cover image.",
    rowFields: { picture: "poster" },
    examples: [
      { url: "https://youtu.be/ABCDEFGHIJK", length: "2:10", captioned: true },
      { title: "{name}, live", url: "https://vimeo.com/100000000", length: "4:05" },
    ],
    listSubtab: ["videos", "Videos"],
    addLabel: "Add Video",
    dialogTitles: ["Add Video", "Edit Video"],
    saveLabels: ["Save", "Save"],
    fieldsRequiredToSave: ["url", "title", "poster"],
    previewPosition: "inSubtab",
  },
  arrangement: DEFAULT_ARRANGEMENT,
  settingsKey: "videoSettings",
  fields: {
    url: link("Link", {
      hint: "YouTube and Vimeo videos play on your page. Other links open in a new tab.",
      findNewValueProblem: findVideoUrlProblem,
    }),
    title: text("Title", { required: true, maxLength: 120, placeholder: "Showreel 2027" }),
    poster: image("Cover image"),
    length: optionalText("Length", {
      maxLength: 8,
      hint: "Such as 2:10",
      findNewValueProblem: (length) =>
        length === null || VIDEO_LENGTH_PATTERN.test(length)
          ? undefined
          : "Enter a length such as 2:10.",
    }),
    captioned: toggle("Has captions", false),
    addedAt: timestamp("Added", "create"),
    order: order(),
    ...createDisplayPeriodFields(),
  },
});

export const videoSettings = createExtraSettings("videoSettings", "Showreel", {});
