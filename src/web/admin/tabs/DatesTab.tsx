/** The Dates tab: upcoming and past dates, the section's settings, its preview. */
import { useShell } from "../../shared/shell.ts";
import { CopyButton } from "../../ui/CopyButton.tsx";
import { Card } from "../parts/Card.tsx";
import { DateFields } from "./dates/DateFields.tsx";
import { DateRows, DateText } from "./dates/DateRows.tsx";
import { createSectionTab } from "./SectionTab.tsx";

export const DatesTab = createSectionTab("events", {
  Fields: DateFields,
  Row: (event) => <DateText event={event} />,
  Rows: DateRows,
  BelowSettings: CalendarFeed,
});

/** The calendar's URL for calendar apps. */
function CalendarFeed() {
  const { address } = useShell();
  return (
    <Card title="Calendar">
      <p>
        Subscribe to this link in a calendar app to see all your events. Changes appear
        automatically.
      </p>
      <CopyButton label="Copy calendar link" text={`${address ?? location.origin}/dates.ics`} />
    </Card>
  );
}
