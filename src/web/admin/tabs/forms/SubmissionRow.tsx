/** One submission: who and when in a line; what was answered when it is opened. */
import Check from "lucide-react/icons/check";
import ChevronRight from "lucide-react/icons/chevron-right";
import Trash2 from "lucide-react/icons/trash";
import { type ComponentProps, useEffect, useId, useRef } from "react";
import { type Submission, SUBMISSION_STATUSES } from "../../../../schema/visitors.ts";
import { Button } from "../../../ui/Button.tsx";
import { deleteWithUndo } from "../../data/listWrites.ts";
import { useMay } from "../../data/session.ts";
import { Badge } from "../../parts/Card.tsx";
import { IconButton } from "../../../ui/IconButton.tsx";
import { when } from "../../parts/when.ts";
import { type Gist, gistOf, markWords, SubmissionDetails, useMark } from "./SubmissionDetails.tsx";

/** `isAskedFor`: a message led to it. `onDeleted` puts the focus where the row was. */
interface SubmissionRowProps {
  readonly submission: Submission;
  readonly formTitle: string;
  readonly open: boolean;
  readonly isAskedFor: boolean;
  readonly onToggle: () => void;
  readonly onDeleted: () => void;
}

export function SubmissionRow(props: SubmissionRowProps) {
  const { submission, formTitle, open, isAskedFor, onToggle, onDeleted } = props;
  const id = useId();
  const gist = gistOf(submission);
  const mark = useMark(submission);
  const may = useMay();
  const head = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!isAskedFor) return;
    head.current?.scrollIntoView();
    head.current?.focus({ preventScroll: true });
  }, [isAskedFor]);
  const remove = async () => {
    if (!window.confirm(QUESTION)) return;
    if (await deleteWithUndo("formSubmissions", submission)) onDeleted();
  };
  return (
    <li className="row submission" data-new={submission.status === "new" || undefined}>
      <div className="submission-line">
        <button
          ref={head}
          type="button"
          className="submission-head"
          aria-expanded={open}
          aria-controls={open ? id : undefined}
          onClick={onToggle}
        >
          <InALine submission={submission} gist={gist} />
        </button>
        <div className="submission-quick">
          <Button variant="quiet" size="small" pending={mark.pending} onClick={mark.toggle}>
            {markWords(submission.status)}
          </Button>
          {may("site") && (
            <IconButton
              icon={Trash2}
              label={`Delete submission of ${gist.who}`}
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
          email={gist.address}
          phone={gist.phone}
          mark={mark}
          onDelete={() => void remove()}
        />
      )}
    </li>
  );
}

const QUESTION = "Are you sure you want to delete this submission? This action cannot be undone.";

function InALine({ submission, gist }: { submission: Submission; gist: Gist }) {
  return (
    <>
      <ChevronRight size={16} className="chevron" aria-hidden="true" />
      <span className="submission-who">{gist.who}</span>
      <span className="submission-email">{gist.email}</span>
      <span className="submission-excerpt">{gist.excerpt}</span>
      <span className="submission-date">{submission.createdAt && when(submission.createdAt)}</span>
      <StatusBadge status={submission.status} />
    </>
  );
}

/** The state as a colored word. */
function StatusBadge({ status }: { status: string }) {
  const label = SUBMISSION_STATUSES.find(({ value }) => value === status)?.label ?? status;
  return (
    <Badge tone={TONES[status] ?? "neutral"}>
      {status === "reviewed" && <Check size={12} aria-hidden="true" />}
      {label}
    </Badge>
  );
}

const TONES: Readonly<Record<string, ComponentProps<typeof Badge>["tone"]>> = {
  new: "warn",
  reviewed: "neutral",
  archived: "info",
};
