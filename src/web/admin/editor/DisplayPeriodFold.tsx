/** The period in which visitors see an item: a fold in its form, and a badge in its row. */
import { useShell } from "../../shared/shell.ts";
import { localNow } from "../../shared/localTime.ts";
import type { Draft } from "../data/useDraft.ts";
import { Badge } from "../parts/Card.tsx";
import {
  outcomeMessage,
  visibilityAt,
  describeVisibility,
  type DisplayPeriodValues,
} from "../parts/visibility.ts";
import { Field } from "./Field.tsx";
import { FieldPair, Fold } from "./Fold.tsx";

export const useSiteLocalTime = () => localNow(useShell().zone);

export function DisplayPeriodFold({ draft }: { draft: Draft }) {
  const now = useSiteLocalTime();
  const window = draft.values as object as DisplayPeriodValues;
  const isWrong = Boolean(draft.errors["shownFrom"] ?? draft.errors["shownUntil"]);
  return (
    <Fold
      title="Schedule"
      note={describeVisibility(window, now) ?? describeEnd(window)}
      isOpen={isWrong}
    >
      <DisplayPeriodFields draft={draft} />
      <p className="field-hint">{outcomeMessage(window, now)}</p>
    </Fold>
  );
}

const describeEnd = ({ shownUntil }: DisplayPeriodValues) =>
  shownUntil === null ? "Visible as soon as you save" : "Shown now, with an end date";

export function DisplayPeriodFields({ draft }: { draft: Draft }) {
  return (
    <FieldPair>
      <Field draft={draft} name="shownFrom" />
      <Field draft={draft} name="shownUntil" />
    </FieldPair>
  );
}

/** Amber before the period, gray after it. */
export function DisplayPeriodBadge({ item }: { item: object }) {
  const now = useSiteLocalTime();
  const window = item as DisplayPeriodValues;
  const label = describeVisibility(window, now);
  if (label === undefined) return null;
  return <Badge tone={visibilityAt(window, now).is === "over" ? "neutral" : "warn"}>{label}</Badge>;
}
