/** The enquiry form: one step at a time, by script or by plain posts (spec sections 4 and 5). */
import { useSignals } from "@preact/signals-react/runtime";
import { type FormEvent, useEffect, useLayoutEffect, useRef, useState } from "react";
import type { PlainEnquiryState } from "../../../schema/enquiry.ts";
import { call } from "../../api.ts";
import { preloadToaster } from "../../ui/LazyToaster.tsx";
import { showToast } from "../../ui/toast.ts";
import { type EnquiryPorts, EnquiryState } from "./enquiryState.ts";
import { HiddenAnswers } from "./HiddenAnswers.tsx";
import type { LoadedEnquiry } from "./loadEnquiry.ts";
import { Question } from "./Question.tsx";
import { StepActions } from "./StepActions.tsx";
import { StepHead } from "./StepHead.tsx";
import { ThankYou } from "./ThankYou.tsx";
import { useDraft } from "./useDraft.ts";
import { useFocusWish } from "./useFocusWish.ts";
import { useReady } from "./useReady.ts";

/** How a preview is opened: the step shown, counted from 0. */
export interface EnquiryPreview {
  readonly step?: number;
}

/** A form with everything in it; `plain` is where a post without scripts has led. */
export interface EnquiryFormProps {
  readonly enquiry: LoadedEnquiry;
  readonly plain?: PlainEnquiryState | null | undefined;
  readonly preview?: EnquiryPreview | undefined;
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
  useDraft(state, root, { kept: !isPreview, fresh: plain === null });
  useFocusWish(state, root);
  useEffect(() => {
    if (!isPreview) root.current?.addEventListener("focusin", preloadToaster, { once: true });
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
