/** The secret URL of an owner's calendar feed of calls; it has no generated routes. */
import * as v from "valibot";
import { singleton } from "../entities/entity.ts";
import { internal } from "../kinds/fields.ts";

export const callsCalendar = singleton("callsCalendar", "Calendar of calls", {
  readers: "none",
  // A URL that was replaced since must not work again.
  isRetainedOnRestore: true,
  permission: "site",
  hasHistory: false,
  fields: {
    /** SHA-256 of the key, in hex; empty without a feed. */
    keyHash: internal("Key", v.string(), ""),
    /** The owner's id: it opens nothing once they are none. */
    madeBy: internal("Created by", v.string(), ""),
    madeAt: internal("Created", v.nullable(v.string()), null),
  },
});
