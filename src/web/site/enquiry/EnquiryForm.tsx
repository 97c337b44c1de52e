/** The enquiry form: one step at a time, with scripts or plain posts (specification, sections 4 and 5). */
import {
  type FormEvent,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from "react";
import type { EnquiryTree, NoScriptState } from "../../../schema/enquiry/enquiry.ts";
import { COACHING_PATH } from "../../../schema/sections/pageOrder.ts";
import { assertDefined } from "../../../schema/core/assertDefined.ts";
import type { Answers } from "../../../schema/enquiry/questions.ts";
import { postAsVisitor } from "../../shared/api.ts";
import { Button } from "../../ui/Button.tsx";
import { fillPlaceholders } from "../../words/placeholders.ts";
import { parsePackageAnchor } from "../parts/packageAnchor.ts";
import { type EnquiryEffects, EnquiryState, type RequestedFocus } from "./enquiryState.ts";
import { HiddenAnswers, StepActions, StepHead } from "./EnquiryStep.tsx";
import { type FormWords, FormWordsProvider, useFormWords } from "./formWords.ts";
import { useStoredAnswers } from "./storedAnswers.ts";
import { getStartProof } from "./encryptedAnswers.ts";
import { Question } from "./Question.tsx";
import { EnquiryProvider, useEnquiryState } from "./useEnquiry.ts";

/** Options of a preview: the step to show, counted from 0, and answers that lead to it. */
export interface PreviewedStep {
  readonly step?: number;
  readonly answers?: Answers;
}

/** `noScriptState` is the result of posting the form without scripts. */
interface EnquiryFormProps {
  readonly form: EnquiryTree;
  readonly noScriptState?: NoScriptState | null | undefined;
  readonly preview?: PreviewedStep | undefined;
  readonly words: FormWords;
}

const BROWSER_EFFECTS: EnquiryEffects = {
  fetchStartProof: getStartProof,
  wait: (time) => new Promise((resolve) => setTimeout(resolve, time)),
  send: (body) => postAsVisitor("/api/form-submissions", body),
  // inline/toasts.ts shows the toast.
  showToast: (toast) => dispatchEvent(new CustomEvent("toast", { detail: toast })),
  dismissToast: () => dispatchEvent(new CustomEvent("toast")),
  clearHash: () => history.replaceState(null, "", "#enquiry"),
};
const PREVIEW_EFFECTS: EnquiryEffects = {
  fetchStartProof: async () => null,
  wait: async () => undefined,
  send: async () => undefined,
  showToast: () => undefined,
  dismissToast: () => undefined,
  clearHash: () => undefined,
};

/** Shows the current step, or a thank-you message after sending. A preview sends and stores nothing. */
export function EnquiryForm({ form, noScriptState = null, preview, words }: EnquiryFormProps) {
  const [state] = useState(
    () => new EnquiryState(form, preview ? PREVIEW_EFFECTS : BROWSER_EFFECTS, words, noScriptState),
  );
  useLayoutEffect(() => {
    state.form.value = form;
  }, [state, form]);
  useLayoutEffect(() => {
    if (preview?.step === undefined) return;
    state.step.value = preview.step;
    state.answers.value = { ...state.answers.value, ...preview.answers };
  }, [state, preview?.step, preview?.answers]);
  if (form.steps.length === 0) {
    return (
      <p className="enquiry-empty" lang={words.lang}>
        {words.form.noSteps}
      </p>
    );
  }
  return (
    <FormWordsProvider value={words}>
      <EnquiryProvider value={state}>
        <EnquiryFormSteps form={form} noScriptState={noScriptState} isPreview={Boolean(preview)} />
      </EnquiryProvider>
    </FormWordsProvider>
  );
}

interface EnquiryFormStepsProps {
  readonly form: EnquiryTree;
  readonly noScriptState: NoScriptState | null;
  readonly isPreview: boolean;
}

function EnquiryFormSteps({ form, noScriptState, isPreview }: EnquiryFormStepsProps) {
  const state = useEnquiryState();
  const rootRef = useRef<HTMLDivElement>(null);
  const { form: words, lang, pagePath = COACHING_PATH } = useFormWords();
  const isReady = useIsHydrated();
  useStoredAnswers(state, rootRef, { isPersistent: !isPreview, isFresh: noScriptState === null });
  usePackageFromUrl(state, isPreview);
  useRequestedFocus(state, rootRef);
  if (state.phase.value === "sent") {
    return (
      <div ref={rootRef}>
        <ThankYouCard form={form} onRestart={() => state.restart()} shouldRedirect={!isPreview} />
      </div>
    );
  }
  const { steps, index } = state.findVisibleSteps(form);
  const step = assertDefined(steps[index], "first step, which is always asked");
  const isOnlyQuestion = step.fields.length === 1;
  return (
    <div ref={rootRef}>
      <form
        method="post"
        action={`${pagePath}#enquiry`}
        noValidate
        onSubmit={(event) => handleSubmit(event, state)}
      >
        <HiddenAnswers
          form={form}
          step={step}
          isLast={index === steps.length - 1}
          noScriptState={noScriptState}
          isReady={isReady}
        />
        <StepHead step={step} steps={steps} index={index} />
        <EnquiryPackage />
        {state.notice.value && (
          <div className="enquiry-notice" role="alert" lang={lang}>
            <p>{state.notice.value}</p>
            {state.isOutdated.value && (
              <Button onClick={() => reloadPage(pagePath)}>{words.reload}</Button>
            )}
          </div>
        )}
        {step.fields.map((field) => (
          <Question key={field.id} field={field} isOnly={isOnlyQuestion} isReady={isReady} />
        ))}
        <StepActions
          index={index}
          count={steps.length}
          isSending={state.phase.value === "sending"}
          isWaiting={state.isWaiting.value}
        />
      </form>
    </div>
  );
}

/** Loads the page with GET, since `location.reload()` would repeat a post. Stored answers are restored. */
const reloadPage = (path: string) => window.location.replace(path);

/** Sets the package that the enquiry is about from the URL's hash. The package thus survives a reload. */
function usePackageFromUrl(state: EnquiryState, isPreview: boolean): void {
  useEffect(() => {
    if (isPreview) return;
    const update = () => state.selectPackage(findPackageByAnchor(location.hash.slice(1)));
    update();
    addEventListener("hashchange", update);
    return () => removeEventListener("hashchange", update);
  }, [state, isPreview]);
}

/** Finds the package whose anchor is in the page; null if there is none. */
function findPackageByAnchor(anchor: string) {
  const id = parsePackageAnchor(anchor);
  const title = document.getElementById(anchor)?.dataset["title"];
  return id && title ? { id, title } : null;
}

function EnquiryPackage() {
  const state = useEnquiryState();
  const { form: words, lang } = useFormWords();
  const selectedPackage = state.selectedPackage.value;
  if (!selectedPackage) return null;
  return (
    <p className="enquiry-about" lang={lang}>
      <span>{fillPlaceholders(words.about, { title: selectedPackage.title })}</span>
      <Button variant="quiet" onClick={() => state.removePackage()}>
        {words.removeAbout}
      </Button>
    </p>
  );
}

function useRequestedFocus(state: EnquiryState, rootRef: RefObject<HTMLElement | null>): void {
  const requestedFocus = state.focus.value;
  useLayoutEffect(() => {
    if (!requestedFocus || !rootRef.current) return;
    const preventScroll = requestedFocus.target === "heading";
    findFocusTarget(rootRef.current, requestedFocus)?.focus({ preventScroll });
    if (preventScroll) scrollToTop(rootRef.current.closest(".enquiry-card"));
  }, [requestedFocus, rootRef]);
}

/** Scrolls to the top of the card, unless the top is already in the upper part of the window. */
function scrollToTop(card: Element | null): void {
  if (!card) return;
  const { top } = card.getBoundingClientRect();
  const barHeight = parseFloat(getComputedStyle(card).scrollMarginTop);
  if (top < barHeight || top > window.innerHeight * 0.4) card.scrollIntoView();
}

function findFocusTarget(root: HTMLElement, requestedFocus: RequestedFocus): HTMLElement | null {
  if (requestedFocus.target === "heading") return root.querySelector("[data-heading]");
  return root.querySelector(`[data-question="${CSS.escape(requestedFocus.id)}"] [data-answer]`);
}

function handleSubmit(event: FormEvent, state: EnquiryState): void {
  event.preventDefault();
  const { submitter } = event.nativeEvent as SubmitEvent;
  const isBack = (submitter as HTMLButtonElement | null)?.value === "previous";
  void state.move(isBack ? "previous" : "next");
}

/** The time for which the thank-you card is shown before the form's redirect, in milliseconds. */
const REDIRECT_DELAY_MS = 4000;

/** In a preview, `shouldRedirect` is false: the link to the redirect is shown, but the page isn't left. */
interface ThankYouCardProps {
  readonly form: EnquiryTree;
  readonly onRestart: () => void;
  readonly shouldRedirect: boolean;
}

function ThankYouCard({ form, onRestart, shouldRedirect }: ThankYouCardProps) {
  const { form: words, lang, pagePath, goHome } = useFormWords();
  const redirect = form.redirectUrl;
  useEffect(() => {
    if (!redirect || !shouldRedirect) return;
    const timer = setTimeout(() => window.location.assign(redirect), REDIRECT_DELAY_MS);
    return () => clearTimeout(timer);
  }, [redirect, shouldRedirect]);
  return (
    <div className="enquiry-thanks">
      <svg viewBox="0 0 96 96" width="96" height="96" aria-hidden="true">
        <circle cx="48" cy="48" r="46" pathLength="1" />
        <path d="m29 49 13 13 25-27" pathLength="1" />
      </svg>
      <h3
        className="display"
        tabIndex={-1}
        data-heading
        aria-level={pagePath ? 2 : undefined}
        lang={lang}
      >
        {words.thankYouTitle}
      </h3>
      <p dir="auto" lang={form.thankYouMessage ? undefined : lang}>
        {form.thankYouMessage || words.thankYouText}
      </p>
      <p lang={lang}>
        <a href={redirect ?? "/"}>{redirect ? words.continue : goHome}</a>
      </p>
      {/* This is a separate form, so that the button reloads the page even without scripts. */}
      <form
        method="get"
        lang={lang}
        action={pagePath ?? COACHING_PATH}
        onSubmit={(event) => {
          event.preventDefault();
          onRestart();
        }}
      >
        <Button type="submit">{words.submitAnother}</Button>
      </form>
    </div>
  );
}

/** Whether the page is hydrated: false on the server and during hydration, true afterwards. */
function useIsHydrated(): boolean {
  return useSyncExternalStore(
    subscribeToNothing,
    () => true,
    () => false,
  );
}

const subscribeToNothing = () => () => undefined;
