/** New enquiries on this device: what the browser has to do for it, and what the server knows. */
import { useQuery } from "@tanstack/react-query";
import type { PushState } from "../../../schema/mailAnswers.ts";
import { call } from "../../shared/api.ts";
import { queryClient, withSession } from "./client.ts";

const KEY = ["push"];
/** Its address says for which pages it speaks. */
const WORKER = "/admin/worker.js";

/** The owner's devices, and which of them this one is. */
export interface Devices extends PushState {
  /** Undefined: not among them. */
  readonly ownMark: string | undefined;
}

export const useDevices = () =>
  useQuery({
    queryKey: KEY,
    staleTime: 0,
    queryFn: async (): Promise<Devices> => {
      const state = await withSession(() => call<PushState>("/api/push"));
      return { ...state, ownMark: await ownMark() };
    },
  });

/** Whether this browser can be told at all. */
export const canBeTold = () =>
  isSecureContext && "serviceWorker" in navigator && "PushManager" in window;

/** "denied": its owner, or whoever set the browser up, wants no notifications of this site. */
export type Added = "added" | "denied";

/** Asks for leave, has the browser take messages of this site, and tells the server. Throws CallFailed. */
export async function tellThisDevice(key: string): Promise<Added> {
  if ((await Notification.requestPermission()) !== "granted") return "denied";
  await navigator.serviceWorker.register(WORKER);
  const { pushManager } = await navigator.serviceWorker.ready;
  // One of another key, such as of before a move, is of no use any more.
  await (await pushManager.getSubscription())?.unsubscribe();
  const made = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  const { endpoint, keys } = made.toJSON();
  await change("POST", "/api/push", { endpoint, keys });
  return "added";
}

/** Ends telling a device. Throws CallFailed. */
export async function endDevice({ id, isOwn }: { id: string; isOwn: boolean }): Promise<void> {
  if (isOwn) await (await ownSubscription())?.unsubscribe();
  await change("DELETE", `/api/push/${id}`);
}

async function change(method: "POST" | "DELETE", path: string, body?: object): Promise<void> {
  const state = await withSession(() => call<PushState>(path, { method, ...(body && { body }) }));
  queryClient.setQueryData<Devices>(KEY, { ...state, ownMark: await ownMark() });
  // The device is told at once: it stands in the list of messages.
  await queryClient.invalidateQueries({ queryKey: ["mail"] });
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
