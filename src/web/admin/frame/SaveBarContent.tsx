/** The save bar's texts and buttons. */
import Eye from "lucide-react/icons/eye";
import LoaderCircle from "lucide-react/icons/loader-circle";
import RotateCw from "lucide-react/icons/rotate-cw";
import TriangleAlert from "lucide-react/icons/triangle-exclamation-point";
import Undo from "lucide-react/icons/undo-2";
import type { ReactNode } from "react";
import type { Field } from "../../../schema/kinds/fields.ts";
import { entities } from "../../../schema/index.ts";
import { Button } from "../../ui/Button.tsx";
import { type DraftState, discardDrafts } from "../data/drafts.ts";
import { saveDrafts } from "../data/saveDraft.ts";
import { setSheetHeight, useHasSheet, useSheetHeight } from "../data/previewSheet.ts";

export type BarPhase = "unsaved" | "saving" | "failed";

/** `shown` are the drafts of `phase`, whose text is `status`. */
interface SaveBarContentProps {
  readonly phase: BarPhase;
  readonly status: string;
  readonly shown: readonly DraftState[];
}

export function SaveBarContent({ phase, status, shown }: SaveBarContentProps) {
  const hasSheet = useHasSheet();
  const isSheetClosed = useSheetHeight() === "closed";
  const ids = shown.map((draft) => draft.id);
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
            status
          )}
        </strong>
        <span className="truncate quiet small">{describeChanges(phase, shown)}</span>
      </p>
      <div className="save-bar-actions row">
        <Button
          variant="quiet"
          className="save-bar-icon"
          disabled={phase === "saving"}
          onClick={() => discardDrafts(ids)}
        >
          <Undo size={18} aria-hidden="true" /> <span>Discard</span>
        </Button>
        {hasSheet && isSheetClosed && (
          <Button
            className="save-bar-icon save-bar-preview"
            // Keeps the focus in the field, since the bar is shown while typing.
            onMouseDown={(event) => event.preventDefault()}
            onClick={openPreview}
          >
            <Eye size={18} aria-hidden="true" /> <span>Preview</span>
          </Button>
        )}
        <Button variant="primary" pending={phase === "saving"} onClick={() => void saveDrafts(ids)}>
          {SAVE_LABELS[phase](status)}
        </Button>
      </div>
    </>
  );
}

/** Closes the keyboard first. */
function openPreview(): void {
  (document.activeElement as HTMLElement | null)?.blur();
  setSheetHeight("full");
}

const ICON_BY_PHASE: Readonly<Record<BarPhase, ReactNode>> = {
  unsaved: <span className="dot" data-tone="warn" />,
  saving: <LoaderCircle size={16} className="spin" aria-hidden="true" />,
  failed: <TriangleAlert size={16} data-tone="bad" aria-hidden="true" />,
};

const SAVE_LABELS: Readonly<Record<BarPhase, (status: string) => ReactNode>> = {
  unsaved: () => (
    <>
      Save{" "}
      <kbd className="desktop-only">{navigator.userAgent.includes("Mac") ? "⌘S" : "Ctrl S"}</kbd>
    </>
  ),
  saving: (status) => status,
  failed: () => (
    <>
      <RotateCw size={16} aria-hidden="true" /> Retry
    </>
  ),
};

export const findFailureReason = (shown: readonly DraftState[]) =>
  shown.find((draft) => draft.reason)?.reason ?? "";

function describeChanges(phase: BarPhase, shown: readonly DraftState[]): string {
  if (phase === "failed") return findFailureReason(shown);
  const [first, ...others] = shown.filter((draft) => draft.phase !== "saved");
  if (!first) return "";
  const changed = `${first.name}: ${changedFieldLabels(first)}`;
  if (others.length > 1) return `${changed} · ${others.length} more`;
  return [changed, ...others.map((draft) => `${draft.name}: ${changedFieldLabels(draft)}`)].join(
    " · ",
  );
}

/** A look changes twenty fields at once, so more labels are only counted. */
const MAX_LISTED_LABELS = 4;

/** "Tagline, Background Image" */
function changedFieldLabels({ key, changes }: DraftState): string {
  const fields = entities[key].fields as Readonly<Record<string, Field>>;
  const names = Object.keys(changes);
  if (names.length > MAX_LISTED_LABELS) return `${names.length} fields`;
  return names.map((name) => fields[name]?.label ?? name).join(", ");
}
