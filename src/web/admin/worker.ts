/** The owner's service worker: shows notifications, and opens the dashboard on a press. */

/** A push message (src/server/notifications/push.ts). */
interface PushContent {
  readonly title: string;
  readonly body: string;
  /** A path of the dashboard. */
  readonly link: string;
  /** The same if a message is repeated after a kill, so that it is shown once. */
  readonly tag: string;
}

/** The parts of a service worker used here; TypeScript's DOM library lacks them. */
interface Background {
  readonly registration: ServiceWorkerRegistration;
  readonly clients: {
    matchAll(options: { type: "window" }): Promise<readonly Opened[]>;
    openWindow(url: string): Promise<unknown>;
  };
  addEventListener(type: "push", listener: (event: PushMessage) => void): void;
  addEventListener(type: "notificationclick", listener: (event: Pressed) => void): void;
}

interface Opened {
  readonly url: string;
  focus(): Promise<Opened>;
  navigate(url: string): Promise<unknown>;
}

interface Lasting {
  waitUntil(work: Promise<unknown>): void;
}

interface PushMessage extends Lasting {
  readonly data: { json(): PushContent } | null;
}

interface Pressed extends Lasting {
  readonly notification: Notification;
}

// TypeScript's library only declares a page's `self`.
const background = self as unknown as Background;

background.addEventListener("push", (event) => {
  const payload = event.data?.json();
  if (!payload) return;
  const { title, body, link, tag } = payload;
  const options = { body, tag, icon: "/icon-192.png", data: link };
  event.waitUntil(background.registration.showNotification(title, options));
});

background.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(String(event.notification.data)));
});

/** In the open dashboard, if there is one. */
async function open(path: string): Promise<void> {
  const url = new URL(path, location.origin).href;
  const opened = await background.clients.matchAll({ type: "window" });
  const dashboard = opened.find((each) => new URL(each.url).pathname === "/admin/dashboard");
  if (dashboard) await (await dashboard.focus()).navigate(url);
  else await background.clients.openWindow(url);
}
