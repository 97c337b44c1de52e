/** The form of a step: its title in the row, other fields below. */
import Check from "lucide-react/icons/check";
import X from "lucide-react/icons/x";
import type { KeyboardEvent } from "react";
import { useDraft } from "../../data/useDraft.ts";
import { Field } from "../../editor/Field.tsx";
import { createAriaAttributes } from "../../../ui/Field.tsx";
import { IconButton } from "../../../ui/IconButton.tsx";
import type { StepWithFields } from "./formSteps.ts";
import { ConditionEditor } from "./ConditionEditor.tsx";

/** `onClose` runs once the step is saved or discarded. */
interface StepEditProps {
  readonly formId: string;
  readonly stepId: string;
  readonly onClose: () => void;
}

/** Enter saves, Escape cancels. */
export function StepTitleForm({ formId, stepId, onClose }: StepEditProps) {
  const { draft, save, cancel, onKeyDown } = useStepDraft(formId, stepId, onClose);
  const error = draft.errors["title"];
  const id = `step-title-${stepId}`;
  return (
    <div className="step-title gap-4 grow row cluster" data-invalid={error ? true : undefined}>
      <input
        // The owner pressed Edit to type here.
        ref={focusInput}
        type="text"
        aria-label="Step title"
        {...createAriaAttributes({
          id,
          hasNote: Boolean(error),
          isInvalid: Boolean(error),
          isRequired: true,
        })}
        value={draft.values.title}
        onChange={({ target }) => draft.setField("title", target.value)}
        onKeyDown={onKeyDown}
      />
      <IconButton icon={Check} label="Save step" onClick={() => void save()} />
      <IconButton icon={X} label="Cancel editing" onClick={cancel} />
      {error && (
        <p id={`${id}-note`} className="field-error full-width" role="alert">
          {error}
        </p>
      )}
    </div>
  );
}

/** Declared outside of the component: a new function would run after each render. */
function focusInput(input: HTMLInputElement | null): void {
  input?.focus();
  input?.select();
}

interface StepFormProps extends StepEditProps {
  readonly steps: readonly StepWithFields[];
}

/** Saved together with the title. */
export function StepForm({ formId, stepId, steps, onClose }: StepFormProps) {
  const { draft, onKeyDown } = useStepDraft(formId, stepId, onClose);
  return (
    // Enter and Escape work as in the title.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div className="fields" onKeyDown={onKeyDown}>
      <Field draft={draft} name="subtitle" />
      <Field draft={draft} name="description" rows={2} />
      <ConditionEditor
        draft={draft}
        steps={steps}
        at={steps.findIndex(({ step }) => step.id === stepId)}
      />
    </div>
  );
}

/** The draft of the title and the other fields, saved by Enter and canceled by Escape. */
function useStepDraft(formId: string, stepId: string, onClose: () => void) {
  const draft = useDraft("formSteps", {
    item: stepId,
    parent: formId,
    onSaved: onClose,
  });
  const save = async () => {
    // An unchanged step needs no request.
    if ((await draft.save()) && draft.dirtyFields.length === 0) onClose();
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
