/** Keeps stored drafts and their ETags up to date while the dashboard is open. */
import { effect } from "@preact/signals-react";
import type { EntityKey } from "../../../schema/index.ts";
import { queryClient } from "./client.ts";
import { drafts, patchDraft, findUnsavedDrafts } from "./drafts.ts";
import { DRAFT_KEY_PREFIX, loadDrafts, storeDrafts } from "./draftStorage.ts";
import { onWrite, type WriteEtags } from "./entityWrites.ts";

/** Restores stored drafts and stores every change. Returns a function that ends this. */
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

/** Updates drafts after this page's writes and reads. Returns a function that ends this. */
export function startDraftSync(): () => void {
  const stopFollowingReads = queryClient.getQueryCache().subscribe(({ type, query }) => {
    if (type !== "updated") return;
    const [entityKey] = query.queryKey;
    if (findUnsavedDrafts().some((draft) => draft.item && draft.key === entityKey))
      loadOtherWindowsCode(({ markDraftsOfDeletedItems }) =>
        markDraftsOfDeletedItems(query.queryKey, query.state.data),
      );
  });
  const stopFollowingWrites = onWrite(rebaseDrafts);
  return () => {
    stopFollowingReads();
    stopFollowingWrites();
  };
}

const handleStorageEvent = ({ key }: StorageEvent) => {
  if (key?.startsWith(DRAFT_KEY_PREFIX))
    loadOtherWindowsCode(({ applyDraftOfOtherWindow }) => applyDraftOfOtherWindow(key));
};

/** If the code fails to load, this window's drafts stay unchanged. */
function loadOtherWindowsCode(onLoaded: (code: typeof import("./otherWindows.ts")) => void): void {
  import("./otherWindows.ts").then(onLoaded, () => undefined);
}

/** Our own write is no conflict: drafts with the ETag before it get the one after it. */
function rebaseDrafts(key: EntityKey, { before, after }: WriteEtags): void {
  for (const draft of Object.values(drafts.value))
    if (before && draft.key === key && draft.etag === before) patchDraft(draft.id, { etag: after });
}
