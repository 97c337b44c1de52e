/** The dashboard of a running program in a real browser, logged in, its writes noted. */
import { expect } from "bun:test";
import { axe } from "./axe.ts";
import { newPage, type TestPage } from "./browser.ts";
import { type Executable, OWNER } from "./executable.ts";

/** A write that the page made. */
export interface NotedCall {
  readonly method: string;
  /** The path, its query left out. */
  readonly path: string;
  readonly body: any;
}

/** A page of the dashboard and what can be asked of it. */
export interface Dashboard {
  readonly page: TestPage;
  /** Every write so far, in turn. */
  readonly writes: NotedCall[];
  /** Opens a tab, or a subtab of it, anew. */
  open(tab: string, sub?: string): Promise<void>;
  /** Waits for a toast that says these words. */
  toast(words: string): Promise<void>;
  /** Answers the browser's next question and remembers it. */
  answer(yes: boolean): { words: string };
  /** Keeps a call waiting until the function it answers is called; `GET` and `POST` alike. */
  hold(path: string): Promise<() => void>;
  /** Lets a call fail as a dropped line does, until the function it answers is called. */
  drop(path: string): Promise<() => Promise<void>>;
  /** Fails when axe finds a barrier, or when the page can be scrolled sideways. */
  expectSound(): Promise<void>;
  close(): Promise<void>;
}

/** Opens the dashboard as the owner. */
export async function openDashboard(site: Executable, width = 1366): Promise<Dashboard> {
  const page = await newPage({ width });
  await logIn(page, site);
  const writes = notedWrites(page);
  return {
    page,
    writes,
    async open(tab, sub) {
      await page.goto(
        `${site.url}/admin/dashboard?tab=${tab}${sub === undefined ? "" : `&sub=${sub}`}`,
      );
      await page.locator(".tab-head").waitFor();
    },
    async toast(words) {
      await page.locator(".ui-toast").filter({ hasText: words }).waitFor();
    },
    answer(yes) {
      const question = { words: "" };
      page.once("dialog", (dialog) => {
        question.words = dialog.message();
        void (yes ? dialog.accept() : dialog.dismiss());
      });
      return question;
    },
    async hold(path) {
      let release = () => {};
      const free = new Promise<void>((resolve) => (release = resolve));
      await page.route(`**${path}`, async (route) => {
        await free;
        await route.continue();
      });
      return release;
    },
    async drop(path) {
      await page.route(`**${path}`, (route) => route.abort());
      return () => page.unroute(`**${path}`);
    },
    async expectSound() {
      await page.waitForTimeout(250);
      expect(await axe(page)).toEqual([]);
      const sideways = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect(sideways).toBe(0);
    },
    close: () => page.context().close(),
  };
}

/** Uploads a picture as the owner; answers its address. */
export async function uploadPicture(
  dashboard: Dashboard,
  site: Executable,
  name: string,
  bytes: Uint8Array,
): Promise<string> {
  const mimeType = name.endsWith(".png") ? "image/png" : "image/jpeg";
  const answer = await dashboard.page.request.post(`${site.url}/api/upload`, {
    multipart: { file: { name, mimeType, buffer: Buffer.from(bytes) } },
  });
  return (await answer.json()).url;
}

async function logIn(page: TestPage, site: Executable): Promise<void> {
  const { username, password } = OWNER;
  const answer = await page.request.post(`${site.url}/api/auth/login`, {
    data: { username, password },
  });
  if (!answer.ok()) throw new Error(`The owner could not log in: ${await answer.text()}`);
}

function notedWrites(page: TestPage): NotedCall[] {
  const writes: NotedCall[] = [];
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (request.method() === "GET" || !pathname.startsWith("/api/")) return;
    writes.push({ method: request.method(), path: pathname, body: bodyOf(request.postData()) });
  });
  return writes;
}

function bodyOf(text: string | null): unknown {
  try {
    return JSON.parse(text ?? "null");
  } catch {
    return text;
  }
}
