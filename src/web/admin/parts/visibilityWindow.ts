/** The period in which visitors see something: whether that is now, and its wording for owners. */
import { wallDateTime, wallParts } from "../../shared/when.ts";

/** As stored: local times in the site's zone, which compare as text. */
export interface Window {
  readonly shownFrom: string | null;
  readonly shownUntil: string | null;
}

/** An item's state, and since or from when. */
type Standing =
  | { readonly is: "over"; readonly since: string }
  | { readonly is: "to come"; readonly from: string }
  | { readonly is: "shown" };

/** The state at `now`, a local time in the same zone. */
export function standingOf({ shownFrom, shownUntil }: Window, now: string): Standing {
  if (isWhole(shownUntil) && shownUntil <= now) return { is: "over", since: shownUntil };
  if (isWhole(shownFrom) && shownFrom > now) return { is: "to come", from: shownFrom };
  return { is: "shown" };
}

/** "Starts Tue 1 Dec, 09:00", "Ended 14 Mar"; undefined while it is shown. */
export function describeStanding(window: Window, now: string): string | undefined {
  const standing = standingOf(window, now);
  if (standing.is === "over") {
    const { day, month } = wallParts(standing.since, now);
    return `Ended ${day} ${month}`;
  }
  return standing.is === "to come" ? `Starts ${wallDateTime(standing.from, now)}` : undefined;
}

/** The visibility for visitors, as a sentence. */
export function outcomeMessage(window: Window, now: string): string {
  const standing = standingOf(window, now);
  if (standing.is === "over") return "The end date has passed. Visitors no longer see it.";
  const until = isWhole(window.shownUntil) && wallDateTime(window.shownUntil, now);
  if (standing.is === "shown")
    return until
      ? `Visitors see it from now until ${until}.`
      : "Visitors see it until you remove it.";
  const from = wallDateTime(standing.from, now);
  return until
    ? `Visitors see it from ${from} until ${until}.`
    : `Visitors see it from ${from} until you remove it.`;
}

const isWhole = (wall: string | null): wall is string =>
  wall !== null && /^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(wall);
