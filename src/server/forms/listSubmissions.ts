/** A form's submissions as the owner reviews them: page by page, newest first. */
import type { ListQuery } from "../http/listQuery.ts";
import { type Page, searchPage, type Store } from "../storage/store.ts";
import { type Submission, type SubmissionKey, submissionRecords } from "./submissionRecords.ts";

/** How many a form has, for badges and for what goes with a deleted form. */
export interface SubmissionCount {
  readonly total: number;
  readonly new: number;
}

/** One page, by state and by words in the answers. */
export function listSubmissions(
  store: Store,
  formId: string,
  { offset, limit, status, search }: ListQuery,
): Promise<Page<Submission>> {
  const records = submissionRecords(store);
  const where = (key: SubmissionKey) =>
    key.formId === formId && (status === undefined || key.status === status);
  const request = { where, newestFirst: true, offset, limit };
  return search === undefined
    ? records.page(request)
    : searchPage(records, (each) => answersHold(each, search), request);
}

function answersHold({ questions }: Submission, search: string): boolean {
  return questions.some(({ answer }) =>
    [answer].flat().some((text) => text.toLowerCase().includes(search)),
  );
}

/** The counts of every form that has submissions, by form id; from memory. */
export function countSubmissions(store: Store): Record<string, SubmissionCount> {
  const counts = new Map<string, { total: number; new: number }>();
  submissionRecords(store).count(({ formId, status }) => {
    const count = counts.get(formId) ?? { total: 0, new: 0 };
    count.total++;
    if (status === "new") count.new++;
    counts.set(formId, count);
    return true;
  });
  return Object.fromEntries(counts);
}
