/** A list as its owner sees it; visitors get the view of `schema/visitorView.ts` of it. */
import type { Collection } from "../../schema/entity.ts";
import { arranged } from "../../schema/visitorView.ts";
import type { StoredItem } from "../storage/entitySpecs.ts";

/** By its arrangement, then by creation; the items of one parent, if the list has any. */
export function ownersList(
  entity: Collection,
  items: readonly StoredItem[],
  parentId?: string,
): StoredItem[] {
  const { parent } = entity;
  const own = parent ? items.filter((item) => item[parent.field] === parentId) : items;
  return arranged(entity, own);
}
