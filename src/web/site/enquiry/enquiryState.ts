/** The state of the enquiry form on a page and its transitions (specification, section 4.3). */
import { signal } from "@preact/signals-react";
import {
  type Answer,
  type Answers,
  sanitizeAnswer,
  findFirstProblem,
  isAnswerEmpty,
  MIN_FILLING_TIME_MS,
  getMaxAnswerLength,
  normalizeAnswer,
} from "../../../schema/enquiry/answers.ts";
import { COUNTRIES } from "../../../schema/core/countries.ts";
import { ANSWER_REFUSALS } from "../../../schema/core/refusals.ts";
import {
  type EnquiryField,
  type EnquiryTree,
  type NoScriptState,
  findVisibleSteps,
  type VisibleStep,
} from "../../../schema/enquiry/enquiry.ts";
import { DAY, HOUR } from "../../../schema/core/time.ts";
import { CallError } from "../../shared/api.ts";
import type { ToastRequest } from "../../ui/toast.ts";
import type { LinkedPackage } from "../parts/packageAnchor.ts";
import { createEnquiryBody, type EnquiryBody, findValidAnswer } from "./enquiryBody.ts";
import { translateProblem, type FormWords } from "./formWords.ts";

/** The form's side effects, such as requests and toasts. In a preview they do nothing. */
export interface EnquiryEffects {
  /** Fetches the site's proof that an enquiry begins now. Resolves with null in a preview. */
  fetchStartProof(): Promise<string | null>;
  wait(milliseconds: number): Promise<void>;
  send(body: EnquiryBody): Promise<unknown>;
  showToast(toast: ToastRequest): void;
  dismissToast(): void;
  /** Removes the package's anchor from the page's URL. */
  clearHash(): void;
}

/** The element to focus next: the heading of a new step, or a question to correct. */
export type RequestedFocus =
  { readonly target: "heading" } | { readonly target: "question"; readonly id: string };

/** The state that survives a reload of the page. */
export interface StoredAnswers {
  readonly step: number;
  readonly answers: Answers;
  readonly dialCountries: Readonly<Record<string, string>>;
  readonly started?: string | null;
}

/** The time for which the page uses a proof, in milliseconds. The site accepts it for a day (enquiryRateLimits.ts). */
const PROOF_TTL_MS = DAY - HOUR;

/** Whether a proof can still be used. A proof begins with its creation time, in milliseconds in base 36. */
const isProofValid = (proof: string | null) =>
  proof !== null && Date.now() - Number.parseInt(proof, 36) < PROOF_TTL_MS;

/** The page waits this much longer than the site requires, in milliseconds, since their clocks may differ. */
const CLOCK_DRIFT_ALLOWANCE_MS = 50;

/** The state of one form. It is new, or continues from a post without scripts. */
export class EnquiryState {
  readonly form;
  readonly step;
  readonly answers;
  /** The country chosen for a dial prefix, by field id, since several countries share a prefix. */
  readonly dialCountries = signal<Readonly<Record<string, string>>>({});
  /** Errors by field id. */
  readonly errors;
  /** The text above the questions, such as the error of a post without scripts. */
  readonly notice;
  /** True if the owner has changed or deleted the form. A reload shows the new questions. */
  readonly isOutdated = signal(false);
  readonly phase;
  /** True while a pressed button waits for stored answers to load. */
  readonly isWaiting = signal(false);
  /** The site's proof of when this enquiry was begun. Retries send the same proof, so that the site recognizes them. */
  readonly startProof;
  /** The time when the proof was received, by this page's clock; 0 if it came with the page. */
  #receivedAt = 0;
  #proofRequest: Promise<void> | undefined;
  #loadingAnswers: Promise<void> | undefined;
  readonly focus = signal<RequestedFocus | null>(null);
  readonly selectedPackage = signal<LinkedPackage | null>(null);

  constructor(
    initialForm: EnquiryTree,
    private readonly effects: EnquiryEffects,
    private readonly words: FormWords,
    noScriptState: NoScriptState | null = null,
  ) {
    this.form = signal(initialForm);
    this.step = signal(noScriptState?.step ?? 0);
    this.answers = signal<Answers>({ ...noScriptState?.answers });
    this.errors = signal<Readonly<Record<string, string>>>({ ...noScriptState?.errors });
    this.notice = signal(noScriptState?.error ?? null);
    this.startProof = signal(noScriptState?.startToken ?? null);
    this.phase = signal<"filling" | "sending" | "sent">(noScriptState?.isDone ? "sent" : "filling");
  }

  setAnswer(id: string, value: Answer): void {
    this.answers.value = { ...this.answers.value, [id]: value };
    if (id in this.errors.value) this.effects.dismissToast();
    const { [id]: _, ...otherErrors } = this.errors.value;
    this.errors.value = otherErrors;
  }

  /** Replaces an answer by its normalized form when its field is left. */
  normalizeAnswer({ id, fieldType }: EnquiryField): void {
    const typed = this.answers.value[id];
    if (typeof typed !== "string" || typed.length > getMaxAnswerLength({ fieldType })) return;
    const normalized = normalizeAnswer(fieldType, sanitizeAnswer(typed));
    if (normalized !== typed) this.answers.value = { ...this.answers.value, [id]: normalized };
  }

  restore(stored: Promise<StoredAnswers | null>): Promise<void> {
    return (this.#loadingAnswers = this.#restoreWhenLoaded(stored));
  }

  async #restoreWhenLoaded(stored: Promise<StoredAnswers | null>): Promise<void> {
    const answers = await stored;
    this.#loadingAnswers = undefined;
    if (answers) this.mergeStoredAnswers(answers);
  }

  /** Goes to the next or previous step once stored answers have loaded or failed to load. */
  async move(move: "next" | "previous"): Promise<void> {
    if (this.isWaiting.value) return;
    if (this.#loadingAnswers) {
      this.isWaiting.value = true;
      await this.#loadingAnswers;
      this.isWaiting.value = false;
    }
    await (move === "next" ? this.goToNext() : this.goToPrevious());
  }

  /** Fetches the site's proof of when the enquiry was begun, unless there is a valid one. */
  async ensureStartProof(): Promise<void> {
    if (!isProofValid(this.startProof.value)) await (this.#proofRequest ??= this.#loadProof());
  }

  async #loadProof(): Promise<void> {
    try {
      const started = await this.effects.fetchStartProof();
      if (isProofValid(this.startProof.value)) return;
      this.startProof.value = started;
      this.#receivedAt = performance.now();
    } catch {
      // The proof is requested again before the enquiry is sent.
    } finally {
      this.#proofRequest = undefined;
    }
  }

  /** Returns the visible steps, and the index of the current step, or of the last visible step before it. */
  findVisibleSteps(form = this.form.value): {
    readonly steps: readonly VisibleStep[];
    readonly index: number;
  } {
    const steps = findVisibleSteps(form, this.answers.value);
    const index = steps.findLastIndex(({ index }) => index <= this.step.value);
    return { steps, index: Math.max(0, index) };
  }

  /** Goes to the next visible step; after the last one, sends all answers. */
  async goToNext(): Promise<void> {
    const { steps, index } = this.findVisibleSteps();
    const nextStep = steps[index + 1];
    if (!nextStep) return this.submit();
    if (!this.#validateStep()) return;
    this.effects.dismissToast();
    this.#goToStep(nextStep.index);
  }

  goToPrevious(): void {
    const { steps, index } = this.findVisibleSteps();
    this.errors.value = {};
    this.#goToStep(steps[index - 1]?.index ?? 0);
  }

  /** Sends all answers if the last step is complete. A failure loses no answers. */
  async submit(): Promise<void> {
    if (this.phase.value !== "filling" || !this.#validateStep()) return;
    this.phase.value = "sending";
    this.notice.value = null;
    this.effects.dismissToast();
    try {
      await this.ensureStartProof();
      await this.#waitMinimumTime();
      await this.effects.send(
        createEnquiryBody(this.form.value, this.answers.value, {
          started: this.startProof.value,
          about: this.selectedPackage.value,
        }),
      );
      this.phase.value = "sent";
      this.#clearPackage();
      this.focus.value = { target: "heading" };
    } catch (error) {
      this.phase.value = "filling";
      this.#showFailure(error);
    }
  }

  /** Sets the package whose link the visitor followed; null changes nothing. */
  selectPackage(chosenPackage: LinkedPackage | null): void {
    if (!chosenPackage) return;
    if (this.phase.value === "sent") this.restart();
    this.selectedPackage.value = chosenPackage;
  }

  removePackage(): void {
    this.#clearPackage();
    this.focus.value = { target: "heading" };
  }

  #clearPackage(): void {
    if (this.selectedPackage.value) this.effects.clearHash();
    this.selectedPackage.value = null;
  }

  restart(): void {
    this.answers.value = {};
    this.dialCountries.value = {};
    this.errors.value = {};
    this.phase.value = "filling";
    this.startProof.value = null;
    this.#goToStep(0);
    void this.ensureStartProof();
  }

  /** Waits until the minimum filling time is over, since the site would refuse an earlier enquiry. */
  async #waitMinimumTime(): Promise<void> {
    const remainingMs =
      MIN_FILLING_TIME_MS + CLOCK_DRIFT_ALLOWANCE_MS - (performance.now() - this.#receivedAt);
    if (this.startProof.value !== null && remainingMs > 0) await this.effects.wait(remainingMs);
  }

  /** Restores stored answers that were not changed meanwhile, and the step, unless a button was pressed. */
  mergeStoredAnswers(stored: StoredAnswers): void {
    const { steps } = this.form.value;
    const answers = steps
      .flatMap(({ fields }) => fields)
      .flatMap((field) => {
        const validAnswer = findValidAnswer(field, stored.answers[field.id]);
        return validAnswer === undefined ? [] : [[field.id, validAnswer] as const];
      });
    this.answers.value = { ...Object.fromEntries(answers), ...this.answers.value };
    this.dialCountries.value = { ...stored.dialCountries, ...this.dialCountries.value };
    this.startProof.value = stored.started ?? this.startProof.value;
    if (!this.isWaiting.value)
      this.step.value = Math.max(0, Math.min(stored.step, steps.length - 1));
  }

  #goToStep(index: number): void {
    this.step.value = index;
    this.notice.value = null;
    this.focus.value = { target: "heading" };
  }

  /** Checks only the current step and reports only its first error (specification, section 5.3). */
  #validateStep(): boolean {
    const problem = findFirstProblem(this.#findQuestions(), this.answers.value, COUNTRIES);
    if (problem === undefined) return true;
    const { id } = problem;
    const description = translateProblem(this.words, problem.message);
    this.errors.value = { [id]: description };
    this.focus.value = { target: "question", id };
    this.effects.showToast({
      title: this.words.form.validationTitle,
      description,
      isDestructive: true,
    });
    return false;
  }

  /** Shows why an enquiry failed, and moves the focus to the first answer to correct. */
  #showFailure(error: unknown): void {
    const callError = error instanceof CallError ? error : undefined;
    const refusedFields = callError?.body.fields ?? {};
    const { steps } = this.form.value;
    const stepIndex = steps.findIndex(({ fields }) => fields.some(({ id }) => id in refusedFields));
    const unreachedText = navigator.onLine === false ? "offline" : "failed";
    const message = callError?.message || this.words.form[unreachedText];
    const isFormChanged =
      Object.keys(refusedFields).length > 0 &&
      (stepIndex < 0 || this.#isValidAnswerRefused(refusedFields));
    // If the form was deleted or changed, the visitor can't correct the answers on this page, and has to reload it.
    this.isOutdated.value = isFormChanged || callError?.status === 404;
    const description = isFormChanged
      ? translateProblem(this.words, ANSWER_REFUSALS.formChanged)
      : message;
    this.effects.showToast({ title: this.words.form.errorTitle, description, isDestructive: true });
    if (this.isOutdated.value) this.notice.value = description;
    if (stepIndex < 0 || this.isOutdated.value) return;
    this.errors.value = refusedFields;
    this.step.value = stepIndex;
    const question = this.#findQuestions().find(({ id }) => id in refusedFields);
    if (question) this.focus.value = { target: "question", id: question.id };
  }

  #isValidAnswerRefused(refused: Readonly<Record<string, unknown>>): boolean {
    const answers = this.answers.value;
    return this.form.value.steps
      .flatMap(({ fields }) => fields)
      .filter((field) => field.id in refused && !isAnswerEmpty(field, answers[field.id]))
      .some((field) => findFirstProblem([field], answers, COUNTRIES) === undefined);
  }

  #findQuestions(): readonly EnquiryField[] {
    const { steps, index } = this.findVisibleSteps();
    return steps[index]?.fields ?? [];
  }
}
