/** The URL of an owner's calendar of calls: shown once; can be replaced or revoked. Nothing if there is none. */
import { useState } from "react";
import type { CallsCalendarMade, CallsCalendarState } from "../../../../schema/mailAnswers.ts";
import { Button } from "../../../ui/Button.tsx";
import { Copied } from "../../../ui/Copied.tsx";
import { Read } from "../../../ui/Read.tsx";
import { useAction } from "../../../ui/useAction.ts";
import { api } from "../../data/client.ts";
import { replaceRead, resource, useResource } from "../../data/resource.ts";
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
      replaceRead(calendar, state);
    },
    { failure: "The address couldn't be made. Try again." },
  );
  const [ending, end] = useAction(
    async () => {
      replaceRead(calendar, await api.delete<CallsCalendarState>(PATH));
      setAddress(null);
    },
    { success: "The address is off", failure: "The address couldn't be switched off. Try again." },
  );
  const pending = making || ending;
  const { since = null, isUsed = false } = read.value ?? {};
  if (!isUsed && since === null) return null;
  return (
    <Card
      title="Your calls in your calendar"
      actions={since !== null && <Badge tone="ok">On</Badge>}
    >
      <Read of={read} what="the calendar of your calls">
        {() => (
          <div className="fields">
            <p className="quiet">
              A calendar that follows this address has every call: name, form and how you meet,
              nothing else of the answers.
              {since !== null && ` Made ${whenInside(since)}.`}
            </p>
            {address !== null && (
              <output>
                <span className="quiet">
                  Whoever has it can see your calls. Copy it now: it is not shown again.
                </span>
                <Copied what="the address" text={address} />
              </output>
            )}
            <div className="dialog-actions">
              {since !== null && (
                <Button variant="quiet" pending={pending} onClick={end}>
                  Switch it off
                </Button>
              )}
              <Button pending={pending} onClick={make}>
                {since === null ? "Make the address" : "Make a new one"}
              </Button>
            </div>
          </div>
        )}
      </Read>
    </Card>
  );
}
