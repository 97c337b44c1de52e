/** The bar for unsaved changes: their names, Discard and Save. For changes in other tabs, only a link. */
import { Link } from "@tanstack/react-router";
import { useEffect } from "react";
import { type DraftState, useDrafts } from "../data/drafts.ts";
import { saveDrafts } from "../data/saveDraft.ts";
import { type BarPhase, findFailureReason, SaveBarContent } from "./SaveBarContent.tsx";
import { useDraftLocation } from "./TabRail.tsx";

/** Ctrl+S or Cmd+S saves too. */
export function SaveBar() {
  const { isHere, labelOf } = useDraftLocation();
  const inBar = useDrafts().filter((draft) => draft.isInSaveBar && draft.phase !== "clean");
  const shown = inBar.filter(isHere);
  const elsewhere = inBar.filter((draft) => !isHere(draft) && UNSAVED_PHASES.includes(draft.phase));
  useSaveShortcut(shown.length > 0 ? shown : elsewhere, shown.length > 0);
  const phase = findBarPhase(shown);
  useInvalidFieldFocus(
    phase === "failed" && shown.some(({ errors }) => Object.keys(errors).length > 0),
  );
  return (
    <div className="save-bar-dock">
      <section
        className="save-bar card-row row gap-16"
        aria-label="Unsaved changes"
        data-phase={phase}
        hidden={!phase && elsewhere.length === 0}
      >
        {phase ? (
          <SaveBarContent phase={phase} status={STATUS_TEXTS[phase]} shown={shown} />
        ) : (
          <UnsavedElsewhere drafts={elsewhere} getLabel={labelOf} />
        )}
      </section>
      <output className="visually-hidden">
        {phase && STATUS_TEXTS[phase]}
        {phase === "failed" && `: ${findFailureReason(shown)}`}
      </output>
    </div>
  );
}

/** Other tabs' saves are reported by toasts instead. */
const UNSAVED_PHASES: readonly DraftState["phase"][] = ["unsaved", "failed", "conflict"];

const STATUS_TEXTS: Readonly<Record<BarPhase, string>> = {
  unsaved: "Unsaved changes",
  saving: "Saving...",
  failed: "Error",
};

/** Undefined hides the bar. Toasts report successful saves. */
function findBarPhase(shown: readonly DraftState[]): BarPhase | undefined {
  const has = (...phases: DraftState["phase"][]) =>
    shown.some(({ phase }) => phases.includes(phase));
  if (has("saving")) return "saving";
  if (has("failed", "conflict")) return "failed";
  return has("unsaved") ? "unsaved" : undefined;
}

function useSaveShortcut(saved: readonly DraftState[], isInSight: boolean): void {
  useEffect(() => {
    const save = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== "s" || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      void saveDrafts(
        saved.map((draft) => draft.id),
        { isReportedInBar: isInSight },
      );
    };
    window.addEventListener("keydown", save);
    return () => window.removeEventListener("keydown", save);
  });
}

/** Focuses the first refused field, as forms with their own button do. */
function useInvalidFieldFocus(isRefused: boolean): void {
  useEffect(() => {
    if (isRefused) document.querySelector<HTMLElement>(".content [aria-invalid=true]")?.focus();
  }, [isRefused]);
}

interface UnsavedElsewhereProps {
  readonly drafts: readonly DraftState[];
  readonly getLabel: (draft: DraftState) => string;
}

/** Shown while the open tab has no changes. Links to the first tab with changes. */
function UnsavedElsewhere({ drafts, getLabel }: UnsavedElsewhereProps) {
  const [first] = drafts;
  if (!first) return null;
  const [label, ...others] = new Set(drafts.map(getLabel));
  const account = /^account\.(.*)/.exec(first.tab)?.[1];
  return (
    <>
      <p className="save-bar-text row grow">
        <span className="dot" data-tone="warn" />
        <span className="truncate quiet small">
          Unsaved changes in {label}
          {others.length > 0 && ` and ${others.length} more`}
        </span>
      </p>
      <Link
        className="ui-button"
        data-variant="quiet"
        to="/admin/dashboard"
        search={account === undefined ? { tab: first.tab } : { account }}
        aria-label={`Open ${label}`}
      >
        Open
      </Link>
    </>
  );
}
