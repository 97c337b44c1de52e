/** Applies all unsaved changes to stored values, for previews. */
import { getInitialValues } from "../../../schema/entities/check.ts";
import { type DocumentKey, entities, type Item } from "../../../schema/index.ts";
import { type DraftState, NEW_ITEM_ID, useUnsavedDrafts } from "./drafts.ts";
import { useEntity } from "./useEntity.ts";

interface EditedValue<T> {
  readonly value: T;
  readonly isEdited: boolean;
  /** The draft of a new item; undefined without one. The new item is the last in the list. */
  readonly newItemDraft: DraftState | undefined;
}

export function applyDrafts<T>(
  key: DocumentKey,
  stored: T,
  unsavedDrafts: readonly DraftState[],
): EditedValue<T> {
  const entityDrafts = unsavedDrafts.filter((draft) => draft.key === key);
  const newItemDraft = entityDrafts.find((draft) => draft.item === NEW_ITEM_ID);
  const value = Array.isArray(stored)
    ? [
        ...stored.map((item) => ({ ...item, ...findItemChanges(entityDrafts, item) })),
        ...createItemsOfDraft(newItemDraft),
      ]
    : Object.assign({}, stored, ...entityDrafts.map((draft) => draft.changes));
  return { value: value as T, isEdited: entityDrafts.length > 0, newItemDraft };
}

function findItemChanges(drafts: readonly DraftState[], item: { id: string }) {
  return drafts.find((draft) => draft.item === item.id)?.changes;
}

function createItemsOfDraft(draft: DraftState | undefined): object[] {
  if (!draft) return [];
  const initial = getInitialValues(entities[draft.key].fields);
  return [{ ...initial, ...draft.initial, ...draft.changes, id: NEW_ITEM_ID }];
}

export interface EditedList<K extends DocumentKey> {
  readonly items: readonly Item<K>[];
  /** The note in the preview's heading. False without changes. */
  readonly editedLabel: false | string;
  readonly newItem: Item<K> | undefined;
}

export function useEditedList<K extends DocumentKey>(key: K): EditedList<K> {
  const stored = (useEntity(key).value ?? []) as readonly Item<K>[];
  const { value: items, isEdited, newItemDraft } = applyDrafts(key, stored, useUnsavedDrafts());
  return {
    items,
    editedLabel: newItemDraft ? "Includes the unsaved item" : isEdited && "Not saved yet",
    newItem: newItemDraft && items.at(-1),
  };
}
