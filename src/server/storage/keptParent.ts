/** What a deleted item belongs to has to be there before it comes back. */
import type { StoredItem } from "../../schema/entity.ts";
import { entityWith } from "../../schema/index.ts";
import { conflict } from "../shared/errors.ts";
import type { Bin } from "./bin.ts";
import { isListed, type Listed } from "./listedItems.ts";
import type { Store } from "./store.ts";

/** Throws `conflict` when what a deleted item belongs to isn't there, or in the bin itself. */
export async function requireKeptParent(
  store: Store,
  bin: Bin,
  { parent, label }: Listed,
  item: StoredItem,
): Promise<void> {
  if (!parent || (await isListed(store, parent.entity, item[parent.field] as string))) return;
  const [what, whose] = [label, entityWith(parent.entity)!.label].map((each) => each.toLowerCase());
  throw conflict(
    (await bin.get(item[parent.field] as string))
      ? `This ${what} belongs to a ${whose} that is in the bin too. Put the ${whose} back first.`
      : `The ${whose} that this ${what} belonged to is gone, so it can't be put back.`,
  );
}
