/** The period during which visitors see something, as the owner enters it. */
import { optionalWallTime } from "../kinds/timeKinds.ts";

/** The names of the two fields that limit the period, as an entity declares them. */
export interface DisplayPeriod {
  readonly from: string;
  readonly until: string;
}

type Values = Readonly<Record<string, unknown>>;

const OWNER_ONLY = { audience: "owner" } as const;

/** Use as `fields: { …, ...createDisplayPeriodFields() }, displayPeriod: DISPLAY_PERIOD`. */
export const createDisplayPeriodFields = () => ({
  shownFrom: optionalWallTime("Show from (optional)", OWNER_ONLY),
  shownUntil: optionalWallTime("Show until (optional)", OWNER_ONLY),
});

export const DISPLAY_PERIOD: DisplayPeriod = { from: "shownFrom", until: "shownUntil" };

/** The rule for a whole item: both times are in the same zone, so they compare as strings. */
export function checkDisplayPeriod(
  period: DisplayPeriod | undefined,
  item: Values,
): Record<string, string> {
  if (!period) return {};
  const [from, until] = [item[period.from], item[period.until]];
  const isEndTooEarly = typeof from === "string" && typeof until === "string" && until <= from;
  return isEndTooEarly ? { [period.until]: "The end must be after the start." } : {};
}
