/** The address by which an owner's calendar follows their calls; it has no routes of its own. */
import * as v from "valibot";
import { singleton } from "./entity.ts";
import { internal } from "./fields.ts";

export const callsCalendar = singleton("callsCalendar", "Calendar of calls", {
  readers: "none",
  // What was replaced since must not open anything once more.
  staysOnRestore: true,
  permission: "site",
  history: false,
  fields: {
    /** SHA-256 of the key, in hex; empty: there is none. */
    keyHash: internal("Key", v.string(), ""),
    madeAt: internal("Made", v.nullable(v.string()), null),
  },
});
