/** What becomes of drafts when what they were typed over is written, or is gone when it is read again. */
import type { EntityKey } from "../../../schema/index.ts";
import { queryClient } from "./client.ts";
import { drafts, type DraftState, NEW, patchDraft, unsavedDrafts } from "./drafts.ts";
import { entityQuery } from "./useEntity.ts";
import { onWrite, type WriteEtags } from "./writes.ts";

/** Follows this page's own writes and every read. Returns how to end that. */
export function followDrafts(): () => void {
  const ends = [
    onWrite(followOwnWrite),
    queryClient.getQueryCache().subscribe(({ type, query }) => {
      if (type === "updated") noticeGone(query.queryKey, query.state.data);
    }),
  ];
  return () => ends.forEach((end) => end());
}

/** A write of our own is no conflict: drafts that stood on the state before stand on the one after. */
function followOwnWrite(key: EntityKey, { before, after }: WriteEtags): void {
  for (const draft of Object.values(drafts.value))
    if (before && draft.key === key && draft.etag === before) patchDraft(draft.id, { etag: after });
}

const GONE =
  "This was deleted somewhere else. Discard what you typed, or have it put back from the bin.";

/** What was typed into an item that is no longer in its list has no form: the save bar offers to discard it. */
function noticeGone([key, list]: readonly unknown[], data: unknown): void {
  const items = (data as { readonly value?: unknown } | undefined)?.value;
  if (!Array.isArray(items)) return;
  for (const { id, item, parent, ...draft } of unsavedDrafts()) {
    const isOfList = draft.key === key && parent === list && item !== undefined && item !== NEW;
    if (isOfList && draft.reason !== GONE && !items.some((each) => each.id === item))
      patchDraft(id, { inBar: true, phase: "failed", reason: GONE });
  }
}

/** The ETag of the state that this window has read; null while it has read none. */
export function knownEtag({ key, parent }: DraftState): string | null {
  return queryClient.getQueryData(entityQuery(key, parent).queryKey)?.etag ?? null;
}
