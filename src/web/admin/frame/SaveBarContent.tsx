/** What the save bar says and offers; loaded with the first change. */
import CircleCheck from "lucide-react/icons/circle-check";
import ExternalLink from "lucide-react/icons/external-link";
import LoaderCircle from "lucide-react/icons/loader-circle";
import RotateCcw from "lucide-react/icons/rotate-ccw";
import TriangleAlert from "lucide-react/icons/triangle-exclamation-point";
import type { ReactNode } from "react";
import type { Field } from "../../../schema/fields.ts";
import { entities } from "../../../schema/index.ts";
import { Button } from "../../ui/Button.tsx";
import { discardDraft, type DraftState } from "../data/drafts.ts";
import { saveDrafts } from "../data/saveDraft.ts";
import { type BarPhase, STATUS } from "./SaveBar.tsx";

// The labels of the fields that a draft changes, as people read them in the forms.

/** "Tagline", "Background Image". */
export function fieldNamesOf({ key, changes }: DraftState): string[] {
  const fields = entities[key].fields as Readonly<Record<string, Field>>;
  return Object.keys(changes).map((name) => fields[name]?.label ?? name);
}

/** Renders the words and buttons of a phase. */
export function SaveBarContent({
  phase,
  shown,
}: {
  phase: BarPhase;
  shown: readonly DraftState[];
}) {
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

function summaryOf(shown: readonly DraftState[]): string {
  const parts = shown.filter((draft) => draft.phase !== "saved");
  return parts.map((draft) => `${draft.name}: ${fieldNamesOf(draft).join(", ")}`).join(" · ");
}
