/** A list as it will be once everything typed is saved: for its preview. */
import { useSignals } from "@preact/signals-react/runtime";
import { initialValues } from "../../../schema/check.ts";
import { type Content, type DocumentKey, entities, type Item } from "../../../schema/index.ts";
import { useEntity } from "../queries/useEntity.ts";
import { type DraftState, drafts, isUnsaved, NEW } from "./drafts.ts";
import { draftSettings } from "./saveDraft.ts";

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
  const { value } = useEntity(key);
  const stored = (value ?? []) as Content<K> & readonly Item<K>[];
  const typed = Object.values(drafts.value).filter(
    (draft) => draft.key === key && isUnsaved(draft),
  );
  const fresh = typed.find((draft) => draft.item === NEW);
  const items = stored.map((item) => ({ ...item, ...changesOf(typed, item) }));
  return {
    items: fresh ? [...items, newItem<K>(fresh)] : items,
    edited: fresh ? "With the new one" : typed.length > 0 && "Not live yet",
    newcomer: fresh && items.length,
  };
}

function changesOf(typed: readonly DraftState[], item: object): DraftState["changes"] | undefined {
  return typed.find((draft) => draft.item === (item as { id: string }).id)?.changes;
}

function newItem<K extends DocumentKey>({ key, id, changes }: DraftState): Item<K> {
  const initial = { ...initialValues(entities[key].fields), ...draftSettings.get(id)?.initial };
  return { ...initial, ...changes, id: NEW } as unknown as Item<K>;
}
