/** A submission in the list. When it is expanded, its answers are below it. */
import Bell from "lucide-react/icons/bell";
import Check from "lucide-react/icons/check";
import ChevronRight from "lucide-react/icons/chevron-right";
import Trash2 from "lucide-react/icons/trash";
import { type ComponentProps, useEffect, useId, useRef } from "react";
import { entities } from "../../../../schema/index.ts";
import { getWriteMessages } from "../../../../schema/entities/messages.ts";
import {
  ENQUIRY_STAGES,
  type Submission,
  SUBMISSION_STATUSES,
} from "../../../../schema/enquiry/visitors.ts";
import { type Booking } from "../../../../schema/enquiry/calls.ts";
import { Button } from "../../../ui/Button.tsx";
import { deleteWithUndo } from "../../data/listWrites.ts";
import { usePermission } from "../../data/session.ts";
import { Badge } from "../../parts/Card.tsx";
import { IconButton } from "../../../ui/IconButton.tsx";
import {
  formatIsoDayAfter,
  formatRelativeDay,
  formatLocalDateTime,
  formatRelativeDateTime,
} from "../../../shared/formatTimes.ts";
import { replaceSkippedTime } from "../../../shared/localTime.ts";
import {
  type SubmissionSummary,
  summarizeSubmission,
  getStatusToggleLabel,
  findGreetingName,
  SubmissionDetails,
  useStatusToggle,
} from "./SubmissionDetails.tsx";

/** `isLinked` means that the user followed a link to this submission. */
interface SubmissionRowProps {
  readonly submission: Submission;
  readonly formTitle: string;
  /** Whether the row shows the form's name, as in the list of all forms. */
  readonly hasFormName: boolean;
  readonly isOpen: boolean;
  readonly isLinked: boolean;
  readonly onToggle: () => void;
  readonly onDeleted: () => void;
}

export function SubmissionRow(props: SubmissionRowProps) {
  const { submission, formTitle, hasFormName, isOpen, isLinked, onToggle, onDeleted } = props;
  const id = useId();
  const summary = summarizeSubmission(submission);
  const mark = useStatusToggle(submission);
  const hasPermission = usePermission();
  const headRef = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!isLinked) return;
    headRef.current?.scrollIntoView();
    headRef.current?.focus({ preventScroll: true });
  }, [isLinked]);
  const remove = async () => {
    if (await confirmAndDelete(submission, summary.emailAddress ?? "the visitor")) onDeleted();
  };
  return (
    <li className="list-row submission" data-new={submission.status === "new" || undefined}>
      <div className="submission-line row">
        <button
          ref={headRef}
          type="button"
          className="submission-head quiet grow"
          aria-expanded={isOpen}
          aria-controls={isOpen ? id : undefined}
          onClick={onToggle}
        >
          <SubmissionLine
            submission={submission}
            summary={summary}
            formTitle={hasFormName ? formTitle : ""}
          />
        </button>
        <div className="submission-buttons gap-4 row">
          <Button variant="quiet" size="small" isPending={mark.isPending} onClick={mark.toggle}>
            {getStatusToggleLabel(submission.status)}
          </Button>
          {hasPermission("site") && (
            <IconButton
              icon={Trash2}
              label={`Delete submission from ${summary.visitorName}`}
              onClick={() => void remove()}
            />
          )}
        </div>
      </div>
      {isOpen && (
        <SubmissionDetails
          id={id}
          submission={submission}
          formTitle={formTitle}
          email={summary.emailAddress}
          phone={summary.phone}
          statusToggle={mark}
          onDelete={() => void remove()}
        />
      )}
    </li>
  );
}

/** Asks first, and mentions a call that would be canceled. Resolves to whether the submission was deleted. */
async function confirmAndDelete(submission: Submission, fallbackName: string): Promise<boolean> {
  const call = findUpcomingCall(submission);
  const callWarning = call
    ? `\n\n${describeCanceledCall(findGreetingName(submission) || fallbackName, formatLocalDateTime(replaceSkippedTime(call.at, call.zone)))}`
    : "";
  if (!window.confirm(DELETE_QUESTION + callWarning)) return false;
  return deleteWithUndo(
    "formSubmissions",
    submission,
    [],
    call ? DELETED_WITH_CALL_MESSAGES : undefined,
  );
}

const DELETE_QUESTION =
  "Are you sure you want to delete this submission? This action cannot be undone.";

const findUpcomingCall = ({ booked, callsUntil }: Submission): Booking | null =>
  callsUntil !== null && Date.parse(callsUntil) > Date.now() ? booked : null;

const describeCanceledCall = (visitorName: string, time: string) =>
  `You have a call with ${visitorName} on ${time}. Deleting the submission cancels the call and notifies ${visitorName} by email. Undo restores the submission, but not the call.`;

const DELETED_WITH_CALL_MESSAGES = {
  success: "Submission deleted and call canceled. The visitor has been notified.",
  failure: getWriteMessages(entities.formSubmissions, "delete").failure,
};

/** `formTitle` is empty in the list of one form. */
interface SubmissionLineProps {
  readonly submission: Submission;
  readonly summary: SubmissionSummary;
  readonly formTitle: string;
}

function SubmissionLine({ submission, summary, formTitle }: SubmissionLineProps) {
  return (
    <>
      <ChevronRight size={16} className="chevron faint" aria-hidden="true" />
      <span className="submission-name truncate">{summary.visitorName}</span>
      <span className="submission-email truncate">{formTitle || summary.displayedEmail}</span>
      <span className="submission-excerpt truncate">
        {formTitle && <span className="submission-form">{formTitle} · </span>}
        {summary.excerpt}
      </span>
      <span className="truncate faint">
        {submission.createdAt && formatRelativeDateTime(submission.createdAt)}
      </span>
      <span className="submission-state row">
        <StateBadge submission={submission} />
        {submission.remindOn && <ReminderBadge day={submission.remindOn} />}
      </span>
    </>
  );
}

function StateBadge({ submission: { status, stage } }: { readonly submission: Submission }) {
  const stageChoice =
    status !== "new" && stage !== "" && ENQUIRY_STAGES.find(({ value }) => value === stage);
  if (stageChoice) return <Badge>{stageChoice.label}</Badge>;
  const label = SUBMISSION_STATUSES.find(({ value }) => value === status)?.label ?? status;
  return (
    <Badge tone={TONE_BY_STATUS[status] ?? "neutral"}>
      {status === "reviewed" && <Check size={12} aria-hidden="true" />}
      {label}
    </Badge>
  );
}

function ReminderBadge({ day }: { readonly day: string }) {
  return (
    <span
      className="submission-reminder gap-4 note row"
      data-tone={day <= formatIsoDayAfter(0) ? "bad" : undefined}
    >
      <Bell size={12} aria-hidden="true" />
      <span className="visually-hidden">Reminder: </span>
      {formatRelativeDay(`${day}T12:00`)}
    </span>
  );
}

const TONE_BY_STATUS: Readonly<Record<string, ComponentProps<typeof Badge>["tone"]>> = {
  new: "warn",
  reviewed: "neutral",
  archived: "info",
};
