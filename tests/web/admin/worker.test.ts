/** The worker in an owner's browser shows push messages, and opens the dashboard (specification, section 4.18). */
import { expect, test } from "bun:test";
import { loadWebBuild } from "../../../src/server/pages/webBuild.ts";

const { worker } = await loadWebBuild();
const ORIGIN = "https://vera.example";

/** Runs the built worker and records every call; `opened` has the URLs of open windows. */
function startWorker(opened: readonly string[] = []) {
  const listeners: Record<string, (event: object) => void> = {};
  const calls: unknown[] = [];
  const windows = opened.map((url) => ({
    url,
    async focus() {
      calls.push(["focus", url]);
      return { navigate: async (to: string) => void calls.push(["navigate", to]) };
    },
  }));
  const self = {
    addEventListener: (type: string, listener: (event: object) => void) =>
      void (listeners[type] = listener),
    registration: { showNotification: async (...args: unknown[]) => void calls.push(args) },
    clients: {
      matchAll: async () => windows,
      openWindow: async (url: string) => void calls.push(["open", url]),
    },
  };
  new Function("self", "location", worker)(self, { origin: ORIGIN });
  return {
    calls,
    async happens(type: string, event: object): Promise<void> {
      let work: Promise<unknown> | undefined;
      listeners[type]!({ ...event, waitUntil: (promise: Promise<unknown>) => (work = promise) });
      await work;
    },
  };
}

const LINK = "/admin/dashboard?tab=forms&sub=submissions";
const createClick = (calls: unknown[]) => ({
  notification: { data: LINK, close: () => void calls.push("close") },
});

test("a push notification is shown with the site's icon and a tag, so that a repeated one replaces it", async () => {
  const { calls, happens } = startWorker();
  const notification = { title: "New submission", body: "Ann", link: LINK, tag: "message" };
  await happens("push", { data: { json: () => notification } });
  await happens("push", { data: null });
  const options = { body: "Ann", tag: "message", icon: "/icon-192.png", data: LINK };
  expect(calls).toEqual([["New submission", options]]);
});

test("a click on a notification opens the dashboard in a window that already shows it, else in a new one", async () => {
  const alone = startWorker([`${ORIGIN}/admin/login`]);
  await alone.happens("notificationclick", createClick(alone.calls));
  expect(alone.calls).toEqual(["close", ["open", ORIGIN + LINK]]);
  const open = `${ORIGIN}/admin/dashboard?tab=hero`;
  const beside = startWorker([open]);
  await beside.happens("notificationclick", createClick(beside.calls));
  expect(beside.calls).toEqual(["close", ["focus", open], ["navigate", ORIGIN + LINK]]);
});
