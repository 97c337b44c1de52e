/** The form of a date: common fields, the rest folded. */
import { useState } from "react";
import { useShell } from "../../../shared/shell.ts";
import { Button } from "../../../ui/Button.tsx";
import type { Draft } from "../../data/useDraft.ts";
import { Field } from "../../editor/Field.tsx";
import { FieldPair, Fold } from "../../editor/Fold.tsx";
import { isOverNow } from "./dateTimes.ts";

/** Folded under More. */
const MORE = ["address", "country", "timeZone", "image"] as const;

/** The button's target, by kind of place. */
const LINK_FIELDS = {
  stage: { label: "Tickets", hint: "Link to the ticket shop. Leave empty for no button." },
  online: { label: "Join link", hint: "Where people take part. Leave empty for no button." },
  screen: { label: "Watch link", hint: "Where people can watch. Leave empty for no button." },
} as const;

export function DateFields({ draft }: { draft: Draft<"events"> }) {
  const { zone } = useShell();
  const { kind, startsAt, endsAt, allDay, timeZone } = draft.values;
  const [hasEnd, setHasEnd] = useState(endsAt !== null);
  const isElsewhere = timeZone !== "" && timeZone !== zone;
  const isPast = /T\d\d:\d\d$/.test(startsAt) && isOverNow(draft.values, zone);
  return (
    <div className="fields">
      <Field draft={draft} name="title" />
      <Field draft={draft} name="kind" />
      <FieldPair>
        <Field
          draft={draft}
          name="startsAt"
          dayOnly={allDay}
          focused={startsAt !== ""}
          {...(isPast && { hint: "This event is in the past. It will appear under Past." })}
          {...(isElsewhere && { label: `Starts (${timeZone})` })}
        />
        <Field draft={draft} name="allDay" />
      </FieldPair>
      {hasEnd ? (
        <Field draft={draft} name="endsAt" dayOnly={allDay} />
      ) : (
        <div>
          <Button variant="quiet" size="small" onClick={() => setHasEnd(true)}>
            Add end time
          </Button>
        </div>
      )}
      <FieldPair>
        <Field draft={draft} name="venue" {...(kind === "screen" && { label: "Channel" })} />
        <Field draft={draft} name="city" />
      </FieldPair>
      <FieldPair>
        <Field draft={draft} name="ticketUrl" {...LINK_FIELDS[kind]} />
        <Field draft={draft} name="tickets" />
      </FieldPair>
      <FieldPair>
        <Field draft={draft} name="status" />
        <Field draft={draft} name="note" />
      </FieldPair>
      <MoreFields draft={draft} />
    </div>
  );
}

/** Fields that few events need. */
function MoreFields({ draft }: { draft: Draft<"events"> }) {
  const noted = MORE.filter((name) => draft.values[name]);
  return (
    <Fold
      title="More"
      note={noted.length > 0 ? `${noted.length} set` : "address, country, time zone, image"}
      isOpen={MORE.some((name) => draft.errors[name] !== undefined)}
    >
      <div className="fields">
        {MORE.map((name) => (
          <Field key={name} draft={draft} name={name} {...(name === "image" && { folded: true })} />
        ))}
      </div>
    </Fold>
  );
}
