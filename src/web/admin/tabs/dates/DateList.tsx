/** Dates in chronological order; each can be copied to a week later. */
import CopyPlus from "lucide-react/icons/copy-plus";
import Pencil from "lucide-react/icons/pencil";
import Plus from "lucide-react/icons/plus";
import Trash2 from "lucide-react/icons/trash";
import { type ReactNode, useState } from "react";
import type { Item } from "../../../../schema/index.ts";
import { useShell } from "../../../shared/shell.ts";
import { dayIn, wallParts } from "../../../shared/when.ts";
import { Button } from "../../../ui/Button.tsx";
import { Dialog } from "../../../ui/Dialog.tsx";
import { IconButton } from "../../../ui/IconButton.tsx";
import { Read } from "../../../ui/Read.tsx";
import { Segments } from "../../../ui/Segments.tsx";
import { NEW, useUnsaved } from "../../data/drafts.ts";
import { deleteWithUndo } from "../../data/listWrites.ts";
import { useEntity } from "../../data/useEntity.ts";
import { Example } from "../../editor/Example.tsx";
import { HistoryButton } from "../../editor/HistoryButton.tsx";
import { ItemForm } from "../../editor/ItemForm.tsx";
import { InlineForm } from "../../editor/OrderedList.tsx";
import orderedCss from "../../editor/OrderedList.css" with { type: "text" };
import { WindowBadge } from "../../editor/When.tsx";
import { Badge, Card } from "../../parts/Card.tsx";
import { EmptyState } from "../../parts/EmptyState.tsx";
import { useSheet } from "../../parts/useSheet.ts";
import { examplesOf } from "../../editor/examples.ts";
import { DateFields } from "./DateFields.tsx";
import css from "./dates.css" with { type: "text" };
import { shiftByOneWeek, isOverNow, formatZone } from "./dateTimes.ts";

type Event = Item<"events">;

/** The date being edited: stored or new, perhaps a copy. */
interface Edited {
  readonly item: string;
  readonly initial?: Partial<Event>;
}

const FORM_OPTIONS = {
  Fields: DateFields,
  save: () => "Save",
} as const;

export function DateList() {
  useSheet(orderedCss);
  useSheet(css);
  const { zone } = useShell();
  const read = useEntity("events");
  const [shown, show] = useState<"coming" | "past">("coming");
  const [edited, edit] = useState<Edited>();
  const all = read.value ?? [];
  const past = all.filter((event) => isOverNow(event, zone)).toReversed();
  const coming = all.filter((event) => !past.includes(event));
  const isEmpty = read.value !== undefined && all.length === 0;
  const close = () => edit(undefined);
  const add = (
    <Button data-adds variant={isEmpty ? "primary" : "neutral"} onClick={() => edit({ item: NEW })}>
      <Plus size={16} aria-hidden="true" /> Add Event
    </Button>
  );
  return (
    <Card
      title="All events"
      note={read.value && all.length}
      actions={
        <>
          <HistoryButton entity="events" />
          {add}
        </>
      }
      flush
    >
      <EventDialog edited={edited} all={all} onClose={close} />
      {isEmpty && <NoEvents />}
      <Read of={read} subject="the events">
        {() =>
          all.length > 0 && (
            <>
              <div className="pad border-bottom justify-between row cluster">
                <Segments
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
              <DateRows events={shown === "coming" ? coming : past} onEdit={edit} />
            </>
          )
        }
      </Read>
    </Card>
  );
}

interface DateRowsProps {
  readonly events: readonly Event[];
  readonly onEdit: (edited: Edited) => void;
}

function DateRows({ events, onEdit }: DateRowsProps) {
  return (
    <ul className="rows divided">
      {events.map((event) => (
        <DateRow
          key={event.id}
          event={event}
          onEdit={() => onEdit({ item: event.id })}
          onDuplicate={() => onEdit({ item: NEW, initial: shiftByOneWeek(event) })}
        />
      ))}
    </ul>
  );
}

interface EventDialogProps {
  readonly edited: Edited | undefined;
  readonly all: readonly Event[];
  readonly onClose: () => void;
}

function EventDialog({ edited, all, onClose }: EventDialogProps) {
  return (
    <Dialog
      open={edited !== undefined}
      onClose={onClose}
      title={edited?.item === NEW ? "Add Event" : "Edit Event"}
    >
      <InlineForm>
        {edited && (
          <ItemForm
            key={`${edited.item} ${edited.initial?.startsAt ?? ""}`}
            entity="events"
            options={FORM_OPTIONS}
            item={edited.item}
            items={all}
            initial={edited.initial}
            onClose={onClose}
          />
        )}
      </InlineForm>
    </Dialog>
  );
}

function NoEvents() {
  const { site } = useShell();
  return (
    <>
      <Example
        rows={examplesOf("events", site.name).map((event) => (
          <DateText key={event.startsAt} event={event} />
        ))}
      />
      <EmptyState title="No events yet">Add your next show, class or broadcast.</EmptyState>
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
  const isTyped = useUnsaved().some(({ key, item }) => key === "events" && item === event.id);
  return (
    <li className="list-row">
      <div className="row-line row">
        <DateText event={event}>
          <WindowBadge item={event} />
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

/** The day as a block, title, time and place. */
function DateText({ event, children }: DateTextProps) {
  const { title, startsAt, allDay, venue, city, kind } = event;
  const location = [venue, city].filter(Boolean).join(", ");
  const where = kind === "stage" ? location : [KINDS[kind], location].filter(Boolean).join(" · ");
  const { day, month } = wallParts(startsAt, dayIn(0));
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

/** Only for exceptions. */
function badgeOf({ status, tickets }: Event): string | undefined {
  if (status === "cancelled") return "Canceled";
  if (status === "postponed") return "Postponed";
  return tickets === "out" ? "Sold out" : undefined;
}
