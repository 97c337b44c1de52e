/** The list of events in chronological order, upcoming or past. Each can be duplicated a week later. */
import CopyPlus from "lucide-react/icons/copy-plus";
import Pencil from "lucide-react/icons/pencil";
import Trash2 from "lucide-react/icons/trash";
import { type ReactNode, useState } from "react";
import type { Item } from "../../../../schema/index.ts";
import { useShell } from "../../../shared/shell.ts";
import { isoDayAfter, formatLocalDateParts } from "../../../shared/formatTimes.ts";
import { IconButton } from "../../../ui/IconButton.tsx";
import { SegmentedControl } from "../../../ui/SegmentedControl.tsx";
import { NEW_ITEM_ID, useUnsavedDrafts } from "../../data/drafts.ts";
import { deleteWithUndo } from "../../data/listWrites.ts";
import type { RowsProps } from "../../editor/ItemForm.tsx";
import orderedCss from "../../editor/OrderedList.css" with { type: "text" };
import { DisplayPeriodBadge } from "../../editor/DisplayPeriodFold.tsx";
import { Badge } from "../../parts/Card.tsx";
import { useStylesheet } from "../../parts/useStylesheet.ts";
import css from "./dates.css" with { type: "text" };
import { shiftByOneWeek, isEventOver, formatZone } from "./dateTimes.ts";

type Event = Item<"events">;

export function DateRows({ items, onEdit }: RowsProps<"events">) {
  useStylesheet(orderedCss);
  useStylesheet(css);
  const { zone } = useShell();
  const [shown, show] = useState<"coming" | "past">("coming");
  const past = items.filter((event) => isEventOver(event, zone)).toReversed();
  const coming = items.filter((event) => !past.includes(event));
  if (items.length === 0) return null;
  return (
    <>
      <div className="pad border-bottom justify-between row cluster">
        <SegmentedControl
          label="Filter events"
          options={[
            { value: "coming", label: "Upcoming", count: coming.length },
            { value: "past", label: "Past", count: past.length },
          ]}
          value={shown}
          onChoose={show}
        />
        <span className="quiet">{formatZone(zone)}</span>
      </div>
      <ul className="rows divided">
        {(shown === "coming" ? coming : past).map((event) => (
          <DateRow
            key={event.id}
            event={event}
            onEdit={() => onEdit({ item: event.id })}
            onDuplicate={() => onEdit({ item: NEW_ITEM_ID, initial: shiftByOneWeek(event) })}
          />
        ))}
      </ul>
    </>
  );
}

interface DateRowProps {
  readonly event: Event;
  readonly onEdit: () => void;
  readonly onDuplicate: () => void;
}

function DateRow({ event, onEdit, onDuplicate }: DateRowProps) {
  const { title } = event;
  const isTyped = useUnsavedDrafts().some(({ key, item }) => key === "events" && item === event.id);
  return (
    <li className="list-row">
      <div className="row-line row">
        <DateText event={event}>
          <DisplayPeriodBadge item={event} />
          {isTyped && <Badge tone="warn">Unsaved</Badge>}
        </DateText>
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

interface DateTextProps {
  readonly event: Event;
  /** More badges. */
  readonly children?: ReactNode;
}

export function DateText({ event, children }: DateTextProps) {
  const { title, startsAt, allDay, venue, city, kind } = event;
  const location = [venue, city].filter(Boolean).join(", ");
  const where = kind === "stage" ? location : [KINDS[kind], location].filter(Boolean).join(" · ");
  const { day, month } = formatLocalDateParts(startsAt, isoDayAfter(0));
  const badge = badgeOf(event);
  return (
    <>
      <span className="date-block quiet small">
        <b>{day}</b> {month}
      </span>
      <div className="row-content row meta grow">
        <span className="row-text title-note">
          <strong>{title}</strong>
          <span className="quiet">
            {[allDay ? "All day" : startsAt.slice(11), where].filter(Boolean).join(" · ")}
          </span>
        </span>
        {badge && <Badge tone={event.status === "on" ? "neutral" : "warn"}>{badge}</Badge>}
        {children}
      </div>
    </>
  );
}

const KINDS = { stage: "", online: "Online", screen: "On TV or streaming" } as const;

/** Only canceled, postponed and sold-out events have a badge. */
function badgeOf({ status, tickets }: Event): string | undefined {
  if (status === "cancelled") return "Canceled";
  if (status === "postponed") return "Postponed";
  return tickets === "out" ? "Sold out" : undefined;
}
