/**
 * Answers kept over a reload. In the tab's own storage: they are personal, the next person at the same
 * screen must not find them.
 */
import type { Answers } from "../../../schema/questions.ts";

/** What is kept of a form that is being filled in. */
export interface EnquiryDraft {
  readonly step: number;
  readonly answers: Answers;
  readonly dialCountries: Readonly<Record<string, string>>;
}

/** No draft is taken up after this time, in milliseconds. */
const DRAFT_LIFETIME = 24 * 60 * 60 * 1000;

const keyOf = (formId: string) => `limelight.enquiry.${formId}`;

/** Keeps the draft of a form; where the browser refuses to, the answers just don't outlive the page. */
export function keepDraft(formId: string, draft: EnquiryDraft, now = Date.now()): void {
  try {
    sessionStorage.setItem(keyOf(formId), JSON.stringify({ ...draft, savedAt: now }));
  } catch {
    dropDraft(formId);
  }
}

/** The draft of a form, or null when there is none of the last day. */
export function readDraft(formId: string, now = Date.now()): EnquiryDraft | null {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(keyOf(formId)) ?? "null");
    if (isDraft(kept) && now - kept.savedAt < DRAFT_LIFETIME) return kept;
  } catch {
    // Unreadable: as good as none.
  }
  dropDraft(formId);
  return null;
}

/** Forgets the draft of a form. */
export function dropDraft(formId: string): void {
  try {
    sessionStorage.removeItem(keyOf(formId));
  } catch {
    // Without storage there was none.
  }
}

function isDraft(kept: unknown): kept is EnquiryDraft & { savedAt: number } {
  const draft = kept as Partial<EnquiryDraft & { savedAt: number }> | null;
  return (
    typeof draft?.savedAt === "number" &&
    Number.isInteger(draft.step) &&
    typeof draft.answers === "object" &&
    typeof draft.dialCountries === "object"
  );
}
