/** Handles changes to drafts by other windows and other people; loaded when there are any. */
import { queryClient } from "./client.ts";
import { discardDraft, drafts, type DraftState, NEW, patchDraft, unsavedDrafts } from "./drafts.ts";
import { draftIn, storedTexts, PREFIX } from "./draftStorage.ts";
import { entityQuery, queryKeyOf, readParams } from "./useEntity.ts";

/** Another window changed, saved or discarded a draft: the stored copy counts. */
export function applyOtherWindowsDraft(name: string): void {
  const id = name.slice(PREFIX.length);
  const text = localStorage.getItem(name) ?? "";
  if (text === (storedTexts.get(id) ?? "")) return;
  const local = drafts.value[id];
  const stored = draftIn(text);
  if (stored) {
    storedTexts.set(id, text);
    const phase = local?.phase === "saving" ? local.phase : stored.phase;
    drafts.value = { ...drafts.value, [id]: { ...stored, phase, isEditedInOtherWindow: true } };
  } else {
    storedTexts.delete(id);
    discardDraft(id);
  }
  const draft = stored ?? local;
  // The other window saved it: its base isn't what this window has read.
  if (draft && (!stored || isOverAnother(stored)))
    void queryClient.invalidateQueries({ queryKey: queryKeyOf(draft.key, draft.parent) });
}

const DELETED_MESSAGE =
  "This was deleted in another window. Discard your changes, or ask an owner to restore it from the trash.";

/** Drafts of items no longer in their list have no form: the save bar offers to discard them. */
export function markDraftsOfDeleted([key, list]: readonly unknown[], data: unknown): void {
  const items = (data as { readonly value?: unknown } | undefined)?.value;
  if (!Array.isArray(items)) return;
  for (const { id, item, parent, ...draft } of unsavedDrafts()) {
    const isOfList = draft.key === key && parent === list && item !== undefined && item !== NEW;
    if (isOfList && draft.reason !== DELETED_MESSAGE && !items.some((each) => each.id === item))
      patchDraft(id, { isInSaveBar: true, phase: "failed", reason: DELETED_MESSAGE });
  }
}

/**
 * Whether its base isn't the version that this window has read; forms that send themselves are read
 * elsewhere.
 */
function isOverAnother(draft: DraftState): boolean {
  const { key, etag, hasOwnSubmit: sendsItself } = draft;
  const stored = queryClient.getQueryData(entityQuery(key, readParams(key, draft)).queryKey);
  return !sendsItself && etag !== (stored?.etag ?? null);
}
