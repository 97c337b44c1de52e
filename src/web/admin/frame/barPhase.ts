/** What the save bar is about, out of the phases of all drafts it shows. */
import type { DraftState } from "../drafts/drafts.ts";

/** What the bar says as a whole. */
export type BarPhase = "unsaved" | "saving" | "saved" | "failed";

/** The words of each phase. */
export const STATUS: Readonly<Record<BarPhase, string>> = {
  unsaved: "Unsaved changes",
  saving: "Saving…",
  saved: "Saved",
  failed: "Couldn’t save",
};

/** The phase of the bar; undefined when nothing is to be said. */
export function barPhase(shown: readonly DraftState[]): BarPhase | undefined {
  const has = (...phases: DraftState["phase"][]) =>
    shown.some(({ phase }) => phases.includes(phase));
  if (has("saving")) return "saving";
  if (has("failed", "conflict")) return "failed";
  if (has("unsaved")) return "unsaved";
  return has("saved") ? "saved" : undefined;
}
