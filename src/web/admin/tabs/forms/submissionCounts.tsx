/** The counts of submissions by form, and the follow-ups. */
import type { FollowUp } from "../../../../schema/enquiry/visitors.ts";
import { MINUTE } from "../../../../schema/core/time.ts";
import { formatNumber } from "../../../../schema/core/formatNumber.ts";
import { usePermission } from "../../data/session.ts";
import { createApiQuery, useApiQuery } from "../../data/apiQuery.ts";

export interface SubmissionCount {
  readonly total: number;
  readonly new: number;
  /** The number of upcoming calls. */
  readonly calls: number;
}

/** The counts of submissions by form id; undefined until loaded. */
export const useSubmissionCounts = () => useApiQuery(countsQuery).value;

const countsQuery = createApiQuery<Readonly<Record<string, SubmissionCount>>>(
  "/api/form-submission-counts",
  {
    isCached: true,
    key: ["formSubmissions", "counts"],
  },
);

/** The counts of one form or, without `formId`, of all forms; zero until loaded. */
export function useSubmissionCount(formId: string | undefined): SubmissionCount {
  const counts = useSubmissionCounts() ?? {};
  if (formId !== undefined) return counts[formId] ?? NO_SUBMISSIONS;
  const sum = (name: keyof SubmissionCount) =>
    Object.values(counts).reduce((total, count) => total + count[name], 0);
  return { total: sum("total"), new: sum("new"), calls: sum("calls") };
}

const NO_SUBMISSIONS: SubmissionCount = { total: 0, new: 0, calls: 0 };

/** The number of new submissions of all forms; undefined if there are none. */
export function useNewSubmissionCount(): number | undefined {
  return useSubmissionCount(undefined).new || undefined;
}

/** Follow-ups due today, and the calls of the next two weeks. Undefined until loaded. */
export function useFollowUps(): readonly FollowUp[] | undefined {
  return useApiQuery(followUpsQuery, { enabled: usePermission()("enquiries") }).value;
}

const POLL_INTERVAL_MS = 15 * MINUTE;

const followUpsQuery = createApiQuery<readonly FollowUp[]>("/api/follow-ups", {
  key: ["formSubmissions", "due"],
  // A dashboard that is left open overnight has to show the follow-ups of the new day.
  pollIntervalMs: () => POLL_INTERVAL_MS,
});

export function NewSubmissionsBadge() {
  const count = useNewSubmissionCount();
  const isDue = useFollowUps()?.some((each) => each.isDue);
  return (
    <>
      {isDue && (
        <span className="dot" data-tone="bad">
          <span className="visually-hidden">follow-ups due today</span>
        </span>
      )}
      {count !== undefined && (
        <span className="rail-count">
          {formatNumber(count)} <span className="visually-hidden">new submissions</span>
        </span>
      )}
    </>
  );
}
