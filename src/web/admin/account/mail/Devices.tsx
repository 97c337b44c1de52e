/** The devices that show notifications of new submissions. */
import { Row, Rows } from "../../../ui/Row.tsx";
import { useState } from "react";
import type { PushDevice, PushState } from "../../../../schema/api/mailResponses.ts";
import { Button } from "../../../ui/Button.tsx";
import { useAction } from "../../../ui/useAction.ts";
import { toastSuccess } from "../../../ui/messages.ts";
import { Badge, Card } from "../../parts/Card.tsx";
import { formatRelativeDateTimeInSentence } from "../../../shared/formatTimes.ts";
import { AsyncContent } from "../../../ui/AsyncContent.tsx";
import { DeviceIcon } from "../security/Sessions.tsx";
import { api } from "../../data/client.ts";
import { refetchPaths, setCachedValue, createApiQuery, useApiQuery } from "../../data/apiQuery.ts";

export function DevicesCard() {
  return (
    <Card title="Notifications on your devices" note="new submissions, right away" isFlush>
      <AsyncContent
        state={useDevices()}
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
              <TurnOnNotifications state={state} />
            )}
          </>
        )}
      </AsyncContent>
    </Card>
  );
}

const isCurrentDevice = ({ mark }: PushDevice, { currentEndpointHash }: DevicesState) =>
  mark === currentEndpointHash;

function DeviceRow({ device, isCurrent }: { device: PushDevice; isCurrent: boolean }) {
  const { id, name, createdAt } = device;
  const [isPending, remove] = useAction(() => removeDevice({ id, isCurrent }), {
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
        isPending={isPending}
        aria-label={`Remove ${name}, added ${formatRelativeDateTimeInSentence(createdAt)}`}
        onClick={remove}
      >
        Remove
      </Button>
    </Row>
  );
}

function TurnOnNotifications({ state }: { state: DevicesState }) {
  const [problem, setProblem] = useState<string>();
  const [isPending, add] = useAction(
    async () => {
      setProblem(undefined);
      if (await subscribeDevice(state.key)) toastSuccess("Notifications are on for this device");
      else setProblem(NOT_ALLOWED_MESSAGE);
    },
    { failure: SUBSCRIPTION_FAILED_MESSAGE, showFailure: setProblem },
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
      <Button isPending={isPending} onClick={add}>
        Turn on notifications
      </Button>
    </div>
  );
}

const NOT_ALLOWED_MESSAGE =
  "Notifications from your site aren't allowed. Choose Allow when the browser asks, or allow them in its settings.";
const SUBSCRIPTION_FAILED_MESSAGE =
  "Couldn't turn on notifications. Check your connection and try again.";
const NOTIFICATIONS_UNSUPPORTED_MESSAGE =
  "This browser doesn't support notifications. On an iPhone or iPad, tap Share > Add to Home Screen, then open the dashboard from there.";

/** A service worker controls only the pages below its own path, here /admin/. */
const WORKER_PATH = "/admin/worker.js";

interface DevicesState extends PushState {
  /** The hash of this browser's push endpoint; undefined if this browser isn't subscribed. */
  readonly currentEndpointHash: string | undefined;
}

const devicesQuery = createApiQuery<DevicesState>("/api/push", {
  read: async (path) => ({
    ...(await api.get<PushState>(path)),
    currentEndpointHash: await hashEndpoint(),
  }),
});

const useDevices = () => useApiQuery(devicesQuery);

const areNotificationsSupported = () =>
  isSecureContext && "serviceWorker" in navigator && "PushManager" in window;

/** Subscribes this browser to notifications. Resolves to false if they aren't allowed. Throws CallError. */
async function subscribeDevice(applicationServerKey: string): Promise<boolean> {
  if ((await Notification.requestPermission()) !== "granted") return false;
  await navigator.serviceWorker.register(WORKER_PATH);
  const { pushManager } = await navigator.serviceWorker.ready;
  // An existing subscription may have been made with an earlier key of the server, and no longer work.
  await (await pushManager.getSubscription())?.unsubscribe();
  const subscription = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey });
  const { endpoint, keys } = subscription.toJSON();
  await updateCache(await api.post<PushState>("/api/push", { endpoint, keys }));
  return true;
}

/** Removes a device. If it is this browser, the browser is unsubscribed too. Throws CallError. */
async function removeDevice({ id, isCurrent }: { id: string; isCurrent: boolean }): Promise<void> {
  if (isCurrent) await (await getSubscription())?.unsubscribe();
  await updateCache(await api.delete<PushState>(`/api/push/${id}`));
}

async function updateCache(state: PushState): Promise<void> {
  setCachedValue(devicesQuery, { ...state, currentEndpointHash: await hashEndpoint() });
  // The server notifies a new device, and that notification is in the list of messages.
  await refetchPaths("/api/mail");
}

async function getSubscription() {
  if (!areNotificationsSupported()) return null;
  const registration = await navigator.serviceWorker.getRegistration(WORKER_PATH);
  return registration?.pushManager.getSubscription();
}

/** Returns the endpoint's SHA-256 hash in hex, as the server computes it; undefined without a subscription. */
async function hashEndpoint(): Promise<string | undefined> {
  const subscription = await getSubscription();
  if (!subscription) return undefined;
  const digest = await crypto.subtle.digest(
    "SHA-256",
    new TextEncoder().encode(subscription.endpoint),
  );
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
