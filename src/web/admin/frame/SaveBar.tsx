/** Rises when something is unsaved: what it is, Discard, Save. */
import { useSignals } from "@preact/signals-react/runtime";
import { useEffect } from "react";
import { drafts, type DraftState } from "../data/drafts.ts";
import { saveDrafts } from "../data/saveDraft.ts";
import { type BarPhase, SaveBarContent } from "./SaveBarContent.tsx";

/** The one bar of the dashboard; Ctrl+S or Cmd+S saves too. */
export function SaveBar() {
  useSignals();
  const shown = Object.values(drafts.value).filter(
    (draft) => draft.inBar && draft.phase !== "clean",
  );
  useSaveKey();
  const phase = barPhase(shown);
  return (
    <div className="save-bar-place">
      <section className="save-bar" aria-label="Unsaved changes" data-phase={phase} hidden={!phase}>
        {phase && <SaveBarContent phase={phase} status={STATUS[phase]} shown={shown} />}
      </section>
      <output className="ui-hidden">{phase && STATUS[phase]}</output>
    </div>
  );
}

const STATUS: Readonly<Record<BarPhase, string>> = {
  unsaved: "Unsaved changes",
  saving: "Saving...",
  saved: "Saved",
  failed: "Couldn't save",
};

/** The phase of the bar as a whole; undefined when nothing is to be said. */
function barPhase(shown: readonly DraftState[]): BarPhase | undefined {
  const has = (...phases: DraftState["phase"][]) =>
    shown.some(({ phase }) => phases.includes(phase));
  if (has("saving")) return "saving";
  if (has("failed", "conflict")) return "failed";
  if (has("unsaved")) return "unsaved";
  return has("saved") ? "saved" : undefined;
}

function useSaveKey(): void {
  useEffect(() => {
    const save = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== "s" || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      const inBar = Object.values(drafts.value).filter((draft) => draft.inBar);
      void saveDrafts(inBar.map((draft) => draft.id));
    };
    window.addEventListener("keydown", save);
    return () => window.removeEventListener("keydown", save);
  }, []);
}
