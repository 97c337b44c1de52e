/** The dashboard of a running program in a real browser, logged in, its writes noted. */
import { expect } from "bun:test";
import { axe } from "./axe.ts";
import { newPage, type TestPage } from "./browser.ts";
import { logInQuietly, sideways, upload } from "./dashboard.ts";

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
  /** Opens a tab, or a subtab of it, anew and without drafts of earlier visits. */
  open(tab: string, sub?: string): Promise<void>;
  /** Waits for a toast that says these words. */
  toast(words: string): Promise<void>;
  /** Answers the browser's next question and remembers it. */
  answer(yes: boolean): { words: string };
  /** Keeps a call waiting until the function it answers is called, whatever its method. */
  hold(path: string): Promise<() => void>;
  /** Lets a call fail as a dropped line does, until the function it answers is called. */
  drop(path: string): Promise<() => Promise<void>>;
  /** Fails when axe finds a barrier, or when the page can be scrolled sideways. */
  expectSound(): Promise<void>;
  close(): Promise<void>;
}

/** Opens the dashboard as the owner. */
export async function openDashboard(
  site: { readonly url: string },
  width = 1366,
): Promise<Dashboard> {
  const page = await newPage({ width });
  await logInQuietly(page, site);
  const writes = notedWrites(page);
  return {
    page,
    writes,
    async open(tab, sub) {
      if (page.url().startsWith(site.url)) await page.evaluate(() => localStorage.clear());
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
      const { promise: free, resolve: release } = Promise.withResolvers<void>();
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
      // Between the phone and the laptop only the layout differs.
      if (width !== 768) expect(await axe(page)).toEqual([]);
      expect(await sideways(page)).toBe(0);
    },
    close: () => page.context().close(),
  };
}

/** Uploads a picture as the owner; answers its address. */
export async function uploadPicture(
  dashboard: Dashboard,
  site: { readonly url: string },
  name: string,
  bytes: Uint8Array,
): Promise<string> {
  const mimeType = name.endsWith(".png") ? "image/png" : "image/jpeg";
  return (await upload(site, dashboard.page, name, bytes, mimeType)).url;
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
