/** The devices that show notifications of new submissions. */
import { Row, Rows } from "../../../ui/Row.tsx";
import { useState } from "react";
import type { PushDevice } from "../../../../schema/api/mailResponses.ts";
import { Button } from "../../../ui/Button.tsx";
import { useAction } from "../../../ui/useAction.ts";
import { toastSuccess } from "../../../ui/messages.ts";
import {
  areNotificationsSupported,
  type Devices as State,
  removeDevice,
  subscribeDevice,
  useDevices,
} from "./push.ts";
import { Badge, Card } from "../../parts/Card.tsx";
import { formatRelativeDateTimeInSentence } from "../../../shared/formatTimes.ts";
import { AsyncContent } from "../../../ui/AsyncContent.tsx";
import { DeviceIcon } from "../security/Sessions.tsx";

export function DevicesCard() {
  return (
    <Card title="Notifications on your devices" note="new submissions, right away" isFlush>
      <AsyncContent
        of={useDevices()}
        subject="the devices"
        loadingMessage="Loading devices..."
        rows={1}
      >
        {(state) => (
          <>
            {state.devices.length > 0 && (
              <Rows>
                {state.devices.map((device) => (
                  <DeviceRow
                    key={device.id}
                    device={device}
                    isCurrent={isCurrentDevice(device, state)}
                  />
                ))}
              </Rows>
            )}
            {!state.devices.some((device) => isCurrentDevice(device, state)) && (
              <CurrentDevice state={state} />
            )}
          </>
        )}
      </AsyncContent>
    </Card>
  );
}

const isCurrentDevice = ({ mark }: PushDevice, { currentMark }: State) => mark === currentMark;

function DeviceRow({ device, isCurrent }: { device: PushDevice; isCurrent: boolean }) {
  const { id, name, createdAt } = device;
  const [pending, end] = useAction(() => removeDevice({ id, isCurrent }), {
    success: "Notifications are off for this device",
    failure: "Couldn't turn off notifications",
  });
  return (
    <Row
      icon={<DeviceIcon browser={name} />}
      title={name}
      note={`on since ${formatRelativeDateTimeInSentence(createdAt)}`}
    >
      {isCurrent && <Badge tone="ok">This device</Badge>}
      <Button
        variant="quiet"
        pending={pending}
        aria-label={`Remove ${name}, on since ${formatRelativeDateTimeInSentence(createdAt)}`}
        onClick={end}
      >
        Remove
      </Button>
    </Row>
  );
}

function CurrentDevice({ state }: { state: State }) {
  const [problem, setProblem] = useState<string>();
  const [pending, add] = useAction(
    async () => {
      setProblem(undefined);
      const added = await subscribeDevice(state.key);
      if (added === "denied") setProblem(NOTIFICATIONS_DENIED_MESSAGE);
      else toastSuccess("Notifications are on for this device");
    },
    { failure: NOT_SUBSCRIBED_MESSAGE, show: setProblem },
  );
  if (!areNotificationsSupported())
    return (
      <p className="pad gap-12 justify-between row cluster quiet">
        {NOTIFICATIONS_UNSUPPORTED_MESSAGE}
      </p>
    );
  return (
    <div className="pad gap-12 justify-between row cluster">
      <p className="quiet" aria-live="polite">
        {problem ?? "You'll be notified right away, even when the dashboard is closed."}
      </p>
      <Button pending={pending} onClick={add}>
        Turn on notifications
      </Button>
    </div>
  );
}

const NOTIFICATIONS_DENIED_MESSAGE =
  "This browser blocks notifications from your site. Allow them in the browser settings, then try again.";
const NOT_SUBSCRIBED_MESSAGE =
  "Couldn't turn on notifications. Check your connection and try again.";
const NOTIFICATIONS_UNSUPPORTED_MESSAGE =
  "This browser doesn't support notifications. On an iPhone or iPad, tap Share > Add to Home Screen, then open the dashboard from there.";
