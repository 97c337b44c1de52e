/** How many submissions each form has, for badges and for what goes with a deleted form. */
import { resource, useResource } from "../../data/resource.ts";

export interface SubmissionCount {
  readonly total: number;
  readonly new: number;
}

/** The counts by form id; missing until they are read. A write to submissions reads them again. */
export const useSubmissionCounts = () => useResource(counts).value;

const counts = resource<Readonly<Record<string, SubmissionCount>>>("/api/form-submission-counts", {
  stays: true,
  key: ["formSubmissions", "counts"],
});

/** The counts of one form, zero until they are read. */
export function useSubmissionCount(formId: string): SubmissionCount {
  return useSubmissionCounts()?.[formId] ?? NONE;
}

const NONE: SubmissionCount = { total: 0, new: 0 };

/** New submissions of all forms, for the number beside the tab; none shows nothing. */
export function useNewSubmissions(): number | undefined {
  const counts = Object.values(useSubmissionCounts() ?? {});
  return counts.reduce((sum, count) => sum + count.new, 0) || undefined;
}

/** "24 submissions", "1 submission". */
export function submissionWords(total: number): string {
  return `${total.toLocaleString("en-GB")} ${total === 1 ? "submission" : "submissions"}`;
}

/** The number of new submissions beside the label of the tab; nothing when there are none. */
export function NewSubmissions() {
  const count = useNewSubmissions();
  if (count === undefined) return null;
  return (
    <span className="rail-count">
      {count.toLocaleString("en-GB")} <span className="ui-hidden">new submissions</span>
    </span>
  );
}
