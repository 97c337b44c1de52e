/** What is typed for a step; its title and its other words are edited in two places of the row. */
import type { KeyboardEvent } from "react";
import { useDraft } from "../../../drafts/useDraft.ts";
import { stepBody } from "../bodies.ts";

/** The draft of a step; `onKeyDown` has Enter save and Escape cancel (look/admin.md). */
export function useStepDraft(formId: string, stepId: string, onClose: () => void) {
  const draft = useDraft("formSteps", {
    item: stepId,
    parent: formId,
    toBody: stepBody,
    onSaved: onClose,
  });
  const save = async () => {
    // A title that was not changed needs no call.
    if ((await draft.save()) && draft.dirty.length === 0) onClose();
  };
  const cancel = () => {
    draft.discard();
    onClose();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape") cancel();
    if (event.key === "Enter" && !(event.target instanceof HTMLTextAreaElement)) {
      event.preventDefault();
      void save();
    }
  };
  return { draft, save, cancel, onKeyDown };
}
