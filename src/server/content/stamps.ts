/** The moments that the server sets itself: when an item was created, when it was last saved. */
import * as v from "valibot";
import type { Entity } from "../../schema/entity.ts";
import type { Field } from "../../schema/fields.ts";

/** The moments set on an occasion, by field. A creation is a save too. */
export function stamps(
  entity: Entity,
  occasion: "create" | "save",
  now: string,
): Record<string, string> {
  const moments = Object.entries(entity.fields as Record<string, Field>).filter(
    ([, field]) => isMoment(field, now) && (field.setBy === "save" || field.setBy === occasion),
  );
  return Object.fromEntries(moments.map(([name]) => [name, now]));
}

/** A moment is null until its first time, and takes a timestamp. */
const isMoment = ({ setBy, initial, schema }: Field, now: string) =>
  setBy !== "client" && initial === null && v.is(schema, now);
