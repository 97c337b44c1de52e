/** Shows an edit that was made elsewhere meanwhile, and lets the owner choose (ux.md). */
import { useSignals } from "@preact/signals-react/runtime";
import type { Field } from "../../../schema/fields.ts";
import { entities } from "../../../schema/index.ts";
import { Button } from "../../ui/Button.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import { drafts, type DraftState, patchDraft } from "../data/drafts.ts";
import { keepMine, takeTheirs } from "../data/saveDraft.ts";
import { adoptStyles } from "../parts/adoptStyles.ts";
import conflictCss from "../styles/conflict.css" with { type: "text" };

adoptStyles(conflictCss);

/** Renders the dialog while a save was refused for that reason. */
export function ConflictDialog() {
  useSignals();
  const draft = Object.values(drafts.value).find(({ phase }) => phase === "conflict");
  const later = () => draft && patchDraft(draft.id, { phase: "failed" });
  return (
    <Dialog open={draft !== undefined} onClose={later} title="This was changed elsewhere meanwhile">
      {draft && <Choice draft={draft} />}
    </Dialog>
  );
}

function Choice({ draft }: { draft: DraftState }) {
  const fields = entities[draft.key].fields as Readonly<Record<string, Field>>;
  return (
    <>
      <p className="quiet">
        Someone saved {draft.name} after you opened it. Which words should stay?
      </p>
      <table className="conflict">
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">Stored now</th>
            <th scope="col">Mine</th>
          </tr>
        </thead>
        <tbody>
          {Object.entries(draft.changes).map(([name, mine]) => (
            <tr key={name}>
              <th scope="row">{fields[name]?.label ?? name}</th>
              <td>{shownWords(draft.theirs?.[name])}</td>
              <td>{shownWords(mine)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <div className="dialog-actions">
        <Button onClick={() => void takeTheirs(draft.id)}>Take theirs</Button>
        <Button variant="primary" onClick={() => void keepMine(draft.id)}>
          Keep mine
        </Button>
      </div>
    </>
  );
}

function shownWords(value: unknown): string {
  if (value === null || value === undefined || value === "") return "(empty)";
  return String(value)
    .replace(/<[^>]*>/g, " ")
    .trim();
}
