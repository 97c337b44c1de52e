/** Which enquiries are to be followed up by today, of whichever form; nothing while none is. */
import Bell from "lucide-react/icons/bell";
import type { Submission } from "../../../../schema/visitors.ts";
import { Button } from "../../../ui/Button.tsx";
import { saveProgress } from "../../data/progress.ts";
import { usePending } from "../../data/usePending.ts";
import { Card } from "../../parts/Card.tsx";
import { dayOf } from "../../parts/when.ts";
import { useChosenForm } from "./ChooseForm.tsx";
import { dayIn } from "./EnquiryProgress.tsx";
import { gistOf } from "./SubmissionDetails.tsx";
import { useFollowUps } from "./submissionCounts.tsx";

export function ForToday() {
  const due = useFollowUps() ?? [];
  if (due.length === 0) return null;
  return (
    <Card title="For today" note={due.length} flush>
      <ul className="rows for-today">
        {due.map((submission) => (
          <FollowUp key={submission.id} submission={submission} />
        ))}
      </ul>
    </Card>
  );
}

function FollowUp({ submission }: { readonly submission: Submission }) {
  const { id, formId, remindOn, notes } = submission;
  const { who } = gistOf(submission);
  const { choose } = useChosenForm();
  const [pending, run] = usePending();
  const remind = (day: string | null) =>
    void run(() => saveProgress(id, { remindOn: day }, submission));
  const note = notes.at(-1)?.text;
  return (
    <li className="row">
      <Bell size={16} aria-hidden="true" className="bad" />
      <div>
        <strong dir="auto">{who}</strong>
        <p className="quiet" dir="auto">
          {note !== undefined && `“${note}” · `}
          {remindOn !== null && `due ${dayWords(remindOn)}`}
        </p>
      </div>
      <div className="for-today-actions">
        <Button onClick={() => choose(formId, "submissions", id)}>Open</Button>
        <Button variant="quiet" pending={pending} onClick={() => remind(dayIn(1))}>
          Tomorrow
        </Button>
        <Button variant="quiet" pending={pending} onClick={() => remind(null)}>
          Done
        </Button>
      </div>
    </li>
  );
}

/** "today", "yesterday", "18 Nov". */
function dayWords(day: string): string {
  const words = dayOf(`${day}T12:00`);
  return /^\d/.test(words) ? words : words.toLowerCase();
}
