/** How an owner settles that somebody else saved first; fetched with the question. */
import { discardDraft, drafts, patchDraft, savedWith } from "./drafts.ts";
import { saveDraft, saveDrafts } from "./saveDraft.ts";

/**
 * Sends what was typed over what was shown of the other's: if there is a third version by now, it is
 * asked about in turn.
 */
export async function keepMine(id: string): Promise<void> {
  const { theirEtag = null } = drafts.value[id] ?? {};
  patchDraft(id, { etag: theirEtag, phase: "unsaved", theirs: undefined, theirEtag: undefined });
  await saveDraft(id);
}

/**
 * Forgets what was typed; what someone else saved came with the refusal, so it shows at once. What else was to be
 * saved with it then is.
 */
export async function takeTheirs(id: string): Promise<void> {
  const others = savedWith(id).filter((each) => each !== id);
  discardDraft(id);
  await saveDrafts(others);
}
