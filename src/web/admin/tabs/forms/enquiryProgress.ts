/** An enquiry's stage, reminder date and notes: each is saved at once. */
import { useEffect } from "react";
import type { StoredNote, Submission } from "../../../../schema/enquiry/visitors.ts";
import { CallError } from "../../../shared/api.ts";
import { toastFailure, toastSuccess } from "../../../ui/messages.ts";
import { useAction } from "../../../ui/useAction.ts";
import { type UnsentForm, useUnsentForm } from "../../data/useUnsentForm.ts";
import { itemPath, runWithToast, writeToEntity } from "../../data/writes.ts";

interface EnquiryProgressValues {
  readonly stage: Submission["stage"];
  /** "2027-03-14", or null. */
  readonly remindOn: string | null;
}

type ProgressChange = Partial<EnquiryProgressValues>;

/** Saves a change with a toast; Undo restores `before`. Throws CallError. */
async function putProgress(
  id: string,
  body: ProgressChange,
  before: EnquiryProgressValues,
): Promise<void> {
  const path = `${itemPath("formSubmissions", id)}/progress`;
  await writeToEntity("formSubmissions", path, { method: "PUT", body });
  const back = Object.fromEntries(Object.keys(body).map((name) => [name, before[name as "stage"]]));
  const undo = () => void saveProgress(id, back, { ...before, ...body });
  toastSuccess("Saved", { label: "Undo", onPress: undo });
}

/** Like `putProgress`, with a toast on failure. */
export async function saveProgress(
  id: string,
  body: ProgressChange,
  before: EnquiryProgressValues,
): Promise<void> {
  try {
    await putProgress(id, body, before);
  } catch (error) {
    toastFailure(error, "Couldn't save the stage or reminder. Try again.");
  }
}

const createUnsentForm = (item: string, part: string, name: string): UnsentForm => ({
  key: "formSubmissions",
  item,
  part,
  name,
});

/**
 * An enquiry's stage and reminder as chosen, and how to change them. A change that can't be sent waits on this device,
 * and is sent once back online, or by `send`.
 */
export function useEnquiryProgress({ id, stage, remindOn }: Submission) {
  const stored = { stage, remindOn };
  const typed = useUnsentForm<EnquiryProgressValues>(
    createUnsentForm(id, "progress", "Stage and reminder"),
    stored,
  );
  const [pending, change] = useAction(
    async (to: ProgressChange) => {
      typed.set(to);
      try {
        await putProgress(id, { ...typed.changes, ...to }, stored);
        typed.forget();
      } catch (error) {
        // The server would refuse it again.
        if (error instanceof CallError && error.status < 500) typed.forget();
        throw error;
      }
    },
    { failure: STORED_LOCALLY_MESSAGE },
  );
  const waits = typed.isTyped && !pending;
  const send = () => change({});
  useEffect(() => {
    if (!waits) return;
    window.addEventListener("online", send);
    return () => window.removeEventListener("online", send);
  });
  return { progress: typed.values, pending, waits, change, send };
}

/** For changes stored for later. */
export const STORED_LOCALLY_MESSAGE = "Not saved yet. It's stored on this device.";

const notesPath = (submission: string) => `${itemPath("formSubmissions", submission)}/notes`;

interface NoteFormValues {
  readonly text: string;
  /** Sent along, so that a repeated request adds the note only once. */
  readonly id: string;
}

export const useNoteDraft = (submission: string) =>
  useUnsentForm<NoteFormValues>(createUnsentForm(submission, "note", "Note"), { text: "", id: "" });

/** Adds a note, or restores one. Throws CallError. */
export const addNote = (submission: string, body: Partial<StoredNote>) =>
  writeToEntity<Submission>("formSubmissions", notesPath(submission), { method: "POST", body });

/** Deletes a note; Undo restores it. */
export async function deleteNote(submission: string, { id, at, text }: StoredNote): Promise<void> {
  const path = `${notesPath(submission)}/${encodeURIComponent(id)}`;
  await runWithToast(
    { success: "Note deleted", failure: "Couldn't delete the note. Try again." },
    () => writeToEntity("formSubmissions", path, { method: "DELETE" }),
    () => void runWithToast(NOTE_MESSAGES, () => addNote(submission, { id, at, text })),
  );
}

const NOTE_MESSAGES = { success: "Note added", failure: "Couldn't restore the note. Try again." };
