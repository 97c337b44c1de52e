/** The devices with notifications of new enquiries. */
import { Row, Rows } from "../../../ui/Row.tsx";
import { useState } from "react";
import type { PushDevice } from "../../../../schema/api/mailResponses.ts";
import { Button } from "../../../ui/Button.tsx";
import { useAction } from "../../../ui/useAction.ts";
import { toastSuccess } from "../../../ui/messages.ts";
import {
  hasNotifications,
  type Devices as State,
  endDevice,
  subscribeDevice,
  useDevices,
} from "./push.ts";
import { Badge, Card } from "../../parts/Card.tsx";
import { whenInside } from "../../../shared/when.ts";
import { Read } from "../../../ui/Read.tsx";
import { DeviceIcon } from "../security/Sessions.tsx";

export function Devices() {
  return (
    <Card title="Notifications on your devices" note="new submissions, right away" flush>
      <Read of={useDevices()} subject="the devices" loadingMessage="Loading devices..." rows={1}>
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
              <ThisDevice state={state} />
            )}
          </>
        )}
      </Read>
    </Card>
  );
}

const isCurrentDevice = ({ mark }: PushDevice, { currentMark }: State) => mark === currentMark;

function DeviceRow({ device, isCurrent }: { device: PushDevice; isCurrent: boolean }) {
  const { id, name, createdAt } = device;
  const [pending, end] = useAction(() => endDevice({ id, isCurrent }), {
    success: "Notifications are off for this device",
    failure: "Couldn't turn off notifications",
  });
  return (
    <Row
      sign={<DeviceIcon browser={name} />}
      title={name}
      note={`on since ${whenInside(createdAt)}`}
    >
      {isCurrent && <Badge tone="ok">This device</Badge>}
      <Button
        variant="quiet"
        pending={pending}
        aria-label={`Remove ${name}, on since ${whenInside(createdAt)}`}
        onClick={end}
      >
        Remove
      </Button>
    </Row>
  );
}

function ThisDevice({ state }: { state: State }) {
  const [problem, setProblem] = useState<string>();
  const [pending, add] = useAction(
    async () => {
      setProblem(undefined);
      const added = await subscribeDevice(state.key);
      if (added === "denied") setProblem(DENIED);
      else toastSuccess("Notifications are on for this device");
    },
    { failure: NOT_SUBSCRIBED, show: setProblem },
  );
  if (!hasNotifications())
    return <p className="pad gap-12 justify-between row cluster quiet">{IMPOSSIBLE}</p>;
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

const DENIED =
  "This browser blocks notifications from your site. Allow them in the browser settings, then try again.";
const NOT_SUBSCRIBED = "Couldn't turn on notifications. Check your connection and try again.";
const IMPOSSIBLE =
  "This browser doesn't support notifications. On an iPhone or iPad, tap Share > Add to Home Screen, then open the dashboard from there.";
