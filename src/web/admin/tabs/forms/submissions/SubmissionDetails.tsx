/** An opened submission: every question as it was asked then, with its answer, and what to do. */
import Check from "lucide-react/icons/check";
import Mail from "lucide-react/icons/mail";
import RotateCcw from "lucide-react/icons/rotate-ccw";
import Trash2 from "lucide-react/icons/trash";
import type { Item } from "../../../../../schema/index.ts";
import { Button } from "../../../../ui/Button.tsx";
import { type Answered, answersOf } from "./answersOf.ts";
import { type Mark, markWords } from "./useMark.ts";

/** `email`: where a reply goes, if an answer names it. */
export interface SubmissionDetailsProps {
  readonly id: string;
  readonly submission: Item<"formSubmissions">;
  readonly formTitle: string;
  readonly email: string | undefined;
  readonly mark: Mark;
  readonly onDelete: () => void;
}

/** Longer answers take the whole width. */
const SHORT = 60;

/** Renders answers as text, whatever they hold (security.md, "Script in an enquiry"). */
export function SubmissionDetails(props: SubmissionDetailsProps) {
  const { id, submission, formTitle, email, mark, onDelete } = props;
  const isNew = submission.status === "new";
  const Icon = isNew ? Check : RotateCcw;
  return (
    <div id={id} className="submission-details">
      <dl>
        {answersOf(submission).map((each) => (
          <div key={each.id} data-type={each.type} data-long={isLong(each) || undefined}>
            <dt>{each.label}</dt>
            <dd>{each.answer}</dd>
          </div>
        ))}
      </dl>
      <div className="submission-actions">
        <Button
          variant={isNew ? "primary" : "neutral"}
          pending={mark.isPending}
          onClick={mark.toggle}
        >
          <Icon size={16} aria-hidden="true" /> {markWords(submission.status)}
        </Button>
        {email && (
          <a className="ui-button" href={replyTo(email, formTitle)}>
            <Mail size={16} aria-hidden="true" /> Reply by email
          </a>
        )}
        <Button variant="quiet" className="bad" onClick={onDelete}>
          <Trash2 size={16} aria-hidden="true" /> Delete
        </Button>
      </div>
    </div>
  );
}

function isLong({ answer, type }: Answered): boolean {
  return type === "textarea" || answer.length > SHORT || answer.includes("\n");
}

/** RFC 6068: everything but the one @ is encoded, so that an answer can add no header. */
function replyTo(email: string, subject: string): string {
  const at = email.lastIndexOf("@");
  const address = `${encodeURIComponent(email.slice(0, at))}@${encodeURIComponent(email.slice(at + 1))}`;
  return `mailto:${address}?subject=${encodeURIComponent(`Re: ${subject}`)}`;
}
