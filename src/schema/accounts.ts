/** Who may edit: users and their sessions; neither has routes of its own. */
import * as v from "valibot";
import { collection } from "./entity.ts";
import { email, internal, moment, text } from "./fields.ts";

export const MIN_PASSWORD_LENGTH = 12;
/** The longest: enough for any passphrase, short enough to hash. */
export const MAX_PASSWORD_LENGTH = 256;

export const users = collection("users", "User", {
  readers: "none",
  history: false,
  fields: {
    username: text("Username", { required: true, maxLength: 60 }),
    email: email("Email"),
    role: internal("Role", v.string(), "admin"),
    passwordHash: internal("Password", v.string(), ""),
    createdAt: moment("Created", "create"),
  },
});

export const sessions = collection("sessions", "Session", {
  readers: "none",
  history: false,
  limit: 1000,
  fields: {
    userId: internal("User", v.string(), ""),
    createdAt: moment("Logged in", "create"),
    lastSeenAt: moment("Last seen", "save"),
    expiresAt: moment("Ends", "create"),
    userAgent: internal("Browser", v.nullable(v.string()), null),
  },
});

/** The current user as the routes return it (specification, section 3.15). */
export interface CurrentUser {
  readonly username: string;
  readonly email: string;
  readonly role: string;
}
