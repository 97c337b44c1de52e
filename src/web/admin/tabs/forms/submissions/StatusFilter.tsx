/** Narrows the list to submissions in one state. */
import { SUBMISSION_STATUSES } from "../../../../../schema/visitors.ts";
import type { SubmissionCount } from "../submissionCounts.ts";

/** `status` is empty for all. */
export interface StatusFilterProps {
  readonly status: string;
  readonly count: SubmissionCount;
  readonly onChoose: (status: string) => void;
}

/** Renders the choice; what is known of the numbers stands beside it. */
export function StatusFilter({ status, count, onChoose }: StatusFilterProps) {
  const numbers: Readonly<Record<string, number>> = { "": count.total, new: count.new };
  return (
    <fieldset className="segments" aria-label="Status">
      {[{ value: "", label: "All" }, ...SUBMISSION_STATUSES].map(({ value, label }) => (
        <button
          key={value}
          type="button"
          aria-pressed={status === value}
          onClick={() => onChoose(value)}
        >
          {label}
          {numbers[value] !== undefined && (
            <span className="segment-note">{numbers[value].toLocaleString("en-GB")}</span>
          )}
        </button>
      ))}
    </fieldset>
  );
}
