/**
 * Creates an item of any declared entity that can be stored: the initial values, with a value for each required field.
 */
import type { Entity } from "../../src/schema/entities/entity.ts";
import { type Field, type Fields, WALL_TIME } from "../../src/schema/kinds/fields.ts";

export const createFilledItem = ({ fields }: Entity): Record<string, unknown> => ({
  ...Object.fromEntries(
    Object.entries(fields as Fields).map(([name, field]) => [name, createFieldValue(field)]),
  ),
  id: "x",
});

/** Returns an initial or, if it is required, a filled value. "/x" is valid for addresses and for texts. */
function createFieldValue({ kind, initial, required }: Field): unknown {
  if (!required || initial !== "") return initial;
  return kind === WALL_TIME ? "2099-01-01T10:00" : "/x";
}
