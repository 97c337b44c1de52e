/** Resolves a conflict: somebody else saved before the user did. Loaded with the conflict dialog. */
import { discardDraft, drafts, patchDraft, findGroupIds } from "./drafts.ts";
import { saveDraft, saveDrafts } from "./saveDraft.ts";

/** Saves the draft over the version that somebody else saved. A third version would cause a new conflict. */
export async function overwriteOtherVersion(id: string): Promise<void> {
  const { otherEtag = null } = drafts.value[id] ?? {};
  patchDraft(id, {
    etag: otherEtag,
    phase: "unsaved",
    otherValue: undefined,
    otherEtag: undefined,
  });
  await saveDraft(id);
}

/** Discards the draft, so that its form shows the other version. Saves the other drafts of its group. */
export async function acceptOtherVersion(id: string): Promise<void> {
  const otherIds = findGroupIds(id).filter((each) => each !== id);
  discardDraft(id);
  await saveDrafts(otherIds);
}
