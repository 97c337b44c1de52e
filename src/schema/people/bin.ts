/** Deleted items, which can be restored for 30 days (specification, section 4.17). */
import * as v from "valibot";
import { records } from "../entities/entity.ts";
import { internal, timestamp } from "../kinds/fields.ts";

/** The number of days for which a deleted item can be restored. */
export const BIN_RETENTION_DAYS = 30;

export const bin = records("bin", "Deleted item", {
  readers: "none",
  section: "Trash",
  keys: ["id", "entity", "until"],
  isNeededOnFullDisk: true,
  // A record has the id of its item.
  fields: {
    /** The key of the item's entity. */
    entity: internal("Entity", v.string(), ""),
    /** The entity's version when the item was deleted. */
    version: internal("Version", v.number(), 1),
    item: internal<Readonly<Record<string, unknown>>>(
      "Item",
      v.record(v.string(), v.unknown()),
      {},
    ),
    deletedAt: timestamp("Deleted", "create"),
    /** From this time on the item is hidden, and is deleted permanently. */
    until: timestamp("Kept until", "create"),
  },
});

/** The categories of the bin: pictures, records of visitors, and all other items. */
export const BIN_KINDS = ["pictures", "enquiries", "other"] as const;
export type BinKind = (typeof BIN_KINDS)[number];

/** Returns the category of an entity's items. */
export function getBinKind(entity: string): BinKind {
  if (entity === "uploads") return "pictures";
  return entity === "formSubmissions" ? "enquiries" : "other";
}
