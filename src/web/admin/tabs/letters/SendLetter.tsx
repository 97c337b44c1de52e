/** A letter's recipients and time, and what is missing before it can be sent. */
import CircleCheck from "lucide-react/icons/circle-check";
import Info from "lucide-react/icons/info";
import TriangleAlert from "lucide-react/icons/triangle-exclamation-point";
import { type ReactNode, useEffect, useId, useState } from "react";
import type { Audience } from "../../../../schema/people/letters.ts";
import type { LetterDetail, LettersState } from "../../../../schema/api/letterResponses.ts";
import { Button } from "../../../ui/Button.tsx";
import { Dialog } from "../../../ui/Dialog.tsx";
import { countAudience, saveLetterSettings, sendLetter, testLetter } from "./letters.ts";
import { useAction } from "../../../ui/useAction.ts";
import { useShell } from "../../../shared/shell.ts";
import { instantOf } from "../../../shared/wallClock.ts";
import { dayIn, timeOf } from "../../../shared/when.ts";
import { formatZone } from "../dates/dateTimes.ts";
import { formatPeople } from "./letterParts.tsx";
import { PostalAddress } from "./PostalAddress.tsx";
import { formatDuration, leftOutMessage, missingFor } from "./beforeSending.ts";

interface SendLetterProps {
  readonly letter: LetterDetail;
  readonly state: LettersState;
  readonly open: boolean;
  readonly onClose: () => void;
}

export function SendLetter(props: SendLetterProps) {
  const { open, onClose, letter } = props;
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={`Send "${letter.subject || "(no subject)"}"?`}
      size="small"
    >
      <Choices {...props} />
    </Dialog>
  );
}

/** The recipients, the time, what is missing, and the buttons. */
function Choices({ letter, state, onClose }: SendLetterProps) {
  const audience = useAudience(state);
  const time = useTime();
  const { zone } = useShell();
  const lacksAddress = state.settings.postalAddress === "";
  const [address, setAddress] = useState("");
  const missing = missingFor(letter, state, !lacksAddress || address.trim() !== "");
  const [problem, setProblem] = useState("");
  const [testing, test] = useAction(
    () => {
      setProblem("");
      return testLetter(letter.id);
    },
    { success: ({ tested }) => `Test sent to ${tested?.to}`, show: setProblem },
  );
  const [sending, send] = useAction(
    async () => {
      setProblem("");
      const at = time.isLater ? laterIn(time, zone) : undefined;
      if (at === null) return setProblem("Choose a date and a time.");
      if (lacksAddress) await saveLetterSettings({ postalAddress: address.trim() });
      await sendLetter(letter.id, { audience: audience.chosen, ...(at && { at }) });
      onClose();
    },
    { show: setProblem },
  );
  const pending = testing || sending;
  const people = formatPeople(audience.count);
  return (
    <div className="letter-send stack gap-12">
      <AudienceChoice audience={audience} state={state} />
      <TimeChoice time={time} zone={zone} duration={formatDuration(audience.count, letter.pace)} />
      {lacksAddress && <PostalAddress state={{ value: address, change: setAddress }} />}
      <Checks letter={letter} missing={missing} leftOut={leftOutMessage(state)} />
      <p className="letter-failed" data-tone="bad" role="alert">
        {problem}
      </p>
      <div className="actions">
        <Button pending={pending} onClick={test}>
          Send me a test
        </Button>
        <Button
          variant="primary"
          pending={pending}
          disabled={missing !== null || audience.count === 0}
          onClick={send}
        >
          {time.isLater ? `Schedule for ${people}` : `Send now to ${people}`}
        </Button>
      </div>
    </div>
  );
}

/** The choice of recipients, with their numbers. */
function useAudience({ active, sources }: LettersState) {
  const [chosen, choose] = useState<Audience>({ kind: "all" });
  const [source, setSource] = useState(sources[0]?.source ?? "");
  const [since, setSince] = useState(() => dayIn(0));
  const joined = useCount({ kind: "since", since });
  const counts = { all: active, source: countOf(sources, source), since: joined };
  return { chosen, choose, source, setSource, since, setSince, counts, count: counts[chosen.kind] };
}

interface AudienceChoiceProps {
  readonly audience: ReturnType<typeof useAudience>;
  readonly state: LettersState;
}

function AudienceChoice({ audience, state }: AudienceChoiceProps) {
  const { chosen, choose, source, setSource, since, setSince, counts } = audience;
  return (
    <fieldset>
      <legend>To</legend>
      <Option
        name="to"
        label="All active subscribers"
        figure={formatPeople(counts.all)}
        on={chosen.kind === "all"}
        onChoose={() => choose({ kind: "all" })}
      />
      <Option
        name="to"
        label="Subscribers from"
        figure={formatPeople(counts.source)}
        on={chosen.kind === "source"}
        onChoose={() => choose({ kind: "source", source })}
      >
        <select
          aria-label="Source"
          value={source}
          onChange={({ target }) => {
            setSource(target.value);
            choose({ kind: "source", source: target.value });
          }}
        >
          {state.sources.map((each) => (
            <option key={each.source}>{each.source}</option>
          ))}
        </select>
      </Option>
      <Option
        name="to"
        label="People who joined since"
        figure={formatPeople(counts.since)}
        on={chosen.kind === "since"}
        onChoose={() => choose({ kind: "since", since })}
      >
        <input
          type="date"
          aria-label="Joined since"
          required
          value={since}
          onChange={({ target }) => {
            setSince(target.value);
            choose({ kind: "since", since: target.value });
          }}
        />
      </Option>
    </fieldset>
  );
}

/** The time of sending: now, or at a day and hour of the site's zone. */
function useTime() {
  const [isLater, setLater] = useState(false);
  const [day, setDay] = useState(() => dayIn(1));
  const [hour, setHour] = useState("08:00");
  return { isLater, setLater, day, setDay, hour, setHour };
}

/** The chosen time, in the server's format; null while a part of it is missing. */
const laterIn = ({ day, hour }: ReturnType<typeof useTime>, zone: string): string | null =>
  day === "" || hour === "" ? null : new Date(instantOf(`${day}T${hour}`, zone)).toISOString();

interface TimeChoiceProps {
  readonly time: ReturnType<typeof useTime>;
  readonly zone: string;
  readonly duration: string | null;
}

function TimeChoice({ time, zone, duration }: TimeChoiceProps) {
  const { isLater, setLater, day, setDay, hour, setHour } = time;
  return (
    <fieldset>
      <legend>When</legend>
      <Option
        name="when"
        label="Now"
        figure={duration}
        on={!isLater}
        onChoose={() => setLater(false)}
      />
      <Option name="when" label="Later" on={isLater} onChoose={() => setLater(true)}>
        <span className="split">
          <input
            type="date"
            aria-label="Date"
            value={day}
            onChange={({ target }) => setDay(target.value)}
          />
          <input
            type="time"
            aria-label="Time"
            value={hour}
            onChange={({ target }) => setHour(target.value)}
          />
        </span>
        <p className="quiet small">{formatZone(zone)}</p>
      </Option>
    </fieldset>
  );
}

interface ChecksProps {
  readonly letter: LetterDetail;
  readonly missing: string | null;
  readonly leftOut: string | null;
}

/** The missing parts, or the last test; and recipients left out. */
function Checks({ letter, missing, leftOut }: ChecksProps) {
  return (
    <ul className="checks pad stack border-top">
      {missing ? (
        <li className="row quiet small" data-ok="false">
          <TriangleAlert size={16} data-tone="warn" aria-hidden="true" />
          <span>{missing}</span>
        </li>
      ) : (
        letter.tested && (
          <li className="row quiet small" data-ok="true">
            <CircleCheck size={16} data-tone="ok" aria-hidden="true" />
            <span>
              Test sent to {letter.tested.to}, {timeOf(letter.tested.at)}
            </span>
          </li>
        )
      )}
      {leftOut !== null && (
        <li className="row quiet small">
          <Info size={16} className="faint" aria-hidden="true" />
          <span>{leftOut}</span>
        </li>
      )}
    </ul>
  );
}

interface OptionProps {
  readonly name: string;
  readonly label: string;
  readonly figure?: string | null;
  readonly on: boolean;
  readonly onChoose: () => void;
  /** Shown once it is chosen. */
  readonly children?: ReactNode;
}

function Option({ name, label, figure, on, onChoose, children }: OptionProps) {
  const id = useId();
  return (
    <div className="letter-option">
      <label className="checkbox full-width" htmlFor={id}>
        <input
          id={id}
          type="radio"
          name={`letter-${name}`}
          aria-label={label}
          checked={on}
          onChange={onChoose}
        />
        <span>{label}</span>
        {figure && <span className="ms-auto tabular faint small">{figure}</span>}
      </label>
      {on && children}
    </div>
  );
}

const countOf = (sources: LettersState["sources"], source: string) =>
  sources.find((each) => each.source === source)?.count ?? 0;

function useCount(audience: Audience): number {
  const [count, setCount] = useState(0);
  const audienceJson = JSON.stringify(audience);
  useEffect(() => {
    let isOld = false;
    countAudience(JSON.parse(audienceJson) as Audience).then(
      (total) => isOld || setCount(total),
      () => {},
    );
    return () => {
      isOld = true;
    };
  }, [audienceJson]);
  return count;
}
