/** The dashboard in a real browser, logged in as the owner, with its writes recorded. */
import { beforeEach, expect } from "bun:test";
import type { Locator, Page, Request } from "playwright-core";
import type { Client } from "./client.ts";
import { newPage, type PageOptions, type TestPage } from "./browser.ts";
import { excludeFromReuse, getUnwatchedPage, onPageReturned } from "./pageReuse.ts";
import { OWNER, type RunningSite } from "./site.ts";
import { recordToasts, waitForToast } from "./toasts.ts";

/** A write that the page sent. */
export interface RecordedWrite {
  /** Method and path without the query, such as "POST /api/hero". */
  readonly call: string;
  /** The body; null if there is none. */
  readonly body: any;
}

/** Where the dashboard opens, and the width of its window. */
export interface OpenOptions {
  /** A subtab such as "settings", or a subtab inside another, such as "transformations.preview". */
  readonly sub?: string | undefined;
  /** The id of the open form. */
  readonly form?: string;
  readonly width?: number;
}

/** A dashboard with functions that use the page opened last. */
export interface Dashboard extends Finders {
  readonly page: TestPage;
  /** Every write since the tab was opened, in order. */
  readonly writes: RecordedWrite[];
  /** Returns the last write by a method. Fails if there was none. */
  getLastWrite(method: string): RecordedWrite;
  /** Opens a tab in a new page, without drafts and cut connections of earlier tests. */
  open(tab: string, options?: OpenOptions): Promise<void>;
  /** Follows a link in the dashboard. Nothing is reloaded, so changes made elsewhere may not show. */
  goTo(tab: string, options?: Omit<OpenOptions, "width">): Promise<void>;
  /** Waits for a toast with this text, after the toasts that were already waited for. It may have disappeared again. */
  waitForToast(text: string): Promise<void>;
  /** Waits until a field, its form or the save bar shows this refusal. Toasts don't count. */
  waitForRefusal(text: string): Promise<void>;
  /** Answers the browser's next dialog and records its text. */
  answerDialog(isAccepted: boolean): { text: string };
}

/** Finds elements by the names that people read or hear. */
export interface Finders {
  button(name: string | RegExp): Locator;
  /** Finds an input by its label. */
  field(label: string): Locator;
  dialog(name?: string): Locator;
  /** Finds a subtab of a tab. */
  subtab(tab: string, name: string): Locator;
  /** Finds a card by its heading. */
  card(title: string): Locator;
  /** Waits until this text is on the page. */
  waitForText(text: string | RegExp): Promise<void>;
}

type SiteAddress = Pick<RunningSite, "url">;

/** Opens the dashboard on a tab, with its own session. */
export async function openDashboard(
  site: SiteAddress,
  tab = "hero",
  options: OpenOptions = {},
): Promise<Dashboard> {
  const pages = { pages: new Map(), width: 1366, stalePages: new Set<TestPage>() };
  const dashboard = createDashboard(site, { ...pages, areShared: false });
  await dashboard.open(tab, options);
  return dashboard;
}

/** Sets up one dashboard for all tests of a file, with one page for each width. */
export function setUpDashboard(site: SiteAddress, { width = 1366 } = {}): Dashboard {
  const pages = new Map<number, TestPage>();
  const stalePages = new Set<TestPage>();
  beforeEach(() => {
    for (const page of pages.values()) stalePages.add(page);
  });
  return createDashboard(site, { pages, width, stalePages, areShared: true });
}

interface DashboardPages {
  /** The pages by the width of their window. */
  readonly pages: Map<number, TestPage>;
  readonly width: number;
  /** Pages that still show an earlier test's state. */
  readonly stalePages: Set<TestPage>;
  /** Whether the tests of a file share the pages. */
  readonly areShared: boolean;
}

function createDashboard(
  site: SiteAddress,
  { pages, width: defaultWidth, stalePages, areShared }: DashboardPages,
): Dashboard {
  const writes: RecordedWrite[] = [];
  let page: TestPage;
  async function getPage(width: number): Promise<TestPage> {
    const cached = pages.get(width);
    if (cached && !cached.isClosed()) return cached;
    const newPageOfWidth = await openLoggedInPage(site, { width });
    if (areShared) excludeFromReuse(newPageOfWidth);
    recordWrites(newPageOfWidth, writes);
    pages.set(width, newPageOfWidth);
    return newPageOfWidth;
  }
  /**
   * Leaves the page. Forgets the writes that leaving causes. If the page was used by an earlier test, also forgets its
   * problems.
   */
  async function leavePage(): Promise<void> {
    if (!page.url().startsWith(site.url)) return;
    await page.unrouteAll({ behavior: "ignoreErrors" });
    await page.goto(`${site.url}/robots.txt`);
    await page.evaluate(() => localStorage.clear());
    if (stalePages.delete(page)) page.clearProblems();
  }
  async function open(
    tab: string,
    { width = defaultWidth, ...options }: OpenOptions = {},
  ): Promise<void> {
    page = await getPage(width);
    await leavePage();
    await page.goto(`${site.url}/admin/dashboard?${createQuery(tab, options)}`);
    await page.locator(".tab-head").waitFor();
    writes.length = 0;
  }
  return {
    get page() {
      return page;
    },
    writes,
    open,
    goTo: (tab, options) =>
      page?.url().startsWith(`${site.url}/admin/dashboard`)
        ? followLink(page, createQuery(tab, options))
        : open(tab, options),
    getLastWrite(method) {
      const write = writes.findLast(({ call }) => call.startsWith(method));
      if (!write) throw new Error(`There was no ${method}.`);
      return write;
    },
    waitForToast: (words) => waitForToast(page, words),
    async waitForRefusal(words) {
      await page.locator(".save-bar, .field-error", { hasText: words }).first().waitFor();
      expect(await page.locator(".ui-toast").count()).toBe(0);
    },
    answerDialog(isAccepted) {
      const question = { text: "" };
      page.once("dialog", (dialog) => {
        question.text = dialog.message();
        void (isAccepted ? dialog.accept() : dialog.dismiss());
      });
      return question;
    },
    ...createFinders(() => page),
  };
}

const createQuery = (tab: string, { sub, form }: OpenOptions = {}) =>
  String(new URLSearchParams({ tab, ...(sub && { sub }), ...(form && { form }) }));

/** Opens a query in an open dashboard, as one of the dashboard's links does. */
export async function followLink(page: Page, query: string): Promise<void> {
  await page.evaluate((query) => history.pushState(null, "", `?${query}`), query);
  const tab = new URLSearchParams(query).get("tab")!;
  const isAccount = query.includes("account=");
  await page.locator(isAccount ? ".account-page" : `#tab-${tab}[aria-selected=true]`).waitFor();
}

/** Finds elements on the page that `page` returns. */
export function createFinders(page: () => Page): Finders {
  return {
    button: (name) => page().getByRole("button", { name, exact: true }),
    field: (label) => page().getByLabel(label, { exact: true }),
    dialog: (name) => page().getByRole("dialog", name === undefined ? {} : { name }),
    subtab: (tab, name) => page().getByRole("tablist", { name: tab }).getByRole("tab", { name }),
    card: (title) => {
      const heading = page().getByRole("heading", { name: title, exact: true, level: 3 });
      return page().locator(".card", { has: heading });
    },
    waitForText: (words) => page().getByText(words).waitFor(),
  };
}

/** Opens a page whose profile already has a session, without the login screen. */
export async function openLoggedInPage(
  site: SiteAddress,
  options: PageOptions = {},
): Promise<TestPage> {
  const page = await newPage(options);
  recordToasts(page);
  const { username, password } = OWNER;
  const login = { data: { username, password } };
  const { request } = getUnwatchedPage(page).context();
  const response = await request.post(`${site.url}/api/auth/login`, login);
  if (!response.ok())
    throw new Error(`Could not log in: ${response.status()} ${await response.text()}`);
  return page;
}

/** Opens a page with the session of a logged-in client. */
export async function openPageAs(client: Client): Promise<TestPage> {
  const page = await newPage();
  const cookies = client.cookies().split("; ");
  await page.context().addCookies(
    cookies.map((each) => {
      const [name = "", value = ""] = each.split("=");
      return { name, value, url: client.url };
    }),
  );
  return page;
}

function recordWrites(lentPage: TestPage, writes: RecordedWrite[]): void {
  const page = getUnwatchedPage(lentPage);
  const record = (request: Request) => {
    const { pathname } = new URL(request.url());
    if (request.method() === "GET" || !pathname.startsWith("/api/")) return;
    writes.push({ call: `${request.method()} ${pathname}`, body: parseBody(request.postData()) });
  };
  page.on("request", record);
  onPageReturned(lentPage, () => void page.off("request", record));
}

function parseBody(text: string | null): unknown {
  try {
    return JSON.parse(text ?? "null");
  } catch {
    return text;
  }
}

/** Returns the names of the dashboard's tabs in the specification's order (section 2.8). */
export async function readTabNames(): Promise<string[]> {
  const specification = await Bun.file("docs/specification/2-screens.md").text();
  const match = /of which \*\*Hero\*\* is open [^:]*: (.*?)\. /.exec(specification)?.[1] ?? "";
  return [...match.matchAll(/\*\*(.*?)\*\*/g)].map(([, name = ""]) => name);
}
