/** The Dates tab: upcoming and past dates, the section's settings, its preview. */
import { useShell } from "../../shared/shell.ts";
import { Copied } from "../../ui/Copied.tsx";
import { Card } from "../parts/Card.tsx";
import { DateFields } from "./dates/DateFields.tsx";
import { DateRows, DateText } from "./dates/DateRows.tsx";
import { sectionTab } from "./SectionTab.tsx";

export const DatesTab = sectionTab("events", {
  Fields: DateFields,
  Row: (event) => <DateText event={event} />,
  Rows: DateRows,
  BelowSettings: Feed,
});

/** The calendar's URL, for use outside the page. */
function Feed() {
  const { address } = useShell();
  return (
    <Card title="Calendar">
      <p>
        Subscribe to this link in a calendar app to see all your events. Changes appear
        automatically.
      </p>
      <Copied label="Copy calendar link" text={`${address ?? location.origin}/dates.ics`} />
    </Card>
  );
}
