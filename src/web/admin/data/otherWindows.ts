/** Handles changes to drafts by other windows and other people; loaded when there are any. */
import { queryClient } from "./client.ts";
import { discardDraft, drafts, type DraftState, NEW, patchDraft, unsavedDrafts } from "./drafts.ts";
import { draftIn, known, PREFIX } from "./draftStorage.ts";
import { entityQuery, queryKeyOf, readParams } from "./useEntity.ts";

/** Another window changed, saved or discarded a draft: the stored copy counts. */
export function applyOtherWindowsDraft(name: string): void {
  const id = name.slice(PREFIX.length);
  const text = localStorage.getItem(name) ?? "";
  if (text === (known.get(id) ?? "")) return;
  const here = drafts.value[id];
  const there = draftIn(text);
  if (there) {
    known.set(id, text);
    const phase = here?.phase === "saving" ? here.phase : there.phase;
    drafts.value = { ...drafts.value, [id]: { ...there, phase, isEditedInOtherWindow: true } };
  } else {
    known.delete(id);
    discardDraft(id);
  }
  const draft = there ?? here;
  // The other window saved it: its base isn't what this window has read.
  if (draft && (!there || isOverAnother(there)))
    void queryClient.invalidateQueries({ queryKey: queryKeyOf(draft.key, draft.parent) });
}

const GONE =
  "This was deleted in another window. Discard your changes, or ask an owner to restore it from the trash.";

/** Drafts of items no longer in their list have no form: the save bar offers to discard them. */
export function markDraftsOfDeleted([key, list]: readonly unknown[], data: unknown): void {
  const items = (data as { readonly value?: unknown } | undefined)?.value;
  if (!Array.isArray(items)) return;
  for (const { id, item, parent, ...draft } of unsavedDrafts()) {
    const isOfList = draft.key === key && parent === list && item !== undefined && item !== NEW;
    if (isOfList && draft.reason !== GONE && !items.some((each) => each.id === item))
      patchDraft(id, { isInSaveBar: true, phase: "failed", reason: GONE });
  }
}

/** Whether its base isn't what this window has read; forms that send themselves are read elsewhere. */
function isOverAnother(draft: DraftState): boolean {
  const { key, etag, hasOwnSubmit: sendsItself } = draft;
  const stored = queryClient.getQueryData(entityQuery(key, readParams(key, draft)).queryKey);
  return !sendsItself && etag !== (stored?.etag ?? null);
}
