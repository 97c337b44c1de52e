/** Data for the site's own upkeep: the trusted time, the retention of backups, erased people. */
import * as v from "valibot";
import { records, singleton } from "../entities/entity.ts";
import { internal, timestamp } from "../kinds/fields.ts";

/** The latest time that the site trusts, since a clock may be wrong (specification, section 4.15). */
export const siteTime = singleton("siteTime", "Time", {
  readers: "none",
  isRetainedOnRestore: true,
  permission: "site",
  hasHistory: false,
  fields: {
    believedAt: internal("Trusted time", v.nullable(v.string()), null),
    /** The time, in milliseconds, that it has run while the clock was ahead of that. */
    aheadFor: internal("Clock ahead for", v.number(), 0),
  },
});

/** The most that can be configured. */
export const MAX_RETAINED_BACKUPS = { daily: 90, weekly: 104, monthly: 120 } as const;

const countField = (label: string) => internal(`Kept ${label}`, v.nullable(v.number()), null);

/** How many backups to keep, if an owner chose so; null means BACKUP_KEEP. */
export const backupSettings = singleton("backupSettings", "Backups kept", {
  readers: "none",
  isRetainedOnRestore: true,
  permission: "site",
  hasHistory: false,
  fields: {
    daily: countField("daily"),
    weekly: countField("weekly"),
    monthly: countField("monthly"),
  },
});

const erasedItemSchema = v.object({ entity: v.string(), id: v.string() });

/** People whose data was erased, stored only as a hash, so that no backup restores them unnoticed. */
export const erasures = records("erasures", "Erasure", {
  readers: "none",
  isRetainedOnRestore: true,
  permission: "site",
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
  readers: "none",
  isRetainedOnRestore: true,
  permission: "site",
  keys: ["id", "at"],
  isNeededOnFullDisk: true,
  // The id is the enquiry's own.
  fields: { at: timestamp("Erased", "create") },
});

/** The last erasure that the current data includes; after a restore, an earlier one. */
export const lastSeenErasure = singleton("erasureMark", "Last erasure", {
  readers: "none",
  permission: "site",
  hasHistory: false,
  fields: {
    /** The id of the last erasure that the data has seen. */
    seen: internal("Seen", v.nullable(v.string()), null),
    /** Erased items that earlier versions of their list may contain. */
    unfinished: internal("Unfinished", v.array(erasedItemSchema), [] as ErasedItem[]),
  },
});

export type ErasedItem = v.InferOutput<typeof erasedItemSchema>;
