/** A letter's text while it is edited: autosaves when typing pauses, and on leaving. */
import { useEffect, useState } from "react";
import type { LetterDetail } from "../../../../schema/api/letterResponses.ts";
import { toastError } from "../../../ui/messages.ts";
import { saveOverOther, discardForOther } from "../../data/conflict.ts";
import { draftWith, unsavedDrafts } from "../../data/drafts.ts";
import type { LetterText } from "./letters.ts";
import { saveDraft, saveDrafts } from "../../data/saveDraft.ts";
import { type Draft, useDraft } from "../../data/useDraft.ts";

/** In milliseconds. */
const PAUSE = 800;

export function useLetterDraft({ id, changedAt }: LetterDetail) {
  const draft = useDraft("letters", {
    item: id,
    part: "words",
    name: "Newsletter",
    inBar: false,
    showsOwnState: true,
    autosave: PAUSE,
    messages: { failure: "Couldn't save" },
  });
  // The server cleans the text it stores; while somebody types, their own text and the cursor aren't
  // replaced.
  const [typed, setTyped] = useState<Partial<LetterText>>(() => draftWith(draft.id)?.changes ?? {});
  useEffect(() => {
    // Changes of an earlier visit.
    void saveTyped(draft.id);
    return () => void saveLeft(draft.id);
  }, [draft.id]);
  return {
    text: { ...textOf(draft.values), ...typed },
    status: statusOf(draft),
    problem: draft.reason,
    savedAt: changedAt,
    /** Returns whether all changes are stored. */
    save: () => saveTyped(draft.id),
    set(change: Partial<LetterText>) {
      for (const [name, value] of Object.entries(change))
        draft.set(name as keyof LetterText, value);
      setTyped((before) => ({ ...before, ...change }));
    },
    keepMine: () => saveOverOther(draft.id),
    async acceptOther() {
      await discardForOther(draft.id);
      setTyped({});
    },
    /** After a deletion. */
    forget: draft.discard,
  };
}

const saveTyped = async (id: string) => !draftWith(id) || saveDraft(id);

/** Saves the draft when its screen is left; a failure is shown, and the draft remains. */
async function saveLeft(id: string): Promise<void> {
  if (!(await saveTyped(id)) && draftWith(id))
    toastError("Couldn't save this newsletter. Your changes are saved on this device.");
}

/** Saves drafts of earlier visits for letters that aren't open. */
export function saveClosedLetterDrafts(): void {
  const left = unsavedDrafts().filter(
    ({ key, showsOwnState }) => key === "letters" && showsOwnState,
  );
  void saveDrafts(left.map(({ id }) => id));
}

type Status = "saved" | "unsaved" | "failed" | "conflict";

function statusOf({ dirty, phase, hasConflict }: Draft<"letters">): Status {
  if (dirty.length === 0) return "saved";
  if (hasConflict) return "conflict";
  return phase === "failed" ? "failed" : "unsaved";
}

const textOf = ({ subject, preview, body, buttonText, buttonLink }: LetterText): LetterText => ({
  subject,
  preview,
  body,
  buttonText,
  buttonLink,
});
