/** The mailing list (spec section 3, EmailSubscription). */
import * as v from "valibot";
import { records } from "./entity.ts";
import { choice, email, internal, moment, optionalText, text } from "./fields.ts";

/** The states of a subscription. */
export const SUBSCRIPTION_STATUSES = [
  { value: "active", label: "Active" },
  { value: "unsubscribed", label: "Unsubscribed" },
  { value: "pending", label: "Pending" },
] as const;

export const emailSubscriptions = records("email-subscriptions", "Subscription", {
  incomplete: "Email is required",
  keys: ["id", "email", "status", "subscribedAt", "ipAddress"],
  unique: "email",
  fields: {
    email: email("Email Address"),
    name: optionalText("First Name (optional)", { maxLength: 120 }),
    status: choice("Status", SUBSCRIPTION_STATUSES, "active"),
    source: text("Source", { initial: "website", maxLength: 60, setBy: "create" }),
    subscribedAt: moment("Subscribed At", "create"),
    ipAddress: internal("IP address", v.nullable(v.string()), null),
    userAgent: internal("Browser", v.nullable(v.string()), null),
  },
});
