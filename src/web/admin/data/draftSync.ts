/** Keeps drafts up to date: stores them, applies changes from other windows, and detects deleted items. */
import { effect } from "@preact/signals-react";
import { queryClient } from "./client.ts";
import { drafts, findUnsavedDrafts } from "./drafts.ts";
import { DRAFT_KEY_PREFIX, loadDrafts, storeDrafts } from "./draftStorage.ts";

/** Restores the stored drafts, then stores every change. Returns a function that stops this. */
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

/** Marks drafts whose items are missing in a newly read list. Returns a function that stops this. */
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

/** If otherWindows.ts fails to load, this window's drafts stay unchanged. */
function loadOtherWindowsCode(onLoaded: (code: typeof import("./otherWindows.ts")) => void): void {
  import("./otherWindows.ts").then(onLoaded, () => undefined);
}
