/** Filters submissions by state and stage. */
import { ENQUIRY_STAGES, SUBMISSION_STATUSES } from "../../../../schema/enquiry/visitors.ts";
import { formatNumber } from "../../../../schema/core/formatNumber.ts";
import { SegmentedControl } from "../../../ui/SegmentedControl.tsx";
import type { SubmissionCount } from "./submissionCounts.tsx";

/** An empty `status` matches all. An undefined `stage` matches all, since the inbox is the empty stage. */
export interface SubmissionChoice {
  readonly status: string;
  readonly stage: string | undefined;
}

interface SubmissionFilterProps extends SubmissionChoice {
  readonly count: SubmissionCount;
  readonly isWide: boolean;
  readonly onChoose: (choice: SubmissionChoice) => void;
}

/** On phones, one select for both: either a status or a stage. */
export function SubmissionFilter(props: SubmissionFilterProps) {
  const { status, stage, count, isWide, onChoose } = props;
  const numbers: Readonly<Record<string, number>> = { "": count.total, new: count.new };
  if (!isWide)
    return (
      <select
        aria-label="Status and stage"
        value={stage === undefined ? status : STAGE_PREFIX + stage}
        onChange={({ target: { value } }) => onChoose(parseChoice(value))}
      >
        {STATUS_CHOICES.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
            {numbers[value] !== undefined && ` ${formatNumber(numbers[value])}`}
          </option>
        ))}
        <optgroup label="Stage">
          {ENQUIRY_STAGES.map(({ value, label }) => (
            <option key={value} value={STAGE_PREFIX + value}>
              {label}
            </option>
          ))}
        </optgroup>
      </select>
    );
  return (
    <>
      <SegmentedControl
        label="Status"
        options={STATUS_CHOICES.map((each) => ({ ...each, count: numbers[each.value] }))}
        value={status}
        onChoose={(chosen) => onChoose({ status: chosen, stage })}
      />
      <select
        aria-label="Stage"
        value={stage === undefined ? "" : STAGE_PREFIX + stage}
        onChange={({ target: { value } }) => onChoose({ ...parseChoice(value), status })}
      >
        <option value="">All stages</option>
        {ENQUIRY_STAGES.map(({ value, label }) => (
          <option key={value} value={STAGE_PREFIX + value}>
            {label}
          </option>
        ))}
      </select>
    </>
  );
}

const STATUS_CHOICES = [{ value: "", label: "All" }, ...SUBMISSION_STATUSES];

/** Distinguishes stages from statuses in the select. */
const STAGE_PREFIX = "stage ";

const parseChoice = (value: string): SubmissionChoice =>
  value.startsWith(STAGE_PREFIX)
    ? { status: "", stage: value.slice(STAGE_PREFIX.length) }
    : { status: value, stage: undefined };
