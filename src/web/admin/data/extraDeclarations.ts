/** What extras are made of, as far as this browser knows it: each declaration comes with what edits or shows it. */
import { declarationOf } from "../../../schema/declaredExtras.ts";
import { entities } from "../../../schema/index.ts";
import { takeUpDrafts } from "./followDrafts.ts";

/** Fetches the declarations of these extras, and that of which are on; names that nobody knows have none. */
export async function declareExtras(keys: readonly string[]): Promise<void> {
  const [on, ...declared] = await Promise.all([
    import("../../../schema/extrasOn.ts"),
    ...keys.map(declarationOf),
  ]);
  Object.assign(entities, on);
  for (const { extra: _, ...made } of declared.filter((each) => each !== undefined))
    Object.assign(entities, made);
  takeUpDrafts();
}
