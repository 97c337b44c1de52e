/** The extra Dates: events at which people can see the performer. */
import { COUNTRIES } from "../core/countries.ts";
import { collection } from "../entities/entity.ts";
import { computeEventEnd } from "./eventTimes.ts";
import type { Extra } from "../entities/extra.ts";
import {
  choice,
  timestamp,
  optionalImage,
  optionalLink,
  optionalText,
  optionalWallTime,
  text,
  timeZone,
  toggle,
  wallTime,
  wholeNumber,
} from "../kinds/fields.ts";
import { createExtraSettings } from "./sectionSettings.ts";
import { DAY } from "../core/time.ts";
import { createDisplayPeriodFields } from "../entities/displayPeriod.ts";

export const extra: Extra = {
  label: "Dates",
  description: "Where to see you next, with tickets.",
  group: "home",
};

export const events = collection("events", "Event", {
  extra: "dates",
  section: "Dates",
  maxItems: 500,
  missingFieldMessage: "An event needs a title and a start time",
  sortField: "startsAt",
  settingsKey: "eventSettings",
  findChangeTimes: (event, zone) => [computeEventEnd(event, zone)],
  tab: {
    examples: [
      { city: "London", startsAt: "{year}-03-14T20:00" },
      { title: "A weekend for beginners", kind: "online", startsAt: "{year}-03-21T11:00" },
    ],
    emptyListHint: "Add your next show, class or broadcast.",
    listSubtab: ["dates", "Dates"],
    addLabel: "Add Event",
    dialogTitles: ["Add Event", "Edit Event"],
    saveLabels: ["Save", "Save"],
    formRows: [
      ["startsAt", "allDay"],
      ["venue", "city"],
      ["ticketUrl", "tickets"],
      ["status", "note"],
    ],
    fold: { title: "More", fields: ["address", "country", "timeZone", "image"] },
    previewPosition: "inSubtab",
  },
  fields: {
    title: text("Title", { required: true, maxLength: 120, placeholder: "Live at the Palladium" }),
    kind: choice(
      "Type",
      [
        { value: "stage", label: "In person" },
        { value: "online", label: "Online" },
        { value: "screen", label: "On TV or streaming" },
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
    ticketUrl: optionalLink("Tickets", {
      hint: "Link to the ticket shop. Leave empty for no button.",
    }),
    tickets: choice(
      "Ticket status",
      [
        { value: "sale", label: "On sale" },
        { value: "few", label: "Few left" },
        { value: "out", label: "Sold out" },
        { value: "free", label: "Free" },
      ],
      "sale",
    ),
    status: choice(
      "Status",
      [
        { value: "on", label: "Scheduled" },
        { value: "postponed", label: "Postponed" },
        { value: "cancelled", label: "Canceled" },
      ],
      "on",
    ),
    note: optionalText("Note", { maxLength: 200, placeholder: "With special guests" }),
    image: optionalImage("Image"),
    ...createDisplayPeriodFields(),
    changedAt: timestamp("Last changed", "change", { audience: "owner" }),
  },
  checkItemRules({ startsAt, endsAt, allDay }): Record<string, string> {
    if (endsAt === null) return {};
    // The times of all-day events are ignored, and their first and last day may be the same.
    const isEndTooEarly = allDay ? endsAt.slice(0, 10) < startsAt.slice(0, 10) : endsAt <= startsAt;
    if (isEndTooEarly) return { endsAt: "The end must be after the start." };
    const duration = Date.parse(`${endsAt}Z`) - Date.parse(`${startsAt}Z`);
    return duration > 31 * DAY
      ? { endsAt: "An event can last up to 31 days. Add another event for the rest." }
      : {};
  },
});

export const eventSettings = createExtraSettings("eventSettings", "Dates", {
  onPage: wholeNumber("Events shown initially", 5, { min: 1, max: 20 }),
  past: choice(
    "Past events",
    [
      { value: "hide", label: "Hide" },
      { value: "last", label: "Show the last five" },
    ],
    "hide",
  ),
  noDates: text("Text when there are no events", {
    maxLength: 160,
    initial: "No upcoming dates. Join the mailing list to hear about new ones first.",
  }),
});
