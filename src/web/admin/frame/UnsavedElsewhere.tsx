/** One quiet line about what was typed in other tabs: the Save in front is the open one's alone. */
import { Link } from "@tanstack/react-router";
import type { DraftState } from "../data/drafts.ts";

interface UnsavedElsewhereProps {
  readonly drafts: readonly DraftState[];
  readonly labelOf: (draft: DraftState) => string;
}

/** Opens the tab of the first of them; its own line comes once that is settled. */
export function UnsavedElsewhere({ drafts, labelOf }: UnsavedElsewhereProps) {
  const [first] = drafts;
  if (!first) return null;
  const [label, ...others] = new Set(drafts.map(labelOf));
  const account = /^account\.(.*)/.exec(first.tab)?.[1];
  return (
    <>
      <p className="save-bar-words">
        <span className="dot" data-tone="warn" />
        <span>
          Not saved yet in {label}
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
