/** The dashboard in a real browser, logged in as the owner, its writes noted. */
import { beforeEach, expect } from "bun:test";
import type { Locator, Page, Request } from "playwright-core";
import type { Client } from "./client.ts";
import { newPage, type PageOptions, type TestPage } from "./browser.ts";
import { retain, unwatched, whenLeft } from "./passedOn.ts";
import { OWNER, type RunningSite } from "./site.ts";
import { noteToasts, waitForToast } from "./toasts.ts";

/** A write that the page made. */
export interface NotedWrite {
  /** Method and path, the query left out, such as "POST /api/hero". */
  readonly call: string;
  /** What was sent; null when nothing was. */
  readonly body: any;
}

/** Where in a tab the dashboard opens, and how wide its window is. */
export interface OpenOptions {
  /** A subtab such as "settings", or one within one such as "transformations.preview". */
  readonly sub?: string | undefined;
  /** The id of the form that is looked at. */
  readonly form?: string;
  readonly width?: number;
}

/** A dashboard and what can be asked of it; what it finds is found on the page that was opened last. */
export interface Dashboard extends Finders {
  readonly page: TestPage;
  /** Every write since the tab was opened, in turn. */
  readonly writes: NotedWrite[];
  /** The last write by a method; fails when there was none. */
  lastWrite(method: string): NotedWrite;
  /** Opens a tab anew, without drafts and cut lines of earlier visits. */
  open(tab: string, options?: OpenOptions): Promise<void>;
  /** Goes to a tab as a link of the dashboard does, which loads nothing anew; what others changed may be shown as it was. */
  goTo(tab: string, options?: Omit<OpenOptions, "width">): Promise<void>;
  /** Waits for a toast that says these words, since those that were waited for before; it may have gone again. */
  toast(words: string): Promise<void>;
  /** Waits until a field, its form or the save bar says that it was refused with these words; no toast says it. */
  refusal(words: string): Promise<void>;
  /** Answers the browser's next question and remembers it. */
  answer(yes: boolean): { words: string };
}

/** Finds things by the names that people read or hear. */
export interface Finders {
  button(name: string | RegExp): Locator;
  /** An input by its label. */
  field(label: string): Locator;
  dialog(name?: string): Locator;
  /** A subtab of a tab. */
  subtab(tab: string, name: string): Locator;
  /** A card by its heading. */
  card(title: string): Locator;
  /** Waits until these words are on the page. */
  shows(words: string | RegExp): Promise<void>;
}

/** What a page needs to know of a site. */
type Address = Pick<RunningSite, "url">;

/** Opens the dashboard on a tab, with a session of its own. */
export async function openDashboard(
  site: Address,
  tab = "hero",
  options: OpenOptions = {},
): Promise<Dashboard> {
  const dashboard = dashboardOf(site);
  await dashboard.open(tab, options);
  return dashboard;
}

/** One dashboard for all the tests of a file, which open it: one page for each width. */
export function dashboardForAll(site: Address, { width = 1366 } = {}): Dashboard {
  const pages = new Map<number, TestPage>();
  const ofBefore = new Set<TestPage>();
  beforeEach(() => {
    for (const page of pages.values()) ofBefore.add(page);
  });
  return dashboardOf(site, { pages, width, ofBefore });
}

/** What the tests of a file have in common. */
interface Shared {
  readonly pages: Map<number, TestPage>;
  readonly width: number;
  /** Pages that show what an earlier test has left. */
  readonly ofBefore: Set<TestPage>;
}

function dashboardOf(site: Address, shared?: Shared): Dashboard {
  const {
    pages,
    width: usual,
    ofBefore,
  } = shared ?? {
    pages: new Map<number, TestPage>(),
    width: 1366,
    ofBefore: new Set<TestPage>(),
  };
  const writes: NotedWrite[] = [];
  let page: TestPage;
  async function pageFor(width: number): Promise<TestPage> {
    const cached = pages.get(width);
    if (cached && !cached.isClosed()) return cached;
    const fresh = await loggedInPage(site, { width });
    if (shared) retain(fresh);
    noteWrites(fresh, writes);
    pages.set(width, fresh);
    return fresh;
  }
  /**
   * Leads away from what the page shows. What that writes down while it is left is forgotten, and so is what it may
   * still have asked for of things that are gone by now, unless that was in the same test.
   */
  async function leave(): Promise<void> {
    if (!page.url().startsWith(site.url)) return;
    await page.unrouteAll({ behavior: "ignoreErrors" });
    await page.goto(`${site.url}/robots.txt`);
    await page.evaluate(() => localStorage.clear());
    if (ofBefore.delete(page)) page.forgetProblems();
  }
  async function open(tab: string, { width = usual, ...place }: OpenOptions = {}): Promise<void> {
    page = await pageFor(width);
    await leave();
    await page.goto(`${site.url}/admin/dashboard?${queryOf(tab, place)}`);
    await page.locator(".tab-head").waitFor();
    writes.length = 0;
  }
  return {
    get page() {
      return page;
    },
    writes,
    open,
    goTo: (tab, place) =>
      page?.url().startsWith(`${site.url}/admin/dashboard`)
        ? followLink(page, queryOf(tab, place))
        : open(tab, place),
    lastWrite(method) {
      const write = writes.findLast(({ call }) => call.startsWith(method));
      if (!write) throw new Error(`There was no ${method}.`);
      return write;
    },
    toast: (words) => waitForToast(page, words),
    async refusal(words) {
      await page.locator(".save-bar, .field-error", { hasText: words }).first().waitFor();
      expect(await page.locator(".ui-toast").count()).toBe(0);
    },
    answer(yes) {
      const question = { words: "" };
      page.once("dialog", (dialog) => {
        question.words = dialog.message();
        void (yes ? dialog.accept() : dialog.dismiss());
      });
      return question;
    },
    ...finders(() => page),
  };
}

const queryOf = (tab: string, { sub, form }: OpenOptions = {}) =>
  String(new URLSearchParams({ tab, ...(sub && { sub }), ...(form && { form }) }));

/** Leads an open dashboard to where this query leads, as a link of its own does. */
export async function followLink(page: Page, query: string): Promise<void> {
  await page.evaluate((query) => history.pushState(null, "", `?${query}`), query);
  const tab = new URLSearchParams(query).get("tab")!;
  const isAccount = query.includes("account=");
  await page.locator(isAccount ? ".account-page" : `#tab-${tab}[aria-selected=true]`).waitFor();
}

/** Finds things on the page that `page` gives. */
export function finders(page: () => Page): Finders {
  return {
    button: (name) => page().getByRole("button", { name, exact: true }),
    field: (label) => page().getByLabel(label, { exact: true }),
    dialog: (name) => page().getByRole("dialog", name === undefined ? {} : { name }),
    subtab: (tab, name) => page().getByRole("tablist", { name: tab }).getByRole("tab", { name }),
    card: (title) => {
      const heading = page().getByRole("heading", { name: title, exact: true, level: 3 });
      return page().locator(".card", { has: heading });
    },
    shows: (words) => page().getByText(words).waitFor(),
  };
}

/** A page whose profile has a session, without the login screen. */
export async function loggedInPage(site: Address, options: PageOptions = {}): Promise<TestPage> {
  const page = await newPage(options);
  noteToasts(page);
  const { username, password } = OWNER;
  const login = { data: { username, password } };
  const { request } = unwatched(page).context();
  const answer = await request.post(`${site.url}/api/auth/login`, login);
  if (!answer.ok()) throw new Error(`Could not log in: ${answer.status()} ${await answer.text()}`);
  return page;
}

/** A page whose profile has the session of somebody who is logged in. */
export async function pageOf(client: Client): Promise<TestPage> {
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

function noteWrites(watched: TestPage, writes: NotedWrite[]): void {
  const page = unwatched(watched);
  const note = (request: Request) => {
    const { pathname } = new URL(request.url());
    if (request.method() === "GET" || !pathname.startsWith("/api/")) return;
    writes.push({ call: `${request.method()} ${pathname}`, body: bodyOf(request.postData()) });
  };
  page.on("request", note);
  whenLeft(watched, () => void page.off("request", note));
}

function bodyOf(text: string | null): unknown {
  try {
    return JSON.parse(text ?? "null");
  } catch {
    return text;
  }
}

/** The names of the dashboard's tabs, in the order in which the specification has them (section 2.8). */
export async function tabNames(): Promise<string[]> {
  const specification = await Bun.file("docs/specification/2-screens.md").text();
  const named = /of which \*\*Hero\*\* is open [^:]*: (.*?)\. They/.exec(specification)?.[1] ?? "";
  return [...named.matchAll(/\*\*(.*?)\*\*/g)].map(([, name = ""]) => name);
}
