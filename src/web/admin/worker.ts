/** The dashboard's service worker shows notifications, and opens the dashboard when the user presses a notification. */

/** The content of a push message from the server (src/server/notifications/push.ts). */
interface PushContent {
  readonly title: string;
  readonly body: string;
  /** The path of the page to open when the user presses the notification. */
  readonly link: string;
  /** A later message with the same tag replaces the notification. */
  readonly tag: string;
}

/** The part of a service worker's global scope that is used here. TypeScript's DOM library doesn't declare it. */
interface ServiceWorkerScope {
  readonly registration: ServiceWorkerRegistration;
  readonly clients: {
    matchAll(options: { type: "window" }): Promise<readonly WindowClient[]>;
    openWindow(url: string): Promise<unknown>;
  };
  addEventListener(type: "push", listener: (event: PushEvent) => void): void;
  addEventListener(type: "notificationclick", listener: (event: NotificationEvent) => void): void;
}

interface WindowClient {
  readonly url: string;
  focus(): Promise<WindowClient>;
  navigate(url: string): Promise<unknown>;
}

interface ExtendableEvent {
  waitUntil(work: Promise<unknown>): void;
}

interface PushEvent extends ExtendableEvent {
  readonly data: { json(): PushContent } | null;
}

interface NotificationEvent extends ExtendableEvent {
  readonly notification: Notification;
}

// TypeScript's DOM library declares `self` only as a page's global object.
const serviceWorker = self as unknown as ServiceWorkerScope;

serviceWorker.addEventListener("push", (event) => {
  const payload = event.data?.json();
  if (!payload) return;
  const { title, body, link, tag } = payload;
  const options = { body, tag, icon: "/icon-192.png", data: link };
  event.waitUntil(serviceWorker.registration.showNotification(title, options));
});

serviceWorker.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(openDashboard(String(event.notification.data)));
});

/** Opens a page of the dashboard, if possible in a window that already shows the dashboard. */
async function openDashboard(path: string): Promise<void> {
  const url = new URL(path, location.origin).href;
  const windows = await serviceWorker.clients.matchAll({ type: "window" });
  const dashboardWindow = windows.find((each) => new URL(each.url).pathname === "/admin/dashboard");
  if (dashboardWindow) await (await dashboardWindow.focus()).navigate(url);
  else await serviceWorker.clients.openWindow(url);
}
