/** The fonts, the sizes and the corners. */
import type { Draft } from "../../drafts/useDraft.ts";
import { Field } from "../../editor/Field.tsx";
import { Card } from "../../parts/Card.tsx";
import { FontField } from "./FontField.tsx";

/** Shows five fields, two beside each other where there is room. */
export function Typography({ draft }: { draft: Draft<"styles"> }) {
  return (
    <Card title="Typography">
      <div className="fields pairs">
        <FontField draft={draft} name="headingFont" />
        <FontField draft={draft} name="bodyFont" />
        <Field draft={draft} name="headingSize" />
        <Field draft={draft} name="bodySize" />
        <Field draft={draft} name="borderRadius" hint="Corners, such as 8px or 0." />
      </div>
    </Card>
  );
}
