/** What the owner has deleted: kept for 30 days, so that it can be put back (specification, section 4.17). */
import * as v from "valibot";
import { records } from "./entity.ts";
import { internal, moment } from "./fields.ts";

/** How long it is kept. */
export const BIN_DAYS = 30;

export const bin = records("bin", "Deleted item", {
  readers: "none",
  section: "Bin",
  keys: ["id", "entity", "until"],
  needed: true,
  // The id is the item's own.
  fields: {
    /** The key of the entity that it is of. */
    entity: internal("Entity", v.string(), ""),
    /** Of that entity, when it was deleted. */
    version: internal("Version", v.number(), 1),
    item: internal<Readonly<Record<string, unknown>>>(
      "Item",
      v.record(v.string(), v.unknown()),
      {},
    ),
    deletedAt: moment("Deleted", "create"),
    /** From then on it is out of sight, and goes for good. */
    until: moment("Kept until", "create"),
  },
});

/** How the bin is looked through: pictures, what visitors sent, and the rest. */
export const BIN_KINDS = ["pictures", "enquiries", "other"] as const;
export type BinKind = (typeof BIN_KINDS)[number];

/** Under which of these an entity's items are found. */
export function binKindOf(entity: string): BinKind {
  if (entity === "uploads") return "pictures";
  return entity === "formSubmissions" ? "enquiries" : "other";
}
