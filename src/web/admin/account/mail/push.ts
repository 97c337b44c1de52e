/** New enquiries on this device: what the browser has to do for it, and what the server knows. */
import type { PushState } from "../../../../schema/mailAnswers.ts";
import { api } from "../../data/client.ts";
import { readAgain, replaceRead, resource, useResource } from "../../data/resource.ts";

/** Its address says for which pages it speaks. */
const WORKER = "/admin/worker.js";

/** The owner's devices, and which of them this one is. */
export interface Devices extends PushState {
  /** Undefined: not among them. */
  readonly ownMark: string | undefined;
}

const devices = resource<Devices>("/api/push", {
  read: async (path) => ({ ...(await api.get<PushState>(path)), ownMark: await ownMark() }),
});

export const useDevices = () => useResource(devices);

/** Whether this browser can be told at all. */
export const canBeTold = () =>
  isSecureContext && "serviceWorker" in navigator && "PushManager" in window;

/** "denied": its owner, or whoever set the browser up, wants no notifications of this site. */
type Added = "added" | "denied";

/** Asks for leave, has the browser take messages of this site, and tells the server. Throws CallFailed. */
export async function tellThisDevice(key: string): Promise<Added> {
  if ((await Notification.requestPermission()) !== "granted") return "denied";
  await navigator.serviceWorker.register(WORKER);
  const { pushManager } = await navigator.serviceWorker.ready;
  // One of another key, such as of before a move, is of no use any more.
  await (await pushManager.getSubscription())?.unsubscribe();
  const made = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  const { endpoint, keys } = made.toJSON();
  await take(await api.post<PushState>("/api/push", { endpoint, keys }));
  return "added";
}

/** Ends telling a device. Throws CallFailed. */
export async function endDevice({ id, isOwn }: { id: string; isOwn: boolean }): Promise<void> {
  if (isOwn) await (await ownSubscription())?.unsubscribe();
  await take(await api.delete<PushState>(`/api/push/${id}`));
}

async function take(state: PushState): Promise<void> {
  replaceRead(devices, { ...state, ownMark: await ownMark() });
  // The device is told at once: it stands in the list of messages.
  await readAgain("/api/mail");
}

async function ownSubscription() {
  if (!canBeTold()) return null;
  const registration = await navigator.serviceWorker.getRegistration(WORKER);
  return registration?.pushManager.getSubscription();
}

/** As the server marks it: SHA-256 of its endpoint, in hex. */
async function ownMark(): Promise<string | undefined> {
  const own = await ownSubscription();
  if (!own) return undefined;
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(own.endpoint));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
