/**
 * Keeps what a visitor types over a reload, for a day at most, in the tab's own storage: answers are
 * personal, and the next person at the same screen must not find them.
 */
import { effect } from "@preact/signals-react";
import { type RefObject, useEffect } from "react";
import { DEFAULT_DIAL_COUNTRY, dialOf } from "../../../schema/countries.ts";
import type { EnquiryField } from "../../../schema/enquiry.ts";
import type { Answer, Answers } from "../../../schema/questions.ts";
import type { EnquiryState, KeptAnswers } from "./enquiryState.ts";

/**
 * Brings back what was typed into `root` and what was kept, and keeps what is typed from then on.
 * `kept` false: nothing is stored (previews). `fresh` false: a post has brought answers that are newer.
 */
export function useKeptAnswers(
  state: EnquiryState,
  root: RefObject<HTMLElement | null>,
  { kept, fresh }: { kept: boolean; fresh: boolean },
): void {
  useEffect(() => {
    if (!kept) return;
    const { id, steps } = state.form.value;
    takeUpTyped(state, root.current?.querySelector("form"));
    const before = fresh && steps.length > 0 ? readAnswers(id) : null;
    if (before) state.resume(before);
    return effect(() => {
      const [step, answers, dialCountries] = [
        state.step.value,
        state.answers.value,
        state.dialCountries.value,
      ];
      const untouched = step === 0 && Object.keys(answers).length === 0;
      if (state.phase.value === "sent" || untouched) dropAnswers(id);
      else keepAnswers(id, { step, answers, dialCountries });
    });
  }, [state, root, kept, fresh]);
}

/** What was typed before the script came is in the inputs only. */
function takeUpTyped(state: EnquiryState, form: HTMLFormElement | null | undefined): void {
  if (!form) return;
  const fields = state.form.value.steps[state.step.value]?.fields ?? [];
  const given = new FormData(form);
  state.answers.value = { ...state.answers.value, ...typedAnswers(fields, given) };
  state.dialCountries.value = { ...state.dialCountries.value, ...chosenPrefixes(fields, given) };
}

/** Several countries share a prefix, and one may be chosen before a number is typed. */
function chosenPrefixes(fields: readonly EnquiryField[], form: FormData): Record<string, string> {
  const chosen = fields.flatMap(({ id }) => {
    const [code, typed] = [form.get(`prefix:${id}`), String(form.get(id) ?? "")];
    const isChosen = typeof code === "string" && (typed !== "" || code !== DEFAULT_DIAL_COUNTRY);
    return isChosen && !typed.startsWith("+") ? [[id, code] as const] : [];
  });
  return Object.fromEntries(chosen);
}

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

/** How long answers are kept, in milliseconds. */
const LIFETIME = 24 * 60 * 60 * 1000;

type Stored = KeptAnswers & { readonly savedAt: number };

const keyOf = (formId: string) => `limelight.enquiry.${formId}`;

/** Where the browser refuses to store, answers just don't outlive the page. */
function keepAnswers(formId: string, answers: KeptAnswers): void {
  try {
    sessionStorage.setItem(keyOf(formId), JSON.stringify({ ...answers, savedAt: Date.now() }));
  } catch {
    dropAnswers(formId);
  }
}

/** The answers kept of a form, or null when there are none of the last day. */
function readAnswers(formId: string): KeptAnswers | null {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(keyOf(formId)) ?? "null");
    if (isStored(stored) && Date.now() - stored.savedAt < LIFETIME) return stored;
  } catch {
    // Unreadable, so treated as none.
  }
  dropAnswers(formId);
  return null;
}

function dropAnswers(formId: string): void {
  try {
    sessionStorage.removeItem(keyOf(formId));
  } catch {
    // Without storage there was nothing.
  }
}

function isStored(value: unknown): value is Stored {
  const stored = value as Partial<Stored> | null;
  return (
    typeof stored?.savedAt === "number" &&
    Number.isInteger(stored.step) &&
    typeof stored.answers === "object" &&
    typeof stored.dialCountries === "object"
  );
}
