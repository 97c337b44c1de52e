/** Notifications of new enquiries on this device: browser subscription and server state. */
import type { PushState } from "../../../../schema/api/mailResponses.ts";
import { api } from "../../data/client.ts";
import { refetchPaths, setCachedValue, createResource, useResource } from "../../data/resource.ts";

/** A service worker controls the pages below its path. */
const WORKER_PATH = "/admin/worker.js";

/** The owner's devices, and which one this is. */
export interface Devices extends PushState {
  /** The mark of this browser's subscription; undefined if not subscribed. */
  readonly currentMark: string | undefined;
}

const devicesResource = createResource<Devices>("/api/push", {
  read: async (path) => ({ ...(await api.get<PushState>(path)), currentMark: await computeMark() }),
});

export const useDevices = () => useResource(devicesResource);

export const areNotificationsSupported = () =>
  isSecureContext && "serviceWorker" in navigator && "PushManager" in window;

/** "denied": the user or the browser's administrator blocks notifications. */
type SubscriptionResult = "added" | "denied";

/** Asks for permission, subscribes the browser, and registers the subscription. Throws CallError. */
export async function subscribeDevice(key: string): Promise<SubscriptionResult> {
  if ((await Notification.requestPermission()) !== "granted") return "denied";
  await navigator.serviceWorker.register(WORKER_PATH);
  const { pushManager } = await navigator.serviceWorker.ready;
  // A subscription with an earlier key, such as from before a move, no longer works.
  await (await pushManager.getSubscription())?.unsubscribe();
  const made = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  const { endpoint, keys } = made.toJSON();
  await updateCache(await api.post<PushState>("/api/push", { endpoint, keys }));
  return "added";
}

/** Throws CallError. */
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
  // The server sends a welcome notification, which the list of messages shows.
  await refetchPaths("/api/mail");
}

async function getSubscription() {
  if (!areNotificationsSupported()) return null;
  const registration = await navigator.serviceWorker.getRegistration(WORKER_PATH);
  return registration?.pushManager.getSubscription();
}

/** SHA-256 of the endpoint in hex, as the server computes it. */
async function computeMark(): Promise<string | undefined> {
  const subscription = await getSubscription();
  if (!subscription) return undefined;
  const digest = await crypto.subtle.digest(
    "SHA-256",
    new TextEncoder().encode(subscription.endpoint),
  );
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
