/** The URL of an owner's calendar of calls: shown once; can be replaced or revoked. Empty without one. */
import { useState } from "react";
import type {
  CallsCalendarMade,
  CallsCalendarState,
} from "../../../../schema/api/mailResponses.ts";
import { Button } from "../../../ui/Button.tsx";
import { Copied } from "../../../ui/Copied.tsx";
import { Read } from "../../../ui/Read.tsx";
import { useAction } from "../../../ui/useAction.ts";
import { api } from "../../data/client.ts";
import { setCached, resource, useResource } from "../../data/resource.ts";
import { Badge, Card } from "../../parts/Card.tsx";
import { whenInside } from "../../../shared/when.ts";

const PATH = "/api/calls-calendar";
const calendar = resource<CallsCalendarState>(PATH);

export function CallsCalendar() {
  const read = useResource(calendar);
  const [address, setAddress] = useState<string | null>(null);
  const [making, make] = useAction(
    async () => {
      const { path, ...state } = await api.post<CallsCalendarMade>(PATH, {});
      setAddress(location.origin + path);
      setCached(calendar, state);
    },
    { failure: "Couldn't create the link. Try again." },
  );
  const [ending, end] = useAction(
    async () => {
      setCached(calendar, await api.delete<CallsCalendarState>(PATH));
      setAddress(null);
    },
    { success: "Calendar link turned off", failure: "Couldn't turn off the link. Try again." },
  );
  const pending = making || ending;
  const { since = null, isUsed = false } = read.value ?? {};
  if (!isUsed && since === null) return null;
  return (
    <Card title="Calendar of your calls" actions={since !== null && <Badge tone="ok">On</Badge>}>
      <Read of={read} subject="the calendar of your calls">
        {() => (
          <div className="fields">
            <p className="quiet">
              Subscribe to this link in your calendar app to see all your calls. It contains the
              name, the form and how you meet, but no other answers.
              {since !== null && ` Created ${whenInside(since)}.`}
            </p>
            {address !== null && (
              <output>
                <span className="quiet">
                  Anyone with this link can see your calls. Copy it now; it won't be shown again.
                </span>
                <Copied subject="the link" text={address} />
              </output>
            )}
            <div className="actions">
              {since !== null && (
                <Button variant="quiet" pending={pending} onClick={end}>
                  Turn off
                </Button>
              )}
              <Button pending={pending} onClick={make}>
                {since === null ? "Create link" : "Create new link"}
              </Button>
            </div>
          </div>
        )}
      </Read>
    </Card>
  );
}
