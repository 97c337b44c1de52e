/** What visitors send: enquiries, and addresses for the mailing list (specification, section 3.12). */
import * as v from "valibot";
import { records } from "./entity.ts";
import {
  choice,
  email,
  internal,
  moment,
  optionalText,
  reference,
  text,
  trace,
  type ValueOf,
} from "./fields.ts";
import { type AnsweredQuestion, storedSubmission, type StoredReply } from "./storedSubmission.ts";
import { submissionMigrations } from "./submissionMigrations.ts";

export type { AnsweredQuestion, StoredNote, StoredReply } from "./storedSubmission.ts";

/** The states of a submission; "archived" is colored but not set in the dashboard (specification, section 4.10). */
export const SUBMISSION_STATUSES = [
  { value: "new", label: "New" },
  { value: "reviewed", label: "Reviewed" },
  { value: "archived", label: "Archived" },
] as const;

/** Where an enquiry stands with its owner, whatever of it was read: from the first look to a client. */
export const STAGES = [
  { value: "", label: "Inbox" },
  { value: "talking", label: "In conversation" },
  { value: "booked", label: "Call booked" },
  { value: "client", label: "Client" },
  { value: "closed", label: "Closed" },
] as const;

const questions = {
  ...internal("Questions", storedSubmission.questions, []),
  personal: "named",
  texts: (asked: AnsweredQuestion[]) => asked.flatMap(({ answer }) => answer),
} as const;

const replies = {
  ...internal("Replies", storedSubmission.replies, []),
  personal: "named",
  texts: (all: StoredReply[]) =>
    all.flatMap(({ by, to, subject, text }) => [by, to, subject, text]),
} as const;

/** Of one enquiry, and in letters. */
export const MOST_NOTES = 50;
export const LONGEST_NOTE = 2000;

const notes = { ...internal("Notes", storedSubmission.notes, []), personal: "named" } as const;

export const formSubmissions = records("formSubmissions", "Submission", {
  version: 3,
  migrations: submissionMigrations,
  shown: shownSubmission,
  permission: "enquiries",
  keys: ["id", "formId", "status", "stage", "remindOn", "callsUntil", "createdAt", "ipAddress"],
  rare: ["remindOn", "callsUntil"],
  collectedAt: "createdAt",
  parent: { entity: "forms", field: "formId" },
  fields: {
    formId: reference("Form"),
    status: choice("Status", SUBMISSION_STATUSES, "new"),
    createdAt: moment("Submitted", "create"),
    submittedAt: moment("Sent at (visitor's time)", "create"),
    /** The title that the package had by which its visitor came to the form. */
    about: internal("About", v.nullable(v.string()), null),
    stage: choice("Stage", STAGES, ""),
    /** The day on which its owner is told of it; in the site's time zone. */
    remindOn: internal("Reminder", v.nullable(v.string()), null),
    /** The call that was agreed on. */
    booked: internal("Call", storedSubmission.booked, null),
    /** When the last time is over that is suggested or agreed on; ISO 8601 in UTC. */
    callsUntil: internal("Calls until", v.nullable(v.string()), null),
    questions,
    replies,
    notes,
    ipAddress: trace("IP address"),
    userAgent: trace("Browser"),
  },
});

/** A submission as calls return it: `submissionData` is the JSON text of its answers by field id. */
export type Submission = ValueOf<typeof formSubmissions.fields> & {
  readonly submissionData: string;
};

/** One to come back to, as `GET /api/follow-ups` tells of it. */
export interface FollowUp extends Submission {
  /** Today, or since some day. */
  readonly isDue: boolean;
  /** When they have a call, as clocks of the site's zone show it; null where there is none to tell of. */
  readonly callAt: string | null;
}

/** The answers are stored once, with their questions, and written as calls return them when asked for. */
export function shownSubmission<R extends { questions: AnsweredQuestion[] }>(record: R) {
  const answers = record.questions.map(({ id, answer }) => [id, answer]);
  return { ...record, submissionData: JSON.stringify(Object.fromEntries(answers)) };
}

export const SUBSCRIPTION_STATUSES = [
  { value: "active", label: "Active" },
  { value: "unsubscribed", label: "Unsubscribed" },
  { value: "pending", label: "Pending" },
] as const;

/** What a subscription has of messages before there was one. */
export const NEVER_WRITTEN_TO = {
  consent: null,
  confirmedAt: null,
  unreachable: null,
  owed: null,
  askedAt: null,
  written: [] as number[],
} as const;

export const emailSubscriptions = records("emailSubscriptions", "Subscription", {
  // 2: the consent, and what its messages need, with their first values.
  version: 2,
  migrations: { 1: (stored) => stored },
  incomplete: "Email is required",
  keys: ["id", "email", "status", "source", "subscribedAt", "ipAddress", "unreachable", "owed"],
  collectedAt: "subscribedAt",
  unique: "email",
  fields: {
    email: email("Email Address", { personal: "named" }),
    name: optionalText("First Name (optional)", { maxLength: 120, personal: "named" }),
    status: choice("Status", SUBSCRIPTION_STATUSES, "active"),
    source: text("Source", { initial: "website", maxLength: 60, setBy: "create" }),
    subscribedAt: moment("Subscribed At", "create"),
    ipAddress: trace("IP address"),
    userAgent: trace("Browser"),
    /** What was read where the address was given. */
    consent: internal("Agreed to", v.nullable(v.string()), null),
    /** When the button behind the link in the message was pressed. */
    confirmedAt: internal("Confirmed", v.nullable(v.string()), null),
    /** Why nothing is sent there any more. */
    unreachable: internal("Not reachable", v.nullable(v.picklist(["bounced", "complained"])), null),
    /** The message that is still to be written, and when it was asked for. */
    owed: internal("Owed", v.nullable(v.picklist(["confirm", "leave", "welcome"])), null),
    askedAt: internal("Asked", v.nullable(v.string()), null),
    /** When messages were written because somebody typed the address, those of the last day; milliseconds. */
    written: internal<number[]>("Written", v.array(v.number()), []),
  },
});
