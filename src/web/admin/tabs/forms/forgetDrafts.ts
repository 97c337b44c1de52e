/** Forgets what was typed for a form or a step that is gone: it could never be saved. */
import { discardDraft, drafts } from "../../drafts/drafts.ts";

/** `ids` are those of everything that went. */
export function forgetDrafts(ids: readonly string[]): void {
  const gone = new Set<string | undefined>(ids);
  for (const { id, item, parent } of Object.values(drafts.value))
    if (gone.has(item) || gone.has(parent)) discardDraft(id);
}
