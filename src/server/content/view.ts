/** What of the content a reader sees: the owner everything, visitors what is active and for everyone. */
import type { Collection, Entity } from "../../schema/entity.ts";
import type { Field } from "../../schema/fields.ts";
import type { StoredItem } from "../storage/entitySpecs.ts";

/** A list as its owner sees it: by its arrangement, then by creation; of one parent, if it has any. */
export function ownersList(
  { arrangement, parent }: Collection,
  items: readonly StoredItem[],
  parentId?: string,
): StoredItem[] {
  const mine = parent ? items.filter((item) => item[parent.field] === parentId) : [...items];
  if (!arrangement) return mine;
  const place = (item: StoredItem) => item[arrangement.field] as number;
  return mine.sort((one, other) => place(one) - place(other));
}

/** The same list for visitors. */
export function visitorsList(entity: Collection, list: readonly StoredItem[]) {
  const { activeField } = entity;
  const active = activeField ? list.filter((item) => item[activeField] === true) : list;
  return active.map((item) => visitorsValue(entity, item));
}

/** One value without the fields that are the owner's alone. */
export function visitorsValue(entity: Entity, value: Record<string, unknown>) {
  const fields = Object.entries(entity.fields as Record<string, Field>);
  const seen = fields.filter(([, { audience }]) => audience === "everyone");
  return Object.fromEntries(seen.map(([name]) => [name, value[name]]));
}
