/** The bar that names unsaved changes, with Discard and Save, or a link to another tab that has changes. */
import { Link } from "@tanstack/react-router";
import { type MouseEvent, type ReactNode, useEffect } from "react";
import { type DraftState, useDrafts, discardDrafts } from "../data/drafts.ts";
import { saveDrafts } from "../data/saveDraft.ts";
import { useDraftLocation } from "./TabRail.tsx";
import Eye from "lucide-react/icons/eye";
import LoaderCircle from "lucide-react/icons/loader-circle";
import RotateCw from "lucide-react/icons/rotate-cw";
import TriangleAlert from "lucide-react/icons/triangle-exclamation-point";
import Undo from "lucide-react/icons/undo-2";
import type { Field } from "../../../schema/kinds/fields.ts";
import { entities } from "../../../schema/index.ts";
import { Button } from "../../ui/Button.tsx";
import { setSheetHeight, useSheetHeight } from "../data/previewSheet.ts";

/** Ctrl+S or Cmd+S saves too. */
export function SaveBar() {
  const { isInOpenTab, getTabLabel } = useDraftLocation();
  const barDrafts = useDrafts().filter((draft) => draft.isInSaveBar && draft.phase !== "clean");
  const visibleDrafts = barDrafts.filter(isInOpenTab);
  const otherTabDrafts = barDrafts.filter(
    (draft) => !isInOpenTab(draft) && UNSAVED_PHASES.includes(draft.phase),
  );
  useSaveShortcut(
    visibleDrafts.length > 0 ? visibleDrafts : otherTabDrafts,
    visibleDrafts.length > 0,
  );
  const phase = findBarPhase(visibleDrafts);
  useInvalidFieldFocus(
    phase === "failed" && visibleDrafts.some(({ errors }) => Object.keys(errors).length > 0),
  );
  return (
    <div className="save-bar-dock">
      <section
        className="save-bar card-row row gap-16"
        aria-label="Unsaved changes"
        data-phase={phase}
        hidden={!phase && otherTabDrafts.length === 0}
      >
        {phase ? (
          <SaveBarContent phase={phase} visibleDrafts={visibleDrafts} />
        ) : (
          <UnsavedInOtherTabs drafts={otherTabDrafts} getLabel={getTabLabel} />
        )}
      </section>
      <output className="visually-hidden">
        {phase && STATUS_TEXTS[phase]}
        {phase === "failed" && `: ${findFailureReason(visibleDrafts)}`}
      </output>
    </div>
  );
}

/** The bar mentions other tabs' drafts in these phases. Only a toast reports when they are saved. */
const UNSAVED_PHASES: readonly DraftState["phase"][] = ["unsaved", "failed", "conflict"];

const STATUS_TEXTS: Readonly<Record<BarPhase, string>> = {
  unsaved: "Unsaved changes",
  saving: "Saving...",
  failed: "Error",
};

/** Returns undefined to hide the bar, for example after a save, which a toast reports. */
function findBarPhase(visibleDrafts: readonly DraftState[]): BarPhase | undefined {
  const hasPhase = (...phases: DraftState["phase"][]) =>
    visibleDrafts.some(({ phase }) => phases.includes(phase));
  if (hasPhase("saving")) return "saving";
  if (hasPhase("failed", "conflict")) return "failed";
  return hasPhase("unsaved") ? "unsaved" : undefined;
}

function useSaveShortcut(drafts: readonly DraftState[], isReportedInBar: boolean): void {
  useEffect(() => {
    const save = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== "s" || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      void saveDrafts(
        drafts.map((draft) => draft.id),
        { isReportedInBar },
      );
    };
    window.addEventListener("keydown", save);
    return () => window.removeEventListener("keydown", save);
  });
}

/** Focuses the first refused field, as forms with their own Save button do. */
function useInvalidFieldFocus(isRefused: boolean): void {
  useEffect(() => {
    if (isRefused) document.querySelector<HTMLElement>(".content [aria-invalid=true]")?.focus();
  }, [isRefused]);
}

interface UnsavedInOtherTabsProps {
  readonly drafts: readonly DraftState[];
  readonly getLabel: (draft: DraftState) => string;
}

/** Links to the first of the other tabs with changes. */
function UnsavedInOtherTabs({ drafts, getLabel }: UnsavedInOtherTabsProps) {
  const [first] = drafts;
  if (!first) return null;
  const [label, ...others] = new Set(drafts.map(getLabel));
  const accountScreen = /^account\.(.*)/.exec(first.tab)?.[1];
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
        search={accountScreen === undefined ? { tab: first.tab } : { account: accountScreen }}
        aria-label={`Open ${label}`}
      >
        Open
      </Link>
    </>
  );
}

type BarPhase = "unsaved" | "saving" | "failed";

interface SaveBarContentProps {
  readonly phase: BarPhase;
  readonly visibleDrafts: readonly DraftState[];
}

function SaveBarContent({ phase, visibleDrafts }: SaveBarContentProps) {
  const isSheetClosed = useSheetHeight() === "closed";
  const ids = visibleDrafts.map((draft) => draft.id);
  return (
    <>
      <p className="save-bar-text row grow">
        {ICON_BY_PHASE[phase]}
        <strong>
          {phase === "unsaved" ? (
            <>
              Unsaved<span className="save-bar-more"> changes</span>
            </>
          ) : (
            STATUS_TEXTS[phase]
          )}
        </strong>
        <span className={`quiet small ${phase === "failed" ? "" : "truncate"}`}>
          {describeChanges(phase, visibleDrafts)}
        </span>
      </p>
      <div className="save-bar-actions row">
        <Button
          variant="quiet"
          className="save-bar-icon"
          disabled={phase === "saving"}
          onMouseDown={preventFocusLoss}
          onClick={() => discardDrafts(ids)}
        >
          <Undo size={18} aria-hidden="true" /> <span>Discard</span>
        </Button>
        {isSheetClosed && (
          <Button
            className="save-bar-icon save-bar-preview"
            onMouseDown={preventFocusLoss}
            onClick={openPreview}
          >
            <Eye size={18} aria-hidden="true" /> <span>Preview</span>
          </Button>
        )}
        <Button
          variant="primary"
          isPending={phase === "saving"}
          onClick={() => void saveDrafts(ids)}
        >
          {SAVE_LABEL_RENDERERS[phase]()}
        </Button>
      </div>
    </>
  );
}

/**
 * Keeps the focus in the field. Otherwise the Preview button would disappear during a press, the other buttons would
 * move, and the press would have no effect.
 */
const preventFocusLoss = (event: MouseEvent) => event.preventDefault();

/** The blur closes the phone's keyboard. */
function openPreview(): void {
  (document.activeElement as HTMLElement | null)?.blur();
  setSheetHeight("full");
}

const ICON_BY_PHASE: Readonly<Record<BarPhase, ReactNode>> = {
  unsaved: <span className="dot" data-tone="warn" />,
  saving: <LoaderCircle size={16} className="spin" aria-hidden="true" />,
  failed: <TriangleAlert size={16} data-tone="bad" aria-hidden="true" />,
};

const SAVE_LABEL_RENDERERS: Readonly<Record<BarPhase, () => ReactNode>> = {
  unsaved: () => (
    <>
      Save{" "}
      <kbd className="desktop-only">{navigator.userAgent.includes("Mac") ? "⌘S" : "Ctrl S"}</kbd>
    </>
  ),
  saving: () => STATUS_TEXTS.saving,
  failed: () => (
    <>
      <RotateCw size={16} aria-hidden="true" /> Retry
    </>
  ),
};

const findFailureReason = (visibleDrafts: readonly DraftState[]) =>
  visibleDrafts.find((draft) => draft.reason)?.reason ?? "";

function describeChanges(phase: BarPhase, visibleDrafts: readonly DraftState[]): string {
  if (phase === "failed") return findFailureReason(visibleDrafts);
  const [first, ...others] = visibleDrafts.filter((draft) => draft.phase !== "saved");
  if (!first) return "";
  const firstText = `${first.label}: ${describeChangedFields(first)}`;
  if (others.length > 1) return `${firstText} · ${others.length} more`;
  return [
    firstText,
    ...others.map((draft) => `${draft.label}: ${describeChangedFields(draft)}`),
  ].join(" · ");
}

/** If more fields have changed, only their number is shown: a look changes twenty fields at once. */
const MAX_LISTED_LABELS = 4;

/** Returns a text such as "Tagline, Background Image" or "20 fields". */
function describeChangedFields({ key, changes }: DraftState): string {
  const fields = entities[key].fields as Readonly<Record<string, Field>>;
  const names = Object.keys(changes);
  if (names.length > MAX_LISTED_LABELS) return `${names.length} fields`;
  return names.map((name) => fields[name]?.label ?? name).join(", ");
}
