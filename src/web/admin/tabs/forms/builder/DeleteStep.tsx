/** Asks before a step with fields goes: Undo could not bring them back. An empty one just goes. */
import { useEffect } from "react";
import { deleteWithUndo } from "../../../editor/deleteWithUndo.ts";
import { ConfirmDialog } from "../../../parts/ConfirmDialog.tsx";
import { refresh } from "../../../queries/writes.ts";
import { forgetDrafts } from "../forgetDrafts.ts";
import type { StepParts } from "./useFormParts.ts";

/** `parts` null: closed. */
export interface DeleteStepProps {
  readonly parts: StepParts | null;
  readonly onClose: () => void;
}

/** Renders the dialog where one is needed. */
export function DeleteStep({ parts, onClose }: DeleteStepProps) {
  const count = parts?.fields?.length ?? 0;
  const isEmpty = parts?.fields?.length === 0;
  useEffect(() => {
    if (!parts || !isEmpty) return;
    onClose();
    void remove(parts);
  }, [parts, isEmpty, onClose]);
  const confirm = () => {
    onClose();
    void remove(parts!);
  };
  return (
    <ConfirmDialog
      open={parts !== null && !isEmpty}
      title={`Delete ${parts?.step.title ?? "step"}?`}
      keep="Keep step"
      confirm="Delete step"
      onKeep={onClose}
      onConfirm={confirm}
    >
      <p>
        {count === 1 ? "Its field goes with it." : `Its ${count} fields go with it.`} Submissions
        stay readable. This cannot be undone.
      </p>
    </ConfirmDialog>
  );
}

async function remove({ step, fields }: StepParts): Promise<void> {
  if (await deleteWithUndo("formSteps", step, fields?.length === 0)) forgetDrafts([step.id]);
  await refresh("formFields");
}
