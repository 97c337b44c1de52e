/** The further words of a step, under its row while it is edited. */
import { Field } from "../../../editor/Field.tsx";
import type { StepEditProps } from "./StepTitle.tsx";
import { useStepDraft } from "./useStepDraft.ts";

/** Renders subtitle and description; the title's buttons save them too. */
export function StepForm({ formId, stepId, onClose }: StepEditProps) {
  const { draft, onKeyDown } = useStepDraft(formId, stepId, onClose);
  return (
    // Enter and Escape in the inputs, as in the title.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div className="fields" onKeyDown={onKeyDown}>
      <Field draft={draft} name="subtitle" />
      <Field draft={draft} name="description" rows={2} />
    </div>
  );
}
