/** The seven colours, each with its use and a warning when words in or on it are hard to read. */
import type { Draft } from "../../drafts/useDraft.ts";
import { Field, type FieldOverrides } from "../../editor/Field.tsx";
import { Badge } from "../../parts/Badge.tsx";
import { Card } from "../../parts/Card.tsx";
import { readings } from "./readings.ts";

/** Shows the colours; the head counts the warnings. */
export function Colours({ draft }: { draft: Draft<"styles"> }) {
  const hard = readings(draft.values).filter(({ ok }) => !ok).length;
  return (
    <Card
      title="Colors"
      note="Aim for 4.5 : 1"
      actions={hard > 0 && <Badge tone="warn">{hard} hard to read</Badge>}
    >
      <div className="fields">
        {Object.entries(fieldsFor(draft.values)).map(([name, overrides]) => (
          <Field key={name} draft={draft} name={name} {...overrides} />
        ))}
      </div>
    </Card>
  );
}

function fieldsFor({ textColor }: { textColor: string }): Record<string, FieldOverrides> {
  const against = { colour: textColor, words: "Text is hard to read on it" };
  return {
    backgroundColor: { hint: "Behind everything." },
    textColor: { hint: "Headings and text." },
    primaryColor: { hint: "Buttons, links and light." },
    accentColor: { hint: "Names in the press, quiet marks." },
    heroBackgroundColor: { hint: "Behind the first picture and while it loads.", against },
    aboutBackgroundColor: { hint: "Behind your story.", against },
    sectionBackgroundColor: { hint: "Behind sections without a color of their own.", against },
  };
}
