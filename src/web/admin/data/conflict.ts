/** Resolves a conflict with somebody who saved first; loaded with the dialog. */
import { discardDraft, drafts, patchDraft, findDraftIdsSavedTogether } from "./drafts.ts";
import { saveDraft, saveDrafts } from "./saveDraft.ts";

/** Saves this draft over the version shown; if there is a third one by now, the owner is asked about that. */
export async function saveOverOther(id: string): Promise<void> {
  const { otherEtag = null } = drafts.value[id] ?? {};
  patchDraft(id, {
    etag: otherEtag,
    phase: "unsaved",
    otherValue: undefined,
    otherEtag: undefined,
  });
  await saveDraft(id);
}

/**
 * Discards the draft; the refusal contains the other version, so it is shown immediately. Other drafts that were to
 * be saved with it are saved.
 */
export async function discardForOther(id: string): Promise<void> {
  const others = findDraftIdsSavedTogether(id).filter((each) => each !== id);
  discardDraft(id);
  await saveDrafts(others);
}
