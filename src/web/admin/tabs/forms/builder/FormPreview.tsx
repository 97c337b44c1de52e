/** The form as visitors will see it, with everything that is typed and not saved yet. */
import { useSignals } from "@preact/signals-react/runtime";
import type { Item } from "../../../../../schema/index.ts";
import { type DraftState, drafts } from "../../../drafts/drafts.ts";
import { Preview } from "../../../editor/Preview.tsx";
import type { StepParts } from "./useFormParts.ts";

/** `chosen` is the step shown; visitors see active ones only. */
export interface FormPreviewProps {
  readonly form: Item<"forms">;
  readonly steps: readonly StepParts[];
  readonly chosen: string | undefined;
}

/** Renders the preview card. */
export function FormPreview({ form, steps, chosen }: FormPreviewProps) {
  useSignals();
  const typed = Object.values(drafts.value);
  const content = contentOf(form, steps, typed);
  const active = content.formSteps.filter((step) => step.isActive);
  const at = active.findIndex(({ id }) => id === chosen);
  const shown = content.formSteps.find(({ id }) => id === chosen);
  return (
    <Preview
      section="enquiry"
      content={content}
      step={Math.max(at, 0)}
      edited={typed.some((draft) => concerns(draft, form, steps))}
      checks={
        shown && at < 0
          ? [{ ok: false, strong: `${shown.title} is inactive`, rest: "and visitors skip it" }]
          : []
      }
    />
  );
}

function contentOf(form: Item<"forms">, steps: readonly StepParts[], typed: readonly DraftState[]) {
  return {
    forms: [edited(form, typed)],
    formSteps: steps.map(({ step }) => edited(step, typed)),
    formFields: steps.flatMap(({ fields }) => (fields ?? []).map((field) => edited(field, typed))),
  };
}

function edited<T extends { readonly id: string }>(item: T, typed: readonly DraftState[]): T {
  const changes = typed.filter((draft) => draft.item === item.id).map((draft) => draft.changes);
  return Object.assign({}, item, ...changes);
}

function concerns(
  { item, changes }: DraftState,
  form: Item<"forms">,
  steps: readonly StepParts[],
): boolean {
  if (item === undefined || Object.keys(changes).length === 0) return false;
  const isOf = ({ step, fields }: StepParts) =>
    step.id === item || Boolean(fields?.some(({ id }) => id === item));
  return item === form.id || steps.some(isOf);
}
