/** What is stored with everything typed laid over it: for previews. Read it where signals are followed. */
import { initialValues } from "../../../schema/check.ts";
import { type DocumentKey, entities } from "../../../schema/index.ts";
import { type DraftState, drafts, isUnsaved, NEW } from "./drafts.ts";
import { draftSettings } from "./saveDraft.ts";

/** A value as it will be once everything typed is saved. */
export interface EditedValue<T> {
  readonly value: T;
  readonly edited: boolean;
  /** The draft of an item that is not stored yet; it comes last in its list. */
  readonly fresh: DraftState | undefined;
}

/** Lays the drafts of an entity over its stored value: an object, or a list of items. */
export function editedValue<T>(key: DocumentKey, stored: T): EditedValue<T> {
  const typed = Object.values(drafts.value).filter(
    (draft) => draft.key === key && isUnsaved(draft),
  );
  const fresh = typed.find((draft) => draft.item === NEW);
  const value = Array.isArray(stored)
    ? [...stored.map((item) => ({ ...item, ...changesOf(typed, item) })), ...newItem(fresh)]
    : Object.assign({}, stored, ...typed.map((draft) => draft.changes));
  return { value: value as T, edited: typed.length > 0, fresh };
}

function changesOf(typed: readonly DraftState[], item: { id: string }) {
  return typed.find((draft) => draft.item === item.id)?.changes;
}

function newItem(draft: DraftState | undefined): object[] {
  if (!draft) return [];
  const initial = initialValues(entities[draft.key].fields);
  return [{ ...initial, ...draftSettings.get(draft.id)?.initial, ...draft.changes, id: NEW }];
}
