/** The words of a letter while they are typed: they save themselves when the typing pauses, and when it is left. */
import { useCallback, useEffect, useRef, useState } from "react";
import type { LetterDetail } from "../../../../schema/letterState.ts";
import { type LetterWords, saveLetter } from "../../data/letters.ts";
import { failureWords } from "../../data/messages.ts";

/** In milliseconds. */
const PAUSE = 800;

export function useLetterDraft(letter: LetterDetail) {
  const [words, setWords] = useState<LetterWords>(() => wordsOf(letter));
  const [status, setStatus] = useState<"saved" | "unsaved" | "failed">("saved");
  const [problem, setProblem] = useState("");
  const [savedAt, setSavedAt] = useState(letter.changedAt);
  const typed = useRef(words);
  const stored = useRef(JSON.stringify(words));
  const isGone = useRef(false);

  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const { id } = letter;

  /** Returns whether what is typed is stored. */
  const save = useCallback(async (): Promise<boolean> => {
    clearTimeout(timer.current);
    const now = JSON.stringify(typed.current);
    if (now === stored.current || isGone.current) return true;
    try {
      const { changedAt } = await saveLetter(id, typed.current);
      stored.current = now;
      setSavedAt(changedAt);
      if (now === JSON.stringify(typed.current)) setStatus("saved");
      return true;
    } catch (error) {
      setProblem(failureWords(error, "Couldn't save."));
      setStatus("failed");
      return false;
    }
  }, [id]);

  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => {
      if (JSON.stringify(typed.current) !== stored.current) event.preventDefault();
    };
    window.addEventListener("beforeunload", warn);
    return () => {
      window.removeEventListener("beforeunload", warn);
      void save();
    };
  }, [save]);

  return {
    words,
    status,
    problem,
    savedAt,
    save,
    set(change: Partial<LetterWords>) {
      typed.current = { ...typed.current, ...change };
      setWords(typed.current);
      setStatus("unsaved");
      clearTimeout(timer.current);
      timer.current = setTimeout(() => void save(), PAUSE);
    },
    /** It was deleted. */
    forget: () => (isGone.current = true),
  };
}

const wordsOf = ({
  subject,
  preview,
  body,
  buttonText,
  buttonLink,
}: LetterDetail): LetterWords => ({
  subject,
  preview,
  body,
  buttonText,
  buttonLink,
});
