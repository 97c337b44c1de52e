/** The extra Testimonials: statements about working with the performer, entered by the owner or the authors. */
import * as v from "valibot";
import { DEFAULT_ARRANGEMENT, collection } from "../entities/entity.ts";
import type { Extra } from "../entities/extra.ts";
import {
  internal,
  longText,
  timestamp,
  optionalEmail,
  optionalImage,
  optionalLink,
  optionalText,
  order,
  text,
  toggle,
  HIDDEN_TOGGLE,
} from "../kinds/fields.ts";
import { createSectionPlaceField, createExtraSettings } from "./sectionSettings.ts";
import {
  MAX_CONSENT_NOTE_LENGTH,
  MAX_NAME_LENGTH,
  MAX_TESTIMONIAL_LENGTH,
  DEFAULT_TESTIMONIAL_QUESTIONS,
} from "./testimonialRules.ts";
import { textLines } from "../kinds/textKinds.ts";
import { DAY } from "../core/time.ts";

export const extra: Extra = {
  label: "Testimonials",
  description: "What people say about working with you.",
  group: "coaching",
};

export const testimonials = collection("testimonials", "Testimonial", {
  extra: "testimonials",
  section: "Testimonials",
  maxItems: 200,
  missingFieldMessage: "A testimonial needs a quote and a name",
  tab: {
    emptyListHint: "Add what someone said about working with you.",
    listSubtab: ["testimonials", "Testimonials"],
    addLabel: "Add Testimonial",
    dialogTitles: ["Add Testimonial", "Edit Testimonial"],
    saveLabels: ["Save", "Save"],
    fieldsRequiredToSave: ["words", "name"],
    fold: { title: "Not shown on your site", fields: ["agreed", "email"] },
    previewPosition: "inSubtab",
    examples: [
      { words: "I laughed, I cried, I booked again on the way home.", name: "Mia Keller" },
      { words: "{name} had the whole room on its feet.", name: "Tom Barker", role: "Harbour Fest" },
    ],
  },
  arrangement: DEFAULT_ARRANGEMENT,
  settingsKey: "testimonialSettings",
  activeField: "isActive",
  fields: {
    words: longText("Quote", { required: true, maxLength: MAX_TESTIMONIAL_LENGTH }),
    name: text("Name", { required: true, maxLength: MAX_NAME_LENGTH }),
    role: optionalText("Role or result (optional)", {
      maxLength: MAX_NAME_LENGTH,
      placeholder: "Lost 25 pounds in a year",
    }),
    portrait: optionalImage("Portrait"),
    link: optionalLink("Source link (optional)"),
    isActive: toggle("Show on the site", true),
    order: order(),
    agreed: longText("Consent", {
      maxLength: MAX_CONSENT_NOTE_LENGTH,
      audience: "owner",
      hint: "Who gave consent to be quoted, and when.",
    }),
    email: optionalEmail("Their email", {
      audience: "owner",
      personal: "named",
      hint: "Not shown on your site. To find their data, search for this address on the Email tab.",
    }),
    /** The time when the author submitted the testimonial; null if the owner entered it. */
    receivedAt: { ...timestamp("Received", "server"), audience: "owner" },
    /** True for a submitted testimonial until the owner accepts it. The dashboard shows it on a separate card. */
    isWaiting: {
      ...toggle("Needs your review", false, { audience: "owner" }),
      kind: HIDDEN_TOGGLE,
    },
  },
});

export const testimonialSettings = createExtraSettings("testimonialSettings", "Testimonials", {
  place: createSectionPlaceField(),
  questions: textLines("Questions for your clients", DEFAULT_TESTIMONIAL_QUESTIONS.length, {
    maxLength: 500,
    initial: DEFAULT_TESTIMONIAL_QUESTIONS.join("\n"),
  }),
});

/** A request for a testimonial. Its link is for writing one testimonial, and later for withdrawing it. */
export const testimonialRequests = collection("testimonialRequests", "Request", {
  extra: "testimonials",
  section: "Testimonials",
  readers: "owner",
  hasHistory: false,
  maxItems: 200,
  messages: {
    delete: { success: "Request canceled", failure: "Couldn't cancel the request" },
  },
  // A used request doesn't count. It must remain stored, since the author can withdraw the testimonial with its link.
  countsTowardLimit: ({ usedAt }) => usedAt === null,
  isReplaceable: ({ usedAt, expiresAt }, now) => usedAt === null && (expiresAt ?? "") < now,
  fields: {
    who: optionalText("Their name (not shown on your site)", { maxLength: MAX_NAME_LENGTH }),
    email: optionalEmail("Their email address (optional)", { personal: "named" }),
    createdAt: timestamp("Requested", "create"),
    expiresAt: timestamp("Expires", "create", { offsetMs: 60 * DAY }),
    usedAt: timestamp("Used", "server"),
    /** The id of the testimonial that was written with this link; null before that. */
    testimonialId: {
      ...internal("Testimonial", v.nullable(v.string()), null),
      setBy: "server" as const,
    },
    takenBackAt: timestamp("Withdrawn", "server"),
  },
});
