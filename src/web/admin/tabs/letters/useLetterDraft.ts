/** The draft of a newsletter's text, saved when typing pauses and when the screen is left. */
import { useEffect, useState } from "react";
import type { LetterDetail } from "../../../../schema/api/letterResponses.ts";
import { toastError } from "../../../ui/messages.ts";
import { overwriteOtherVersion, acceptOtherVersion } from "../../data/conflict.ts";
import { findDraft, findUnsavedDrafts } from "../../data/drafts.ts";
import { type LetterText, pickLetterText } from "./letterCalls.ts";
import { saveDraft, saveDrafts } from "../../data/saveDraft.ts";
import { type Draft, useDraft } from "../../data/useDraft.ts";

const AUTOSAVE_PAUSE_MS = 800;

export function useLetterDraft({ id, changedAt }: LetterDetail) {
  const draft = useDraft("letters", {
    item: id,
    part: "words",
    label: "Newsletter",
    isInSaveBar: false,
    showsOwnState: true,
    autosaveMs: AUTOSAVE_PAUSE_MS,
    messages: { failure: "Couldn't save" },
  });
  // The server cleans the text. Showing the cleaned text while somebody types would move the cursor.
  const [typedText, setTypedText] = useState<Partial<LetterText>>(
    () => findDraft(draft.id)?.changes ?? {},
  );
  useEffect(() => {
    // An earlier visit may have left unsaved changes.
    void saveLetterDraft(draft.id);
    return () => void saveOnLeave(draft.id);
  }, [draft.id]);
  return {
    text: { ...pickLetterText(draft.values), ...typedText },
    status: getDraftStatus(draft),
    problem: draft.reason,
    savedAt: changedAt,
    /** Resolves to whether all changes are stored. */
    save: () => saveLetterDraft(draft.id),
    set(change: Partial<LetterText>) {
      for (const [name, value] of Object.entries(change))
        draft.setField(name as keyof LetterText, value);
      setTypedText((before) => ({ ...before, ...change }));
    },
    overwriteOtherVersion: () => overwriteOtherVersion(draft.id),
    async acceptOtherVersion() {
      await acceptOtherVersion(draft.id);
      setTypedText({});
    },
    discard: draft.discard,
  };
}

const saveLetterDraft = async (id: string) => !findDraft(id) || saveDraft(id);

async function saveOnLeave(id: string): Promise<void> {
  if (!(await saveLetterDraft(id)) && findDraft(id))
    toastError("Couldn't save the newsletter. Your changes are stored on this device.");
}

/** Saves unsaved drafts of newsletters that aren't open. */
export function saveClosedLetterDrafts(): void {
  const unsavedDrafts = findUnsavedDrafts().filter(
    ({ key, showsOwnState }) => key === "letters" && showsOwnState,
  );
  void saveDrafts(unsavedDrafts.map(({ id }) => id));
}

type DraftStatus = "saved" | "unsaved" | "failed" | "conflict";

function getDraftStatus({ dirtyFields, phase, hasConflict }: Draft<"letters">): DraftStatus {
  if (dirtyFields.length === 0) return "saved";
  if (hasConflict) return "conflict";
  return phase === "failed" ? "failed" : "unsaved";
}
