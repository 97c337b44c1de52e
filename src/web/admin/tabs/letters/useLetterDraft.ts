/** A letter's text while it is edited: autosaves when typing pauses, and on leaving. */
import { useEffect, useRef, useState } from "react";
import { discardDraft } from "../../data/drafts.ts";
import {
  keepMyLetter,
  leaveLetter,
  letterPlace,
  saveLetterDraft,
  takeTheirLetter,
} from "../../data/letterDrafts.ts";
import type { LetterWords, StoredLetter } from "../../data/letters.ts";
import { useTyped } from "../../data/useTyped.ts";

/** In milliseconds. */
const PAUSE = 800;

export function useLetterDraft(letter: StoredLetter) {
  const { id } = letter;
  const { values, changes, draft, set, isTyped } = useTyped(letterPlace(id), wordsOf(letter));
  // The server cleans the text it stores; while somebody types, their own text stays, with the cursor.
  const [typed, setTyped] = useState<Partial<LetterWords>>(changes);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    // Changes of an earlier visit.
    void saveLetterDraft(id);
    return () => {
      clearTimeout(timer.current);
      void leaveLetter(id);
    };
  }, [id]);
  return {
    words: { ...values, ...typed },
    status: statusOf(isTyped, draft),
    problem: draft.reason,
    savedAt: letter.changedAt,
    /** Returns whether all changes are stored. */
    save() {
      clearTimeout(timer.current);
      return saveLetterDraft(id);
    },
    set(change: Partial<LetterWords>) {
      set(change);
      setTyped((before) => ({ ...before, ...change }));
      clearTimeout(timer.current);
      timer.current = setTimeout(() => void saveLetterDraft(id), PAUSE);
    },
    keepMine: () => keepMyLetter(id),
    async takeTheirs() {
      if (await takeTheirLetter(id)) setTyped({});
    },
    /** After a deletion. */
    forget: () => discardDraft(draft.id),
  };
}

type Status = "saved" | "unsaved" | "failed" | "conflict";

function statusOf(
  isTyped: boolean,
  { phase, theirs }: ReturnType<typeof useTyped>["draft"],
): Status {
  if (!isTyped) return "saved";
  if (theirs) return "conflict";
  return phase === "failed" ? "failed" : "unsaved";
}

const wordsOf = ({
  subject,
  preview,
  body,
  buttonText,
  buttonLink,
}: StoredLetter): LetterWords => ({
  subject,
  preview,
  body,
  buttonText,
  buttonLink,
});
