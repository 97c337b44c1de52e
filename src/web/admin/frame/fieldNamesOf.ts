/** The labels of the fields that a draft changes, as people read them in the forms. */
import type { Field } from "../../../schema/fields.ts";
import { entities } from "../../../schema/index.ts";
import type { DraftState } from "../drafts/drafts.ts";

/** "Tagline", "Background Image". */
export function fieldNamesOf({ key, changes }: DraftState): string[] {
  const fields = entities[key].fields as Readonly<Record<string, Field>>;
  return Object.keys(changes).map((name) => fields[name]?.label ?? name);
}
