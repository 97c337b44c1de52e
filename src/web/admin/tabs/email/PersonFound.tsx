/** What the site holds about a person, and what can be done with it. */
import FileJson from "lucide-react/icons/file-braces";
import Trash2 from "lucide-react/icons/trash";
import { useState } from "react";
import { Button } from "../../../ui/Button.tsx";
import { download } from "../../export/download.ts";
import { ConfirmDialog } from "../../parts/ConfirmDialog.tsx";
import { toastFailure, toastSuccess } from "../../queries/toasts.ts";
import { erasePerson, type Person, personFileName } from "./people.ts";

/** `onErased` when nothing of it is left. */
export interface PersonFoundProps {
  readonly person: Person;
  readonly onErased: () => void;
}

/** Renders the finding. */
export function PersonFound({ person, onErased }: PersonFoundProps) {
  const [asking, ask] = useState(false);
  const [pending, setPending] = useState(false);
  const erase = async () => {
    setPending(true);
    try {
      await erasePerson(person.email);
      toastSuccess("Personal data erased");
      onErased();
    } catch (error) {
      toastFailure(error, "Failed to erase the personal data");
    }
    setPending(false);
    ask(false);
  };
  const words = wordsFor(person);
  if (words === undefined)
    return <p className="quiet person-found">Nothing is stored about this address.</p>;
  return (
    <div className="person-found">
      <p>
        <strong>{person.email}</strong> has {words} here.
      </p>
      <div className="list-actions">
        <Button onClick={() => exportPerson(person)}>
          <FileJson size={16} aria-hidden="true" /> Export data
        </Button>
        <Button variant="quiet" className="bad" onClick={() => ask(true)}>
          <Trash2 size={16} aria-hidden="true" /> Erase data
        </Button>
      </div>
      <ConfirmDialog
        open={asking}
        title="Erase this person’s data?"
        keep="Keep data"
        confirm="Erase data"
        pending={pending}
        onKeep={() => ask(false)}
        onConfirm={() => void erase()}
      >
        <p>
          {words} of <strong>{person.email}</strong> will be gone, from earlier copies on this site
          too. This cannot be undone.
        </p>
      </ConfirmDialog>
    </div>
  );
}

function exportPerson(person: Person): void {
  const json = JSON.stringify(person, null, 2);
  download(new Blob([json], { type: "application/json" }), personFileName(new Date()));
}

/** "1 subscription and 2 submissions"; undefined for nothing. */
function wordsFor({ subscription, submissions }: Person): string | undefined {
  const count = submissions.length;
  const parts = [
    ...(subscription ? ["1 subscription"] : []),
    ...(count > 0 ? [`${count} ${count === 1 ? "submission" : "submissions"}`] : []),
  ];
  return parts.length > 0 ? parts.join(" and ") : undefined;
}
