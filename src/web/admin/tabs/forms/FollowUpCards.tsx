/** Two lists of follow-ups: those due today, and the calls of the next two weeks. An enquiry may be in both. */
import Bell from "lucide-react/icons/bell";
import Phone from "lucide-react/icons/phone";
import type { ReactNode } from "react";
import { toSafeUrl } from "../../../../schema/core/safeUrl.ts";
import type { FollowUp } from "../../../../schema/enquiry/visitors.ts";
import { usePageContext } from "../../../shared/pageContext.ts";
import { formatLocalNow } from "../../../shared/localTime.ts";
import { Button } from "../../../ui/Button.tsx";
import { saveProgress } from "./progressCalls.ts";
import { Card } from "../../parts/Card.tsx";
import { createLazyComponent } from "../../parts/lazyComponent.tsx";
import {
  formatIsoDayAfter,
  formatRelativeDay,
  formatLocalDateTime,
} from "../../../shared/formatTimes.ts";
import { useAction } from "../../../ui/useAction.ts";
import { useFormInUrl } from "./FormChoice.tsx";
import type { PhoneLinksProps } from "./PhoneLinks.tsx";
import { summarizeSubmission } from "./SubmissionDetails.tsx";
import { useFollowUps } from "./submissionCounts.tsx";

/** Loaded separately, since the code contains the numbering plans of all countries. */
const LazyCallLink = createLazyComponent<Pick<PhoneLinksProps, "phone">>({
  subject: "the phone number",
  loadCode: async () => (await import("./PhoneLinks.tsx")).CallLink,
  placeholder: null,
});

interface FollowUpRowProps {
  readonly followUp: FollowUp;
  /** Today's date in the site's time zone. */
  readonly today: string;
}

export function FollowUpCards() {
  const today = formatLocalNow(usePageContext().zone).slice(0, 10);
  const followUps = useFollowUps() ?? [];
  const dueFollowUps = followUps.filter(({ isDue }) => isDue);
  const upcomingCalls = followUps.filter(
    ({ callAt }) => callAt !== null && !callAt.startsWith(today),
  );
  return (
    <>
      <FollowUpCard title="Today" followUps={dueFollowUps} today={today} Row={DueRow} />
      <FollowUpCard
        title="Upcoming calls"
        followUps={sortByCallTime(upcomingCalls)}
        today={today}
        Row={CallRow}
      />
    </>
  );
}

/** Sorts calls by time. The server's order also considers reminders. */
const sortByCallTime = (calls: readonly FollowUp[]) =>
  calls.toSorted(({ callAt: one }, { callAt: other }) => ((one ?? "") < (other ?? "") ? -1 : 1));

interface FollowUpCardProps {
  readonly title: string;
  readonly followUps: readonly FollowUp[];
  readonly today: string;
  readonly Row: (props: FollowUpRowProps) => ReactNode;
}

function FollowUpCard({ title, followUps, today, Row }: FollowUpCardProps) {
  if (followUps.length === 0) return null;
  return (
    <Card title={title} note={followUps.length} isFlush>
      <ul className="rows divided">
        {followUps.map((followUp) => (
          <Row key={followUp.id} followUp={followUp} today={today} />
        ))}
      </ul>
    </Card>
  );
}

function DueRow({ followUp, today }: FollowUpRowProps) {
  return followUp.callAt?.startsWith(today) ? (
    <CallRow followUp={followUp} today={today} />
  ) : (
    <ReminderRow followUp={followUp} />
  );
}

function ReminderRow({ followUp }: { readonly followUp: FollowUp }) {
  const { id, remindOn, notes } = followUp;
  const [isPending, setReminder] = useAction((day: string | null) =>
    saveProgress(id, { remindOn: day }, followUp),
  );
  const note = notes.at(-1)?.text;
  return (
    <li className="list-row pad row gap-12 cluster">
      <Bell size={16} aria-hidden="true" data-tone="bad" />
      <div className="grow">
        <strong dir="auto">{summarizeSubmission(followUp).visitorName}</strong>
        <p className="quiet line-clamp" dir="auto">
          {note !== undefined && `"${note}" · `}
          {remindOn !== null && `due ${formatDueDay(remindOn)}`}
        </p>
      </div>
      <div className="actions">
        <OpenButton followUp={followUp} />
        <Button
          variant="quiet"
          isPending={isPending}
          onClick={() => setReminder(formatIsoDayAfter(1))}
        >
          Remind me tomorrow
        </Button>
        <Button variant="quiet" isPending={isPending} onClick={() => setReminder(null)}>
          Done
        </Button>
      </div>
    </li>
  );
}

function CallRow({ followUp, today }: FollowUpRowProps) {
  const { booked, callAt } = followUp;
  const isToday = callAt?.startsWith(today) === true;
  const { how = "call", text: location = "" } = booked?.where ?? {};
  const joinUrl = how === "online" ? toSafeUrl(location) : undefined;
  const time = isToday ? callAt.slice(11) : formatLocalDateTime(callAt ?? "");
  return (
    <li className="list-row pad row gap-12 cluster">
      <Phone size={16} aria-hidden="true" />
      <div className="grow">
        <strong dir="auto">{`${summarizeSubmission(followUp).visitorName}, ${time}`}</strong>
        <p className="quiet line-clamp" dir="auto">
          {`Call, ${booked?.minutes} minutes`}
          {location !== "" && ` · ${location}`}
        </p>
      </div>
      <div className="actions">
        <OpenButton followUp={followUp} />
        {isToday && how === "call" && location !== "" && <LazyCallLink phone={location} />}
        {isToday && joinUrl && (
          <a
            className="ui-button"
            data-variant="quiet"
            href={joinUrl}
            target="_blank"
            rel="noopener noreferrer"
          >
            Join
          </a>
        )}
      </div>
    </li>
  );
}

function OpenButton({ followUp: { id, formId } }: { readonly followUp: FollowUp }) {
  const { openForm } = useFormInUrl();
  return <Button onClick={() => openForm(formId, "submissions", id)}>Open</Button>;
}

/** Returns a day for use in a sentence, such as "today", "yesterday" or "18 Nov". */
function formatDueDay(day: string): string {
  const formatted = formatRelativeDay(`${day}T12:00`);
  return /^\d/.test(formatted) ? formatted : formatted.toLowerCase();
}
