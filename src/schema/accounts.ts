/** Who may edit: users and their sessions; neither has routes of its own. */
import * as v from "valibot";
import { collection, singleton } from "./entity.ts";
import { email, internal, moment, text } from "./fields.ts";

export const MIN_PASSWORD_LENGTH = 12;
/** The longest: enough for any passphrase, short enough to hash. */
export const MAX_PASSWORD_LENGTH = 256;

/** A key that a device or a password manager holds; only its public half is here. */
const passkey = v.object({
  /** As the browser names it, base64url. */
  id: v.string(),
  name: v.string(),
  publicKey: v.string(),
  counter: v.number(),
  transports: v.array(v.string()),
  createdAt: v.string(),
  lastUsedAt: v.nullable(v.string()),
});

export type Passkey = v.InferOutput<typeof passkey>;

/** An authenticator app (RFC 6238): its secret in base32, and the time step that was used last. */
const totp = v.object({
  secret: v.string(),
  confirmedAt: v.string(),
  lastUsedStep: v.number(),
});

/** Those that are left, as hashes. */
const recoveryCodes = v.object({ madeAt: v.string(), hashes: v.array(v.string()) });

export const users = collection("users", "User", {
  readers: "none",
  staysOnRestore: true,
  history: false,
  // 2: passkeys, authenticator app, recovery codes, the logins that were seen.
  version: 2,
  migrations: { 1: (list) => list },
  fields: {
    username: text("Username", { required: true, maxLength: 60 }),
    email: email("Email"),
    role: internal("Role", v.string(), "admin"),
    passwordHash: internal("Password", v.string(), ""),
    createdAt: moment("Created", "create"),
    passkeys: internal("Passkeys", v.array(passkey), []),
    totp: internal("Authenticator app", v.nullable(totp), null),
    recoveryCodes: internal("Recovery codes", v.nullable(recoveryCodes), null),
    /** Up to here the person knows where they have logged in. */
    loginsSeenAt: internal("Logins seen", v.nullable(v.string()), null),
  },
});

export const sessions = collection("sessions", "Session", {
  readers: "none",
  staysOnRestore: true,
  history: false,
  limit: 1000,
  // 2: the address.
  version: 2,
  migrations: { 1: (list) => list },
  fields: {
    userId: internal("User", v.string(), ""),
    createdAt: moment("Logged in", "create"),
    lastSeenAt: moment("Last seen", "save"),
    expiresAt: moment("Ends", "create"),
    userAgent: internal("Browser", v.nullable(v.string()), null),
    /** Shortened: 203.0.x.x */
    address: internal("From", v.nullable(v.string()), null),
  },
});

/** What the owner asks of everybody who logs in. */
export const loginRules = singleton("loginRules", "Logging in", {
  readers: "none",
  staysOnRestore: true,
  permission: "site",
  history: false,
  fields: { secondFactor: internal("Second factor", v.boolean(), false) },
});

/** Open invitations; the link itself is known to who was given it alone. */
export const invitations = collection("invitations", "Invitation", {
  readers: "none",
  staysOnRestore: true,
  history: false,
  limit: 50,
  fields: {
    email: internal("Email", v.string(), ""),
    role: internal("Role", v.string(), "reader"),
    tokenHash: internal("Link", v.string(), ""),
    /** The owner's id; null of those of before, which end with the rights of any owner. */
    madeBy: internal("Made by", v.nullable(v.string()), null),
    createdAt: moment("Invited", "create"),
    expiresAt: moment("Ends", "create"),
  },
});

/** The current user as the routes return it (specification, section 3.15). */
export interface CurrentUser {
  readonly username: string;
  readonly email: string;
  readonly role: string;
  /** There where the owner asks for a second factor and this person has none: nothing else is open to them until they do. */
  readonly owesSecondFactor?: true;
}
