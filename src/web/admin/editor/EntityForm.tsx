/** A whole form from a declaration: `<EntityForm draft={draft} />`. */
import { clientFields } from "../../../schema/check.ts";
import { entities } from "../../../schema/index.ts";
import type { Draft } from "../drafts/useDraft.ts";
import { Field, type FieldOverrides } from "./Field.tsx";

/** `only` names the fields and their sequence; `fields` says what differs from the declaration. */
export interface EntityFormProps {
  readonly draft: Draft<any>;
  readonly only?: readonly string[];
  readonly fields?: Readonly<Record<string, FieldOverrides>>;
}

/** Renders every field that people fill in; the place in a list is set by moving, so it is left out. */
export function EntityForm({ draft, only, fields = {} }: EntityFormProps) {
  return (
    <div className="fields">
      {(only ?? fieldNames(draft)).map((name) => (
        <Field key={name} draft={draft} name={name} {...fields[name]} />
      ))}
    </div>
  );
}

function fieldNames(draft: Draft<any>): string[] {
  const entity = entities[draft.key as keyof typeof entities];
  const place = "arrangement" in entity ? entity.arrangement?.field : undefined;
  return clientFields(entity.fields)
    .filter(([name, field]) => field.input !== "none" && name !== place)
    .map(([name]) => name);
}
