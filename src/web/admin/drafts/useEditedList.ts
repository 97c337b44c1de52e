/** A list as it will be once everything typed is saved: for its preview. */
import { useSignals } from "@preact/signals-react/runtime";
import type { DocumentKey, Item } from "../../../schema/index.ts";
import { useEntity } from "../queries/useEntity.ts";
import { editedValue } from "./editedValue.ts";

/** A list whose items are edited one by one. */
export interface EditedList<K extends DocumentKey> {
  readonly items: readonly Item<K>[];
  /** False, or the words for the preview's head. */
  readonly edited: false | string;
  /** The place of an item that is not stored yet, counted from 0. */
  readonly newcomer: number | undefined;
}

/** The stored list with the drafts of its items laid over it. */
export function useEditedList<K extends DocumentKey>(key: K): EditedList<K> {
  useSignals();
  const stored = (useEntity(key).value ?? []) as unknown as readonly Item<K>[];
  const { value: items, edited, fresh } = editedValue(key, stored);
  return {
    items,
    edited: fresh ? "With the new one" : edited && "Not live yet",
    newcomer: fresh && items.length - 1,
  };
}
