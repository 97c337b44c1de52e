/** On which devices an owner is told of new enquiries. */
import { useState } from "react";
import type { PushDevice } from "../../../schema/mailAnswers.ts";
import { Button } from "../../ui/Button.tsx";
import { failureWords, toastFailure, toastSuccess } from "../../ui/messages.ts";
import {
  canBeTold,
  type Devices as State,
  endDevice,
  tellThisDevice,
  useDevices,
} from "../data/push.ts";
import { usePending } from "../data/usePending.ts";
import { Badge, Card } from "../parts/Card.tsx";
import { whenInside } from "../parts/when.ts";
import { Read } from "../../ui/Read.tsx";
import { useSheet } from "../parts/useSheet.ts";
import rows from "./Security.css" with { type: "text" };
import { DeviceIcon } from "./Sessions.tsx";

export function Devices() {
  useSheet(rows);
  return (
    <Card title="On your devices" note="new enquiries, at once" flush>
      <Read of={useDevices()} what="the devices" words="Loading devices..." rows={1}>
        {(state) => (
          <>
            {state.devices.length > 0 && (
              <ul className="account-rows">
                {state.devices.map((device) => (
                  <DeviceRow key={device.id} device={device} isOwn={isOwn(device, state)} />
                ))}
              </ul>
            )}
            {!state.devices.some((device) => isOwn(device, state)) && <ThisDevice state={state} />}
          </>
        )}
      </Read>
    </Card>
  );
}

const isOwn = ({ mark }: PushDevice, { ownMark }: State) => mark === ownMark;

function DeviceRow({ device, isOwn }: { device: PushDevice; isOwn: boolean }) {
  const [pending, run] = usePending();
  const { id, name, createdAt } = device;
  const end = async () => {
    try {
      await endDevice({ id, isOwn });
      toastSuccess("The device is no longer told");
    } catch (error) {
      toastFailure(error, "Failed to end telling the device");
    }
  };
  return (
    <li>
      <DeviceIcon browser={name} />
      <div>
        <strong>{name}</strong>
        <span className="quiet">since {whenInside(createdAt)}</span>
      </div>
      {isOwn && <Badge tone="ok">This one</Badge>}
      <Button
        variant="quiet"
        pending={pending}
        aria-label={`End ${name}, since ${whenInside(createdAt)}`}
        onClick={() => void run(end)}
      >
        End
      </Button>
    </li>
  );
}

function ThisDevice({ state }: { state: State }) {
  const [pending, run] = usePending();
  const [problem, setProblem] = useState<string>();
  const add = async () => {
    setProblem(undefined);
    try {
      const added = await tellThisDevice(state.key);
      if (added === "denied") setProblem(DENIED);
      else toastSuccess("This device is told of new enquiries");
    } catch (error) {
      setProblem(failureWords(error, NOT_SUBSCRIBED));
    }
  };
  if (!canBeTold()) return <p className="devices-this quiet">{IMPOSSIBLE}</p>;
  return (
    <div className="devices-this">
      <p className="quiet" aria-live="polite">
        {problem ?? "A notification comes at once, also while the dashboard is closed."}
      </p>
      <Button pending={pending} onClick={() => void run(add)}>
        Tell this device
      </Button>
    </div>
  );
}

const DENIED =
  "This browser blocks notifications of the site. Allow them in its settings, then try again.";
const NOT_SUBSCRIBED =
  "The browser couldn't be signed up for notifications. Check the connection, then try again.";
const IMPOSSIBLE =
  "This browser can't be told. On an iPhone or iPad, first add the dashboard to the home screen (Share, Add to Home Screen) and open it from there.";
