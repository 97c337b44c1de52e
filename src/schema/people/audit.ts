/**
 * The audit log: who did what, when and from where. It contains no secrets and nothing that visitors wrote.
 */
import * as v from "valibot";
import { records } from "../entities/entity.ts";
import { internal, timestamp, trace } from "../kinds/fields.ts";

/** The category of an entry; the dashboard filters by it. */
export const AUDIT_KINDS = [
  { value: "login", label: "Logins" },
  { value: "failedLogin", label: "Failed logins" },
  { value: "content", label: "Content" },
  { value: "settings", label: "Settings" },
  { value: "people", label: "People and accounts" },
  { value: "data", label: "Exports, backups and deletions" },
] as const;

export type AuditKind = (typeof AUDIT_KINDS)[number]["value"];

export const auditLog = records("auditLog", "Audit entry", {
  readers: "none",
  isRetainedOnRestore: true,
  plural: "Audit entries",
  keys: ["id", "at", "kind", "userId", "address"],
  collectedAtField: "at",
  fields: {
    at: timestamp("When", "create"),
    kind: internal(
      "Kind",
      v.picklist(AUDIT_KINDS.map(({ value }) => value)) as v.GenericSchema<unknown, AuditKind>,
      "content",
    ),
    /** The username, "The site" for automatic work, "Unknown user" for a stranger. */
    who: internal("Who", v.string(), ""),
    /** The user; for a failed login, the owner of the account. */
    userId: internal("User", v.nullable(v.string()), null),
    /** Continues `who`: "changed Hero: Subtitle". */
    what: internal("What", v.string(), ""),
    detail: internal("Detail", v.string(), ""),
    /** For a login, the name of its browser, which distinguishes the user's browsers. */
    device: internal("Device", v.string(), ""),
    /** How many times it was repeated. */
    count: internal("Times", v.number(), 1),
    /** Shortened: 203.0.x.x */
    address: trace("From"),
    /** "Chrome on Mac" */
    browser: trace("Browser"),
  },
});
