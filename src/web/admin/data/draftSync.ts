/**
 * Keeps drafts up to date while the dashboard is open: stores them, applies changes from other windows, and detects
 * deleted items.
 */
import { effect } from "@preact/signals-react";
import { queryClient } from "./client.ts";
import { drafts, findUnsavedDrafts } from "./drafts.ts";
import { DRAFT_KEY_PREFIX, loadDrafts, storeDrafts } from "./draftStorage.ts";

/** Restores the stored drafts, then stores every change. Returns a function that stops storing. */
export function startDraftPersistence(): () => void {
  drafts.value = { ...loadDrafts(), ...drafts.value };
  window.addEventListener("storage", handleStorageEvent);
  const stopFunctions = [
    effect(() => storeDrafts(findUnsavedDrafts())),
    () => window.removeEventListener("storage", handleStorageEvent),
    startDraftSync(),
  ];
  return () => stopFunctions.forEach((stop) => stop());
}

/**
 * Marks drafts as deleted if a newly read list no longer contains their items. Returns a function that stops watching.
 */
export function startDraftSync(): () => void {
  return queryClient.getQueryCache().subscribe(({ type, query }) => {
    if (type !== "updated") return;
    const [entityKey] = query.queryKey;
    if (findUnsavedDrafts().some((draft) => draft.item && draft.key === entityKey))
      loadOtherWindowsCode(({ markDraftsOfDeletedItems }) =>
        markDraftsOfDeletedItems(query.queryKey, query.state.data),
      );
  });
}

const handleStorageEvent = ({ key }: StorageEvent) => {
  if (key?.startsWith(DRAFT_KEY_PREFIX))
    loadOtherWindowsCode(({ applyDraftOfOtherWindow }) => applyDraftOfOtherWindow(key));
};

/** Loads otherWindows.ts and passes it to `onLoaded`. If loading fails, this window's drafts stay unchanged. */
function loadOtherWindowsCode(onLoaded: (code: typeof import("./otherWindows.ts")) => void): void {
  import("./otherWindows.ts").then(onLoaded, () => undefined);
}
