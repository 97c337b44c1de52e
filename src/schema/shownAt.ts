/** What is shown at a moment, and when that changes: the server's alone, as browsers are given what is finished. */
import type { Entity, StoredItem } from "./entity.ts";

/** When a stored item is looked at. */
export interface Moment {
  /** In milliseconds since 1970. */
  readonly now: number;
  /** The time zone that the site goes by. */
  readonly zone: string;
}

/** From when until when an item is shown, in milliseconds since 1970; infinite where nothing is said. */
interface Span {
  readonly from: number;
  readonly until: number;
}

/** Whether visitors see an item of an entity. */
export function isShown(entity: Entity, item: object, { now, zone }: Moment): boolean {
  if (!entity.window) return true;
  const { from, until } = spanOf(entity, item, zone);
  return from <= now && now < until;
}

/** The moments at which something of an item changes by itself. */
export function edgesOf(entity: Entity, item: object, zone: string): number[] {
  const { from, until } = spanOf(entity, item, zone);
  return [from, until, ...(entity.edges?.(item as StoredItem, zone) ?? [])].filter(Number.isFinite);
}

/** By item, which is never changed: to find the instant of a time of day takes microseconds, and there are hundreds. */
const known = new WeakMap<object, Span & { readonly zone: string }>();

function spanOf({ window }: Entity, item: object, zone: string): Span {
  const found = known.get(item);
  if (found?.zone === zone) return found;
  const at = (name: string | undefined, otherwise: number) => {
    const wall = (item as Readonly<Record<string, unknown>>)[name ?? ""];
    return typeof wall === "string" && wall !== "" ? instantOf(wall, zone) : otherwise;
  };
  const span = {
    zone,
    from: at(window?.from, Number.NEGATIVE_INFINITY),
    until: at(window?.until, Number.POSITIVE_INFINITY),
  };
  known.set(item, span);
  return span;
}

/**
 * The instant at which a clock on the wall shows a time, in milliseconds since 1970. An hour that the clocks leave out
 * counts as the one after it, and of one that comes twice the first.
 */
export const instantOf = (wall: string, zone: string): number =>
  Temporal.PlainDateTime.from(wall).toZonedDateTime(zone, { disambiguation: "compatible" })
    .epochMilliseconds;
