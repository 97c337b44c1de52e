/** The owner's additions to an enquiry: stage, reminder and notes. */
import { useId, useState } from "react";
import {
  type Submission,
  ENQUIRY_STAGES,
  MAX_NOTE_LENGTH,
} from "../../../../schema/enquiry/visitors.ts";
import {
  formatIsoDayAfter,
  formatLocalDay,
  formatRelativeDateTime,
  formatRelativeDateTimeInSentence,
} from "../../../shared/formatTimes.ts";
import { Button } from "../../../ui/Button.tsx";
import { Options } from "../../../ui/SelectField.tsx";
import {
  useEnquiryProgress,
  STORED_LOCALLY_MESSAGE,
  addNote,
  deleteNote,
  useNoteDraft,
} from "./progressCalls.ts";
import Trash2 from "lucide-react/icons/trash";
import { Form, SubmitButton, useForm } from "../../../ui/Form.tsx";
import { LongTextField } from "../../../ui/LongTextField.tsx";
import { IconButton } from "../../../ui/IconButton.tsx";
import { createId } from "../../../shared/createId.ts";

export function EnquiryProgress({ submission }: { readonly submission: Submission }) {
  const { progress, isPending, isWaiting, change, send } = useEnquiryProgress(submission);
  const id = useId();
  return (
    <div className="progress-line split align-start border-bottom mb-16">
      <div className="stack gap-4">
        <label className="faint note" htmlFor={`${id}-stage`}>
          Stage
        </label>
        <select
          id={`${id}-stage`}
          value={progress.stage}
          aria-busy={isPending}
          onChange={({ target }) => change({ stage: target.value as Submission["stage"] })}
        >
          <Options options={ENQUIRY_STAGES} />
        </select>
      </div>
      <div className="stack gap-4">
        <label className="faint note" htmlFor={`${id}-remind`}>
          Remind me
        </label>
        <Reminder
          id={`${id}-remind`}
          day={progress.remindOn}
          onChoose={(remindOn) => change({ remindOn })}
        />
      </div>
      {isWaiting && (
        <p className="quiet">
          {STORED_LOCALLY_MESSAGE}{" "}
          <Button size="small" onClick={send}>
            Retry
          </Button>
        </p>
      )}
    </div>
  );
}

const REMINDER_CHOICES = [
  { days: 1, label: "Tomorrow" },
  { days: 3, label: "In 3 days" },
  { days: 7, label: "In 1 week" },
] as const;

const PICK_DATE_VALUE = "pick";

/** `day` is null if there is no reminder. */
interface ReminderProps {
  readonly id: string;
  readonly day: string | null;
  readonly onChoose: (day: string | null) => void;
}

function Reminder({ id, day, onChoose }: ReminderProps) {
  const [isPickingDate, setIsPicking] = useState(false);
  const choose = (value: string) => {
    setIsPicking(value === PICK_DATE_VALUE);
    if (value !== PICK_DATE_VALUE) onChoose(value === "" ? null : value);
  };
  const reminderOptions = REMINDER_CHOICES.map((each) => ({
    ...each,
    value: formatIsoDayAfter(each.days),
  }));
  const isCustomDay = day !== null && reminderOptions.every(({ value }) => value !== day);
  return (
    <>
      <select
        id={id}
        value={isPickingDate ? PICK_DATE_VALUE : (day ?? "")}
        onChange={({ target }) => choose(target.value)}
      >
        {isCustomDay && <option value={day}>{formatLocalDay(day)}</option>}
        {reminderOptions.map(({ value, label }) => (
          <option key={value} value={value}>
            {value === day ? `${label}, ${formatLocalDay(value)}` : label}
          </option>
        ))}
        <option value={PICK_DATE_VALUE}>Choose a date</option>
        <option value="">No reminder</option>
      </select>
      {isPickingDate && (
        <input
          type="date"
          aria-label="Choose a date"
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the user just opened it
          autoFocus
          min={formatIsoDayAfter(0)}
          defaultValue={day ?? ""}
          onBlur={({ target }) => {
            setIsPicking(false);
            if (target.value !== "") onChoose(target.value);
          }}
        />
      )}
    </>
  );
}

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
              label={`Delete note from ${formatRelativeDateTimeInSentence(note.at)}`}
              onClick={() => void deleteNote(id, note)}
            />
          </li>
        ))}
      </ol>
    </section>
  );
}

function NoteForm({ submission }: { readonly submission: string }) {
  const noteDraft = useNoteDraft(submission);
  const form = useForm(noteDraft, {
    save: async ({ text, id }) => {
      const note = { text, id: id || createId() };
      // If the connection breaks, the note may be stored already. Sending it again with this id adds no second note.
      noteDraft.setValues({ id: note.id });
      await addNote(submission, note);
      noteDraft.discard();
    },
    success: "Note added",
    failure: "Couldn't add the note. It's stored on this device.",
  });
  return (
    <Form form={form} className="stack">
      <LongTextField
        name="text"
        label="Add a note (visitors can't see it)"
        maxCharacters={MAX_NOTE_LENGTH}
        rows={2}
      />
      <SubmitButton
        variant="neutral"
        disabled={noteDraft.values.text.trim() === ""}
        pendingLabel="Adding..."
      >
        Add note
      </SubmitButton>
    </Form>
  );
}
