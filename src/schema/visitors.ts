/** What visitors send: enquiries, and addresses for the mailing list (specification, section 3.12). */
import * as v from "valibot";
import { records } from "./entity.ts";
import { choice, email, internal, moment, optionalText, reference, text, trace } from "./fields.ts";

/** The states of a submission; "archived" is colored but not set in the dashboard (specification, section 4.10). */
export const SUBMISSION_STATUSES = [
  { value: "new", label: "New" },
  { value: "reviewed", label: "Reviewed" },
  { value: "archived", label: "Archived" },
] as const;

const question = v.object({
  id: v.string(),
  label: v.string(),
  type: v.string(),
  answer: v.union([v.string(), v.array(v.string())]),
});

/** One answered question as it was asked then: readable after the form has changed. */
export type AnsweredQuestion = v.InferOutput<typeof question>;

export const formSubmissions = records("formSubmissions", "Submission", {
  keys: ["id", "formId", "status", "createdAt", "ipAddress"],
  collectedAt: "createdAt",
  parent: { entity: "forms", field: "formId" },
  fields: {
    formId: reference("Form"),
    status: choice("Status", SUBMISSION_STATUSES, "new"),
    createdAt: moment("Submitted", "create"),
    submittedAt: moment("Sent by the visitor's clock", "create"),
    submissionData: text("Answers", { maxLength: 200_000, setBy: "create", personal: "named" }),
    questions: internal("Questions", v.array(question), []),
    ipAddress: trace("IP address"),
    userAgent: trace("Browser"),
  },
});

export const SUBSCRIPTION_STATUSES = [
  { value: "active", label: "Active" },
  { value: "unsubscribed", label: "Unsubscribed" },
  { value: "pending", label: "Pending" },
] as const;

export const emailSubscriptions = records("emailSubscriptions", "Subscription", {
  incomplete: "Email is required",
  keys: ["id", "email", "status", "subscribedAt", "ipAddress"],
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
  },
});
