/** From when and until when visitors see something, as its owner types it. */
import { optionalWallTime } from "./timeKinds.ts";

/** The names of the two fields, by which what an entity declares is known. */
export interface ShownWindow {
  readonly from: string;
  readonly until: string;
}

type Values = Readonly<Record<string, unknown>>;

const OWNERS = { audience: "owner" } as const;

/** `fields: { …, ...windowFields() }, window: WINDOW` */
export const windowFields = () => ({
  shownFrom: optionalWallTime("Show from (optional)", OWNERS),
  shownUntil: optionalWallTime("Show until (optional)", OWNERS),
});

export const WINDOW: ShownWindow = { from: "shownFrom", until: "shownUntil" };

/** What is refused of a whole item: both are of one zone, so that their texts compare as they do. */
export function windowRule(window: ShownWindow | undefined, item: Values): Record<string, string> {
  if (!window) return {};
  const [from, until] = [item[window.from], item[window.until]];
  const isWrong = typeof from === "string" && typeof until === "string" && until < from;
  return isWrong ? { [window.until]: "It ends before it begins." } : {};
}
