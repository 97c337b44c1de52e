/** The end of a step's row: whether visitors see it, and the way to its fields. */
import { useUpdate } from "../../../queries/mutations.ts";
import { ActiveBadge } from "../ActiveBadge.tsx";
import { stepBody } from "../bodies.ts";
import type { StepParts } from "./useFormParts.ts";

/** `picked`: its fields are shown below. */
export interface StepRowProps {
  readonly parts: StepParts;
  readonly picked: boolean;
  readonly onPick: (stepId: string) => void;
}

/** Renders the badge and the fields button. */
export function StepRow({ parts: { step, fields }, picked, onPick }: StepRowProps) {
  const update = useUpdate("formSteps");
  const toggle = () =>
    update.mutate({ id: step.id, ...stepBody({ ...step, isActive: !step.isActive }) });
  return (
    <>
      <ActiveBadge
        name={step.title}
        active={step.isActive}
        pending={update.isPending}
        onToggle={toggle}
      />
      <button
        type="button"
        className="ui-button fields-button"
        data-size="small"
        aria-pressed={picked}
        aria-label={`${fieldWords(fields?.length)} in ${step.title}`}
        onClick={() => onPick(step.id)}
      >
        {fieldWords(fields?.length)}
      </button>
    </>
  );
}

function fieldWords(count: number | undefined): string {
  if (count === undefined) return "Fields";
  return count === 1 ? "1 field" : `${count} fields`;
}
