/** What a visitor has done with the enquiry form so far, and the moves there are (spec section 4). */
import { signal } from "@preact/signals-react";
import type { PlainEnquiryState } from "../../../schema/enquiry.ts";
import {
  type Answer,
  type Answers,
  firstMissing,
  isBlank,
  requiredWords,
} from "../../../schema/missingAnswers.ts";
import { CallFailed } from "../../api.ts";
import type { ToastRequest } from "../../ui/toast.ts";
import type { EnquiryDraft } from "./draft.ts";
import type { EnquiryField, LoadedEnquiry } from "./loadEnquiry.ts";

/** What is sent (spec section 7). */
export interface EnquiryBody {
  readonly formId: string;
  readonly data: Answers;
  readonly submittedAt: string;
}

/** What the form acts on: the call and the toasts; a preview has others. */
export interface EnquiryPorts {
  send(body: EnquiryBody): Promise<unknown>;
  notify(toast: ToastRequest): void;
}

/** Where focus goes next: the heading of what came up, or a question to put right. */
export type FocusWish =
  { readonly on: "heading" } | { readonly on: "question"; readonly id: string };

/** The state of one form on the page. */
export type EnquiryState = ReturnType<typeof createEnquiryState>;

const FALLBACK = "Failed to submit form. Please try again.";

/** Begins a form, or goes on where a post without scripts has led. */
export function createEnquiryState(
  first: LoadedEnquiry,
  ports: EnquiryPorts,
  start: PlainEnquiryState | null = null,
) {
  const enquiry = signal(first);
  const step = signal(start?.step ?? 0);
  const answers = signal<Answers>({ ...start?.answers });
  /** The country chosen for a dial prefix, by field id: several share one. */
  const dialCountries = signal<Readonly<Record<string, string>>>({});
  const errors = signal<Readonly<Record<string, string>>>({ ...start?.errors });
  const notice = signal(start?.error ?? null);
  const phase = signal<"filling" | "sending" | "sent">(start?.done ? "sent" : "filling");
  const focus = signal<FocusWish | null>(null);

  const questions = (): readonly EnquiryField[] => enquiry.value.steps[step.value]?.fields ?? [];

  function answer(id: string, given: Answer): void {
    answers.value = { ...answers.value, [id]: given };
    const { [id]: _, ...others } = errors.value;
    errors.value = others;
  }

  function goTo(index: number): void {
    step.value = index;
    notice.value = null;
    focus.value = { on: "heading" };
  }

  function next(): void {
    if (isComplete()) goTo(step.value + 1);
  }

  function previous(): void {
    errors.value = {};
    goTo(Math.max(0, step.value - 1));
  }

  /** Checks the current step alone and reports the first missing answer alone (spec section 5). */
  function isComplete(): boolean {
    const missing = firstMissing(questions(), answers.value);
    if (missing === undefined) return true;
    const words = requiredWords(missing);
    errors.value = { [missing.id]: words };
    focus.value = { on: "question", id: missing.id };
    ports.notify({ title: "Validation Error", description: words, destructive: true });
    return false;
  }

  async function submit(): Promise<void> {
    if (phase.value !== "filling" || !isComplete()) return;
    phase.value = "sending";
    notice.value = null;
    try {
      await ports.send(bodyOf(enquiry.value, answers.value));
      phase.value = "sent";
      focus.value = { on: "heading" };
    } catch (error) {
      phase.value = "filling";
      explain(error);
    }
  }

  /** Says what went wrong and goes to the first answer that has to be put right; all answers stay. */
  function explain(error: unknown): void {
    const failed = error instanceof CallFailed ? error : undefined;
    ports.notify({ title: "Error", description: failed?.message || FALLBACK, destructive: true });
    const wrong = failed?.body.fields ?? {};
    const at = enquiry.value.steps.findIndex(({ fields }) => fields.some(({ id }) => id in wrong));
    if (at < 0) return;
    errors.value = wrong;
    step.value = at;
    focus.value = { on: "question", id: questions().find(({ id }) => id in wrong)!.id };
  }

  /** Begins anew with empty answers. */
  function again(): void {
    answers.value = {};
    dialCountries.value = {};
    errors.value = {};
    phase.value = "filling";
    goTo(0);
  }

  /** Takes up what was kept; answers that were typed meanwhile win. */
  function resume(draft: EnquiryDraft): void {
    const known = new Set(enquiry.value.steps.flatMap(({ fields }) => fields.map(({ id }) => id)));
    const kept = Object.entries(draft.answers).filter(([id]) => known.has(id));
    answers.value = { ...Object.fromEntries(kept), ...answers.value };
    dialCountries.value = { ...draft.dialCountries, ...dialCountries.value };
    step.value = Math.max(0, Math.min(draft.step, enquiry.value.steps.length - 1));
  }

  return {
    enquiry,
    step,
    answers,
    dialCountries,
    errors,
    notice,
    phase,
    focus,
    answer,
    next,
    previous,
    submit,
    again,
    resume,
  };
}

function bodyOf({ form, steps }: LoadedEnquiry, answers: Answers): EnquiryBody {
  const answered = steps
    .flatMap(({ fields }) => fields)
    .filter((field) => !isBlank(field, answers[field.id]))
    .map((field) => [field.id, answers[field.id]!]);
  return {
    formId: form.id,
    data: Object.fromEntries(answered),
    submittedAt: new Date().toISOString(),
  };
}
