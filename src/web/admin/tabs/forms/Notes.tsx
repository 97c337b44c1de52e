/** The owner's notes on an enquiry. */
import Trash2 from "lucide-react/icons/trash";
import { MAX_NOTE_LENGTH, type Submission } from "../../../../schema/enquiry/visitors.ts";
import { Form, SubmitButton, useForm } from "../../../ui/Form.tsx";
import { LongTextField } from "../../../ui/LongTextField.tsx";
import { IconButton } from "../../../ui/IconButton.tsx";
import { addNote, deleteNote, useNoteDraft } from "./enquiryProgress.ts";
import { createId } from "../../../shared/newId.ts";
import { formatRelativeDateTime } from "../../../shared/formatTimes.ts";

export function EnquiryNotes({ submission: { id, notes } }: { readonly submission: Submission }) {
  return (
    <section className="notes separated measure stack gap-12 border-top" aria-label="Notes">
      <h4>Notes</h4>
      <NoteForm submission={id} />
      <ol className="divided">
        {notes.toReversed().map((note) => (
          <li key={note.id} className="row align-start justify-between">
            <div>
              <p dir="auto">{note.text}</p>
              <p className="quiet">
                {note.by} · {formatRelativeDateTime(note.at)}
              </p>
            </div>
            <IconButton
              icon={Trash2}
              label={`Delete note from ${formatRelativeDateTime(note.at)}`}
              onClick={() => void deleteNote(id, note)}
            />
          </li>
        ))}
      </ol>
    </section>
  );
}

function NoteForm({ submission }: { readonly submission: string }) {
  const typed = useNoteDraft(submission);
  const form = useForm(typed, {
    save: async ({ text, id }) => {
      const noted = { text, id: id || createId() };
      // After a broken connection the note may be stored. Sending the same id again adds no second note.
      typed.set({ id: noted.id });
      await addNote(submission, noted);
      typed.forget();
    },
    success: "Note added",
    failure: "Couldn't add the note. It's stored on this device.",
  });
  return (
    <Form form={form} className="stack">
      <LongTextField
        name="text"
        label="Add a note (visitors can't see it)"
        most={MAX_NOTE_LENGTH}
        rows={2}
      />
      <SubmitButton
        variant="neutral"
        disabled={typed.values.text.trim() === ""}
        pendingLabel="Adding..."
      >
        Add note
      </SubmitButton>
    </Form>
  );
}
