/** The parent of a deleted item has to exist before the item is restored. */
import type { StoredItem } from "../../schema/entity.ts";
import { entities, entityWith } from "../../schema/index.ts";
import { conflict } from "../shared/errors.ts";
import type { Transaction } from "../storage/store.ts";
import { listed, type Listed } from "./listedItems.ts";

/** Throws `conflict` when a deleted item's parent is gone or in the bin. */
export async function requireKeptParent(
  transaction: Transaction,
  { parent, label }: Listed,
  item: StoredItem,
): Promise<void> {
  if (!parent) return;
  const id = item[parent.field] as string;
  const whole = entityWith(parent.entity) as Listed;
  if (await listed(transaction, whole, id)) return;
  const [what, whose] = [label, whole.label].map((each) => each.toLowerCase());
  throw conflict(
    (await transaction.of(entities.bin).get(id))
      ? `This ${what} belongs to a ${whose} that is in the bin too. Put the ${whose} back first.`
      : `The ${whose} that this ${what} belonged to is gone, so it can't be put back.`,
  );
}
