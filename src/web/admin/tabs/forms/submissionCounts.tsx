/**
 * How many submissions each form has, for badges and for what goes with a deleted form, and which enquiries are to be
 * followed up.
 */
import type { FollowUp } from "../../../../schema/visitors.ts";
import { useMay } from "../../data/session.ts";
import { resource, useResource } from "../../data/resource.ts";

export interface SubmissionCount {
  readonly total: number;
  readonly new: number;
  /** That are agreed on and not over. */
  readonly calls: number;
}

/** The counts by form id; missing until they are read. A write to submissions reads them again. */
export const useSubmissionCounts = () => useResource(counts).value;

const counts = resource<Readonly<Record<string, SubmissionCount>>>("/api/form-submission-counts", {
  stays: true,
  key: ["formSubmissions", "counts"],
});

/** The counts of one form, or of all of them; zero until they are read. */
export function useSubmissionCount(formId: string | undefined): SubmissionCount {
  const counts = useSubmissionCounts() ?? {};
  if (formId !== undefined) return counts[formId] ?? NONE;
  const sum = (name: keyof SubmissionCount) =>
    Object.values(counts).reduce((total, count) => total + count[name], 0);
  return { total: sum("total"), new: sum("new"), calls: sum("calls") };
}

const NONE: SubmissionCount = { total: 0, new: 0, calls: 0 };

/** New submissions of all forms, for the number beside the tab; none shows nothing. */
export function useNewSubmissions(): number | undefined {
  return useSubmissionCount(undefined).new || undefined;
}

/** Those that are to be followed up by today, and calls of the next two weeks; read by who may read submissions. */
export function useFollowUps(): readonly FollowUp[] | undefined {
  return useResource(due, { enabled: useMay()("enquiries") }).value;
}

const QUARTER_OF_AN_HOUR = 900_000;

const due = resource<readonly FollowUp[]>("/api/follow-ups", {
  key: ["formSubmissions", "due"],
  // A dashboard that stays open overnight says in the morning what is due then.
  every: () => QUARTER_OF_AN_HOUR,
});

/** "24 submissions", "1 submission". */
export function submissionWords(total: number): string {
  return `${total.toLocaleString("en-GB")} ${total === 1 ? "submission" : "submissions"}`;
}

/** The number of new submissions beside the label of the tab, and a dot when one is to be followed up. */
export function NewSubmissions() {
  const count = useNewSubmissions();
  const isDue = useFollowUps()?.some((each) => each.isDue);
  return (
    <>
      {isDue ? (
        <span className="dot" data-tone="bad">
          <span className="ui-hidden">follow-ups for today</span>
        </span>
      ) : null}
      {count !== undefined && (
        <span className="rail-count">
          {count.toLocaleString("en-GB")} <span className="ui-hidden">new submissions</span>
        </span>
      )}
    </>
  );
}
