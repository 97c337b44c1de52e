/** Checked answers become a submission that stays readable after the form has changed (design.md section 5). */
import type { Answers } from "../../schema/answers.ts";
import type { EnquiryForm } from "../../schema/enquiry.ts";
import type { AnsweredQuestion } from "../../schema/submissions.ts";
import { tooManyRequests } from "../http/refusal.ts";
import { type Clock, isoTime } from "../http/clock.ts";
import type { Visitor } from "../http/visitor.ts";
import type { Store } from "../storage/store.ts";
import { allFields } from "./plainSteps.ts";
import { MOST_SUBMISSIONS, type Submission, submissionRecords } from "./submissionRecords.ts";

const TRY_AGAIN_SECONDS = 3600;
const FULL = "No more messages can be taken at the moment. Please try again later.";

/** Where submissions go, and when it is. */
export interface SubmissionStore {
  readonly store: Store;
  readonly clock: Clock;
}

/** Resolves once it is on the disk. Raises a Refusal when no more are stored, StorageUnavailable. */
export async function storeSubmission(
  { store, clock }: SubmissionStore,
  form: EnquiryForm,
  answers: Answers,
  visitor: Visitor,
  submittedAt: unknown = null,
): Promise<Submission> {
  const records = submissionRecords(store);
  if (records.count() >= MOST_SUBMISSIONS) throw tooManyRequests(FULL, TRY_AGAIN_SECONDS);
  return records.insert({
    id: Bun.randomUUIDv7(),
    formId: form.id,
    status: "new",
    createdAt: isoTime(clock),
    submittedAt: visitorsClock(submittedAt),
    submissionData: JSON.stringify(answers),
    questions: answeredQuestions(form, answers),
    ipAddress: visitor.address,
    userAgent: visitor.userAgent,
  });
}

function answeredQuestions(form: EnquiryForm, answers: Answers): AnsweredQuestion[] {
  return allFields(form)
    .filter(({ id }) => Object.hasOwn(answers, id))
    .map(({ id, label, fieldType }) => ({ id, label, type: fieldType, answer: answers[id]! }));
}

/** Kept for the record only: the server's clock is the one that counts. */
function visitorsClock(submittedAt: unknown): string | null {
  if (typeof submittedAt !== "string" || submittedAt.length > 40) return null;
  const moment = new Date(submittedAt);
  return Number.isNaN(moment.getTime()) ? null : moment.toISOString();
}
