/** Declarations loaded with the code that edits or shows them: of extras, and of letters. */
import { declarationOf } from "../../../schema/declaredExtras.ts";
import { entities } from "../../../schema/index.ts";
import { takeUpDrafts } from "./followDrafts.ts";

/** Loads the declarations of these extras, and of which are on; unknown names have none. */
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

/** Loads the declaration of letters. */
export async function declareLetters(): Promise<void> {
  const { letters } = await import("../../../schema/letters.ts");
  Object.assign(entities, { letters });
}
