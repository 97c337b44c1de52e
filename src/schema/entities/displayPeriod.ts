/** The display period: the local times from and until which visitors see an item, as entered by the owner. */
import type { Entity } from "./entity.ts";
import { optionalWallTime } from "../kinds/timeKinds.ts";

const OWNER_ONLY = { audience: "owner" } as const;

/** Returns the fields of a display period, for declarations: `fields: { …, ...createDisplayPeriodFields() }`. */
export const createDisplayPeriodFields = () => ({
  shownFrom: optionalWallTime("Show from (optional)", OWNER_ONLY),
  shownUntil: optionalWallTime("Show until (optional)", OWNER_ONLY),
});

export const DISPLAY_PERIOD_FIELDS: readonly string[] = ["shownFrom", "shownUntil"];

export const hasDisplayPeriod = ({ fields }: Entity): boolean => "shownFrom" in fields;

/** Returns a message by field if the end isn't after the start. Local times can be compared as strings. */
export function checkDisplayPeriod({
  shownFrom,
  shownUntil,
}: Readonly<Record<string, unknown>>): Record<string, string> {
  const isEndTooEarly =
    typeof shownFrom === "string" && typeof shownUntil === "string" && shownUntil <= shownFrom;
  return isEndTooEarly ? { shownUntil: "The end must be after the start." } : {};
}
