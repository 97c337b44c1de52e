/** What other windows of this browser and other people do to drafts; fetched when they do. */
import { queryClient } from "./client.ts";
import { discardDraft, drafts, type DraftState, NEW, patchDraft, unsavedDrafts } from "./drafts.ts";
import { draftIn, known, PREFIX } from "./keptDrafts.ts";
import { entityQuery, queryKeyOf } from "./useEntity.ts";

/** Another window has typed into a draft, or has saved or discarded it: what lies on the device counts. */
export function hearWindow(name: string): void {
  const id = name.slice(PREFIX.length);
  const text = localStorage.getItem(name) ?? "";
  if (text === (known.get(id) ?? "")) return;
  const here = drafts.value[id];
  const there = draftIn(text);
  if (there) {
    known.set(id, text);
    const phase = here?.phase === "saving" ? here.phase : there.phase;
    drafts.value = { ...drafts.value, [id]: { ...there, phase, isTypedElsewhere: true } };
  } else {
    known.delete(id);
    discardDraft(id);
  }
  const draft = there ?? here;
  // It has saved meanwhile: what it stands on is not what this window has read.
  if (draft && (!there || isOverAnother(there)))
    void queryClient.invalidateQueries({ queryKey: queryKeyOf(draft.key, draft.parent) });
}

const GONE =
  "This was deleted somewhere else. Discard what you typed, or have it put back from the bin.";

/** What was typed into an item that is no longer in its list has no form: the save bar offers to discard it. */
export function noticeGone([key, list]: readonly unknown[], data: unknown): void {
  const items = (data as { readonly value?: unknown } | undefined)?.value;
  if (!Array.isArray(items)) return;
  for (const { id, item, parent, ...draft } of unsavedDrafts()) {
    const isOfList = draft.key === key && parent === list && item !== undefined && item !== NEW;
    if (isOfList && draft.reason !== GONE && !items.some((each) => each.id === item))
      patchDraft(id, { inBar: true, phase: "failed", reason: GONE });
  }
}

/** Whether it stands on another state than this window has read; what sends itself is read elsewhere. */
function isOverAnother({ key, parent, etag, sendsItself }: DraftState): boolean {
  const stored = queryClient.getQueryData(entityQuery(key, parent).queryKey);
  return !sendsItself && etag !== (stored?.etag ?? null);
}
