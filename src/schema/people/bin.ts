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

export const BIN_KINDS = ["pictures", "enquiries", "other"] as const;
export type BinKind = (typeof BIN_KINDS)[number];

export function getBinKind(entity: string): BinKind {
  if (entity === "uploads") return "pictures";
  return entity === "formSubmissions" ? "enquiries" : "other";
}
