/** Keeps drafts while the dashboard is open, and updates the base they were typed over. */
import { effect } from "@preact/signals-react";
import type { EntityKey } from "../../../schema/index.ts";
import { queryClient } from "./client.ts";
import { drafts, patchDraft, findUnsavedDrafts } from "./drafts.ts";
import { DRAFT_KEY_PREFIX, loadDrafts, storeDrafts } from "./draftStorage.ts";
import { onWrite, type WriteEtags } from "./writes.ts";

/**
 * Restores drafts of an earlier visit, stores every change on this device, and tracks changes by this page, other
 * windows and other people. Returns a function that stops.
 */
export function startDraftPersistence(): () => void {
  drafts.value = { ...loadDrafts(), ...drafts.value };
  window.addEventListener("storage", handleStorageEvent);
  const ends = [
    effect(() => storeDrafts(findUnsavedDrafts())),
    () => window.removeEventListener("storage", handleStorageEvent),
    startDraftSync(),
  ];
  return () => ends.forEach((end) => end());
}

/** Tracks this page's writes and all reads. Returns a function that stops. */
export function startDraftSync(): () => void {
  const stopReads = queryClient.getQueryCache().subscribe(({ type, query }) => {
    if (type !== "updated") return;
    const [key] = query.queryKey;
    if (findUnsavedDrafts().some((draft) => draft.item && draft.key === key))
      loadOtherWindows(({ markDraftsOfDeletedItems: markDraftsOfDeleted }) =>
        markDraftsOfDeleted(query.queryKey, query.state.data),
      );
  });
  const stopWrites = onWrite(rebaseDrafts);
  return () => {
    stopReads();
    stopWrites();
  };
}

const handleStorageEvent = ({ key }: StorageEvent) => {
  if (key?.startsWith(DRAFT_KEY_PREFIX))
    loadOtherWindows(({ applyDraftOfOtherWindow: followWindow }) => followWindow(key));
};

/** Loads the code when something changes elsewhere; if that fails, this window's drafts are unchanged. */
function loadOtherWindows(then: (code: typeof import("./otherWindows.ts")) => void): void {
  import("./otherWindows.ts").then(then, () => undefined);
}

/** Our own write is no conflict: drafts based on the state before are now based on the one after. */
function rebaseDrafts(key: EntityKey, { before, after }: WriteEtags): void {
  for (const draft of Object.values(drafts.value))
    if (before && draft.key === key && draft.etag === before) patchDraft(draft.id, { etag: after });
}
