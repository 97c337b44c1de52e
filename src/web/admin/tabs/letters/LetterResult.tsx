/** A newsletter that is being sent or was sent: progress, problems, actions. */
import { Button } from "../../../ui/Button.tsx";
import { Row, Rows } from "../../../ui/Row.tsx";
import Copy from "lucide-react/icons/copy";
import EyeOff from "lucide-react/icons/eye-off";
import Moon from "lucide-react/icons/moon";
import RotateCcw from "lucide-react/icons/rotate-ccw";
import type { ReactNode } from "react";
import type {
  LetterDetail,
  LettersState,
  DeliveryProblem,
} from "../../../../schema/api/letterResponses.ts";
import { formatNumber } from "../../../../schema/core/formatNumber.ts";
import { createLetter, publishLetter, useOpenLetter, pickLetterText } from "./letterCalls.ts";
import { useAction } from "../../../ui/useAction.ts";
import { Badge, Card } from "../../parts/Card.tsx";
import { ToggleField } from "../../parts/Toggle.tsx";
import {
  formatTime,
  formatRelativeDateTime,
  formatRelativeDateTimeInSentence,
} from "../../../shared/formatTimes.ts";
import { LetterPreview } from "./LetterPreview.tsx";
import { DeleteLetterButton, LetterHead } from "./LetterComposer.tsx";
import {
  getStateLabel,
  LetterBadge,
  LetterStateButton,
  formatSendingTime,
} from "./letterStatus.tsx";

interface LetterResultProps {
  readonly letter: LetterDetail;
  readonly state: LettersState;
}

export function LetterResult({ letter, state }: LetterResultProps) {
  const { subject, state: letterState, troubles } = letter;
  return (
    <>
      <LetterHead title={subject} note={<LetterBadge letter={letter} />}>
        <ReuseLetterButton letter={letter} />
        {(letterState === "sent" || letterState === "paused") && (
          <DeleteLetterButton letter={letter} />
        )}
      </LetterHead>
      <div className="letter-columns stack gap-16 align-start">
        <div className="stack gap-16">
          {letterState === "scheduled" ? (
            <ScheduledLetter letter={letter} />
          ) : (
            <LetterNumbers letter={letter} />
          )}
          {troubles.length > 0 && (
            <Card title="Needs attention" note={troubles.length} isFlush>
              <Rows>
                {troubles.map((deliveryProblem) => (
                  <ProblemRow key={deliveryProblem.to} delivery={deliveryProblem} />
                ))}
              </Rows>
            </Card>
          )}
        </div>
        <div className="stack gap-16">
          {(letterState === "scheduled" || letterState === "sending") && (
            <Card title="While it's sending">
              <ul className="stack small">
                <li className="row align-start quiet">
                  <Moon size={16} aria-hidden="true" /> You can close this page. Sending continues.
                </li>
                <li className="row align-start quiet">
                  <RotateCcw size={16} aria-hidden="true" /> If the server restarts, sending
                  resumes.
                </li>
                <li className="row align-start quiet">
                  <EyeOff size={16} aria-hidden="true" /> Opens aren't tracked.
                </li>
              </ul>
            </Card>
          )}
          <OnlineVersionCard letter={letter} state={state} />
          <LetterPreview text={pickLetterText(letter)} />
        </div>
      </div>
    </>
  );
}

function ReuseLetterButton({ letter }: { letter: LetterDetail }) {
  const { open } = useOpenLetter();
  const [isPending, reuse] = useAction(
    async () => open((await createLetter(pickLetterText(letter))).id),
    {
      failure: "Couldn't create a newsletter",
    },
  );
  return (
    <Button isPending={isPending} onClick={reuse}>
      <Copy size={16} aria-hidden="true" /> Use again
    </Button>
  );
}

function ScheduledLetter({ letter }: { letter: LetterDetail }) {
  return (
    <Card
      title={`Scheduled for ${formatRelativeDateTimeInSentence(letter.sendAt ?? "")}`}
      actions={<LetterStateButton letter={letter} action="cancel" label="Unschedule" />}
    >
      <p className="quiet">To edit it, unschedule it first.</p>
    </Card>
  );
}

function LetterNumbers({ letter }: { letter: LetterDetail }) {
  const { state, total, sent, refused, waiting, leftOut, unsubscribed, pace, problem } = letter;
  const handledCount = sent + refused + waiting;
  const remainingTime = formatSendingTime(total - handledCount, pace);
  const isSent = state === "sent";
  return (
    <Card
      title={getStateLabel(state)}
      note={
        isSent
          ? formatRelativeDateTime(letter.finishedAt ?? "")
          : state === "sending" && remainingTime && `${remainingTime} left`
      }
      actions={
        state === "sending" ? (
          <LetterStateButton letter={letter} action="pause" label="Pause" />
        ) : (
          state === "paused" && (
            <LetterStateButton letter={letter} action="resume" label="Resume" isPrimary />
          )
        )
      }
      isFlush
    >
      {!isSent && (
        <div className="letter-progress pad cluster quiet small justify-between">
          <progress max={total || 1} value={handledCount} aria-label="Sent" />
          <span>
            {handledCount} of {total}
          </span>
          <span>{pace !== null && `${pace} per minute (your provider's limit)`}</span>
        </div>
      )}
      {problem && (
        <output className="letter-problem pad small" data-tone="warn">
          {problem}
        </output>
      )}
      <dl className="letter-numbers">
        <Figure count={sent} label="sent" />
        <Figure count={refused} label="rejected" tone="bad" />
        {isSent ? (
          <>
            <Figure count={leftOut} label="skipped" />
            <Figure count={unsubscribed} label="unsubscribed" />
          </>
        ) : (
          <Figure count={waiting} label="waiting" tone="warn" />
        )}
      </dl>
    </Card>
  );
}

interface FigureProps {
  readonly count: number;
  readonly label: string;
  readonly tone?: "bad" | "warn";
}

function Figure({ count, label, tone }: FigureProps): ReactNode {
  return (
    <div data-tone={count > 0 ? tone : undefined}>
      <dt className="faint small">{label}</dt>
      <dd>{formatNumber(count)}</dd>
    </div>
  );
}

function ProblemRow({
  delivery: { to, state, problem, said, nextAt },
}: {
  delivery: DeliveryProblem;
}) {
  return (
    <Row
      title={to}
      note={
        <>
          {problem} {state === "again" && `Next attempt ${formatTime(nextAt)}.`}
        </>
      }
      details={said && <span className="quiet">"{said}"</span>}
    >
      <Badge tone={state === "refused" ? "bad" : "warn"}>
        {state === "refused" ? "Rejected" : "Waiting"}
      </Badge>
    </Row>
  );
}

function OnlineVersionCard({ letter, state }: LetterResultProps) {
  const [, publish] = useAction((isPublic: boolean) => publishLetter(letter.id, isPublic), {
    failure: "Couldn't change the online version",
  });
  if (!state.settings.archive) return null;
  return (
    <Card title="Online version">
      <ToggleField
        state={{ value: letter.isPublic, setValue: publish }}
        label="Show this newsletter in the archive"
        hint={
          letter.isPublic
            ? "Anyone can read it on your site, without subscribers' names."
            : "Only people who received it can read it."
        }
      />
      {letter.isPublic && letter.state === "sent" && (
        <p>
          <a href={`/letters/${letter.id}`} target="_blank" rel="noopener">
            View page
          </a>
        </p>
      )}
    </Card>
  );
}
