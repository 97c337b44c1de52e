/** An enquiry's stage, reminder date and notes: each is saved at once. */
import { useEffect } from "react";
import type { StoredNote, Submission } from "../../../../schema/enquiry/visitors.ts";
import { CallFailed } from "../../../shared/api.ts";
import { toastFailure, toastSuccess } from "../../../ui/messages.ts";
import { useAction } from "../../../ui/useAction.ts";
import { type TypedForm, useUnsentForm } from "../../data/useUnsentForm.ts";
import { itemPath, withToast, write } from "../../data/writes.ts";

interface Progress {
  readonly stage: Submission["stage"];
  /** "2027-03-14", or null. */
  readonly remindOn: string | null;
}

type Change = Partial<Progress>;

/** Saves a change with a toast; Undo restores `before`. Throws CallFailed. */
async function put(id: string, body: Change, before: Progress): Promise<void> {
  const path = `${itemPath("formSubmissions", id)}/progress`;
  await write("formSubmissions", path, { method: "PUT", body });
  const back = Object.fromEntries(Object.keys(body).map((name) => [name, before[name as "stage"]]));
  const undo = () => void saveProgress(id, back, { ...before, ...body });
  toastSuccess("Saved", { label: "Undo", onPress: undo });
}

/** Like `put`, with a toast on failure. */
export async function saveProgress(id: string, body: Change, before: Progress): Promise<void> {
  try {
    await put(id, body, before);
  } catch (error) {
    toastFailure(error, "Couldn't save the stage or reminder. Try again.");
  }
}

const formOf = (item: string, part: string, name: string): TypedForm => ({
  key: "formSubmissions",
  item,
  part,
  name,
});

/**
 * An enquiry's stage and reminder as chosen, and how to change them. A change that can't be sent waits on this device,
 * and is sent once back online, or by `send`.
 */
export function useProgress({ id, stage, remindOn }: Submission) {
  const stored = { stage, remindOn };
  const typed = useUnsentForm<Progress>(formOf(id, "progress", "Stage and reminder"), stored);
  const [pending, change] = useAction(
    async (to: Change) => {
      typed.set(to);
      try {
        await put(id, { ...typed.changes, ...to }, stored);
        typed.forget();
      } catch (error) {
        // The server would refuse it again.
        if (error instanceof CallFailed && error.status < 500) typed.forget();
        throw error;
      }
    },
    { failure: WAITS },
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
export const WAITS = "Not saved yet. It's stored on this device.";

const notesOf = (submission: string) => `${itemPath("formSubmissions", submission)}/notes`;

interface TypedNote {
  readonly text: string;
  /** Sent along, so that a repeated request adds the note only once. */
  readonly id: string;
}

export const useNoteDraft = (submission: string) =>
  useUnsentForm<TypedNote>(formOf(submission, "note", "Note"), { text: "", id: "" });

/** Adds a note, or restores one. Throws CallFailed. */
export const addNote = (submission: string, body: Partial<StoredNote>) =>
  write<Submission>("formSubmissions", notesOf(submission), { method: "POST", body });

/** Deletes a note; Undo restores it. */
export async function deleteNote(submission: string, { id, at, text }: StoredNote): Promise<void> {
  const path = `${notesOf(submission)}/${encodeURIComponent(id)}`;
  await withToast(
    { success: "Note deleted", failure: "Couldn't delete the note. Try again." },
    () => write("formSubmissions", path, { method: "DELETE" }),
    () => void withToast(NOTED, () => addNote(submission, { id, at, text })),
  );
}

const NOTED = { success: "Note added", failure: "Couldn't restore the note. Try again." };
