/** From when until when visitors see an item: folded in its form, and told in its row. */
import { useShell } from "../../shared/shell.ts";
import { nowIn } from "../../shared/wallClock.ts";
import type { Draft } from "../data/useDraft.ts";
import { Badge } from "../parts/Card.tsx";
import { outcomeWords, standingOf, standingWords, type Window } from "../parts/windowWords.ts";
import { useSheet } from "../parts/useSheet.ts";
import { Field } from "./Field.tsx";
import css from "./When.css" with { type: "text" };

/** The time on the site's wall. */
export const useWallNow = () => nowIn(useShell().zone);

export function When({ draft }: { draft: Draft }) {
  useSheet(css);
  const now = useWallNow();
  const window = draft.values as object as Window;
  const isWrong = Boolean(draft.errors["shownFrom"] ?? draft.errors["shownUntil"]);
  return (
    <details className="form-fold" open={isWrong || undefined}>
      <summary>
        <b>When</b>
        <span className="quiet">{standingWords(window, now) ?? closedWords(window)}</span>
      </summary>
      <WindowFields draft={draft} />
      <p className="field-hint">{outcomeWords(window, now)}</p>
    </details>
  );
}

const closedWords = ({ shownUntil }: Window) =>
  shownUntil === null ? "Shown as soon as it is saved" : "Shown now, not for ever";

/** The two fields side by side. */
export function WindowFields({ draft }: { draft: Draft }) {
  useSheet(css);
  return (
    <div className="fields form-pair">
      <Field draft={draft} name="shownFrom" />
      <Field draft={draft} name="shownUntil" />
    </div>
  );
}

/** In a row: amber before its time, quiet after it. */
export function WindowBadge({ item }: { item: object }) {
  const now = useWallNow();
  const window = item as Window;
  const words = standingWords(window, now);
  if (words === undefined) return null;
  return <Badge tone={standingOf(window, now) === "over" ? "neutral" : "warn"}>{words}</Badge>;
}
