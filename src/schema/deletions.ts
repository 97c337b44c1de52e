/** Deletions of items that others belong to, from before the item goes until all of it is gone. */
import * as v from "valibot";
import { collection } from "./entity.ts";
import { internal, moment } from "./fields.ts";

export const deletions = collection("deletions", "Deletion", {
  readers: "none",
  history: false,
  limit: 10_000,
  fields: {
    /** The key of the entity that the item is of. */
    entity: internal("Entity", v.string(), ""),
    /** The item's id. */
    item: internal("Item", v.string(), ""),
    notedAt: moment("Noted", "create"),
  },
});
