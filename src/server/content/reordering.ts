/** Reorders lists. A reorder is one update of the store, so it happens completely or not at all. */
import { assertDefined } from "../../schema/core/assertDefined.ts";
import * as v from "valibot";
import {
  type Collection,
  getEntityFields,
  getParentId,
  type StoredItem,
} from "../../schema/entities/entity.ts";
import type { Field } from "../../schema/kinds/fields.ts";
import { assertIfMatch } from "../http/conditionalRequests.ts";
import { invalidInput } from "../shared/errors.ts";
import { createOwnerView } from "./parents.ts";
import type { ListContext } from "./listItemWrites.ts";
import { toFields } from "../http/body.ts";

/** Throws a 412 or a 422. */
export async function reorderItems(
  { entity, store }: ListContext,
  request: Request,
  input: unknown,
) {
  const positions = readPositions(entity, input);
  let parentId: string | undefined;
  let before: StoredItem[] = [];
  const saved = await store.of(entity).update((items) => {
    parentId = findSharedParent(entity, items, positions);
    before = createOwnerView(entity, items, parentId);
    assertIfMatch(request, before);
    const next = applyPositions(entity, items, positions, parentId);
    return Bun.deepEquals(next, items) ? items : next;
  });
  return { list: createOwnerView(entity, saved.value, parentId), before };
}

type Positions = ReadonlyMap<string, number>;

const LIST_CHANGED_MESSAGE = "The list has changed since you loaded it. Reload it, then try again.";
const DUPLICATE_ITEM_MESSAGE = "An item is listed twice. List each item once.";

const requireArrangement = ({ arrangement, key }: Collection) =>
  assertDefined(arrangement, `arrangement of ${key}`);

/** Reads `{updates:[{id, order}]}`, `{stepIds:[…]}` or `{fieldIds:[…]}`. Throws a 422 if an item is named twice. */
function readPositions(entity: Collection, input: unknown): Positions {
  const { bodyKey, firstPosition, field } = requireArrangement(entity);
  const entries = toFields(input)[bodyKey];
  const pairs =
    bodyKey === "updates"
      ? readUpdates(entries, assertDefined(getEntityFields(entity)[field], `field ${field}`))
      : readIds(entries, bodyKey).map((id, index) => [id, index + firstPosition] as const);
  const positions = new Map(pairs);
  if (positions.size < pairs.length) throw invalidInput(DUPLICATE_ITEM_MESSAGE);
  return positions;
}

function readUpdates(list: unknown, field: Field): (readonly [string, number])[] {
  const order = field.schema as v.GenericSchema<unknown, number>;
  const updates = v.safeParse(v.array(v.object({ id: v.string(), order })), list);
  if (!updates.success) throw invalidInput("Send updates: a list of {id, order}.");
  return updates.output.map(({ id, order }) => [id, order] as const);
}

function readIds(list: unknown, bodyKey: string): string[] {
  const ids = v.safeParse(v.array(v.string()), list);
  if (!ids.success || ids.output.length === 0)
    throw invalidInput(`Send ${bodyKey}: a list of ids.`);
  return ids.output;
}

/** Returns the items' parent; undefined for a list without parents. Throws a 422 for unknown ids or several parents. */
function findSharedParent(
  { parent }: Collection,
  items: readonly StoredItem[],
  positions: Positions,
): string | undefined {
  const namedItems = items.filter(({ id }) => positions.has(id));
  if (namedItems.length < positions.size) throw invalidInput(LIST_CHANGED_MESSAGE);
  const parents = new Set(parent ? namedItems.map((item) => getParentId(parent, item)) : []);
  if (parents.size > 1) throw invalidInput("Reorder one list at a time.");
  return [...parents][0];
}

/** Returns all items with their new positions. Items that weren't named follow the named ids. */
function applyPositions(
  entity: Collection,
  items: readonly StoredItem[],
  positions: Positions,
  parentId: string | undefined,
): StoredItem[] {
  const { field, bodyKey, firstPosition } = requireArrangement(entity);
  const allPositions = new Map(positions);
  if (bodyKey !== "updates")
    for (const { id } of createOwnerView(entity, items, parentId))
      if (!allPositions.has(id)) allPositions.set(id, allPositions.size + firstPosition);
  return items.map((item) =>
    allPositions.has(item.id) ? { ...item, [field]: allPositions.get(item.id) } : item,
  );
}
