/** Where submissions are kept, and what of each stays in memory for counting and filtering. */
import type { Item } from "../../schema/index.ts";
import type { Records, Store } from "../storage/store.ts";

/** A stored submission. */
export type Submission = Item<"formSubmissions">;

/** What is known of a submission without reading its file. */
export type SubmissionKey = Pick<Submission, "id" | "formId" | "status" | "createdAt">;

/** No more are stored than this; the owner deletes some to make room (security.md, a cap). */
export const MOST_SUBMISSIONS = 200_000;

/** All submissions of all forms. */
export function submissionRecords(store: Store): Records<Submission, SubmissionKey> {
  return store.records<Submission, SubmissionKey>("form-submissions");
}
