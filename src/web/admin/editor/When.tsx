/** When visitors see an item: folded in its form, and a badge in its row. */
import { useShell } from "../../shared/shell.ts";
import { nowIn } from "../../shared/wallClock.ts";
import type { Draft } from "../data/useDraft.ts";
import { Badge } from "../parts/Card.tsx";
import {
  outcomeMessage,
  standingOf,
  describeStanding,
  type Window,
} from "../parts/visibilityWindow.ts";
import { Field } from "./Field.tsx";
import { FieldPair, Fold } from "./Fold.tsx";

/** The local time in the site's zone. */
export const useWallNow = () => nowIn(useShell().zone);

export function When({ draft }: { draft: Draft }) {
  const now = useWallNow();
  const window = draft.values as object as Window;
  const isWrong = Boolean(draft.errors["shownFrom"] ?? draft.errors["shownUntil"]);
  return (
    <Fold
      title="Schedule"
      note={describeStanding(window, now) ?? describeShown(window)}
      isOpen={isWrong}
    >
      <WindowFields draft={draft} />
      <p className="field-hint">{outcomeMessage(window, now)}</p>
    </Fold>
  );
}

const describeShown = ({ shownUntil }: Window) =>
  shownUntil === null ? "Visible as soon as you save" : "Shown now, with an end date";

/** Both fields side by side. */
export function WindowFields({ draft }: { draft: Draft }) {
  return (
    <FieldPair>
      <Field draft={draft} name="shownFrom" />
      <Field draft={draft} name="shownUntil" />
    </FieldPair>
  );
}

/** In a row: amber before its time, gray after it. */
export function WindowBadge({ item }: { item: object }) {
  const now = useWallNow();
  const window = item as Window;
  const label = describeStanding(window, now);
  if (label === undefined) return null;
  return <Badge tone={standingOf(window, now).is === "over" ? "neutral" : "warn"}>{label}</Badge>;
}
