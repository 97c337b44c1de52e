/** The dialog that sends a newsletter: recipients, time, and requirements that aren't met. */
import CircleCheck from "lucide-react/icons/circle-check";
import Info from "lucide-react/icons/info";
import TriangleAlert from "lucide-react/icons/triangle-exclamation-point";
import { useState } from "react";
import type { Audience } from "../../../../schema/people/letters.ts";
import type { LetterDetail, LettersState } from "../../../../schema/api/letterResponses.ts";
import { Button } from "../../../ui/Button.tsx";
import { Dialog } from "../../../ui/Dialog.tsx";
import { saveLetterSettings, sendLetter, sendTestLetter, useJoinedCount } from "./letterCalls.ts";
import { useAction } from "../../../ui/useAction.ts";
import { usePageContext } from "../../../shared/pageContext.ts";
import { parseLocalTime } from "../../../shared/localTime.ts";
import { formatIsoDayAfter, formatTime } from "../../../shared/formatTimes.ts";
import { RadioField } from "../../parts/ChoiceFields.tsx";
import { formatZoneWithTime } from "../dates/eventTimes.ts";
import {
  formatPeopleCount,
  PostalAddressField,
  formatSendingTime,
  createExcludedMessage,
  describeSendBlocker,
} from "./letterStatus.tsx";

interface SendLetterProps {
  readonly letter: LetterDetail;
  readonly state: LettersState;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

export function SendLetterDialog(props: SendLetterProps) {
  const { isOpen, onClose, letter } = props;
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title={`Send "${letter.subject || "(no subject)"}"?`}
      size="small"
    >
      <SendChoices {...props} />
    </Dialog>
  );
}

function SendChoices({ letter, state, onClose }: SendLetterProps) {
  const audience = useAudienceChoice(state);
  const timeChoice = useTimeChoice();
  const { zone } = usePageContext();
  const isAddressMissing = state.settings.postalAddress === "";
  const [address, setAddress] = useState("");
  const blocker = describeSendBlocker(letter, state, !isAddressMissing || address.trim() !== "");
  const [problem, setProblem] = useState("");
  const [isSendingTest, sendTest] = useAction(
    () => {
      setProblem("");
      return sendTestLetter(letter.id);
    },
    { success: ({ tested }) => `Test sent to ${tested?.to}`, showFailure: setProblem },
  );
  const [isSending, send] = useAction(
    async () => {
      setProblem("");
      const sendAt = timeChoice.isLater ? toSendTime(timeChoice, zone) : undefined;
      if (sendAt === null) return setProblem("Choose a date and a time.");
      if (isAddressMissing) await saveLetterSettings({ postalAddress: address.trim() });
      await sendLetter(letter.id, { audience: audience.chosen, ...(sendAt && { at: sendAt }) });
      onClose();
    },
    { showFailure: setProblem },
  );
  const isPending = isSendingTest || isSending;
  const recipients = formatPeopleCount(audience.count);
  return (
    <div className="letter-send stack gap-12">
      <AudienceChoice audience={audience} state={state} />
      <TimeChoice
        time={timeChoice}
        zone={zone}
        duration={formatSendingTime(audience.count, letter.pace)}
      />
      {isAddressMissing && <PostalAddressField state={{ value: address, setValue: setAddress }} />}
      <SendChecks letter={letter} blocker={blocker} excluded={createExcludedMessage(state)} />
      <p className="letter-failed" data-tone="bad" role="alert">
        {problem}
      </p>
      <div className="actions">
        <Button isPending={isPending} onClick={sendTest}>
          Send me a test
        </Button>
        <Button
          variant="primary"
          isPending={isPending}
          disabled={blocker !== null || audience.count === 0}
          onClick={send}
        >
          {timeChoice.isLater ? `Schedule for ${recipients}` : `Send now to ${recipients}`}
        </Button>
      </div>
    </div>
  );
}

function useAudienceChoice({ active, sources }: LettersState) {
  const [kind, setKind] = useState<Audience["kind"]>("all");
  const [source, setSource] = useState(sources[0]?.source ?? "");
  const [since, setSince] = useState(() => formatIsoDayAfter(0));
  const { value: joinedCount = 0 } = useJoinedCount(since);
  const sourceCount = sources.find((each) => each.source === source)?.count ?? 0;
  const counts = { all: active, source: sourceCount, since: joinedCount };
  const audiences = {
    all: { kind: "all" },
    source: { kind: "source", source },
    since: { kind: "since", since },
  } as const;
  const chosen: Audience = audiences[kind];
  return { chosen, setKind, source, setSource, since, setSince, counts, count: counts[kind] };
}

interface AudienceChoiceProps {
  readonly audience: ReturnType<typeof useAudienceChoice>;
  readonly state: LettersState;
}

function AudienceChoice({ audience, state }: AudienceChoiceProps) {
  const { chosen, setKind, source, setSource, since, setSince, counts } = audience;
  return (
    <RadioField
      state={{ value: chosen.kind, setValue: setKind }}
      label="To"
      optionClass={OPTION_CLASS}
      options={[
        createOption("all", "All active subscribers", formatPeopleCount(counts.all)),
        {
          ...createOption("source", "Subscribers from", formatPeopleCount(counts.source)),
          details: (
            <div className="letter-option">
              <select
                aria-label="Source"
                value={source}
                onChange={({ target }) => setSource(target.value)}
              >
                {state.sources.map((each) => (
                  <option key={each.source}>{each.source}</option>
                ))}
              </select>
            </div>
          ),
        },
        {
          ...createOption("since", "People who joined since", formatPeopleCount(counts.since)),
          details: (
            <div className="letter-option">
              <input
                type="date"
                aria-label="Joined since"
                required
                value={since}
                onChange={({ target }) => setSince(target.value)}
              />
            </div>
          ),
        },
      ]}
    />
  );
}

function useTimeChoice() {
  const [isLater, setLater] = useState(false);
  const [day, setDay] = useState(() => formatIsoDayAfter(1));
  const [timeOfDay, setTimeOfDay] = useState("08:00");
  return { isLater, setLater, day, setDay, timeOfDay, setTimeOfDay };
}

/** Converts a day and time to an ISO timestamp; null if the day or the time is missing. */
const toSendTime = (
  { day, timeOfDay }: ReturnType<typeof useTimeChoice>,
  zone: string,
): string | null =>
  day === "" || timeOfDay === ""
    ? null
    : new Date(parseLocalTime(`${day}T${timeOfDay}`, zone)).toISOString();

interface TimeChoiceProps {
  readonly time: ReturnType<typeof useTimeChoice>;
  readonly zone: string;
  readonly duration: string | null;
}

function TimeChoice({ time, zone, duration }: TimeChoiceProps) {
  const { isLater, setLater, day, setDay, timeOfDay, setTimeOfDay } = time;
  return (
    <RadioField
      state={{ value: isLater ? "later" : "now", setValue: (value) => setLater(value === "later") }}
      label="When"
      optionClass={OPTION_CLASS}
      options={[
        createOption("now", "Now", duration),
        {
          value: "later",
          label: "Later",
          details: (
            <div className="letter-option">
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
                  value={timeOfDay}
                  onChange={({ target }) => setTimeOfDay(target.value)}
                />
              </span>
              <p className="quiet small">{formatZoneWithTime(zone)}</p>
            </div>
          ),
        },
      ]}
    />
  );
}

interface SendChecksProps {
  readonly letter: LetterDetail;
  readonly blocker: string | null;
  readonly excluded: string | null;
}

function SendChecks({ letter, blocker, excluded }: SendChecksProps) {
  return (
    <ul className="checks stack">
      {blocker ? (
        <li className="row quiet small" data-ok="false">
          <TriangleAlert size={16} data-tone="warn" aria-hidden="true" />
          <span>{blocker}</span>
        </li>
      ) : (
        letter.tested && (
          <li className="row quiet small" data-ok="true">
            <CircleCheck size={16} data-tone="ok" aria-hidden="true" />
            <span>
              Test sent to {letter.tested.to}, {formatTime(letter.tested.at)}
            </span>
          </li>
        )
      )}
      {excluded !== null && (
        <li className="row quiet small">
          <Info size={16} className="faint" aria-hidden="true" />
          <span>{excluded}</span>
        </li>
      )}
    </ul>
  );
}

const OPTION_CLASS = "checkbox full-width";

const createOption = <V extends string>(value: V, label: string, detail: string | null) => ({
  value,
  label,
  content: (
    <>
      <span className="grow">{label}</span>
      {detail && <span className="faint small">{detail}</span>}
    </>
  ),
});
