/** Puts a list into another order (spec section 7, the reorder calls). */
import * as v from "valibot";
import type { Collection } from "../../schema/entity.ts";
import type { Field } from "../../schema/fields.ts";
import { invalid } from "../http/refusal.ts";
import type { StoredItem } from "../storage/entitySpecs.ts";
import { ownersList } from "./ownersList.ts";

/** The place each named item gets, by id. */
export type Places = ReadonlyMap<string, number>;

const CHANGED = "The list has changed meanwhile. Load it again, then order it.";
const TWICE = "An item is named twice. Name each one once.";

/**
 * What a reorder call asks for: `{updates:[{id, order}]}`, `{stepIds:[…]}` or `{fieldIds:[…]}`.
 * Raises a 422 for another shape, or for an item named twice.
 */
export function readPlaces(entity: Collection, sent: unknown): Places {
  const { request, first, field } = entity.arrangement!;
  const list = (sent as Record<string, unknown> | null)?.[request];
  const pairs =
    request === "updates"
      ? readUpdates(list, (entity.fields as Record<string, Field>)[field]!)
      : readIds(list, request).map((id, at) => [id, at + first] as const);
  const places = new Map(pairs);
  if (places.size < pairs.length) throw invalid(TWICE);
  return places;
}

function readUpdates(list: unknown, field: Field): (readonly [string, number])[] {
  const order = field.schema as v.GenericSchema<unknown, number>;
  const updates = v.safeParse(v.array(v.object({ id: v.string(), order })), list);
  if (!updates.success) throw invalid("Send updates: a list of {id, order}.");
  return updates.output.map(({ id, order }) => [id, order] as const);
}

function readIds(list: unknown, request: string): string[] {
  const ids = v.safeParse(v.array(v.string()), list);
  if (!ids.success || ids.output.length === 0) throw invalid(`Send ${request}: a list of ids.`);
  return ids.output;
}

/**
 * The parent that the named items share; undefined for a list without. Raises a 422 for an unknown
 * id, and for items of different parents.
 */
export function sharedParent(
  { parent }: Collection,
  items: readonly StoredItem[],
  places: Places,
): string | undefined {
  const named = items.filter(({ id }) => places.has(id));
  if (named.length < places.size) throw invalid(CHANGED);
  const parents = new Set(parent ? named.map((item) => item[parent.field]) : []);
  if (parents.size > 1) throw invalid("Order the items of one list at a time.");
  return [...parents][0] as string | undefined;
}

/** All items with their new places; where ids were sent, those not named follow in their old order. */
export function reordered(
  entity: Collection,
  items: readonly StoredItem[],
  places: Places,
  parentId: string | undefined,
): StoredItem[] {
  const { field, request, first } = entity.arrangement!;
  const all = new Map(places);
  if (request !== "updates")
    for (const { id } of ownersList(entity, items, parentId))
      if (!all.has(id)) all.set(id, all.size + first);
  return items.map((item) => (all.has(item.id) ? { ...item, [field]: all.get(item.id) } : item));
}
