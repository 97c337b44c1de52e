/** An enquiry's stage, reminder and notes. Changes are saved at once. */
import { useEffect } from "react";
import type { StoredNote, Submission } from "../../../../schema/enquiry/visitors.ts";
import { CallError } from "../../../shared/api.ts";
import { toastFailure, toastSuccess } from "../../../ui/messages.ts";
import { useAction } from "../../../ui/useAction.ts";
import { type UnsentForm, useUnsentForm } from "../../data/useUnsentForm.ts";
import { getItemPath, runWithToast, writeToEntity } from "../../data/entityWrites.ts";

interface ProgressValues {
  readonly stage: Submission["stage"];
  /** A date such as "2027-03-14", or null. */
  readonly remindOn: string | null;
}

type ProgressChange = Partial<ProgressValues>;

/** Saves the stage or the reminder. Undo in the toast restores `before`. Throws CallError. */
async function sendProgress(
  id: string,
  body: ProgressChange,
  before: ProgressValues,
): Promise<void> {
  const path = `${getItemPath("formSubmissions", id)}/progress`;
  await writeToEntity("formSubmissions", path, { method: "PUT", body });
  const previousValues = Object.fromEntries(
    Object.keys(body).map((name) => [name, before[name as "stage"]]),
  );
  const undo = () => void saveProgress(id, previousValues, { ...before, ...body });
  toastSuccess("Saved", { label: "Undo", onPress: undo });
}

/** Like `sendProgress`, but shows failures in a toast. */
export async function saveProgress(
  id: string,
  body: ProgressChange,
  before: ProgressValues,
): Promise<void> {
  try {
    await sendProgress(id, body, before);
  } catch (error) {
    toastFailure(error, "Couldn't save the stage or reminder. Try again.");
  }
}

/** After these statuses, the same change can't succeed later. After others, such as 401 or 429, it may. */
const FINAL_REFUSALS = new Set([400, 404, 422]);

/** Describes a form about a submission. The form's input is stored on this device until it is sent. */
export const createUnsentForm = (item: string, part: string, label: string): UnsentForm => ({
  key: "formSubmissions",
  item,
  part,
  label,
});

/** Returns an enquiry's progress. A failed change stays on this device, and is retried by `send` or once online. */
export function useEnquiryProgress({ id, stage, remindOn }: Submission) {
  const stored = { stage, remindOn };
  const unsentForm = useUnsentForm<ProgressValues>(
    createUnsentForm(id, "progress", "Stage and reminder"),
    stored,
  );
  const [isPending, changeProgress] = useAction(
    async (newValues: ProgressChange) => {
      unsentForm.setValues(newValues);
      try {
        await sendProgress(id, { ...unsentForm.changes, ...newValues }, stored);
        unsentForm.discard();
      } catch (error) {
        // The server would refuse the change again, so the change isn't kept.
        if (error instanceof CallError && FINAL_REFUSALS.has(error.status)) unsentForm.discard();
        throw error;
      }
    },
    { failure: STORED_LOCALLY_MESSAGE },
  );
  const isUnsent = unsentForm.isUnsaved && !isPending;
  const retry = () => changeProgress({});
  useEffect(() => {
    if (!isUnsent) return;
    window.addEventListener("online", retry);
    return () => window.removeEventListener("online", retry);
  });
  return {
    progress: unsentForm.values,
    isPending,
    isWaiting: isUnsent,
    change: changeProgress,
    send: retry,
  };
}

export const STORED_LOCALLY_MESSAGE = "Not saved yet. It's stored on this device.";

const getNotesPath = (submission: string) => `${getItemPath("formSubmissions", submission)}/notes`;

interface NoteFormValues {
  readonly text: string;
  /** The server recognizes a repeated request by this id, and doesn't add the note twice. */
  readonly id: string;
}

export const useNoteDraft = (submission: string) =>
  useUnsentForm<NoteFormValues>(createUnsentForm(submission, "note", "Note"), { text: "", id: "" });

/** Adds a note, or restores a deleted note. Throws CallError. */
export const addNote = (submission: string, body: Partial<StoredNote>) =>
  writeToEntity<Submission>("formSubmissions", getNotesPath(submission), { method: "POST", body });

export async function deleteNote(submission: string, { id, at, text }: StoredNote): Promise<void> {
  const path = `${getNotesPath(submission)}/${encodeURIComponent(id)}`;
  await runWithToast(
    { success: "Note deleted", failure: "Couldn't delete the note. Try again." },
    () => writeToEntity("formSubmissions", path, { method: "DELETE" }),
    () => void runWithToast(NOTE_MESSAGES, () => addNote(submission, { id, at, text })),
  );
}

const NOTE_MESSAGES = {
  success: "Note restored",
  failure: "Couldn't restore the note. Try again.",
};
