/** The Dates tab: the list of events, their form, and the calendar link. */
import CopyPlus from "lucide-react/icons/copy-plus";
import Pencil from "lucide-react/icons/pencil";
import Trash2 from "lucide-react/icons/trash";
import { type ReactNode, useState } from "react";
import type { Item } from "../../../schema/index.ts";
import { Field } from "../editor/Field.tsx";
import { usePageContext } from "../../shared/pageContext.ts";
import { formatIsoDayAfter, formatLocalDateParts } from "../../shared/formatTimes.ts";
import { isEventOver } from "../../shared/isEventOver.ts";
import { IconButton } from "../../ui/IconButton.tsx";
import { SegmentedControl } from "../../ui/SegmentedControl.tsx";
import { NEW_ITEM_ID, useUnsavedDrafts } from "../data/drafts.ts";
import { deleteWithUndo } from "../data/listWrites.ts";
import type { ItemOverrides, RowsProps } from "../editor/ItemForm.tsx";
import orderedCss from "../editor/OrderedList.css" with { type: "text" };
import { DisplayPeriodBadge } from "../editor/DisplayPeriodFold.tsx";
import { Badge, Card } from "../parts/Card.tsx";
import { useStylesheet } from "../parts/useStylesheet.ts";
import css from "./DatesTab.css" with { type: "text" };
import { copyToNextWeek, formatZoneWithTime } from "./dates/eventTimes.ts";
import { Button } from "../../ui/Button.tsx";
import type { Draft } from "../data/useDraft.ts";
import { CopyButton } from "../../ui/CopyButton.tsx";
import { createSectionTab } from "./SectionTab.tsx";

type DateEvent = Item<"events">;

export const DatesTab = createSectionTab("events", {
  overrideFields: createEventFieldOverrides,
  Row: (event) => <EventText event={event} />,
  Rows: EventRows,
  BelowSettings: CalendarFeed,
});

function EventRows({ items, onEdit }: RowsProps<"events">) {
  useStylesheet(orderedCss);
  useStylesheet(css);
  const { zone } = usePageContext();
  const [filter, setFilter] = useState<"coming" | "past">("coming");
  const pastEvents = items.filter((event) => isEventOver(event, zone)).toReversed();
  const upcomingEvents = items.filter((event) => !pastEvents.includes(event));
  if (items.length === 0) return null;
  return (
    <>
      <div className="pad border-bottom justify-between row cluster">
        <SegmentedControl
          label="Filter events"
          options={[
            { value: "coming", label: "Upcoming", count: upcomingEvents.length },
            { value: "past", label: "Past", count: pastEvents.length },
          ]}
          value={filter}
          onChoose={setFilter}
        />
        <span className="quiet">{formatZoneWithTime(zone)}</span>
      </div>
      <ul className="rows divided">
        {(filter === "coming" ? upcomingEvents : pastEvents).map((event) => (
          <EventRow
            key={event.id}
            event={event}
            onEdit={() => onEdit({ item: event.id })}
            onDuplicate={() => onEdit({ item: NEW_ITEM_ID, initial: copyToNextWeek(event) })}
          />
        ))}
      </ul>
    </>
  );
}

interface EventRowProps {
  readonly event: DateEvent;
  readonly onEdit: () => void;
  readonly onDuplicate: () => void;
}

function EventRow({ event, onEdit, onDuplicate }: EventRowProps) {
  const { title } = event;
  const hasUnsavedChanges = useUnsavedDrafts().some(
    ({ key, item }) => key === "events" && item === event.id,
  );
  return (
    <li className="list-row">
      <div className="row-line row">
        <EventText event={event}>
          <DisplayPeriodBadge item={event} />
          {hasUnsavedChanges && <Badge tone="warn">Unsaved</Badge>}
        </EventText>
        <div className="row-actions row">
          <IconButton icon={CopyPlus} label={`Duplicate ${title}`} onClick={onDuplicate} />
          <IconButton icon={Pencil} label={`Edit ${title}`} onClick={onEdit} />
          <IconButton
            icon={Trash2}
            label={`Delete ${title}`}
            onClick={() => void deleteWithUndo("events", event)}
          />
        </div>
      </div>
    </li>
  );
}

interface EventTextProps {
  readonly event: DateEvent;
  readonly children?: ReactNode;
}

function EventText({ event, children }: EventTextProps) {
  const { title, startsAt, allDay, venue, city, kind } = event;
  const location = [venue, city].filter(Boolean).join(", ");
  const kindAndLocation =
    kind === "stage" ? location : [KIND_LABELS[kind], location].filter(Boolean).join(" · ");
  const { day, month } = formatLocalDateParts(startsAt, formatIsoDayAfter(0));
  const badgeLabel = getBadgeLabel(event);
  return (
    <>
      <span className="date-block quiet small">
        <b>{day}</b> {month}
      </span>
      <div className="row-content row cluster grow">
        <span className="row-text title-note">
          <strong>{title}</strong>
          <span className="quiet">
            {[allDay ? "All day" : startsAt.slice(11), kindAndLocation].filter(Boolean).join(" · ")}
          </span>
        </span>
        {badgeLabel && (
          <Badge tone={event.status === "on" ? "neutral" : "warn"}>{badgeLabel}</Badge>
        )}
        {children}
      </div>
    </>
  );
}

const KIND_LABELS = { stage: "", online: "Online", screen: "On TV or streaming" } as const;

function getBadgeLabel({ status, tickets }: DateEvent): string | undefined {
  if (status === "cancelled") return "Canceled";
  if (status === "postponed") return "Postponed";
  return tickets === "out" ? "Sold out" : undefined;
}

const LINK_FIELD_TEXTS = {
  stage: { label: "Tickets", hint: "Link to the ticket shop. Leave empty for no button." },
  online: { label: "Join link", hint: "Where people take part. Leave empty for no button." },
  screen: { label: "Watch link", hint: "Where people can watch. Leave empty for no button." },
} as const;

function createEventFieldOverrides(draft: Draft<"events">): ItemOverrides {
  const { kind } = draft.values;
  return {
    startsAt: { replacement: <StartField key="startsAt" draft={draft} /> },
    endsAt: { replacement: <EndField key="endsAt" draft={draft} /> },
    venue: kind === "screen" ? { label: "Channel" } : {},
    ticketUrl: LINK_FIELD_TEXTS[kind],
    image: { isFolded: true },
  };
}

interface EventFieldProps {
  readonly draft: Draft<"events">;
}

function StartField({ draft }: EventFieldProps) {
  const { zone } = usePageContext();
  const { startsAt, allDay, timeZone } = draft.values;
  const isOtherZone = timeZone !== "" && timeZone !== zone;
  const isEventPast = /T\d\d:\d\d$/.test(startsAt) && isEventOver(draft.values, zone);
  return (
    <Field
      draft={draft}
      name="startsAt"
      isDayOnly={allDay}
      hasAutofocus={startsAt !== ""}
      {...(isEventPast && { hint: "This event is in the past. It will appear under Past." })}
      {...(isOtherZone && { label: `Starts (${timeZone})` })}
    />
  );
}

function EndField({ draft }: EventFieldProps) {
  const [isShown, setShown] = useState(draft.values.endsAt !== null);
  if (isShown) return <Field draft={draft} name="endsAt" isDayOnly={draft.values.allDay} />;
  return (
    <div>
      <Button variant="quiet" size="small" onClick={() => setShown(true)}>
        Add end time
      </Button>
    </div>
  );
}

function CalendarFeed() {
  const { siteUrl } = usePageContext();
  return (
    <Card title="Calendar">
      <p>
        Subscribe to this link in a calendar app to see all your events. Changes appear
        automatically.
      </p>
      <CopyButton label="Copy calendar link" text={`${siteUrl ?? location.origin}/dates.ics`} />
    </Card>
  );
}
