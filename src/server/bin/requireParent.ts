/** The parent of a deleted item has to exist before the item is restored. */
import { getParentId, type StoredItem } from "../../schema/entities/entity.ts";
import { entities, parentList } from "../../schema/index.ts";
import { conflict } from "../shared/errors.ts";
import type { Transaction } from "../storage/store.ts";
import { getListedItem, type DeletableEntity } from "./deletableItems.ts";

/** Throws `conflict` when a deleted item's parent is deleted or in the bin. */
export async function requireParent(
  transaction: Transaction,
  entity: DeletableEntity,
  item: StoredItem,
): Promise<void> {
  const list = parentList(entity);
  if (!entity.parent || !list) return;
  const id = getParentId(entity.parent, item);
  if (await getListedItem(transaction, list, id)) return;
  const [itemLabel, parentLabel] = [entity.label, list.label].map((each) => each.toLowerCase());
  throw conflict(
    (await transaction.of(entities.bin).get(id))
      ? `This ${itemLabel} belongs to a ${parentLabel} that is also in the trash. Restore the ${parentLabel} first.`
      : `The ${parentLabel} that this ${itemLabel} belonged to no longer exists, so it can't be restored.`,
  );
}
