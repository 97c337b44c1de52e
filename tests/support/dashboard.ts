/** The dashboard in a real browser, logged in as the owner, its writes noted. */
import { beforeAll } from "bun:test";
import { newPage, type PageOptions, type TestPage } from "./browser.ts";
import { OWNER } from "./site.ts";
import { toastOf } from "./pageState.ts";

/** A write that the page made. */
export interface NotedWrite {
  /** Method and path, the query left out, such as "POST /api/hero". */
  readonly call: string;
  /** What was sent; null when nothing was. */
  readonly body: any;
}

/** Where in a tab the dashboard opens. */
export interface Place {
  /** A subtab such as "settings", or one within one such as "transformations.preview". */
  readonly sub?: string;
  /** The id of the form that is looked at. */
  readonly form?: string;
}

/** A page of the dashboard and what can be asked of it. */
export interface Dashboard {
  readonly page: TestPage;
  /** Every write since the tab was opened, in turn. */
  readonly writes: NotedWrite[];
  /** The last write by a method; fails when there was none. */
  lastWrite(method: string): NotedWrite;
  /** Opens a tab anew and without drafts of earlier visits. */
  open(tab: string, place?: Place): Promise<void>;
  /** Waits for a toast that says these words. */
  toast(words: string): Promise<void>;
  /** Answers the browser's next question and remembers it. */
  answer(yes: boolean): { words: string };
  close(): Promise<void>;
}

/** What a page needs to know of a site. */
type Address = { readonly url: string };

/** Opens the dashboard on a tab, with a session of its own. */
export async function openDashboard(
  site: Address,
  tab = "hero",
  options: PageOptions & Place = {},
): Promise<Dashboard> {
  const page = await loggedInPage(site, options);
  const writes = notedWrites(page);
  const dashboard: Dashboard = {
    page,
    writes,
    async open(tab, { sub, form } = {}) {
      if (page.url().startsWith(site.url)) await page.evaluate(() => localStorage.clear());
      const query = new URLSearchParams({ tab, ...(sub && { sub }), ...(form && { form }) });
      await page.goto(`${site.url}/admin/dashboard?${query}`);
      await page.locator(".tab-head").waitFor();
      writes.length = 0;
    },
    lastWrite(method) {
      const write = writes.findLast(({ call }) => call.startsWith(method));
      if (!write) throw new Error(`There was no ${method}.`);
      return write;
    },
    toast: (words) => toastOf(page).getByText(words).waitFor(),
    answer(yes) {
      const question = { words: "" };
      page.once("dialog", (dialog) => {
        question.words = dialog.message();
        void (yes ? dialog.accept() : dialog.dismiss());
      });
      return question;
    },
    close: () => page.context().close(),
  };
  await dashboard.open(tab, options);
  return dashboard;
}

/** One dashboard for all the tests of a file; there from the first hook on. */
export function dashboardForAll(site: Address, options: PageOptions = {}): Dashboard {
  const dashboard = {} as Dashboard;
  beforeAll(async () => {
    Object.assign(dashboard, await openDashboard(site, "hero", options));
  });
  return dashboard;
}

/** A page whose profile has a session, without the login screen. */
export async function loggedInPage(site: Address, options: PageOptions = {}): Promise<TestPage> {
  const page = await newPage(options);
  const { username, password } = OWNER;
  const login = { data: { username, password } };
  const answer = await page.context().request.post(`${site.url}/api/auth/login`, login);
  if (!answer.ok()) throw new Error(`Could not log in: ${answer.status()} ${await answer.text()}`);
  return page;
}

function notedWrites(page: TestPage): NotedWrite[] {
  const writes: NotedWrite[] = [];
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (request.method() === "GET" || !pathname.startsWith("/api/")) return;
    writes.push({ call: `${request.method()} ${pathname}`, body: bodyOf(request.postData()) });
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
