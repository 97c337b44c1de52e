/** A conflict: compares the owner's changes with a version that somebody else saved first. The owner chooses one. */
import type { Field } from "../../../schema/kinds/fields.ts";
import { entities } from "../../../schema/index.ts";
import { Button } from "../../ui/Button.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import { postponeConflicts, type DraftState, useConflictingDraft } from "../data/drafts.ts";
import { saveOverOther, discardForOther } from "../data/conflict.ts";
import { useStylesheet } from "../parts/useStylesheet.ts";
import { compareEdits } from "./compareEdits.ts";
import css from "./ConflictDialog.css" with { type: "text" };

export function ConflictDialog() {
  useStylesheet(css);
  const draft = useConflictingDraft();
  return (
    <Dialog
      open={draft !== undefined}
      onClose={postponeConflicts}
      title="Changed in another window"
    >
      {draft && <ConflictChoice draft={draft} />}
    </Dialog>
  );
}

function ConflictChoice({ draft }: { draft: DraftState }) {
  const fields = entities[draft.key].fields as Readonly<Record<string, Field>>;
  return (
    <>
      <p className="quiet">
        {draft.name} was saved in another window after you opened it. Which version do you want to
        keep?
      </p>
      <table className="conflict">
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">Saved version</th>
            <th scope="col">Your version</th>
          </tr>
        </thead>
        <tbody>
          {Object.entries(draft.changes).map(([name, mine]) => (
            <FieldComparison
              key={name}
              name={name}
              field={fields[name]}
              otherValue={draft.otherValue?.[name]}
              mine={mine}
            />
          ))}
        </tbody>
      </table>
      <div className="actions">
        <Button onClick={() => void discardForOther(draft.id)}>Keep saved version</Button>
        <Button variant="primary" onClick={() => void saveOverOther(draft.id)}>
          Keep my version
        </Button>
      </div>
    </>
  );
}

interface FieldComparisonProps {
  readonly name: string;
  readonly field: Field | undefined;
  readonly otherValue: unknown;
  readonly mine: unknown;
}

function FieldComparison({ name, field, ...values }: FieldComparisonProps) {
  const { otherText, mine, note } = compareEdits(field, values.otherValue, values.mine);
  return (
    <tr>
      <th scope="row">
        {field?.label ?? name}
        {note && <span className="quiet">{note}</span>}
      </th>
      <td dir="auto">{otherText}</td>
      <td dir="auto">{mine}</td>
    </tr>
  );
}
