/** The way from a step to its fields: "4 fields". */
import type { StepParts } from "./useFormParts.ts";

/** `picked`: its fields are shown below. */
export interface FieldsButtonProps {
  readonly parts: StepParts;
  readonly picked: boolean;
  readonly onPick: (stepId: string) => void;
}

/** Renders the button. */
export function FieldsButton({ parts: { step, fields }, picked, onPick }: FieldsButtonProps) {
  const words = fieldWords(fields?.length);
  return (
    <button
      type="button"
      className="ui-button fields-button"
      data-size="small"
      aria-pressed={picked}
      aria-label={`${words} in ${step.title}`}
      onClick={() => onPick(step.id)}
    >
      {words}
    </button>
  );
}

function fieldWords(count: number | undefined): string {
  if (count === undefined) return "Fields";
  return count === 1 ? "1 field" : `${count} fields`;
}
