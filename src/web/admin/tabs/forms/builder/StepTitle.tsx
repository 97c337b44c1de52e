/** The title of a step, edited in its place: Enter saves, Escape cancels (look/admin.md). */
import Check from "lucide-react/icons/check";
import X from "lucide-react/icons/x";
import { IconButton } from "../../../parts/IconButton.tsx";
import { useStepDraft } from "./useStepDraft.ts";

/** Which step; `onClose` when it is saved or given up. */
export interface StepEditProps {
  readonly formId: string;
  readonly stepId: string;
  readonly onClose: () => void;
}

/** Renders the input, what is wrong with it, and its two buttons. */
export function StepTitle({ formId, stepId, onClose }: StepEditProps) {
  const { draft, save, cancel, onKeyDown } = useStepDraft(formId, stepId, onClose);
  const error = draft.errors["title"];
  const id = `step-title-${stepId}`;
  return (
    <div className="step-title" data-invalid={error ? true : undefined}>
      <input
        // The owner pressed Edit to type here.
        ref={focusOnce}
        type="text"
        aria-label="Step title"
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? id : undefined}
        maxLength={120}
        value={draft.values.title}
        onChange={({ target }) => draft.set("title", target.value)}
        onKeyDown={onKeyDown}
      />
      <IconButton icon={Check} label="Save step" onClick={() => void save()} />
      <IconButton icon={X} label="Cancel editing" onClick={cancel} />
      {error && (
        <p id={id} className="field-error">
          {error}
        </p>
      )}
    </div>
  );
}

/** Stable, so that it runs when the input appears and never while it is typed in. */
function focusOnce(input: HTMLInputElement | null): void {
  input?.focus();
  input?.select();
}
