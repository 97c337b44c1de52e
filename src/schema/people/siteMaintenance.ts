/** Data for the site's maintenance: the trusted time, the retention of backups, erased people. */
import * as v from "valibot";
import { INTERNAL_SETTINGS, records, singleton } from "../entities/entity.ts";
import { internal, timestamp } from "../kinds/fields.ts";

/** The latest time that the site trusts, since a clock may be wrong (specification, section 4.15). */
export const siteTime = singleton("siteTime", "Time", {
  ...INTERNAL_SETTINGS,
  fields: {
    believedAt: internal("Trusted time", v.nullable(v.string()), null),
    /** How long the site has run while its clock was ahead of `believedAt`, in milliseconds. */
    aheadFor: internal("Clock ahead for", v.number(), 0),
  },
});

/** The largest numbers that can be configured. */
export const MAX_RETAINED_BACKUPS = { daily: 90, weekly: 104, monthly: 120 } as const;

const createCountField = (label: string) => internal(`Kept ${label}`, v.nullable(v.number()), null);

/** The numbers of backups to keep, as chosen by an owner; null for the numbers in BACKUP_KEEP. */
export const backupSettings = singleton("backupSettings", "Backups kept", {
  ...INTERNAL_SETTINGS,
  fields: {
    daily: createCountField("daily"),
    weekly: createCountField("weekly"),
    monthly: createCountField("monthly"),
  },
});

const erasedItemSchema = v.object({ entity: v.string(), id: v.string() });

/** People whose data was erased, stored as hashes, so that their data is erased again after a restore. */
export const erasures = records("erasures", "Erasure", {
  ...INTERNAL_SETTINGS,
  keys: ["id"],
  isNeededOnFullDisk: true,
  fields: {
    /** HMAC-SHA-256 of the address, keyed with the site's id. */
    hash: internal("Hash", v.string(), ""),
    at: timestamp("Erased", "create"),
  },
});

/** The ids of enquiries deleted with an erased person, which aren't accepted again. */
export const erasedEnquiries = records("erasedEnquiries", "Erased enquiry", {
  plural: "Erased enquiries",
  ...INTERNAL_SETTINGS,
  keys: ["id", "at"],
  isNeededOnFullDisk: true,
  // A record has the id of its enquiry.
  fields: { at: timestamp("Erased", "create") },
});

/** The newest erasure applied to the current data. A restore sets it back to the newest erasure in the backup. */
export const lastSeenErasure = singleton("erasureMark", "Last erasure", {
  readers: "none",
  permission: "site",
  hasHistory: false,
  fields: {
    /** The id of the newest erasure applied to the data. */
    seen: internal("Seen", v.nullable(v.string()), null),
    /** The erased items that earlier versions of their list may contain. */
    unfinished: internal("Unfinished", v.array(erasedItemSchema), [] as ErasedItem[]),
  },
});

export type ErasedItem = v.InferOutput<typeof erasedItemSchema>;
