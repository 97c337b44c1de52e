/** Rises when something is unsaved: what it is, Discard, Save (ux.md; look/admin.md). */
import { useSignals } from "@preact/signals-react/runtime";
import { CircleCheck, ExternalLink, LoaderCircle, RotateCcw, TriangleAlert } from "lucide-react";
import { type ReactNode, useEffect } from "react";
import { Button } from "../../ui/Button.tsx";
import { discardDraft, type DraftState, drafts } from "../drafts/drafts.ts";
import { saveDrafts } from "../drafts/saveDraft.ts";
import { fieldNamesOf } from "./fieldNamesOf.ts";

/** What the bar says as a whole. */
type BarPhase = "unsaved" | "saving" | "saved" | "failed";

/** Renders the one bar of the dashboard; Ctrl+S or Cmd+S saves too. */
export function SaveBar() {
  useSignals();
  const shown = Object.values(drafts.value).filter(
    (draft) => draft.inBar && draft.phase !== "clean",
  );
  useSaveKey();
  const phase = barPhase(shown);
  return (
    <div className="save-bar-place">
      <section className="save-bar" aria-label="Unsaved changes" hidden={!phase}>
        {phase && <BarContent phase={phase} shown={shown} />}
      </section>
      <output className="ui-hidden">{phase && STATUS[phase]}</output>
    </div>
  );
}

const STATUS: Readonly<Record<BarPhase, string>> = {
  unsaved: "Unsaved changes",
  saving: "Saving…",
  saved: "Saved",
  failed: "Couldn’t save",
};

function BarContent({ phase, shown }: { phase: BarPhase; shown: readonly DraftState[] }) {
  const ids = shown.map((draft) => draft.id);
  const discard = (
    <Button variant="quiet" disabled={phase === "saving"} onClick={() => ids.forEach(discardDraft)}>
      Discard
    </Button>
  );
  const save = (words: ReactNode) => (
    <Button variant="primary" pending={phase === "saving"} onClick={() => void saveDrafts(ids)}>
      {words}
    </Button>
  );
  return (
    <>
      <BarWords phase={phase} shown={shown} />
      <div className="save-bar-actions">
        {phase === "saved" && <ViewSite />}
        {phase !== "saved" && discard}
        {phase === "unsaved" &&
          save(
            <>
              Save <kbd>{SAVE_KEY}</kbd>
            </>,
          )}
        {phase === "saving" && save("Saving…")}
        {phase === "failed" &&
          save(
            <>
              <RotateCcw size={16} aria-hidden="true" /> Retry
            </>,
          )}
      </div>
    </>
  );
}

function BarWords({ phase, shown }: { phase: BarPhase; shown: readonly DraftState[] }) {
  const details: Readonly<Record<BarPhase, string>> = {
    unsaved: summaryOf(shown),
    saving: summaryOf(shown),
    saved: "Visitors see it now.",
    failed: shown.find((draft) => draft.reason)?.reason ?? "",
  };
  return (
    <p className="save-bar-words">
      {ICONS[phase]}
      <strong>{STATUS[phase]}</strong>
      <span>{details[phase]}</span>
    </p>
  );
}

const ICONS: Readonly<Record<BarPhase, ReactNode>> = {
  unsaved: <span className="dot" data-tone="warn" />,
  saving: <LoaderCircle size={16} className="spin" aria-hidden="true" />,
  saved: <CircleCheck size={16} className="ok" aria-hidden="true" />,
  failed: <TriangleAlert size={16} className="bad" aria-hidden="true" />,
};

const SAVE_KEY = navigator.userAgent.includes("Mac") ? "⌘S" : "Ctrl S";

function ViewSite() {
  return (
    <a className="ui-button" data-variant="quiet" href="/" target="_blank" rel="noopener">
      <ExternalLink size={16} aria-hidden="true" /> View site
    </a>
  );
}

function barPhase(shown: readonly DraftState[]): BarPhase | undefined {
  const has = (...phases: DraftState["phase"][]) =>
    shown.some(({ phase }) => phases.includes(phase));
  if (has("saving")) return "saving";
  if (has("failed", "conflict")) return "failed";
  if (has("unsaved")) return "unsaved";
  return has("saved") ? "saved" : undefined;
}

function summaryOf(shown: readonly DraftState[]): string {
  const parts = shown.filter((draft) => draft.phase !== "saved");
  return parts.map((draft) => `${draft.name}: ${fieldNamesOf(draft).join(", ")}`).join(" · ");
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
