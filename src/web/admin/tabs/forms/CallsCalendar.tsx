/** The secret URL of the owner's calendar of calls. The URL is shown once, and can be replaced or revoked. */
import { useState } from "react";
import type {
  CreatedCallsCalendar,
  CallsCalendarState,
} from "../../../../schema/api/mailResponses.ts";
import { Button } from "../../../ui/Button.tsx";
import { CopyButton } from "../../../ui/CopyButton.tsx";
import { AsyncContent } from "../../../ui/AsyncContent.tsx";
import { useAction } from "../../../ui/useAction.ts";
import { api } from "../../data/client.ts";
import { setCachedValue, createApiQuery, useApiQuery } from "../../data/apiQuery.ts";
import { Badge, Card } from "../../parts/Card.tsx";
import { formatRelativeDateTimeInSentence } from "../../../shared/formatTimes.ts";

const CALENDAR_PATH = "/api/calls-calendar";
const calendarResource = createApiQuery<CallsCalendarState>(CALENDAR_PATH);

export function CallsCalendar() {
  const calendarQuery = useApiQuery(calendarResource);
  const [url, setUrl] = useState<string | null>(null);
  const [isCreating, createLink] = useAction(
    async () => {
      const { path, ...state } = await api.post<CreatedCallsCalendar>(CALENDAR_PATH, {});
      setUrl(location.origin + path);
      setCachedValue(calendarResource, state);
    },
    { failure: "Couldn't create the link. Try again." },
  );
  const [isRevoking, revokeLink] = useAction(
    async () => {
      setCachedValue(calendarResource, await api.delete<CallsCalendarState>(CALENDAR_PATH));
      setUrl(null);
    },
    { success: "Calendar link turned off", failure: "Couldn't turn off the link. Try again." },
  );
  const isPending = isCreating || isRevoking;
  const { since = null, isUsed = false } = calendarQuery.value ?? {};
  if (!isUsed && since === null) return null;
  return (
    <Card title="Calendar of your calls" actions={since !== null && <Badge tone="ok">On</Badge>}>
      <AsyncContent state={calendarQuery} subject="the calendar of your calls">
        {() => (
          <div className="fields">
            <p className="quiet">
              Create a link and add it to your calendar app to see all your calls. Each entry shows
              the visitor's name, the form and how you'll talk, but no other answers.
              {since !== null && ` Created ${formatRelativeDateTimeInSentence(since)}.`}
            </p>
            {url !== null && (
              <output>
                <span className="quiet">
                  Anyone with this link can see your calls. Copy it now; it won't be shown again.
                </span>
                <CopyButton subject="the link" text={url} />
              </output>
            )}
            <div className="actions">
              {since !== null && (
                <Button variant="quiet" isPending={isPending} onClick={revokeLink}>
                  Turn off
                </Button>
              )}
              <Button isPending={isPending} onClick={createLink}>
                {since === null ? "Create link" : "Create new link"}
              </Button>
            </div>
          </div>
        )}
      </AsyncContent>
    </Card>
  );
}
