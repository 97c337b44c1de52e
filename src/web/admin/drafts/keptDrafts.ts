/** Drafts in the browser's own storage: a closed tab or an empty battery loses nothing. */
import type { DraftState } from "./drafts.ts";

const PLACE = "limelight:drafts";

/** Keeps what is unsaved; a browser without room or permission just keeps less. */
export function keepDrafts(drafts: readonly DraftState[]): void {
  const unsaved = drafts.filter((draft) => Object.keys(draft.changes).length > 0);
  try {
    if (unsaved.length === 0) localStorage.removeItem(PLACE);
    else localStorage.setItem(PLACE, JSON.stringify(unsaved));
  } catch {
    // The drafts still live in this page; leaving it asks first.
  }
}

/** The drafts of an earlier visit, by id; nothing when there are none or they can't be read. */
export function keptDrafts(): Record<string, DraftState> {
  try {
    const kept = JSON.parse(localStorage.getItem(PLACE) ?? "[]") as DraftState[];
    return Object.fromEntries(kept.map((draft) => [draft.id, atRest(draft)]));
  } catch {
    return {};
  }
}

function atRest(draft: DraftState): DraftState {
  const { theirs: _, ...rest } = draft;
  return { ...rest, phase: "unsaved", reason: "", errors: {} };
}
