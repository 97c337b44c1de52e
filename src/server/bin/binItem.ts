/** Reads the items in rows of the bin with the schema of this release. */
import * as v from "valibot";
import { getInitialValues, createItemSchema } from "../../schema/entities/check.ts";
import type { ItemOf, StoredItem } from "../../schema/entities/entity.ts";
import { findEntityByKey, type Item } from "../../schema/index.ts";
import { migrateItem } from "../storage/storedValue.ts";
import type { DeletableEntity } from "./listedItems.ts";

export type BinRecord = Item<"bin">;

export interface BinItem {
  readonly entity: DeletableEntity;
  readonly item: StoredItem;
  readonly deletedAt: string;
  readonly until: string;
}

/** Parses a row of the bin; returns undefined if this release can't read the item. */
export function parseBinItem(row: BinRecord): BinItem | undefined {
  const { entity: entityKey, version, item, deletedAt, until } = row;
  const entity = findEntityByKey(entityKey);
  if (!entity || entity.shape === "singleton" || version > entity.version) return undefined;
  try {
    const parsed = v.safeParse(createItemSchema(entity), migrateItem(entity, version, item));
    if (!parsed.success || deletedAt === null || until === null) return undefined;
    return { entity, item: parsed.output as StoredItem, deletedAt, until };
  } catch {
    return undefined;
  }
}

/**
 * Selects the items of one entity. `isReadable` is false for an item that this release can't read; its missing fields
 * get initial values.
 */
export function selectBinItems<E extends DeletableEntity>(
  rows: readonly BinRecord[],
  entity: E,
): { readonly item: ItemOf<E>; readonly isReadable: boolean }[] {
  return rows
    .filter(({ entity: key }) => key === entity.key)
    .map((row) => {
      const readableItem = parseBinItem(row)?.item;
      const item: unknown = readableItem ?? {
        ...getInitialValues(entity.fields),
        ...(row.item as object),
      };
      // This cast is safe, because the item has passed the schema or its missing fields were filled in.
      return { item: item as ItemOf<E>, isReadable: readableItem !== undefined };
    });
}
