/** Migrates submissions of earlier versions; browsers don't need it (build/leftOut.ts). */
import type { Migrations } from "./entity.ts";

export const submissionMigrations: Migrations = {
  1: withAnswersOnce,
  // The replies of version 3 have their initial value.
  2: (submission) => submission,
};

/** Version 1 also stored the answers as text. An answer without a question gets one. */
function withAnswersOnce(stored: unknown) {
  const { submissionData, questions = [], ...rest } = stored as VersionOne;
  const known = new Set(questions.map(({ id }) => id));
  const others = answersIn(submissionData).filter(({ id }) => !known.has(id));
  return { ...rest, questions: [...questions, ...others] };
}

interface VersionOne {
  readonly submissionData?: string;
  readonly questions?: readonly { readonly id: string }[];
}

function answersIn(text = "") {
  const whole = [{ id: "answers", label: "Answers", type: "textarea", answer: text }];
  try {
    const answers: unknown = JSON.parse(text);
    if (typeof answers !== "object" || answers === null) return whole;
    return Object.entries(answers).map(([id, given]) => {
      const answer = Array.isArray(given) ? given.map(String) : String(given);
      return { id, label: id, type: "text", answer };
    });
  } catch {
    return text.trim() === "" ? [] : whole;
  }
}
