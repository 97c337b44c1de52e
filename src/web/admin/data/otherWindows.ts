/** Handles changes to drafts by other windows and other people. Loaded with the first such change. */
import { queryClient } from "./client.ts";
import {
  discardDraft,
  drafts,
  type DraftState,
  NEW_ITEM_ID,
  patchDraft,
  findUnsavedDrafts,
} from "./drafts.ts";
import { parseDraft, storedTexts, DRAFT_KEY_PREFIX } from "./draftStorage.ts";
import { createEntityQuery, createEntityQueryKey, chooseReadParameter } from "./useEntity.ts";

/** Replaces this window's draft with the one that another window stored, or discards it if none is stored. */
export function applyDraftOfOtherWindow(storageKey: string): void {
  const id = storageKey.slice(DRAFT_KEY_PREFIX.length);
  const text = localStorage.getItem(storageKey) ?? "";
  if (text === (storedTexts.get(id) ?? "")) return;
  const localDraft = drafts.value[id];
  const storedDraft = parseDraft(text);
  if (storedDraft) {
    storedTexts.set(id, text);
    const phase = localDraft?.phase === "saving" ? localDraft.phase : storedDraft.phase;
    drafts.value = {
      ...drafts.value,
      [id]: { ...storedDraft, phase, isEditedInOtherWindow: true },
    };
  } else {
    storedTexts.delete(id);
    discardDraft(id);
  }
  const draft = storedDraft ?? localDraft;
  // If another window has saved the draft, this window's cache is outdated.
  if (draft && (!storedDraft || isBaseOutdated(storedDraft)))
    void queryClient.invalidateQueries({ queryKey: createEntityQueryKey(draft.key, draft.parent) });
}

const DELETED_MESSAGE =
  "This was deleted elsewhere. Discard your changes, or have it restored from the trash.";

/** Marks drafts of deleted items. Their forms no longer exist, so the save bar offers to discard the drafts. */
export function markDraftsOfDeletedItems(
  [entityKey, parentId]: readonly unknown[],
  data: unknown,
): void {
  const items = (data as { readonly value?: unknown } | undefined)?.value;
  if (!Array.isArray(items)) return;
  for (const { id, item, parent, ...draft } of findUnsavedDrafts()) {
    const isInList =
      draft.key === entityKey && parent === parentId && item !== undefined && item !== NEW_ITEM_ID;
    if (isInList && draft.reason !== DELETED_MESSAGE && !items.some((each) => each.id === item))
      patchDraft(id, { isInSaveBar: true, phase: "failed", reason: DELETED_MESSAGE });
  }
}

/** Whether the draft is based on another version than the cached one. */
function isBaseOutdated(draft: DraftState): boolean {
  const { key, etag, hasOwnSubmit } = draft;
  const stored = queryClient.getQueryData(
    createEntityQuery(key, chooseReadParameter(key, draft)).queryKey,
  );
  return !hasOwnSubmit && etag !== (stored?.etag ?? null);
}
