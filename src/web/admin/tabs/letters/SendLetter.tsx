/** A letter's recipients and time, and what is missing before it can be sent. */
import CircleCheck from "lucide-react/icons/circle-check";
import Info from "lucide-react/icons/info";
import TriangleAlert from "lucide-react/icons/triangle-exclamation-point";
import { type ReactNode, useEffect, useId, useState } from "react";
import type { Audience } from "../../../../schema/letters.ts";
import type { LetterDetail, LettersState } from "../../../../schema/letterAnswers.ts";
import { Button } from "../../../ui/Button.tsx";
import { Dialog } from "../../../ui/Dialog.tsx";
import { countAudience, saveLetterSettings, sendLetter, testLetter } from "../../data/letters.ts";
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
      title={`Send “${letter.subject || "(no subject)"}”?`}
      size="small"
    >
      <Choices {...props} />
    </Dialog>
  );
}

function Choices({ letter, state, onClose }: SendLetterProps) {
  const { active, sources } = state;
  const { zone } = useShell();
  const [audience, setAudience] = useState<Audience>({ kind: "all" });
  const [source, setSource] = useState(sources[0]?.source ?? "");
  const [since, setSince] = useState(() => dayIn(0));
  const [isLater, setLater] = useState(false);
  const [day, setDay] = useState(() => dayIn(1));
  const [time, setTime] = useState("08:00");
  const [problem, setProblem] = useState("");
  const joined = useCount({ kind: "since", since });
  const of = { all: active, source: countOf(sources, source), since: joined };
  const count = of[audience.kind];
  const lacksAddress = state.settings.postalAddress === "";
  const [address, setAddress] = useState("");
  const missing = missingFor(letter, state, !lacksAddress || address.trim() !== "");
  const [testing, test] = useAction(
    () => {
      setProblem("");
      return testLetter(letter.id);
    },
    { success: ({ tested }) => `Test sent to ${tested?.to}.`, show: setProblem },
  );
  const [sending, send] = useAction(
    async () => {
      setProblem("");
      if (isLater && (day === "" || time === "")) return setProblem("Choose a date and a time.");
      const at = isLater ? { at: new Date(instantOf(`${day}T${time}`, zone)).toISOString() } : {};
      if (lacksAddress) await saveLetterSettings({ postalAddress: address.trim() });
      await sendLetter(letter.id, { audience, ...at });
      onClose();
    },
    { show: setProblem },
  );
  const pending = testing || sending;
  const leftOut = leftOutMessage(state);
  return (
    <div className="letter-send pile apart">
      <fieldset>
        <legend>To</legend>
        <Option
          name="to"
          label="All active subscribers"
          figure={formatPeople(active)}
          on={audience.kind === "all"}
          onChoose={() => setAudience({ kind: "all" })}
        />
        <Option
          name="to"
          label="Subscribers from"
          figure={formatPeople(of.source)}
          on={audience.kind === "source"}
          onChoose={() => setAudience({ kind: "source", source })}
        >
          <select
            aria-label="Source"
            value={source}
            onChange={({ target }) => {
              setSource(target.value);
              setAudience({ kind: "source", source: target.value });
            }}
          >
            {sources.map((each) => (
              <option key={each.source}>{each.source}</option>
            ))}
          </select>
        </Option>
        <Option
          name="to"
          label="People who joined since"
          figure={formatPeople(of.since)}
          on={audience.kind === "since"}
          onChoose={() => setAudience({ kind: "since", since })}
        >
          <input
            type="date"
            aria-label="Joined since"
            required
            value={since}
            onChange={({ target }) => {
              setSince(target.value);
              setAudience({ kind: "since", since: target.value });
            }}
          />
        </Option>
      </fieldset>
      <fieldset>
        <legend>When</legend>
        <Option
          name="when"
          label="Now"
          figure={formatDuration(count, letter.pace)}
          on={!isLater}
          onChoose={() => setLater(false)}
        />
        <Option name="when" label="Later" on={isLater} onChoose={() => setLater(true)}>
          <span className="split">
            <input
              type="date"
              aria-label="Day"
              value={day}
              onChange={({ target }) => setDay(target.value)}
            />
            <input
              type="time"
              aria-label="Time"
              value={time}
              onChange={({ target }) => setTime(target.value)}
            />
          </span>
          <p className="quiet small">{formatZone(zone)}</p>
        </Option>
      </fieldset>
      {lacksAddress && <PostalAddress value={address} onChange={setAddress} />}
      <ul className="checks pad pile ruled">
        {missing ? (
          <li className="line quiet small" data-ok="false">
            <TriangleAlert size={16} className="warn" aria-hidden="true" />
            <span>{missing}</span>
          </li>
        ) : (
          letter.tested && (
            <li className="line quiet small" data-ok="true">
              <CircleCheck size={16} className="ok" aria-hidden="true" />
              <span>
                Test sent to {letter.tested.to}, {timeOf(letter.tested.at)}
              </span>
            </li>
          )
        )}
        {leftOut !== null && (
          <li className="line quiet small">
            <Info size={16} className="faint" aria-hidden="true" />
            <span>{leftOut}</span>
          </li>
        )}
      </ul>
      <p className="letter-failed bad" role="alert">
        {problem}
      </p>
      <div className="dialog-actions">
        <Button pending={pending} onClick={test}>
          Send me a test
        </Button>
        <Button
          variant="primary"
          pending={pending}
          disabled={missing !== null || count === 0}
          onClick={send}
        >
          {isLater ? `Schedule for ${formatPeople(count)}` : `Send now to ${formatPeople(count)}`}
        </Button>
      </div>
    </div>
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
      <label className="tick full" htmlFor={id}>
        <input
          id={id}
          type="radio"
          name={`letter-${name}`}
          aria-label={label}
          checked={on}
          onChange={onChoose}
        />
        <span>{label}</span>
        {figure && <span className="end figures faint small">{figure}</span>}
      </label>
      {on && children}
    </div>
  );
}

const countOf = (sources: LettersState["sources"], source: string) =>
  sources.find((each) => each.source === source)?.count ?? 0;

function useCount(audience: Audience): number {
  const [count, setCount] = useState(0);
  const asked = JSON.stringify(audience);
  useEffect(() => {
    let isOld = false;
    countAudience(JSON.parse(asked) as Audience).then(
      (found) => isOld || setCount(found),
      () => {},
    );
    return () => {
      isOld = true;
    };
  }, [asked]);
  return count;
}
