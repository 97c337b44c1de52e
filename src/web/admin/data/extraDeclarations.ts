/** What extras are made of, as far as this browser knows it: each declaration comes with what edits or shows it. */
import { type ExtraKey, EXTRAS } from "../../../schema/extras.ts";
import { entities, type Entity } from "../../../schema/index.ts";
import { takeUpDrafts } from "./followDrafts.ts";

type Declarations = Readonly<Record<string, Entity>>;

const DECLARED: Readonly<Record<ExtraKey, () => Promise<Declarations>>> = {
  showreel: () => import("../../../schema/videos.ts"),
  dates: () => import("../../../schema/events.ts"),
  announcement: () => import("../../../schema/announcement.ts"),
};

/** Fetches the declarations of these extras, and that of which are on; names that nobody knows have none. */
export async function declareExtras(keys: readonly string[]): Promise<void> {
  const known = EXTRAS.filter(({ key }) => keys.includes(key));
  const declared = await Promise.all([
    import("../../../schema/extrasOn.ts"),
    ...known.map(({ key }) => DECLARED[key]()),
  ]);
  Object.assign(entities, ...declared);
  takeUpDrafts();
}
