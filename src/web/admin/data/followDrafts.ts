/** What goes on with drafts while the dashboard is open: they are kept, and follow what they were typed over. */
import { effect } from "@preact/signals-react";
import type { EntityKey } from "../../../schema/index.ts";
import { queryClient } from "./client.ts";
import { drafts, patchDraft, unsavedDrafts } from "./drafts.ts";
import { PREFIX, readKept, writeKept } from "./keptDrafts.ts";
import { onWrite, type WriteEtags } from "./writes.ts";

/**
 * Takes up the drafts of an earlier visit, keeps every change of them on this device, and follows what
 * this page, other windows and other people do to what they stand on. Returns how to end that.
 */
export function keepDrafts(): () => void {
  takeUpDrafts();
  window.addEventListener("storage", hear);
  const ends = [
    effect(() => writeKept(unsavedDrafts())),
    () => window.removeEventListener("storage", hear),
    followDrafts(),
  ];
  return () => ends.forEach((end) => end());
}

/** Takes up the drafts of an earlier visit; again when an extra is known whose drafts couldn't be read before. */
export function takeUpDrafts(): void {
  drafts.value = { ...readKept(), ...drafts.value };
}

/** Follows this page's own writes and every read. Returns how to end that. */
export function followDrafts(): () => void {
  const stopReads = queryClient.getQueryCache().subscribe(({ type, query }) => {
    if (type !== "updated") return;
    const [key] = query.queryKey;
    if (unsavedDrafts().some((draft) => draft.item && draft.key === key))
      elsewhere(({ noticeGone }) => noticeGone(query.queryKey, query.state.data));
  });
  const stopWrites = onWrite(followOwnWrite);
  return () => {
    stopReads();
    stopWrites();
  };
}

const hear = ({ key }: StorageEvent) => {
  if (key?.startsWith(PREFIX)) elsewhere(({ hearWindow }) => hearWindow(key));
};

/** Its code comes when something happens elsewhere; without it this window's drafts are as they were. */
function elsewhere(then: (code: typeof import("./draftsElsewhere.ts")) => void): void {
  import("./draftsElsewhere.ts").then(then, () => undefined);
}

/** A write of our own is no conflict: drafts that stood on the state before stand on the one after. */
function followOwnWrite(key: EntityKey, { before, after }: WriteEtags): void {
  for (const draft of Object.values(drafts.value))
    if (before && draft.key === key && draft.etag === before) patchDraft(draft.id, { etag: after });
}
