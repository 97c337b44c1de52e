/** The trash: deleted items, which can be restored for 30 days (specification, section 4.17). */
import * as v from "valibot";
import { records } from "../entities/entity.ts";
import { internal, timestamp } from "../kinds/fields.ts";

export const BIN_RETENTION_DAYS = 30;

export const bin = records("bin", "Deleted item", {
  readers: "none",
  section: "Trash",
  keys: ["id", "entity", "until"],
  isNeededOnFullDisk: true,
  // The record has the same id as the deleted item.
  fields: {
    /** The key of the entity to which the item belongs. */
    entity: internal("Entity", v.string(), ""),
    /** The version of the entity's format in which the item is stored. */
    version: internal("Version", v.number(), 1),
    item: internal<Readonly<Record<string, unknown>>>(
      "Item",
      v.record(v.string(), v.unknown()),
      {},
    ),
    deletedAt: timestamp("Deleted", "create"),
    /** The end of the 30 days: from this time the item is hidden, until a job deletes it permanently. */
    until: timestamp("Kept until", "create"),
  },
});

/** The categories of the trash: pictures, enquiries, and all other items. */
export const BIN_KINDS = ["pictures", "enquiries", "other"] as const;
export type BinKind = (typeof BIN_KINDS)[number];

/** Returns the category for deleted items of the entity with this key. */
export function getBinKind(entity: string): BinKind {
  if (entity === "uploads") return "pictures";
  return entity === "formSubmissions" ? "enquiries" : "other";
}
