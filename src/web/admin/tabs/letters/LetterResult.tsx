/** A letter being sent, or sent: progress, problems, actions. */
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
  LetterTrouble,
} from "../../../../schema/letterAnswers.ts";
import { grouped } from "../../../../schema/grouped.ts";
import { type LetterText, newLetter, publishLetter } from "../../data/letters.ts";
import { useAction } from "../../../ui/useAction.ts";
import { Badge, Card } from "../../parts/Card.tsx";
import { timeOf, when, whenInside } from "../../../shared/when.ts";
import { LetterPreview } from "./LetterPreview.tsx";
import { useOpenLetter } from "./openLetter.ts";
import { DeleteLetter, LetterHead } from "./Composer.tsx";
import { LETTER_LABELS, LetterBadge, MoveButton } from "./letterParts.tsx";
import { Switch } from "./LetterSettings.tsx";
import { formatDuration } from "./beforeSending.ts";

interface LetterResultProps {
  readonly letter: LetterDetail;
  readonly state: LettersState;
}

export function LetterResult({ letter, state }: LetterResultProps) {
  const { subject, state: at, troubles } = letter;
  return (
    <>
      <LetterHead title={subject} note={<LetterBadge letter={letter} />}>
        <UseAgain letter={letter} />
        {(at === "sent" || at === "paused") && <DeleteLetter letter={letter} />}
      </LetterHead>
      <div className="letter-desk pile far high">
        <div className="stack">
          {at === "scheduled" ? <Scheduled letter={letter} /> : <Numbers letter={letter} />}
          {troubles.length > 0 && (
            <Card title="Needs a look" note={troubles.length} flush>
              <Rows>
                {troubles.map((trouble) => (
                  <Trouble key={trouble.to} trouble={trouble} />
                ))}
              </Rows>
            </Card>
          )}
        </div>
        <div className="stack">
          {at !== "sent" && (
            <Card title="When it's done">
              <ul className="pile small">
                <li className="line high quiet">
                  <Moon size={16} aria-hidden="true" /> You can close this page. Sending goes on.
                </li>
                <li className="line high quiet">
                  <RotateCcw size={16} aria-hidden="true" /> After a restart it goes on where it
                  was. Nobody gets it twice.
                </li>
                <li className="line high quiet">
                  <EyeOff size={16} aria-hidden="true" /> Opens are not counted: no hidden pictures.
                </li>
              </ul>
            </Card>
          )}
          <OnTheSite letter={letter} state={state} />
          <LetterPreview text={textOf(letter)} />
        </div>
      </div>
    </>
  );
}

const textOf = ({ subject, preview, body, buttonText, buttonLink }: LetterDetail): LetterText => ({
  subject,
  preview,
  body,
  buttonText,
  buttonLink,
});

/** Opens a new draft with this letter's text. */
function UseAgain({ letter }: { letter: LetterDetail }) {
  const { open } = useOpenLetter();
  const [pending, write] = useAction(async () => open((await newLetter(textOf(letter))).id), {
    failure: "Failed to begin a letter",
  });
  return (
    <Button pending={pending} onClick={write}>
      <Copy size={16} aria-hidden="true" /> Use again
    </Button>
  );
}

function Scheduled({ letter }: { letter: LetterDetail }) {
  return (
    <Card
      title={`Goes out ${whenInside(letter.sendAt ?? "")}`}
      actions={<MoveButton letter={letter} step="cancel" label="Cancel" />}
    >
      <p className="quiet">Until then you can take it back and change it.</p>
    </Card>
  );
}

function Numbers({ letter }: { letter: LetterDetail }) {
  const { state, total, sent, refused, waiting, leftOut, unsubscribed, pace, problem } = letter;
  const dealt = sent + refused + waiting;
  const left = formatDuration(total - dealt, pace);
  const isOver = state === "sent";
  return (
    <Card
      title={LETTER_LABELS[state]}
      note={isOver ? when(letter.finishedAt ?? "") : state === "sending" && left && `${left} left`}
      actions={
        state === "sending" ? (
          <MoveButton letter={letter} step="pause" label="Pause" />
        ) : (
          state === "paused" && <MoveButton letter={letter} step="resume" label="Send on" primary />
        )
      }
      flush
    >
      {!isOver && (
        <div className="letter-progress pad facts figures quiet small between wrap">
          <progress max={total || 1} value={dealt} aria-label="Sent" />
          <span>
            {dealt} of {total}
          </span>
          <span>{pace !== null && `${pace} a minute, as your provider allows`}</span>
        </div>
      )}
      {problem && <output className="letter-problem warn pad small">{problem}</output>}
      <dl className="letter-numbers">
        <Figure figure={sent} label="sent" />
        <Figure figure={refused} label="refused" tone="bad" />
        {isOver ? (
          <>
            <Figure figure={leftOut} label="left out" />
            <Figure figure={unsubscribed} label="unsubscribed" />
          </>
        ) : (
          <Figure figure={waiting} label="waiting" tone="warn" />
        )}
      </dl>
    </Card>
  );
}

interface FigureProps {
  readonly figure: number;
  readonly label: string;
  readonly tone?: "bad" | "warn";
}

function Figure({ figure, label, tone }: FigureProps): ReactNode {
  return (
    <div data-tone={figure > 0 ? tone : undefined}>
      <dt className="faint small">{label}</dt>
      <dd>{grouped(figure)}</dd>
    </div>
  );
}

function Trouble({ trouble: { to, state, problem, said, nextAt } }: { trouble: LetterTrouble }) {
  return (
    <Row
      title={to}
      note={
        <>
          {problem} {state === "again" && `Next try ${timeOf(nextAt)}.`}
        </>
      }
      more={said && <span className="quiet">“{said}”</span>}
    >
      <Badge tone={state === "refused" ? "bad" : "warn"}>
        {state === "refused" ? "Refused" : "Waiting"}
      </Badge>
    </Row>
  );
}

function OnTheSite({ letter, state }: LetterResultProps) {
  const [, publish] = useAction((isPublic: boolean) => publishLetter(letter.id, isPublic), {
    failure: "Failed to change this letter's page",
  });
  if (!state.settings.archive) return null;
  return (
    <Card title="On the site">
      <Switch
        label="Show this letter in the archive"
        note={
          letter.isPublic
            ? "It has a page for everybody, without names."
            : "Only those who got it can read it."
        }
        on={letter.isPublic}
        onChange={publish}
      />
      {letter.isPublic && letter.state === "sent" && (
        <p>
          <a href={`/letters/${letter.id}`} target="_blank" rel="noopener">
            Look at its page
          </a>
        </p>
      )}
    </Card>
  );
}
