/** The secret URL of an owner's calendar feed of calls. Its routes aren't generated from this declaration. */
import * as v from "valibot";
import { INTERNAL_DATA, singleton } from "../entities/entity.ts";
import { internal } from "../kinds/fields.ts";

export const callsCalendar = singleton("callsCalendar", "Calendar of calls", {
  // A restore must not make a replaced URL work again.
  ...INTERNAL_DATA,
  fields: {
    /** SHA-256 of the key, in hex; empty without a feed. */
    keyHash: internal("Key", v.string(), ""),
    /** The id of the owner. The feed ends when this user is no longer an owner. */
    madeBy: internal("Created by", v.string(), ""),
    madeAt: internal("Created", v.nullable(v.string()), null),
  },
});
