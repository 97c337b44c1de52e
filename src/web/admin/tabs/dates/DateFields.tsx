/** The form of an event: some labels and hints depend on its values. */
import { useState } from "react";
import { useShell } from "../../../shared/shell.ts";
import { Button } from "../../../ui/Button.tsx";
import type { Draft } from "../../data/useDraft.ts";
import { ItemFields } from "../../editor/ItemFields.tsx";
import { isEventOver } from "./dateTimes.ts";

/** The link's label and hint for each kind of event. */
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
  const isPast = /T\d\d:\d\d$/.test(startsAt) && isEventOver(draft.values, zone);
  const addEnd = (
    <div key="endsAt">
      <Button variant="quiet" size="small" onClick={() => setHasEnd(true)}>
        Add end time
      </Button>
    </div>
  );
  return (
    <ItemFields
      draft={draft}
      fields={{
        startsAt: {
          isDayOnly: allDay,
          isFocused: startsAt !== "",
          ...(isPast && { hint: "This event is in the past. It will appear under Past." }),
          ...(isElsewhere && { label: `Starts (${timeZone})` }),
        },
        endsAt: hasEnd ? { isDayOnly: allDay } : { instead: addEnd },
        venue: kind === "screen" ? { label: "Channel" } : {},
        ticketUrl: LINK_FIELDS[kind],
        image: { isFolded: true },
      }}
    />
  );
}
