/** The period in which visitors see something, in sentences for owners. */
import { formatLocalDateTime, formatLocalDateParts } from "../../shared/formatTimes.ts";

/** Local times in the site's zone, which compare as text. */
export interface DisplayPeriodValues {
  readonly shownFrom: string | null;
  readonly shownUntil: string | null;
}

type Visibility =
  | { readonly is: "over"; readonly since: string }
  | { readonly is: "to come"; readonly from: string }
  | { readonly is: "shown" };

/** `now` is a local time in the same zone. */
export function visibilityAt(
  { shownFrom, shownUntil }: DisplayPeriodValues,
  now: string,
): Visibility {
  if (isCompleteTime(shownUntil) && shownUntil <= now) return { is: "over", since: shownUntil };
  if (isCompleteTime(shownFrom) && shownFrom > now) return { is: "to come", from: shownFrom };
  return { is: "shown" };
}

/** "Starts Tue 1 Dec, 09:00", "Ended 14 Mar"; undefined while it is shown. */
export function describeVisibility(window: DisplayPeriodValues, now: string): string | undefined {
  const visibility = visibilityAt(window, now);
  if (visibility.is === "over") {
    const { day, month } = formatLocalDateParts(visibility.since, now);
    return `Ended ${day} ${month}`;
  }
  return visibility.is === "to come"
    ? `Starts ${formatLocalDateTime(visibility.from, now)}`
    : undefined;
}

/** Completes the form: what visitors see with these values. */
export function outcomeMessage(window: DisplayPeriodValues, now: string): string {
  const visibility = visibilityAt(window, now);
  if (visibility.is === "over") return "The end date has passed. Visitors no longer see it.";
  const until = isCompleteTime(window.shownUntil) && formatLocalDateTime(window.shownUntil, now);
  if (visibility.is === "shown")
    return until
      ? `Visitors see it from now until ${until}.`
      : "Visitors see it until you remove it.";
  const from = formatLocalDateTime(visibility.from, now);
  return until
    ? `Visitors see it from ${from} until ${until}.`
    : `Visitors see it from ${from} until you remove it.`;
}

const isCompleteTime = (wall: string | null): wall is string =>
  wall !== null && /^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(wall);
