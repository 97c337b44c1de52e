/** The ways on: Previous, hidden on step 1; Next, on the last step Submit (spec section 4). */
import { Button } from "../../ui/Button.tsx";

/** `index` counts from 0. */
export interface StepActionsProps {
  readonly index: number;
  readonly count: number;
  readonly sending: boolean;
}

/** Renders the buttons of a step. */
export function StepActions({ index, count, sending }: StepActionsProps) {
  const isLast = index === count - 1;
  return (
    <div className="enquiry-actions">
      {index > 0 && (
        <Button
          type="submit"
          name="action"
          value="previous"
          variant="quiet"
          className="enquiry-previous"
          disabled={sending}
        >
          Previous
        </Button>
      )}
      <Button
        type="submit"
        name="action"
        value={isLast ? "submit" : "next"}
        variant="primary"
        className="enquiry-forward"
        pending={sending}
      >
        {isLast ? (sending ? "Submitting..." : "Submit") : "Next"}
      </Button>
    </div>
  );
}
