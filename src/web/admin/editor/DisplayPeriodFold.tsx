/** The period in which visitors see an item: a fold in its form, and a badge in its row. */
import { usePageContext } from "../../shared/pageContext.ts";
import { formatLocalNow } from "../../shared/localTime.ts";
import type { Draft } from "../data/useDraft.ts";
import { Badge } from "../parts/Card.tsx";
import { Field } from "./Field.tsx";
import { FieldRow, Fold } from "./Fold.tsx";
import { formatLocalDateTime, formatLocalDateParts } from "../../shared/formatTimes.ts";

export const useSiteLocalTime = () => formatLocalNow(usePageContext().zone);

export function DisplayPeriodFold({ draft }: { draft: Draft }) {
  const now = useSiteLocalTime();
  const period = draft.values as object as DisplayPeriodValues;
  const hasError = Boolean(draft.errors["shownFrom"] ?? draft.errors["shownUntil"]);
  return (
    <Fold
      title="Schedule"
      note={describeVisibility(period, now) ?? describeEnd(period)}
      isOpen={hasError}
    >
      <DisplayPeriodFields draft={draft} />
      <p className="field-hint">{describeOutcome(period, now)}</p>
    </Fold>
  );
}

const describeEnd = ({ shownUntil }: DisplayPeriodValues) =>
  shownUntil === null ? "Visible as soon as you save" : "Shown now, with an end date";

export function DisplayPeriodFields({ draft }: { draft: Draft }) {
  return (
    <FieldRow>
      <Field draft={draft} name="shownFrom" />
      <Field draft={draft} name="shownUntil" />
    </FieldRow>
  );
}

/** Shows an amber badge before the display period and a gray badge after it. */
export function DisplayPeriodBadge({ item }: { item: object }) {
  const now = useSiteLocalTime();
  const period = item as DisplayPeriodValues;
  const label = describeVisibility(period, now);
  if (label === undefined) return null;
  return (
    <Badge tone={getVisibility(period, now).state === "over" ? "neutral" : "warn"}>{label}</Badge>
  );
}

/** Local times in the site's time zone. They can be compared as text. Null means no limit. */
interface DisplayPeriodValues {
  readonly shownFrom: string | null;
  readonly shownUntil: string | null;
}

type Visibility =
  | { readonly state: "over"; readonly since: string }
  | { readonly state: "to come"; readonly from: string }
  | { readonly state: "shown" };

/** `now` is a local time in the site's time zone. */
function getVisibility({ shownFrom, shownUntil }: DisplayPeriodValues, now: string): Visibility {
  if (isCompleteTime(shownUntil) && shownUntil <= now) return { state: "over", since: shownUntil };
  if (isCompleteTime(shownFrom) && shownFrom > now) return { state: "to come", from: shownFrom };
  return { state: "shown" };
}

/** Returns a text such as "Starts Tue 1 Dec, 09:00" or "Ended 14 Mar". Undefined while the item is shown. */
function describeVisibility(period: DisplayPeriodValues, now: string): string | undefined {
  const visibility = getVisibility(period, now);
  if (visibility.state === "over") {
    const { day, month } = formatLocalDateParts(visibility.since, now);
    return `Ended ${day} ${month}`;
  }
  return visibility.state === "to come"
    ? `Starts ${formatLocalDateTime(visibility.from, now)}`
    : undefined;
}

export function describeOutcome(period: DisplayPeriodValues, now: string): string {
  const visibility = getVisibility(period, now);
  if (visibility.state === "over")
    return "Visitors no longer see this, because its end date has passed.";
  const until = isCompleteTime(period.shownUntil) && formatLocalDateTime(period.shownUntil, now);
  if (visibility.state === "shown")
    return until
      ? `Visitors see this from now until ${until}.`
      : "Visitors see this until you remove it.";
  const from = formatLocalDateTime(visibility.from, now);
  return until
    ? `Visitors see this from ${from} until ${until}.`
    : `Visitors see this from ${from} until you remove it.`;
}

const isCompleteTime = (localTime: string | null): localTime is string =>
  localTime !== null && /^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(localTime);
