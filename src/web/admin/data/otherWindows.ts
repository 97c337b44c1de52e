/** Handles changes to drafts by other windows and other people. Loaded with the first change of this kind. */
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

/**
 * Replaces this window's draft with the draft that another window stored. Discards the draft if the other window has
 * removed it.
 */
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
  // If another window has saved the draft, the stored values in this window's cache are outdated.
  if (draft && (!storedDraft || isBaseOutdated(storedDraft)))
    void queryClient.invalidateQueries({ queryKey: createEntityQueryKey(draft.key, draft.parent) });
}

const DELETED_MESSAGE =
  "This was deleted elsewhere. Discard your changes, or have it restored from the trash.";

/**
 * Marks drafts whose items have been deleted. The forms of such drafts no longer exist, so the save bar offers to
 * discard the drafts.
 */
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

/**
 * Whether the draft is based on another version than the one in this window's cache. Always false for unsent forms
 * (useUnsentForm.ts).
 */
function isBaseOutdated(draft: DraftState): boolean {
  const { key, etag, hasOwnSubmit } = draft;
  const stored = queryClient.getQueryData(
    createEntityQuery(key, chooseReadParameter(key, draft)).queryKey,
  );
  return !hasOwnSubmit && etag !== (stored?.etag ?? null);
}
