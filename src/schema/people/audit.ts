/** The activity log: actions with their user, time and origin. It contains no secrets and no texts of visitors. */
import * as v from "valibot";
import { INTERNAL_SETTINGS, records } from "../entities/entity.ts";
import { internal, timestamp, trace } from "../kinds/fields.ts";

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
  ...INTERNAL_SETTINGS,
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
    /** The username; "The site" for automatic work, "Unknown user" for a failed login. */
    who: internal("Who", v.string(), ""),
    /** The id of the user; for a failed login, the id of the user whose account it was. */
    userId: internal("User", v.nullable(v.string()), null),
    /** The action, in words that are displayed after `who`, such as "changed Hero: Subtitle". */
    what: internal("What", v.string(), ""),
    detail: internal("Detail", v.string(), ""),
    /** For a login, a name computed from the browser's cookie, which tells new browsers from known ones; else empty. */
    device: internal("Device", v.string(), ""),
    /** The number of times that the action occurred within a short time. */
    count: internal("Times", v.number(), 1),
    /** The shortened IP address, such as 203.0.x.x. */
    address: trace("From"),
    /** The browser and operating system, such as "Chrome on Mac". */
    browser: trace("Browser"),
  },
});
