/** Data that visitors send: enquiries, and subscriptions to the mailing list (specification, section 3.12). */
import * as v from "valibot";
import { bookingSchema, suggestedTimeSchema } from "./calls.ts";
import { records } from "../entities/entity.ts";
import {
  choice,
  email,
  internal,
  timestamp,
  optionalText,
  reference,
  text,
  trace,
  type ValueOf,
} from "../kinds/fields.ts";

/** The statuses of a submission. The dashboard never sets "archived" (specification, section 4.10). */
export const SUBMISSION_STATUSES = [
  { value: "new", label: "New" },
  { value: "reviewed", label: "Reviewed" },
  { value: "archived", label: "Archived" },
] as const;

/** The stages of an enquiry in the owner's work, from the inbox to a client. A stage is independent of the status. */
export const ENQUIRY_STAGES = [
  { value: "", label: "Inbox" },
  { value: "talking", label: "In conversation" },
  { value: "booked", label: "Call booked" },
  { value: "client", label: "Client" },
  { value: "closed", label: "Closed" },
] as const;

const questionSchema = v.object({
  id: v.string(),
  label: v.string(),
  type: v.string(),
  answer: v.union([v.string(), v.array(v.string())]),
});

/** An answered question in its original wording, so that an enquiry remains readable after the form has changed. */
export type AnsweredQuestion = v.InferOutput<typeof questionSchema>;

const noteSchema = v.object({
  id: v.string(),
  /** When the note was written, and the username of its author. */
  at: v.string(),
  by: v.string(),
  text: v.string(),
});

/** The owner's private note on an enquiry. */
export type StoredNote = v.InferOutput<typeof noteSchema>;

const replySchema = v.object({
  ...noteSchema.entries,
  to: v.string(),
  subject: v.string(),
  /** The call times that the reply suggests. */
  offers: v.optional(v.array(suggestedTimeSchema)),
  /** Why the reply's times are closed: one was chosen, all were declined, or a time of another reply was chosen. */
  ended: v.optional(v.picklist(["chosen", "declined", "closed"])),
});

/** A reply written in the dashboard. */
export type StoredReply = v.InferOutput<typeof replySchema>;

const questionsField = {
  ...internal("Questions", v.array(questionSchema), []),
  personal: "named",
  listPersonTexts: (questions: AnsweredQuestion[]) => questions.flatMap(({ answer }) => answer),
} as const;

const repliesField = {
  ...internal("Replies", v.array(replySchema), []),
  personal: "named",
  listPersonTexts: (replies: StoredReply[]) =>
    replies.flatMap(({ by, to, subject, text }) => [by, to, subject, text]),
} as const;

export const MAX_NOTES = 50;
export const MAX_NOTE_LENGTH = 2000;
export const MAX_REPLY_LENGTHS = { subject: 200, text: 10_000 } as const;

const notesField = { ...internal("Notes", v.array(noteSchema), []), personal: "named" } as const;

export const formSubmissions = records("formSubmissions", "Submission", {
  version: 3,
  toResponse: toSubmissionResponse,
  permission: "enquiries",
  keys: ["id", "formId", "status", "stage", "remindOn", "callsUntil", "createdAt", "ipAddress"],
  sparseKeys: ["remindOn", "callsUntil"],
  collectedAtField: "createdAt",
  parent: { entity: "forms", field: "formId" },
  fields: {
    formId: reference("Form"),
    status: choice("Status", SUBMISSION_STATUSES, "new"),
    createdAt: timestamp("Submitted", "create"),
    submittedAt: timestamp("Submitted (visitor's clock)", "create"),
    /** The title that a package had when the visitor followed its link to the form; null without a package. */
    about: internal("About", v.nullable(v.string()), null),
    stage: choice("Stage", ENQUIRY_STAGES, ""),
    /** The day on which the owner is reminded of the enquiry, in the site's time zone; null without a reminder. */
    remindOn: internal("Reminder", v.nullable(v.string()), null),
    /** The time when the enquiry was closed, or when a closed one was restored from the trash; null if open. */
    closedAt: internal("Closed", v.nullable(v.string()), null),
    booked: internal("Call", v.nullable(bookingSchema), null),
    /** The end of the last suggested or booked call, ISO 8601 in UTC; null without calls. */
    callsUntil: internal("Calls until", v.nullable(v.string()), null),
    questions: questionsField,
    replies: repliesField,
    notes: notesField,
    ipAddress: trace("IP address"),
    userAgent: trace("Browser"),
  },
});

/** A submission in the form that routes return. `submissionData` is JSON with the answers by field id. */
export type Submission = ValueOf<typeof formSubmissions.fields> & {
  readonly submissionData: string;
};

/** A submission in `GET /api/follow-ups`, with a due reminder or a call in the next 14 days. */
export interface FollowUp extends Submission {
  /** True if a reminder is due, or if the call is today. */
  readonly isDue: boolean;
  /** The local time of the call in the site's zone; null if there is no call to list. */
  readonly callAt: string | null;
}

/** Adds `submissionData`, the answers by field id. Records contain the answers only in `questions`. */
export function toSubmissionResponse<R extends { questions: AnsweredQuestion[] }>(record: R) {
  const answers = record.questions.map(({ id, answer }) => [id, answer]);
  return { ...record, submissionData: JSON.stringify(Object.fromEntries(answers)) };
}

export const SUBSCRIPTION_STATUSES = [
  { value: "active", label: "Active" },
  { value: "unsubscribed", label: "Unsubscribed" },
  { value: "pending", label: "Pending" },
] as const;

export const emailSubscriptions = records("emailSubscriptions", "Subscription", {
  version: 2,
  missingFieldMessage: "Email is required",
  keys: ["id", "email", "status", "source", "subscribedAt", "ipAddress", "unreachable", "owed"],
  collectedAtField: "subscribedAt",
  uniqueField: "email",
  fields: {
    email: email("Email Address", { personal: "named" }),
    name: optionalText("First Name (optional)", { maxLength: 120, personal: "named" }),
    status: choice("Status", SUBSCRIPTION_STATUSES, "active"),
    source: text("Source", { initial: "website", maxLength: 60, setBy: "create" }),
    subscribedAt: timestamp("Subscribed At", "create"),
    ipAddress: trace("IP address"),
    userAgent: trace("Browser"),
    /** The consent text that was shown next to the address; null without one. */
    consent: internal("Agreed to", v.nullable(v.string()), null),
    /** The time when the subscriber confirmed the address on the page of the mailed link; null if unconfirmed. */
    confirmedAt: internal("Confirmed", v.nullable(v.string()), null),
    /** The reason why the subscriber gets no more messages; null if the address works. */
    unreachable: internal("Undeliverable", v.nullable(v.picklist(["bounced", "complained"])), null),
    /** The message that must still be sent to the subscriber, and when it was requested. */
    owed: internal("Pending email", v.nullable(v.picklist(["confirm", "leave", "welcome"])), null),
    askedAt: internal("Requested", v.nullable(v.string()), null),
    /** Unused; still declared since stored records of format 1 contain it. */
    written: internal<number[]>("Emails sent", v.array(v.number()), []),
  },
});
