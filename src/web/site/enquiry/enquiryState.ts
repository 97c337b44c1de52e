/** What a visitor has done with the enquiry form so far, and the moves there are (specification, section 4.3). */
import { signal } from "@preact/signals-react";
import {
  type Answer,
  type Answers,
  firstFault,
  FORM_CHANGED,
  hasOptions,
  isBlank,
  parseOptions,
} from "../../../schema/answers.ts";
import { COUNTRIES } from "../../../schema/countries.ts";
import type { EnquiryField, EnquiryTree, PlainEnquiryState } from "../../../schema/enquiry.ts";
import { CallFailed } from "../../shared/api.ts";
import type { ToastRequest } from "../../ui/toast.ts";

/** What is sent (specification, section 7.2). */
export interface EnquiryBody {
  readonly formId: string;
  readonly data: Answers;
  readonly submittedAt: string;
}

/** What the form acts on: the call and the toasts; a preview has others. */
export interface EnquiryPorts {
  send(body: EnquiryBody): Promise<unknown>;
  notify(toast: ToastRequest): void;
  /** Takes back what it was notified of. */
  forget(): void;
}

/** Where focus goes next: the heading of what came up, or a question to put right. */
export type FocusWish =
  { readonly on: "heading" } | { readonly on: "question"; readonly id: string };

/** What outlives a reload of the page. */
export interface KeptAnswers {
  readonly step: number;
  readonly answers: Answers;
  readonly dialCountries: Readonly<Record<string, string>>;
}

const FALLBACK = "Failed to submit form. Please try again.";

/** The state of one form on the page: begun, or going on where a post without scripts has led. */
export class EnquiryState {
  readonly form;
  readonly step;
  readonly answers;
  /** The country chosen for a dial prefix, by field id: several share one. */
  readonly dialCountries = signal<Readonly<Record<string, string>>>({});
  /** Words by field id. */
  readonly errors;
  /** Words above the questions: what a post without scripts was told. */
  readonly notice;
  /** The owner has changed the form: only a reload shows what is asked now. */
  readonly isOutdated = signal(false);
  readonly phase;
  readonly focus = signal<FocusWish | null>(null);

  constructor(
    first: EnquiryTree,
    private readonly ports: EnquiryPorts,
    start: PlainEnquiryState | null = null,
  ) {
    this.form = signal(first);
    this.step = signal(start?.step ?? 0);
    this.answers = signal<Answers>({ ...start?.answers });
    this.errors = signal<Readonly<Record<string, string>>>({ ...start?.errors });
    this.notice = signal(start?.error ?? null);
    this.phase = signal<"filling" | "sending" | "sent">(start?.done ? "sent" : "filling");
  }

  /** Takes an answer; what was wrong with the one before is forgotten. */
  answer(id: string, given: Answer): void {
    this.answers.value = { ...this.answers.value, [id]: given };
    if (id in this.errors.value) this.ports.forget();
    const { [id]: _, ...others } = this.errors.value;
    this.errors.value = others;
  }

  next(): void {
    if (this.isComplete()) this.goTo(this.step.value + 1);
  }

  previous(): void {
    this.errors.value = {};
    this.goTo(Math.max(0, this.step.value - 1));
  }

  /** Sends all answers when the last step is complete; a failure keeps them. */
  async submit(): Promise<void> {
    if (this.phase.value !== "filling" || !this.isComplete()) return;
    this.phase.value = "sending";
    this.notice.value = null;
    try {
      await this.ports.send(bodyOf(this.form.value, this.answers.value));
      this.phase.value = "sent";
      this.focus.value = { on: "heading" };
    } catch (error) {
      this.phase.value = "filling";
      this.explain(error);
    }
  }

  /** Starts again with empty answers. */
  again(): void {
    this.answers.value = {};
    this.dialCountries.value = {};
    this.errors.value = {};
    this.phase.value = "filling";
    this.goTo(0);
  }

  /** Restores what was kept; answers typed in the meantime win. */
  resume(kept: KeptAnswers): void {
    const { steps } = this.form.value;
    const answers = steps
      .flatMap(({ fields }) => fields)
      .flatMap((field) => {
        const still = stillOffered(field, kept.answers[field.id]);
        return still === undefined ? [] : [[field.id, still] as const];
      });
    this.answers.value = { ...Object.fromEntries(answers), ...this.answers.value };
    this.dialCountries.value = { ...kept.dialCountries, ...this.dialCountries.value };
    this.step.value = Math.max(0, Math.min(kept.step, steps.length - 1));
  }

  private goTo(index: number): void {
    this.step.value = index;
    this.notice.value = null;
    this.focus.value = { on: "heading" };
  }

  /** Checks the current step alone and reports the first fault alone (specification, section 5.3). */
  private isComplete(): boolean {
    const fault = firstFault(this.questions(), this.answers.value, COUNTRIES);
    if (fault === undefined) return true;
    const { id, words } = fault;
    this.errors.value = { [id]: words };
    this.focus.value = { on: "question", id };
    this.ports.notify({ title: "Validation Error", description: words, destructive: true });
    return false;
  }

  /** Says what went wrong and goes to the first answer that has to be put right. */
  private explain(error: unknown): void {
    const failed = error instanceof CallFailed ? error : undefined;
    const wrong = failed?.body.fields ?? {};
    const { steps } = this.form.value;
    const at = steps.findIndex(({ fields }) => fields.some(({ id }) => id in wrong));
    const said = failed?.message || FALLBACK;
    const isChanged = Object.keys(wrong).length > 0 && (at < 0 || this.isRefusedAsOffered(wrong));
    // A form that is gone, or is asked otherwise by now: nothing on this page puts that right.
    this.isOutdated.value = isChanged || failed?.status === 404;
    const description = isChanged ? FORM_CHANGED : said;
    this.ports.notify({ title: "Error", description, destructive: true });
    if (this.isOutdated.value) this.notice.value = description;
    if (at < 0 || this.isOutdated.value) return;
    this.errors.value = wrong;
    this.step.value = at;
    this.focus.value = { on: "question", id: this.questions().find(({ id }) => id in wrong)!.id };
  }

  /** Whether the server refuses an answer that this page asks for just so. */
  private isRefusedAsOffered(wrong: Readonly<Record<string, unknown>>): boolean {
    const answers = this.answers.value;
    return this.form.value.steps
      .flatMap(({ fields }) => fields)
      .filter((field) => field.id in wrong && !isBlank(field, answers[field.id]))
      .some((field) => firstFault([field], answers, COUNTRIES) === undefined);
  }

  private questions(): readonly EnquiryField[] {
    return this.form.value.steps[this.step.value]?.fields ?? [];
  }
}

/** What is left of a kept answer: options come and go, and a question may be asked otherwise. */
function stillOffered(field: EnquiryField, kept: Answer | undefined): Answer | undefined {
  if (kept === undefined || Array.isArray(kept) !== (field.fieldType === "checkbox"))
    return undefined;
  if (!hasOptions(field.fieldType)) return kept;
  const offered = parseOptions(field.options);
  if (typeof kept === "string") return offered.includes(kept) ? kept : undefined;
  return kept.filter((each) => offered.includes(each));
}

function bodyOf({ id, steps }: EnquiryTree, answers: Answers): EnquiryBody {
  const answered = steps
    .flatMap(({ fields }) => fields)
    .filter((field) => !isBlank(field, answers[field.id]))
    .map((field) => [field.id, answers[field.id]!]);
  return {
    formId: id,
    data: Object.fromEntries(answered),
    submittedAt: new Date().toISOString(),
  };
}
