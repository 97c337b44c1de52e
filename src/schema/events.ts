/** Dates: where to see the performer next. */
import { COUNTRIES } from "./countries.ts";
import { collection, singleton } from "./entity.ts";
import { endOf } from "./eventTimes.ts";
import type { Extra } from "./extra.ts";
import {
  choice,
  longText,
  moment,
  optionalImage,
  optionalLink,
  optionalText,
  optionalWallTime,
  text,
  timeZone,
  toggle,
  wallTime,
  wholeNumber,
} from "./fields.ts";
import { lookColors } from "./sectionColors.ts";
import { heading, SETTINGS_MESSAGES } from "./sectionSettings.ts";
import { DAY } from "./time.ts";
import { WINDOW, windowFields } from "./window.ts";

export const extra: Extra = {
  label: "Dates",
  sentence: "Where to see you next, with tickets.",
  group: "home",
};

export const events = collection("events", "Date", {
  extra: "dates",
  section: "Dates",
  limit: 500,
  incomplete: "A date needs a title and when it starts",
  sortedBy: "startsAt",
  settings: "eventSettings",
  window: WINDOW,
  edges: (event, zone) => [endOf(event, zone)],
  tab: {
    examples: [
      { city: "London", startsAt: "{year}-03-14T20:00" },
      { title: "A weekend for beginners", kind: "online", startsAt: "{year}-03-21T11:00" },
    ],
    empty: "Add your next show, class or broadcast.",
    list: ["dates", "Dates"],
    add: "Add Date",
    sendIfSet: [WINDOW.from, WINDOW.until],
    seen: "inSubtab",
  },
  fields: {
    title: text("Title", { required: true, maxLength: 120, placeholder: "Live at the Palladium" }),
    kind: choice(
      "Where",
      [
        { value: "stage", label: "On stage" },
        { value: "online", label: "Online" },
        { value: "screen", label: "On screen" },
      ],
      "stage",
    ),
    startsAt: wallTime("Starts"),
    endsAt: optionalWallTime("Ends (optional)"),
    allDay: toggle("All day", false),
    venue: optionalText("Venue", { maxLength: 120 }),
    city: optionalText("City", { maxLength: 80 }),
    address: optionalText("Address", { maxLength: 200 }),
    country: choice(
      "Country",
      [
        { value: "", label: "None" },
        ...COUNTRIES.map(({ code, name }) => ({ value: code, label: name })),
      ],
      "",
    ),
    timeZone: timeZone("Time zone"),
    ticketUrl: optionalLink("Tickets", { hint: "Where tickets are sold. Empty: no button." }),
    tickets: choice(
      "Tickets are",
      [
        { value: "sale", label: "On sale" },
        { value: "few", label: "Few left" },
        { value: "out", label: "Sold out" },
        { value: "free", label: "Free" },
      ],
      "sale",
    ),
    status: choice(
      "This date",
      [
        { value: "on", label: "Takes place" },
        { value: "postponed", label: "Is postponed" },
        { value: "cancelled", label: "Is cancelled" },
      ],
      "on",
    ),
    note: optionalText("A line more", { maxLength: 200, placeholder: "With special guests" }),
    image: optionalImage("Picture"),
    ...windowFields(),
    changedAt: moment("Last changed", "change", { audience: "owner" }),
  },
  rules({ startsAt, endsAt, allDay }): Record<string, string> {
    if (endsAt === null) return {};
    // For all-day dates only the days count, and the last may be the first.
    const isBefore = allDay ? endsAt.slice(0, 10) < startsAt.slice(0, 10) : endsAt <= startsAt;
    if (isBefore) return { endsAt: "It ends before it starts." };
    const takes = Date.parse(`${endsAt}Z`) - Date.parse(`${startsAt}Z`);
    return takes > 31 * DAY ? { endsAt: "A date lasts at most 31 days. Add another one." } : {};
  },
});

export const eventSettings = singleton("eventSettings", "Dates settings", {
  extra: "dates",
  section: "Dates",
  messages: SETTINGS_MESSAGES,
  colors: "calm",
  fields: {
    heading: heading("DATES"),
    description: longText("Section Description"),
    onPage: wholeNumber("Shown at once", 5, { least: 1, most: 20 }),
    past: choice(
      "Past dates",
      [
        { value: "hide", label: "Hide" },
        { value: "last", label: "Show the last five" },
      ],
      "hide",
    ),
    noDates: text("When there are none", {
      maxLength: 160,
      initial: "No dates at the moment. Join the mailing list to hear first.",
    }),
    ...lookColors(),
  },
});
