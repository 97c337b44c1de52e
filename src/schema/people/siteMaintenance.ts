/** Data for the site's maintenance: the trusted time, the numbers of backups to keep, and erasures of personal data. */
import * as v from "valibot";
import { INTERNAL_SETTINGS, records, singleton } from "../entities/entity.ts";
import { internal, timestamp } from "../kinds/fields.ts";

/**
 * The trusted time, by which data expires and newsletters are sent. The machine's clock may be wrong (specification,
 * section 4.15).
 */
export const siteTime = singleton("siteTime", "Time", {
  ...INTERNAL_SETTINGS,
  fields: {
    believedAt: internal("Trusted time", v.nullable(v.string()), null),
    /** The time for which the clock has been too far ahead, in milliseconds. After a day, the clock is trusted. */
    aheadFor: internal("Clock ahead for", v.number(), 0),
  },
});

/** The maximum numbers of backups that an owner can choose to keep. */
export const MAX_RETAINED_BACKUPS = { daily: 90, weekly: 104, monthly: 120 } as const;

const createCountField = (label: string) => internal(`Kept ${label}`, v.nullable(v.number()), null);

/** The numbers of backups to keep that an owner chose; null for the numbers in BACKUP_KEEP. */
export const backupSettings = singleton("backupSettings", "Backups kept", {
  ...INTERNAL_SETTINGS,
  fields: {
    daily: createCountField("daily"),
    weekly: createCountField("weekly"),
    monthly: createCountField("monthly"),
  },
});

const erasedItemSchema = v.object({ entity: v.string(), id: v.string() });

/** The erasures of people's data, with a hash of the address, so that they can be repeated after a restore. */
export const erasures = records("erasures", "Erasure", {
  ...INTERNAL_SETTINGS,
  keys: ["id"],
  isNeededOnFullDisk: true,
  fields: {
    /** HMAC-SHA-256 of the email address, keyed with the site's id. */
    hash: internal("Hash", v.string(), ""),
    at: timestamp("Erased", "create"),
  },
});

/** The ids of enquiries that were deleted in an erasure. If a browser sends such an enquiry again, it isn't stored. */
export const erasedEnquiries = records("erasedEnquiries", "Erased enquiry", {
  plural: "Erased enquiries",
  ...INTERNAL_SETTINGS,
  keys: ["id", "at"],
  isNeededOnFullDisk: true,
  // The record has the same id as the deleted enquiry.
  fields: { at: timestamp("Erased", "create") },
});

/**
 * The newest erasure that was applied to the stored data. Restoring a backup replaces it with an older one, so that the
 * next start of the program repeats the later erasures.
 */
export const lastSeenErasure = singleton("erasureMark", "Last erasure", {
  readers: "none",
  permission: "site",
  hasHistory: false,
  fields: {
    /** The id of the newest erasure that was applied; null without erasures. */
    seen: internal("Seen", v.nullable(v.string()), null),
    /** The erased items that earlier versions of a list may still contain. They are hidden in these versions. */
    unfinished: internal("Unfinished", v.array(erasedItemSchema), [] as ErasedItem[]),
  },
});

export type ErasedItem = v.InferOutput<typeof erasedItemSchema>;
