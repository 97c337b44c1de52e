/** Users, sessions and invitations. The routes aren't generated from these declarations. */
import * as v from "valibot";
import { collection, INTERNAL_SETTINGS, singleton } from "../entities/entity.ts";
import { email, internal, timestamp, text } from "../kinds/fields.ts";

export const MIN_PASSWORD_LENGTH = 12;
/** The longest password in characters: long enough for any passphrase, and short enough to be hashed quickly. */
export const MAX_PASSWORD_LENGTH = 256;

/** A passkey. Its private key stays on a device or in a password manager. */
const passkeySchema = v.object({
  /** The credential id, base64url. */
  id: v.string(),
  name: v.string(),
  publicKey: v.string(),
  counter: v.number(),
  transports: v.array(v.string()),
  createdAt: v.string(),
  lastUsedAt: v.nullable(v.string()),
});

export type Passkey = v.InferOutput<typeof passkeySchema>;

/** An authenticator app (RFC 6238): its sealed secret, and the last used time step, so that no code works twice. */
const totpSchema = v.object({
  secret: v.string(),
  confirmedAt: v.string(),
  lastUsedStep: v.number(),
});

/** The recovery codes that are still unused, as hashes. */
const recoveryCodesSchema = v.object({ madeAt: v.string(), hashes: v.array(v.string()) });

export const users = collection("users", "User", {
  ...INTERNAL_SETTINGS,
  version: 2,
  fields: {
    username: text("Username", { required: true, maxLength: 60 }),
    email: email("Email"),
    role: internal("Role", v.string(), "admin"),
    passwordHash: internal("Password", v.string(), ""),
    createdAt: timestamp("Created", "create"),
    passkeys: internal("Passkeys", v.array(passkeySchema), []),
    totp: internal("Authenticator app", v.nullable(totpSchema), null),
    recoveryCodes: internal("Recovery codes", v.nullable(recoveryCodesSchema), null),
    /** The time up to which the user has confirmed all logins from new browsers; null before the first confirmation. */
    loginsSeenAt: internal("Logins seen", v.nullable(v.string()), null),
  },
});

export const sessions = collection("sessions", "Session", {
  ...INTERNAL_SETTINGS,
  maxItems: 1000,
  version: 2,
  fields: {
    userId: internal("User", v.string(), ""),
    createdAt: timestamp("Logged in", "create"),
    lastSeenAt: timestamp("Last seen", "save"),
    expiresAt: timestamp("Expires", "create"),
    userAgent: internal("Browser", v.nullable(v.string()), null),
    /** The shortened IP address, such as 203.0.x.x. */
    address: internal("From", v.nullable(v.string()), null),
  },
});

export const loginRules = singleton("loginRules", "Logging in", {
  ...INTERNAL_SETTINGS,
  fields: { secondFactor: internal("Second factor", v.boolean(), false) },
});

/** Invitations that haven't been accepted. The site stores only the hash of an invitation's link. */
export const invitations = collection("invitations", "Invitation", {
  ...INTERNAL_SETTINGS,
  maxItems: 50,
  fields: {
    email: internal("Email", v.string(), ""),
    role: internal("Role", v.string(), "reader"),
    tokenHash: internal("Link", v.string(), ""),
    /** The id of the owner who invited the person; null for invitations of earlier releases, which are invalid. */
    madeBy: internal("Created by", v.nullable(v.string()), null),
    createdAt: timestamp("Invited", "create"),
    expiresAt: timestamp("Expires", "create"),
  },
});

/** The current user in the form that routes return (specification, section 3.15). */
export interface CurrentUser {
  readonly username: string;
  readonly email: string;
  readonly role: string;
  /** True if this user must set up a second factor before anything else is allowed. */
  readonly owesSecondFactor?: true;
}
