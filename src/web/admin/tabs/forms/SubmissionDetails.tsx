/** The details of a submission: answers, replies, notes and actions. */
import { parseJson } from "../../../shared/api.ts";
import Check from "lucide-react/icons/check";
import Mail from "lucide-react/icons/mail";
import RotateCcw from "lucide-react/icons/rotate-ccw";
import Trash2 from "lucide-react/icons/trash";
import { useState } from "react";
import type { Submission } from "../../../../schema/enquiry/visitors.ts";
import type { ReplyThread } from "../../../../schema/api/mailResponses.ts";
import { Button } from "../../../ui/Button.tsx";
import { formatDay } from "../../../../schema/core/formatDate.ts";
import { toSafeUrl } from "../../../../schema/core/safeUrl.ts";
import { createMailtoUrl } from "../../../../schema/core/mailto.ts";
import { useAction } from "../../../ui/useAction.ts";
import { usePermission } from "../../data/session.ts";
import { createReplyForm, formatReplySubject, useReplies } from "./replyCalls.ts";
import { hasUnsentInput } from "../../data/useUnsentForm.ts";
import { getItemPath, writeToEntity } from "../../data/entityWrites.ts";
import { createLazyComponent } from "../../parts/lazyComponent.tsx";
import type { BookedCallProps } from "./BookedCall.tsx";
import { EnquiryProgress, EnquiryNotes } from "./EnquiryProgress.tsx";
import type { PhoneLinksProps } from "./PhoneLinks.tsx";
import type { RepliesProps } from "./Replies.tsx";

const LazyReplies = createLazyComponent<RepliesProps>({
  subject: "the replies",
  loadCode: async () => (await import("./Replies.tsx")).ReplyList,
});

/** Loaded separately, since the code contains the numbering plans of all countries. */
const LazyPhoneLinks = createLazyComponent<PhoneLinksProps>({
  subject: "the phone number",
  loadCode: async () => (await import("./PhoneLinks.tsx")).PhoneLinks,
  placeholder: null,
});

const LazyBookedCall = createLazyComponent<BookedCallProps>({
  subject: "the call",
  loadCode: async () => (await import("./BookedCall.tsx")).BookedCall,
});

/** `email` and `phone` are the visitor's; undefined if the answers don't contain them. */
interface SubmissionDetailsProps {
  readonly id: string;
  readonly submission: Submission;
  readonly formTitle: string;
  readonly email: string | undefined;
  readonly phone: string | undefined;
  readonly statusToggle: StatusToggle;
  readonly onDelete: () => void;
}

/** Shows answers as plain text, never as HTML. */
export function SubmissionDetails(props: SubmissionDetailsProps) {
  const { id, submission, formTitle, email } = props;
  const { value: thread } = useReplies(submission.id);
  const [isReplying, setIsReplying] = useState(() =>
    hasUnsentInput(createReplyForm(submission.id, "")),
  );
  const isNew = submission.status === "new";
  return (
    <div id={id} className="submission-details border-top">
      <EnquiryProgress submission={submission} />
      {submission.booked && (
        <LazyBookedCall
          id={submission.id}
          visitorName={findGreetingName(submission) || (email ?? "the visitor")}
          booking={submission.booked}
        />
      )}
      <AnswerList submission={submission} />
      {thread && (thread.replies.length > 0 || isReplying) && (
        <LazyReplies
          id={submission.id}
          thread={thread}
          isWriting={isReplying}
          formTitle={formTitle}
          name={findGreetingName(submission)}
          stage={submission.stage}
          onDone={() => setIsReplying(false)}
        />
      )}
      <SubmissionActions
        {...props}
        thread={thread}
        onReply={isReplying ? undefined : () => setIsReplying(true)}
      />
      <p className="field-hint">{isNew ? REVIEWED_HINT : NEW_HINT}</p>
      <EnquiryNotes submission={submission} />
    </div>
  );
}

interface SubmissionActionsProps extends SubmissionDetailsProps {
  readonly thread: ReturnType<typeof useReplies>["value"];
  /** Opens the form for a reply; undefined while the form is open. */
  readonly onReply: (() => void) | undefined;
}

function SubmissionActions(props: SubmissionActionsProps) {
  const { submission, formTitle, email, phone, statusToggle, onDelete, thread, onReply } = props;
  const hasPermission = usePermission();
  const isNew = submission.status === "new";
  const Icon = isNew ? Check : RotateCcw;
  return (
    <div className="submission-actions actions">
      {email && !thread?.isPossible && (
        <a
          className="ui-button"
          data-variant="primary"
          href={createReplyUrl(email, thread, formTitle)}
        >
          <Mail size={16} aria-hidden="true" /> Reply by email
        </a>
      )}
      {email && thread?.isPossible && onReply && (
        <Button variant="primary" onClick={onReply}>
          <Mail size={16} aria-hidden="true" /> Reply by email
        </Button>
      )}
      {phone && (
        <LazyPhoneLinks phone={phone} name={findGreetingName(submission)} thread={thread} />
      )}
      <Button
        variant={isNew && !email ? "primary" : "neutral"}
        isPending={statusToggle.isPending}
        onClick={statusToggle.toggle}
      >
        <Icon size={16} aria-hidden="true" /> {getStatusToggleLabel(submission.status)}
      </Button>
      {hasPermission("site") && (
        <Button variant="quiet" data-tone="bad" onClick={onDelete}>
          <Trash2 size={16} aria-hidden="true" /> Delete
        </Button>
      )}
    </div>
  );
}

const REVIEWED_HINT = "Mark Reviewed removes this submission from your new ones.";
const NEW_HINT = "Mark New returns this submission to your new ones.";

function AnswerList({ submission }: { submission: Submission }) {
  return (
    <dl className="auto-grid">
      {submission.about && (
        <div>
          <dt className="faint note">Package</dt>
          <dd>{submission.about}</dd>
        </div>
      )}
      {readAnswers(submission).map((each) => (
        <div key={each.id} data-type={each.type} data-long={isLongAnswer(each) || undefined}>
          <dt className="faint note">{each.label}</dt>
          <dd>
            <AnswerText {...each} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** A link's host is shown too if the text doesn't contain it, such as xn--pple-43d.com for a fake apple.com. */
function AnswerText({ type, answer }: Answer) {
  const url = type === "link" ? toSafeUrl(answer) : undefined;
  if (!url || !/^https?:/i.test(url)) return answer;
  const { host } = new URL(url);
  return (
    <>
      <a href={url} target="_blank" rel="noopener noreferrer nofollow">
        {answer}
      </a>
      {!answer.toLowerCase().includes(host) && <span className="quiet"> opens {host}</span>}
    </>
  );
}

function isLongAnswer({ answer, type }: Answer): boolean {
  return type === "textarea" || answer.length > MAX_SHORT_ANSWER_LENGTH || answer.includes("\n");
}

/** Longer answers take the full width. */
const MAX_SHORT_ANSWER_LENGTH = 60;

/** Returns a mailto: URL, without a subject until the thread is loaded. */
const createReplyUrl = (email: string, thread: ReplyThread | undefined, formTitle: string) =>
  `${createMailtoUrl(email)}${thread ? `?subject=${encodeURIComponent(formatReplySubject(thread.subject, formTitle))}` : ""}`;

interface StatusToggle {
  readonly toggle: () => void;
  readonly isPending: boolean;
}

/** Switches a submission between new and reviewed (PUT /api/form-submissions/{id}/status). */
export function useStatusToggle({ id, status }: Submission): StatusToggle {
  const body = { status: status === "new" ? "reviewed" : "new" };
  const path = `${getItemPath("formSubmissions", id)}/status`;
  const [isPending, toggle] = useAction(
    () => writeToEntity("formSubmissions", path, { method: "PUT", body }),
    STATUS_MESSAGES,
  );
  return { toggle, isPending };
}

const STATUS_MESSAGES = {
  success: "Submission status updated successfully",
  failure: "Failed to update submission status",
};

export function getStatusToggleLabel(status: string): string {
  return status === "new" ? "Mark Reviewed" : "Mark New";
}

/** `displayedEmail` is empty if `visitorName` is already the address. */
export interface SubmissionSummary {
  readonly visitorName: string;
  readonly displayedEmail: string;
  readonly emailAddress: string | undefined;
  readonly phone: string | undefined;
  readonly excerpt: string;
}

/** The first text answer is the visitor's name, the first email answer is the address. */
export function summarizeSubmission(submission: AnsweredSubmission): SubmissionSummary {
  const answers = readAnswers(submission);
  const findFirst = (...types: string[]) => answers.find(({ type }) => types.includes(type));
  const name = findFirst("text");
  const emailAnswer = findFirst("email");
  const titleAnswer = name ?? emailAnswer ?? answers[0];
  const otherAnswers = answers.filter((each) => each !== titleAnswer && each !== emailAnswer);
  const excerpt = otherAnswers.find(({ type }) => type === "textarea") ?? otherAnswers[0];
  return {
    visitorName: titleAnswer?.answer ?? "No answers",
    displayedEmail: emailAnswer && emailAnswer !== titleAnswer ? emailAnswer.answer : "",
    emailAddress: emailAnswer?.answer,
    phone: findFirst("international_phone", "phone")?.answer,
    excerpt: excerpt?.answer ?? "",
  };
}

/** A question with its answer as text. */
interface Answer {
  readonly id: string;
  readonly label: string;
  readonly type: string;
  readonly answer: string;
}

type AnsweredSubmission = Pick<Submission, "questions" | "submissionData">;

/** Returns the first word of the first text answer, for a reply's greeting. */
export const findGreetingName = (submission: Submission) =>
  readAnswers(submission)
    .find(({ type }) => type === "text")
    ?.answer.split(" ")[0] ?? "";

/** Returns the answers in the order of the questions or, without stored questions, the raw answers by field id. */
function readAnswers({ questions, submissionData }: AnsweredSubmission): Answer[] {
  if (questions.length === 0) return parseRawAnswers(submissionData);
  return questions.map(({ id, label, type, answer }) => ({
    id,
    label,
    type,
    answer: type === "date" ? formatDay(formatAnswer(answer)) : formatAnswer(answer),
  }));
}

function parseRawAnswers(json: string): Answer[] {
  const answers = Object.entries(parseJson(json));
  if (answers.length === 0) return [{ id: "", label: "Answers", type: "textarea", answer: json }];
  return answers.map(([id, answer]) => ({ id, label: id, type: "", answer: formatAnswer(answer) }));
}

function formatAnswer(answer: unknown): string {
  return Array.isArray(answer) ? answer.join(", ") : String(answer);
}
