/** Brings back what a visitor had typed, and keeps what is typed from then on. */
import { effect } from "@preact/signals-react";
import { type RefObject, useEffect } from "react";
import { dropDraft, keepDraft, readDraft } from "./draft.ts";
import type { EnquiryState } from "./enquiryState.ts";
import { typedAnswers } from "./typedAnswers.ts";

/** `kept` false: nothing is stored (previews). `fresh` false: a post's answers are newer than a draft. */
export function useDraft(
  state: EnquiryState,
  root: RefObject<HTMLElement | null>,
  { kept, fresh }: { kept: boolean; fresh: boolean },
): void {
  useEffect(() => {
    if (!kept) return;
    const { form, steps } = state.enquiry.value;
    takeUpTyped(state, root.current?.querySelector("form"));
    const draft = fresh && steps.length > 0 ? readDraft(form.id) : null;
    if (draft) state.resume(draft);
    return effect(() => {
      const [step, answers, dialCountries] = [
        state.step.value,
        state.answers.value,
        state.dialCountries.value,
      ];
      const untouched = step === 0 && Object.keys(answers).length === 0;
      if (state.phase.value === "sent" || untouched) dropDraft(form.id);
      else keepDraft(form.id, { step, answers, dialCountries });
    });
  }, [state, root, kept, fresh]);
}

/** What was typed before the script came is in the inputs only. */
function takeUpTyped(state: EnquiryState, form: HTMLFormElement | null | undefined): void {
  if (!form) return;
  const fields = state.enquiry.value.steps[state.step.value]?.fields ?? [];
  state.answers.value = { ...state.answers.value, ...typedAnswers(fields, new FormData(form)) };
}
