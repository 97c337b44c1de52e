/** Notifications of new enquiries on this device: browser subscription and server state. */
import type { PushState } from "../../../../schema/api/mailResponses.ts";
import { api } from "../../data/client.ts";
import { refetchPaths, setCachedValue, createResource, useResource } from "../../data/resource.ts";

/** Its path sets the pages it controls. */
const WORKER_PATH = "/admin/worker.js";

/** The owner's devices, and which one this is. */
export interface Devices extends PushState {
  /** Undefined: not subscribed. */
  readonly currentMark: string | undefined;
}

const devicesResource = createResource<Devices>("/api/push", {
  read: async (path) => ({ ...(await api.get<PushState>(path)), currentMark: await computeMark() }),
});

export const useDevices = () => useResource(devicesResource);

/** Whether this browser supports notifications. */
export const areNotificationsSupported = () =>
  isSecureContext && "serviceWorker" in navigator && "PushManager" in window;

/** "denied": the owner, or the browser's administrator, blocks notifications of this site. */
type SubscriptionResult = "added" | "denied";

/** Asks for permission, subscribes the browser, and registers it at the server. Throws CallError. */
export async function subscribeDevice(key: string): Promise<SubscriptionResult> {
  if ((await Notification.requestPermission()) !== "granted") return "denied";
  await navigator.serviceWorker.register(WORKER_PATH);
  const { pushManager } = await navigator.serviceWorker.ready;
  // One with another key, as from before a move, no longer works.
  await (await pushManager.getSubscription())?.unsubscribe();
  const made = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  const { endpoint, keys } = made.toJSON();
  await updateCache(await api.post<PushState>("/api/push", { endpoint, keys }));
  return "added";
}

/** Removes a device. Throws CallError. */
export async function removeDevice({
  id,
  isCurrent,
}: {
  id: string;
  isCurrent: boolean;
}): Promise<void> {
  if (isCurrent) await (await getSubscription())?.unsubscribe();
  await updateCache(await api.delete<PushState>(`/api/push/${id}`));
}

async function updateCache(state: PushState): Promise<void> {
  setCachedValue(devicesResource, { ...state, currentMark: await computeMark() });
  // The device's welcome is in the list of messages.
  await refetchPaths("/api/mail");
}

async function getSubscription() {
  if (!areNotificationsSupported()) return null;
  const registration = await navigator.serviceWorker.getRegistration(WORKER_PATH);
  return registration?.pushManager.getSubscription();
}

/** Like the server's mark: SHA-256 of the endpoint, in hex. */
async function computeMark(): Promise<string | undefined> {
  const subscription = await getSubscription();
  if (!subscription) return undefined;
  const digest = await crypto.subtle.digest(
    "SHA-256",
    new TextEncoder().encode(subscription.endpoint),
  );
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
