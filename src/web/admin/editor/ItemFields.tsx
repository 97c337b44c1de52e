/** The fields of an item's form, in the layout of its declaration. */
import type { ReactNode } from "react";
import { entities, type Entity } from "../../../schema/index.ts";
import type { SectionTab } from "../../../schema/entities/sectionTab.ts";
import type { Draft } from "../data/useDraft.ts";
import { Field, fieldNames } from "./Field.tsx";
import { FieldPair, Fold } from "./Fold.tsx";
import type { FieldOverrides } from "./inputProps.ts";

interface ItemFieldsProps {
  readonly draft: Draft<any>;
  /** Overrides declarations. `instead` replaces a field. */
  readonly fields?: Readonly<Record<string, FieldOverrides & { readonly instead?: ReactNode }>>;
}

/** Shows all fields that people fill in, so that a newly declared field appears. */
export function ItemFields({ draft, fields = {} }: ItemFieldsProps) {
  const { pairs = [], fold }: SectionTab = entityOf(draft).tab ?? {};
  const draw = (name: string) => {
    const { instead, ...overrides } = fields[name] ?? {};
    return instead ?? <Field key={name} draft={draft} name={name} {...overrides} />;
  };
  return (
    <div className="fields">
      {fieldNames(draft).map((name) => {
        if (fold?.fields.includes(name)) return null;
        const pair = pairs.find((names) => names.includes(name));
        if (!pair) return draw(name);
        return name === pair[0] && <FieldPair key={name}>{pair.map(draw)}</FieldPair>;
      })}
      {fold && (
        <Fold
          title={fold.title}
          note={noteOf(draft, fold.fields)}
          isOpen={fold.fields.some((name) => draft.errors[name] !== undefined)}
        >
          <div className="fields">{fold.fields.map(draw)}</div>
        </Fold>
      )}
    </div>
  );
}

/** The number of fields that are set, or the labels of all. */
function noteOf(draft: Draft<any>, names: readonly string[]): string {
  const values = draft.values as Readonly<Record<string, unknown>>;
  const count = names.filter((name) => values[name]).length;
  if (count > 0) return `${count} set`;
  return names.map((name) => entityOf(draft).fields[name]?.label.toLowerCase()).join(", ");
}

const entityOf = (draft: Draft<any>): Entity => entities[draft.key as keyof typeof entities];
