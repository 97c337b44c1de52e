/** Asks before a form goes, and says what goes with it (design.md section 5). */
import { useQueryClient } from "@tanstack/react-query";
import type { Item } from "../../../../../schema/index.ts";
import { ConfirmDialog } from "../../../parts/ConfirmDialog.tsx";
import { useDelete } from "../../../queries/mutations.ts";
import { useEntity } from "../../../queries/useEntity.ts";
import { forgetDrafts } from "../forgetDrafts.ts";
import { type SubmissionCount, submissionWords, useSubmissionCount } from "../submissionCounts.ts";

/** `form` null: closed. */
export interface DeleteFormProps {
  readonly form: Item<"forms"> | null;
  readonly onClose: () => void;
}

/** Renders the dialog. */
export function DeleteForm({ form, onClose }: DeleteFormProps) {
  const remove = useDelete("forms");
  const client = useQueryClient();
  const { value: steps } = useEntity("formSteps", form?.id, { enabled: form !== null });
  const confirm = () =>
    remove.mutate(form!.id, {
      onSuccess: () => {
        forgetDrafts([form!.id, ...(steps ?? []).map(({ id }) => id)]);
        void client.invalidateQueries({ queryKey: ["formSubmissions"] });
      },
      onSettled: onClose,
    });
  return (
    <ConfirmDialog
      open={form !== null}
      title={`Delete ${form?.title ?? "form"}?`}
      keep="Keep form"
      confirm="Delete form"
      pending={remove.isPending}
      onKeep={onClose}
      onConfirm={confirm}
    >
      {form && <Loss form={form} steps={steps?.length ?? 0} />}
    </ConfirmDialog>
  );
}

function Loss({ form, steps }: { form: Item<"forms">; steps: number }) {
  const count = useSubmissionCount(form.id);
  return (
    <p>
      {submissionLoss(count)}
      {steps > 0 && ` Its ${steps === 1 ? "step" : `${steps} steps`} and their fields go too.`} This
      cannot be undone.
    </p>
  );
}

function submissionLoss(count: SubmissionCount): string {
  if (count.total === 0) return "Nobody has sent it yet, so no submissions are lost.";
  const fresh = count.new > 0 ? ` (${count.new} of them new)` : "";
  const verb = count.total === 1 ? "goes" : "go";
  return `${submissionWords(count.total)}${fresh} ${verb} with it. Export them first to keep them.`;
}
