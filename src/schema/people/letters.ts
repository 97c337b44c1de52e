/** The newsletters, their recipients and settings. The routes aren't generated from these declarations. */
import * as v from "valibot";
import { boundedText } from "../core/boundedText.ts";
import { collection, INTERNAL_SETTINGS, records, singleton } from "../entities/entity.ts";
import {
  email,
  internal,
  longText,
  timestamp,
  optionalText,
  richText,
  text,
  toggle,
} from "../kinds/fields.ts";

export const letterSettings = singleton("letterSettings", "Newsletters", {
  readers: "none",
  permission: "site",
  hasHistory: false,
  fields: {
    doubleOptIn: toggle("Ask new subscribers to confirm", true),
    welcome: toggle("Send a welcome email", true),
    welcomeText: longText("Welcome email", { maxLength: 2000 }),
    /** The postal address, which the law requires in every letter. */
    postalAddress: longText("Postal address", { maxLength: 300 }),
    archive: toggle("Show newsletters on the site", false),
    /** The secret with which the mail provider signs its bounce reports. The server never returns it. */
    reportSecret: text("Signing secret", { maxLength: 200 }),
    /** The key that signs the links in messages. Backups contain it, so that old links work on another machine. */
    linkSecret: internal("Link secret", v.string(), ""),
    /** The secret part of the URL to which the mail provider posts bounce reports. */
    reportKey: internal("Report key", v.string(), ""),
  },
});

export const LETTER_STATES = [
  { value: "draft", label: "Draft" },
  { value: "scheduled", label: "Scheduled" },
  { value: "sending", label: "Sending" },
  { value: "paused", label: "Paused" },
  { value: "sent", label: "Sent" },
] as const;

export type LetterState = (typeof LETTER_STATES)[number]["value"];

const CHOOSE_DAY_MESSAGE = "Choose a date.";

/** The audience of a letter: all active, reachable subscribers, or those from one source or since a day. */
export const audienceSchema = v.variant("kind", [
  v.object({ kind: v.literal("all") }),
  v.object({
    kind: v.literal("source"),
    source: v.pipe(v.string(), v.nonEmpty(), v.maxLength(60)),
  }),
  v.object({
    kind: v.literal("since"),
    since: v.pipe(boundedText(10, CHOOSE_DAY_MESSAGE), v.isoDate(CHOOSE_DAY_MESSAGE)),
  }),
]);

export type Audience = v.InferOutput<typeof audienceSchema>;

const testSchema = v.object({ to: v.string(), at: v.string() });

export const letters = records("letters", "Newsletter", {
  // With these settings, a restore of a backup doesn't replace letters, so that no sent letter is sent again.
  ...INTERNAL_SETTINGS,
  keys: ["id", "state", "sendAt", "isPublic", "finishedAt"],
  fields: {
    subject: text("Subject", { maxLength: 150 }),
    preview: text("Preview text", { maxLength: 150 }),
    body: richText("Text"),
    buttonText: text("Button Text", { maxLength: 60 }),
    buttonLink: optionalText("Button Link", { maxLength: 2000 }),
    state: internal("State", v.picklist(LETTER_STATES.map(({ value }) => value)), "draft"),
    audience: internal<Audience>("To", audienceSchema, { kind: "all" }),
    sendAt: internal("Scheduled for", v.nullable(v.string()), null),
    /** The problem while sending, such as the reason why the letter is paused; null without one. */
    problem: internal("Problem", v.nullable(v.string()), null),
    /** The recipient and time of the last test message; null if the text has changed since the test. */
    tested: internal("Test", v.nullable(testSchema), null),
    isPublic: internal("On the site", v.boolean(), false),
    createdAt: timestamp("Created", "create"),
    changedAt: internal("Changed", v.nullable(v.string()), null),
    startedAt: internal("Started", v.nullable(v.string()), null),
    finishedAt: internal("Finished", v.nullable(v.string()), null),
    /** The number of recipients, set when sending starts. The numbers below are set once the letter is sent. */
    total: internal("Recipients", v.number(), 0),
    sent: internal("Sent", v.number(), 0),
    refused: internal("Rejected", v.number(), 0),
    leftOut: internal("Skipped", v.number(), 0),
    unsubscribed: internal("Unsubscribed", v.number(), 0),
  },
});

/** The progress of each unfinished letter, under the letter's id. Each message changes it, so the data is small. */
export const letterProgress = collection("letterProgress", "Progress", {
  plural: "Progress",
  ...INTERNAL_SETTINGS,
  maxItems: 100,
  fields: {
    /** The id of the last recipient whose message was tried. The messages to recipients with later ids are waiting. */
    after: internal("After", v.string(), ""),
    sent: internal("Sent", v.number(), 0),
    /** The time of the last result, in milliseconds since 1970. A letter without progress for too long is paused. */
    movedAt: internal("Last progress", v.number(), 0),
  },
});

/** A recipient of a letter. Once the letter is sent, only the recipients whose message was refused remain stored. */
export const letterRecipients = records("letterRecipients", "Recipient", {
  ...INTERNAL_SETTINGS,
  keys: ["id", "letterId", "state", "nextAt"],
  fields: {
    letterId: internal("Newsletter", v.string(), ""),
    subscriptionId: internal("Subscription", v.string(), ""),
    to: email("To", { personal: "named" }),
    state: internal("State", v.picklist(["waiting", "again", "refused"]), "waiting"),
    attempts: internal("Attempts", v.number(), 0),
    nextAt: internal("Next attempt", v.number(), 0),
    problem: internal("Problem", v.nullable(v.string()), null),
    said: internal("Server", v.nullable(v.string()), null),
  },
});
