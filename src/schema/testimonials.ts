/** Testimonials: what people say about working with the performer, entered by the owner or by themselves. */
import * as v from "valibot";
import { BY_ORDER, collection, singleton } from "./entity.ts";
import type { Extra } from "./extra.ts";
import {
  internal,
  longText,
  moment,
  optionalEmail,
  optionalImage,
  optionalLink,
  optionalText,
  order,
  text,
  toggle,
} from "./fields.ts";
import { lookColors } from "./sectionColors.ts";
import { sectionPlace } from "./sectionPlace.ts";
import { heading, SETTINGS_MESSAGES } from "./sectionSettings.ts";
import {
  LONGEST_AGREED,
  LONGEST_NAME,
  LONGEST_TESTIMONIAL,
  QUESTIONS,
} from "./testimonialRules.ts";
import { textLines } from "./textLines.ts";
import { DAY } from "./time.ts";

export const extra: Extra = {
  label: "Testimonials",
  sentence: "What people say who worked with you.",
  group: "coaching",
};

export const testimonials = collection("testimonials", "Testimonial", {
  extra: "testimonials",
  section: "Testimonials",
  limit: 200,
  incomplete: "A testimonial needs words and a name",
  tab: {
    empty: "Add what somebody said about working with you.",
    list: ["testimonials", "Testimonials"],
    add: "Add Testimonial",
    dialog: ["Add Testimonial", "Edit Testimonial"],
    save: ["Save", "Save"],
    needs: ["words", "name"],
    seen: "inSubtab",
    examples: [
      { words: "I laughed, I cried, I booked again on the way home.", name: "Mia Keller" },
      { words: "{name} had the whole room on its feet.", name: "Tom Barker", role: "Harbour Fest" },
    ],
  },
  arrangement: BY_ORDER,
  settings: "testimonialSettings",
  activeField: "isActive",
  fields: {
    words: longText("Words", { required: true, maxLength: LONGEST_TESTIMONIAL }),
    name: text("Name", { required: true, maxLength: LONGEST_NAME }),
    role: optionalText("Who they are", {
      maxLength: LONGEST_NAME,
      placeholder: "Lost 12 kg in a year",
    }),
    portrait: optionalImage("Portrait"),
    link: optionalLink("Where they said it"),
    isActive: toggle("Visitors see it", true),
    order: order(),
    agreed: longText("Agreed", {
      maxLength: LONGEST_AGREED,
      audience: "owner",
      hint: "Who agreed to be quoted, and when.",
    }),
    email: optionalEmail("Their email", {
      audience: "owner",
      personal: "named",
      hint: "Only you see this. By it you find what you hold about them.",
    }),
    /** Set when they wrote it themselves. */
    receivedAt: { ...moment("Received", "server"), audience: "owner" },
    /** The owner hasn't decided about it yet. */
    isWaiting: toggle("Waiting for you", false, { audience: "owner" }),
  },
});

export const testimonialSettings = singleton("testimonialSettings", "Testimonials settings", {
  extra: "testimonials",
  section: "Testimonials",
  messages: SETTINGS_MESSAGES,
  colors: "calm",
  fields: {
    heading: heading("TESTIMONIALS"),
    description: longText("Section Description"),
    place: sectionPlace(),
    questions: textLines("What you ask them", QUESTIONS.length, {
      maxLength: 500,
      initial: QUESTIONS.join("\n"),
    }),
    ...lookColors(),
  },
});

/** A link for writing one testimonial, and for withdrawing it. */
export const testimonialRequests = collection("testimonialRequests", "Request", {
  extra: "testimonials",
  section: "Testimonials",
  readers: "owner",
  history: false,
  limit: 200,
  messages: {
    delete: { success: "The link no longer works", failure: "The link couldn't be ended" },
  },
  // A used link can take its testimonial back for as long as that exists.
  counts: ({ usedAt }) => usedAt === null,
  givesWay: ({ usedAt, expiresAt }, now) => usedAt === null && (expiresAt ?? "") < now,
  fields: {
    who: optionalText("Who (only you see this)", { maxLength: LONGEST_NAME }),
    email: optionalEmail("Their email (optional)", { personal: "named" }),
    createdAt: moment("Asked", "create"),
    expiresAt: moment("Works until", "create", { ahead: 60 * DAY }),
    usedAt: moment("Used", "server"),
    /** The testimonial written with it. */
    testimonialId: {
      ...internal("Testimonial", v.nullable(v.string()), null),
      setBy: "server" as const,
    },
    takenBackAt: moment("Taken back", "server"),
  },
});
