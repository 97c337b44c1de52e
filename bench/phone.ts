/**
 * A visitor's phone: the largest paint and blocking time, the delay of a press, and the navigation to the other
 * page; and an owner's: the login's paint, and the time until the dashboard can be used. Chromium with its processor
 * slowed four times, over a fast connection and over 4G as in Lighthouse (1.6 Mbit/s, 150 ms), ROUNDS of each
 * (default 5).
 */
import { closeBrowser, newPage } from "../tests/support/browser.ts";
import { startProgram } from "../tests/support/program.ts";
import { OWNER } from "../tests/support/site.ts";
import { middleOf, tell, timeOf } from "./measure.ts";
import {
  type Conditions,
  FAST,
  FOUR_G,
  type Noted,
  notedOf,
  openOnPhone,
  paintOf,
  slow,
} from "./onPhone.ts";

const ROUNDS = Number(process.env["ROUNDS"] ?? 5);

/** A visitor's clicks, and the elements that then appear, as selectors. */
const PRESSES = [
  { path: "/", press: "#highlights .poster-opener", brings: "dialog[open]" },
  { path: "/", press: ".updates-tab", brings: "dialog[open]" },
  { path: "/coaching", press: "#transformations .poster-opener", brings: "dialog[open]" },
  { path: "/coaching", press: ".enquiry-forward", brings: ".question-error, .ui-toast" },
];

const site = await startProgram({ sample: true, env: { RATE_LIMIT: "off" } });
try {
  for (const [line, conditions] of [
    ["fast", FAST],
    ["4G", FOUR_G],
  ] as const) {
    for (const path of ["/", "/coaching", "/admin/login"]) await sayPaint(path, line, conditions);
    for (const action of PRESSES) await sayPress(action, line, conditions);
    if (conditions === FAST) for (const way of PRESSES) await sayPress(way, "computer", FAST, 1);
    await sayDashboard(line, conditions);
  }
  await sayNavigation();
} finally {
  await closeBrowser();
  await site.stop();
}

async function sayPaint(path: string, line: string, conditions: Conditions) {
  const figures: Noted[] = [];
  for (let round = 0; round < ROUNDS; round++)
    figures.push(await paintOf(site.url + path, conditions));
  const of = (name: keyof Noted) =>
    middleOf(
      figures.map((each) => each[name]),
      "ms",
    );
  const goal = path === "/admin/login" ? "1,100 ms on 4G" : "1,000 ms on 4G";
  tell({ what: `${path}, ${line}: largest paint`, ...of("paint"), goal });
  if (path !== "/admin/login")
    tell({ what: `${path}, ${line}: blocking`, ...of("blocked"), goal: "0 ms" });
}

async function sayPress(
  action: (typeof PRESSES)[number],
  line: string,
  conditions: Conditions,
  slowed?: number,
) {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const page = await openOnPhone(site.url + action.path, conditions, slowed);
    // The mailing list's tab appears on the second screen.
    await page.evaluate(() => scrollTo({ top: innerHeight, behavior: "instant" }));
    await page.locator(action.press).first().scrollIntoViewIfNeeded();
    await page.settled();
    times.push(await page.evaluate(reaction, action));
    await page.context().close();
  }
  const goal = line === "computer" ? "100 ms" : "400 ms";
  const label = `${action.path}, ${line}: ${action.press.split(" ").at(-1)} to reaction`;
  tell({ what: label, ...middleOf(times, "ms"), goal });
}

/** Measures the time until the first tab can be edited, for someone who has used the dashboard before. */
async function sayDashboard(line: string, conditions: Conditions): Promise<void> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const page = await newPage();
    await page.request.post(`${site.url}/api/auth/login`, { data: OWNER });
    await page.visit(`${site.url}/admin/dashboard`);
    await slow(page, conditions);
    const field = page.getByLabel("Main Title");
    times.push(
      await timeOf(async () => {
        await page.goto(`${site.url}/admin/dashboard`, { waitUntil: "commit" });
        await field.fill("Jonah");
      }),
    );
    await page.context().close();
  }
  tell({ what: `dashboard, ${line}: until used`, ...middleOf(times, "ms"), goal: "2,000 ms" });
}

/** Measures a click on the link to the other page, after the pointer rested on it, up to that page's largest paint. */
async function sayNavigation(): Promise<void> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const page = await openOnPhone(`${site.url}/`, FOUR_G);
    const link = page.locator(".hero .button").first();
    await link.hover();
    await page.waitForTimeout(1500);
    await link.click();
    await page.waitForURL("**/coaching**");
    await page.settled();
    times.push((await notedOf(page)).paint);
    await page.context().close();
  }
  tell({ what: "/ to /coaching, 4G: largest paint", ...middleOf(times, "ms"), goal: "300 ms" });
}

/** Runs in the page: presses, and returns the milliseconds until the result appears. */
async function reaction({ press, brings }: { press: string; brings: string }): Promise<number> {
  const start = performance.now();
  document.querySelector<HTMLElement>(press)!.click();
  while (!document.querySelector(brings)) await new Promise(requestAnimationFrame);
  return performance.now() - start;
}
