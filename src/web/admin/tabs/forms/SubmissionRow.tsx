/** A submission: sender and time in a line; its answers when open. */
import Bell from "lucide-react/icons/bell";
import Check from "lucide-react/icons/check";
import ChevronRight from "lucide-react/icons/chevron-right";
import Trash2 from "lucide-react/icons/trash";
import { type ComponentProps, useEffect, useId, useRef } from "react";
import { entities } from "../../../../schema/index.ts";
import { messagesFor } from "../../../../schema/entities/messages.ts";
import {
  STAGES,
  type Submission,
  SUBMISSION_STATUSES,
} from "../../../../schema/enquiry/visitors.ts";
import { type Booking } from "../../../../schema/enquiry/calls.ts";
import { Button } from "../../../ui/Button.tsx";
import { deleteWithUndo } from "../../data/listWrites.ts";
import { usePermission } from "../../data/session.ts";
import { Badge } from "../../parts/Card.tsx";
import { IconButton } from "../../../ui/IconButton.tsx";
import { dayIn, dayOf, wallDateTime, when } from "../../../shared/when.ts";
import { offsetBetween } from "../../../shared/wallClock.ts";
import {
  type Summary,
  summaryOf,
  markLabel,
  nameIn,
  SubmissionDetails,
  useMark,
} from "./SubmissionDetails.tsx";

/** `isRequested`: a message linked to it. `onDeleted` moves focus to where the row was. */
interface SubmissionRowProps {
  readonly submission: Submission;
  readonly formTitle: string;
  /** The list of all forms also names its form. */
  readonly isOfAll: boolean;
  readonly open: boolean;
  readonly isRequested: boolean;
  readonly onToggle: () => void;
  readonly onDeleted: () => void;
}

export function SubmissionRow(props: SubmissionRowProps) {
  const { submission, formTitle, isOfAll, open, isRequested, onToggle, onDeleted } = props;
  const id = useId();
  const summary = summaryOf(submission);
  const mark = useMark(submission);
  const may = usePermission();
  const head = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!isRequested) return;
    head.current?.scrollIntoView();
    head.current?.focus({ preventScroll: true });
  }, [isRequested]);
  const remove = async () => {
    if (await confirmAndRemove(submission, summary.address ?? "them")) onDeleted();
  };
  return (
    <li className="list-row submission" data-new={submission.status === "new" || undefined}>
      <div className="submission-line row">
        <button
          ref={head}
          type="button"
          className="submission-head quiet grow"
          aria-expanded={open}
          aria-controls={open ? id : undefined}
          onClick={onToggle}
        >
          <InALine submission={submission} summary={summary} formTitle={isOfAll ? formTitle : ""} />
        </button>
        <div className="submission-quick gap-4 row">
          <Button variant="quiet" size="small" pending={mark.pending} onClick={mark.toggle}>
            {markLabel(submission.status)}
          </Button>
          {may("site") && (
            <IconButton
              icon={Trash2}
              label={`Delete submission from ${summary.visitorName}`}
              onClick={() => void remove()}
            />
          )}
        </div>
      </div>
      {open && (
        <SubmissionDetails
          id={id}
          submission={submission}
          formTitle={formTitle}
          email={summary.address}
          phone={summary.phone}
          mark={mark}
          onDelete={() => void remove()}
        />
      )}
    </li>
  );
}

/**
 * Asks, and names a call that is lost with it; `them` is for an enquiry without a name. Resolves to whether
 * it was deleted.
 */
async function confirmAndRemove(submission: Submission, them: string): Promise<boolean> {
  const call = callToCome(submission);
  const lost = call
    ? `\n\n${callLoss(nameIn(submission) || them, wallDateTime(offsetBetween(call.at, call.zone)))}`
    : "";
  if (!window.confirm(QUESTION + lost)) return false;
  return deleteWithUndo("formSubmissions", submission, [], call ? WITH_CALL : undefined);
}

const QUESTION = "Are you sure you want to delete this submission? This action cannot be undone.";

/** An enquiry's call that isn't over. */
const callToCome = ({ booked, callsUntil }: Submission): Booking | null =>
  callsUntil !== null && Date.parse(callsUntil) > Date.now() ? booked : null;

const callLoss = (visitorName: string, time: string) =>
  `You have a call with ${visitorName} on ${time}. Deleting cancels the call, and ${visitorName} gets an email. Undo restores the submission, but not the call.`;

const WITH_CALL = {
  success: "Submission deleted. The call was canceled and they've been notified.",
  failure: messagesFor(entities.formSubmissions, "delete").failure,
};

/** `formTitle` is empty in the list of one form. */
interface InALineProps {
  readonly submission: Submission;
  readonly summary: Summary;
  readonly formTitle: string;
}

function InALine({ submission, summary, formTitle }: InALineProps) {
  return (
    <>
      <ChevronRight size={16} className="chevron faint" aria-hidden="true" />
      <span className="submission-who truncate">{summary.visitorName}</span>
      <span className="submission-email truncate">{formTitle || summary.email}</span>
      <span className="submission-excerpt truncate">
        {formTitle && <span className="submission-form">{formTitle} · </span>}
        {summary.excerpt}
      </span>
      <span className="truncate tabular faint">
        {submission.createdAt && when(submission.createdAt)}
      </span>
      <span className="submission-state row">
        <StateBadge submission={submission} />
        {submission.remindOn && <Reminder day={submission.remindOn} />}
      </span>
    </>
  );
}

/** One word: new, else its stage, else its status. */
function StateBadge({ submission: { status, stage } }: { readonly submission: Submission }) {
  const standing = status !== "new" && stage !== "" && STAGES.find(({ value }) => value === stage);
  if (standing) return <Badge>{standing.label}</Badge>;
  const label = SUBMISSION_STATUSES.find(({ value }) => value === status)?.label ?? status;
  return (
    <Badge tone={TONES[status] ?? "neutral"}>
      {status === "reviewed" && <Check size={12} aria-hidden="true" />}
      {label}
    </Badge>
  );
}

function Reminder({ day }: { readonly day: string }) {
  return (
    <span
      className="submission-reminder gap-4 note row"
      data-tone={day <= dayIn(0) ? "bad" : undefined}
    >
      <Bell size={12} aria-hidden="true" />
      <span className="visually-hidden">Reminder: </span>
      {dayOf(`${day}T12:00`)}
    </span>
  );
}

const TONES: Readonly<Record<string, ComponentProps<typeof Badge>["tone"]>> = {
  new: "warn",
  reviewed: "neutral",
  archived: "info",
};
