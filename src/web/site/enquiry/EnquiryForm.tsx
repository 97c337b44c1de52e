/** The enquiry form: one step at a time, by script or by plain posts (spec sections 4 and 5). */
import { useSignals } from "@preact/signals-react/runtime";
import {
  type FormEvent,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from "react";
import type { PlainEnquiryState } from "../../../schema/enquiry.ts";
import { DEFAULT_THANK_YOU } from "../../../schema/questions.ts";
import { safeUrl } from "../../../schema/safeUrl.ts";
import { call } from "../../api.ts";
import { Button } from "../../ui/Button.tsx";
import { preloadToaster } from "../../ui/LazyToaster.tsx";
import { showToast } from "../../ui/toast.ts";
import { type EnquiryPorts, EnquiryState, type FocusWish } from "./enquiryState.ts";
import { HiddenAnswers, StepActions, StepHead } from "./EnquiryStep.tsx";
import { useKeptAnswers } from "./keptAnswers.ts";
import type { LoadedEnquiry } from "./loadEnquiry.ts";
import { Question } from "./Question.tsx";

// The card after sending (spec section 4).

/** How long the card is read before the form's redirect is followed, in milliseconds. */
const READING_TIME = 4000;

/** `follows` false: the redirect is shown, not followed. */
interface ThankYouProps {
  readonly form: LoadedEnquiry["form"];
  readonly onAgain: () => void;
  readonly follows: boolean;
}

/** Renders the card. */
function ThankYou({ form, onAgain, follows }: ThankYouProps) {
  const redirect = safeUrl(form.redirectUrl);
  useEffect(() => {
    if (!redirect || !follows) return;
    const timer = setTimeout(() => window.location.assign(redirect), READING_TIME);
    return () => clearTimeout(timer);
  }, [redirect, follows]);
  return (
    <div className="enquiry-thanks">
      <h3 tabIndex={-1} data-heading>
        Thank You!
      </h3>
      <p>{form.thankYouMessage || DEFAULT_THANK_YOU}</p>
      {redirect && (
        <p>
          <a href={redirect}>Continue</a>
        </p>
      )}
      {/* A form of its own: without scripts the button fetches the page anew. */}
      <form
        method="get"
        action="/coaching"
        onSubmit={(event) => {
          event.preventDefault();
          onAgain();
        }}
      >
        <Button type="submit">Submit Another Response</Button>
      </form>
    </div>
  );
}

// Moves focus where the form wishes it: to the heading of a new step, or to a question.

/** Fulfils the state's wish once the page shows what it is about. */
function useFocusWish(state: EnquiryState, root: RefObject<HTMLElement | null>): void {
  const wish = state.focus.value;
  useLayoutEffect(() => {
    if (wish && root.current) wishedFor(root.current, wish)?.focus();
  }, [wish, root]);
}

function wishedFor(root: HTMLElement, wish: FocusWish): HTMLElement | null {
  if (wish.on === "heading") return root.querySelector("[data-heading]");
  return root.querySelector(`[data-question="${CSS.escape(wish.id)}"] [data-answer]`);
}

// Tells the finished page from the living one.

const never = () => () => undefined;

/** False while rendered on the server and hydrated, true from then on. */
function useReady(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}

/** How a preview is opened: the step shown, counted from 0. */
export interface PreviewedStep {
  readonly step?: number;
}

/** A form with everything in it; `plain` is where a post without scripts has led. */
interface EnquiryFormProps {
  readonly enquiry: LoadedEnquiry;
  readonly plain?: PlainEnquiryState | null | undefined;
  readonly preview?: PreviewedStep | undefined;
}

const PORTS: EnquiryPorts = {
  send: (body) => call("/api/form-submissions", { method: "POST", body }),
  notify: showToast,
};
const PREVIEW_PORTS: EnquiryPorts = { send: async () => undefined, notify: () => undefined };

/** Renders the step the visitor is at, or what stands in its place. */
export function EnquiryForm({ enquiry, plain = null, preview }: EnquiryFormProps) {
  useSignals();
  const [state] = useState(() => new EnquiryState(enquiry, preview ? PREVIEW_PORTS : PORTS, plain));
  useLayoutEffect(() => {
    state.enquiry.value = enquiry;
  }, [state, enquiry]);
  useLayoutEffect(() => {
    if (preview?.step !== undefined) state.step.value = preview.step;
  }, [state, preview?.step]);
  if (enquiry.steps.length === 0) {
    return <p className="enquiry-empty">No active steps found in this form.</p>;
  }
  return <Filling enquiry={enquiry} state={state} plain={plain} isPreview={Boolean(preview)} />;
}

interface FillingProps {
  readonly enquiry: LoadedEnquiry;
  readonly state: EnquiryState;
  readonly plain: PlainEnquiryState | null;
  readonly isPreview: boolean;
}

function Filling({ enquiry, state, plain, isPreview }: FillingProps) {
  useSignals();
  const root = useRef<HTMLDivElement>(null);
  const ready = useReady();
  useKeptAnswers(state, root, { kept: !isPreview, fresh: plain === null });
  useFocusWish(state, root);
  useEffect(() => {
    if (!isPreview) preloadToaster();
  }, [isPreview]);
  if (state.phase.value === "sent") {
    return (
      <div ref={root}>
        <ThankYou form={enquiry.form} onAgain={() => state.again()} follows={!isPreview} />
      </div>
    );
  }
  const count = enquiry.steps.length;
  const index = Math.min(state.step.value, count - 1);
  const { step, fields } = enquiry.steps[index]!;
  return (
    <div ref={root}>
      <form
        method="post"
        action="/coaching#enquiry"
        noValidate
        onSubmit={(event) => submitByScript(event, state, index === count - 1)}
      >
        <HiddenAnswers enquiry={enquiry} state={state} index={index} plain={plain} ready={ready} />
        <StepHead step={step} index={index} count={count} />
        {state.notice.value && (
          <p className="enquiry-notice" role="alert">
            {state.notice.value}
          </p>
        )}
        {fields.map((field) => (
          <Question
            key={field.id}
            field={field}
            state={state}
            alone={fields.length === 1}
            ready={ready}
          />
        ))}
        <StepActions index={index} count={count} sending={state.phase.value === "sending"} />
      </form>
    </div>
  );
}

function submitByScript(event: FormEvent, state: EnquiryState, isLast: boolean): void {
  event.preventDefault();
  const { submitter } = event.nativeEvent as SubmitEvent;
  if ((submitter as HTMLButtonElement | null)?.value === "previous") state.previous();
  else if (isLast) void state.submit();
  else state.next();
}
