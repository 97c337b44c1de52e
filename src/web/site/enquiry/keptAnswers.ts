/** Brings back what a visitor had typed, and keeps what is typed from then on. */
import { effect } from "@preact/signals-react";
import { type RefObject, useEffect } from "react";
import { dialOf } from "../../../schema/countries.ts";
import type { Answer, Answers } from "../../../schema/questions.ts";
import type { EnquiryState } from "./enquiryState.ts";
import type { EnquiryField } from "./loadEnquiry.ts";

// Answers kept over a reload. In the tab's own storage: they are personal, the next person at the same
// screen must not find them.

/** What is kept of a form that is being filled in. */
export interface KeptAnswers {
  readonly step: number;
  readonly answers: Answers;
  readonly dialCountries: Readonly<Record<string, string>>;
}

/** No draft is taken up after this time, in milliseconds. */
const DRAFT_LIFETIME = 24 * 60 * 60 * 1000;

const keyOf = (formId: string) => `limelight.enquiry.${formId}`;

/** Keeps the draft of a form; where the browser refuses to, the answers just don't outlive the page. */
function keepAnswers(formId: string, draft: KeptAnswers, now = Date.now()): void {
  try {
    sessionStorage.setItem(keyOf(formId), JSON.stringify({ ...draft, savedAt: now }));
  } catch {
    dropKeptAnswers(formId);
  }
}

/** The draft of a form, or null when there is none of the last day. */
function readKeptAnswers(formId: string, now = Date.now()): KeptAnswers | null {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(keyOf(formId)) ?? "null");
    if (isDraft(kept) && now - kept.savedAt < DRAFT_LIFETIME) return kept;
  } catch {
    // Unreadable: as good as none.
  }
  dropKeptAnswers(formId);
  return null;
}

/** Forgets the draft of a form. */
function dropKeptAnswers(formId: string): void {
  try {
    sessionStorage.removeItem(keyOf(formId));
  } catch {
    // Without storage there was none.
  }
}

function isDraft(kept: unknown): kept is KeptAnswers & { savedAt: number } {
  const draft = kept as Partial<KeptAnswers & { savedAt: number }> | null;
  return (
    typeof draft?.savedAt === "number" &&
    Number.isInteger(draft.step) &&
    typeof draft.answers === "object" &&
    typeof draft.dialCountries === "object"
  );
}

// Reads answers out of the inputs of a step.

/** The answers that are there, by field id. */
function typedAnswers(fields: readonly EnquiryField[], form: FormData): Answers {
  const answers = fields.map((field) => [field.id, typedAnswer(field, form)] as const);
  return Object.fromEntries(answers.filter(([, answer]) => answer.length > 0));
}

function typedAnswer({ id, fieldType }: EnquiryField, form: FormData): Answer {
  if (fieldType === "checkbox") return form.getAll(id).map(String);
  const typed = String(form.get(id) ?? "");
  if (fieldType !== "international_phone" || typed === "" || typed.startsWith("+")) return typed;
  return `${dialOf(String(form.get(`prefix:${id}`))) ?? ""}${typed}`;
}

/** `kept` false: nothing is stored (previews). `fresh` false: a post's answers are newer than a draft. */
export function useKeptAnswers(
  state: EnquiryState,
  root: RefObject<HTMLElement | null>,
  { kept, fresh }: { kept: boolean; fresh: boolean },
): void {
  useEffect(() => {
    if (!kept) return;
    const { form, steps } = state.enquiry.value;
    takeUpTyped(state, root.current?.querySelector("form"));
    const draft = fresh && steps.length > 0 ? readKeptAnswers(form.id) : null;
    if (draft) state.resume(draft);
    return effect(() => {
      const [step, answers, dialCountries] = [
        state.step.value,
        state.answers.value,
        state.dialCountries.value,
      ];
      const untouched = step === 0 && Object.keys(answers).length === 0;
      if (state.phase.value === "sent" || untouched) dropKeptAnswers(form.id);
      else keepAnswers(form.id, { step, answers, dialCountries });
    });
  }, [state, root, kept, fresh]);
}

/** What was typed before the script came is in the inputs only. */
function takeUpTyped(state: EnquiryState, form: HTMLFormElement | null | undefined): void {
  if (!form) return;
  const fields = state.enquiry.value.steps[state.step.value]?.fields ?? [];
  state.answers.value = { ...state.answers.value, ...typedAnswers(fields, new FormData(form)) };
}
