/**
 * Measures a visitor's phone (the largest paint and blocking time, the delay of a press, the navigation to the other
 * page) and an owner's (the login's paint, the time until the dashboard can be used). Chromium runs with its processor
 * slowed four times, over a fast connection and over 4G as in Lighthouse (1.6 Mbit/s, 150 ms). ROUNDS is the number of
 * rounds (default 5).
 */
import { closeBrowser, newPage } from "../tests/support/browser.ts";
import { startProgram } from "../tests/support/program.ts";
import { OWNER } from "../tests/support/site.ts";
import { summarizeFigures, printRow, measureTime } from "./measure.ts";
import {
  type Conditions,
  FAST,
  FOUR_G,
  type PaintFigures,
  readPaintFigures,
  openOnPhone,
  measurePaint,
  throttle,
} from "./slowPhone.ts";

const ROUNDS = Number(process.env["ROUNDS"] ?? 5);

/** A visitor's clicks, and the elements that then appear, as selectors. */
const CLICKS = [
  { path: "/", press: "#highlights .poster-opener", brings: "dialog[open]" },
  { path: "/", press: ".updates-tab", brings: "dialog[open]" },
  { path: "/coaching", press: "#transformations .poster-opener", brings: "dialog[open]" },
  { path: "/coaching", press: ".enquiry-forward", brings: ".question-error, .ui-toast" },
];

const site = await startProgram({ hasSample: true, env: { RATE_LIMIT: "off" } });
try {
  for (const [line, conditions] of [
    ["fast", FAST],
    ["4G", FOUR_G],
  ] as const) {
    for (const path of ["/", "/coaching", "/admin/login"])
      await reportPaint(path, line, conditions);
    for (const action of CLICKS) await reportClick(action, line, conditions);
    if (conditions === FAST)
      for (const action of CLICKS) await reportClick(action, "computer", FAST, 1);
    await reportDashboard(line, conditions);
  }
  await reportNavigation();
} finally {
  await closeBrowser();
  await site.stop();
}

async function reportPaint(path: string, line: string, conditions: Conditions) {
  const figures: PaintFigures[] = [];
  for (let round = 0; round < ROUNDS; round++)
    figures.push(await measurePaint(site.url + path, conditions));
  const summarize = (name: keyof PaintFigures) =>
    summarizeFigures(
      figures.map((each) => each[name]),
      "ms",
    );
  const goal = path === "/admin/login" ? "1,100 ms on 4G" : "1,000 ms on 4G";
  printRow({ what: `${path}, ${line}: largest paint`, ...summarize("paint"), goal });
  if (path !== "/admin/login")
    printRow({ what: `${path}, ${line}: blocking`, ...summarize("blocked"), goal: "0 ms" });
}

async function reportClick(
  action: (typeof CLICKS)[number],
  line: string,
  conditions: Conditions,
  slowdown?: number,
) {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const page = await openOnPhone(site.url + action.path, conditions, slowdown);
    // The mailing list's tab appears on the second screen.
    await page.evaluate(() => scrollTo({ top: innerHeight, behavior: "instant" }));
    await page.locator(action.press).first().scrollIntoViewIfNeeded();
    await page.waitUntilSettled();
    times.push(await page.evaluate(measureReaction, action));
    await page.context().close();
  }
  const goal = line === "computer" ? "100 ms" : "400 ms";
  const label = `${action.path}, ${line}: ${action.press.split(" ").at(-1)} to reaction`;
  printRow({ what: label, ...summarizeFigures(times, "ms"), goal });
}

/** Measures the time until the first tab can be edited, for someone who has used the dashboard before. */
async function reportDashboard(line: string, conditions: Conditions): Promise<void> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const page = await newPage();
    await page.request.post(`${site.url}/api/auth/login`, { data: OWNER });
    await page.visit(`${site.url}/admin/dashboard`);
    await throttle(page, conditions);
    const field = page.getByLabel("Main Title");
    times.push(
      await measureTime(async () => {
        await page.goto(`${site.url}/admin/dashboard`, { waitUntil: "commit" });
        await field.fill("Jonah");
      }),
    );
    await page.context().close();
  }
  printRow({
    what: `dashboard, ${line}: until used`,
    ...summarizeFigures(times, "ms"),
    goal: "2,000 ms",
  });
}

/**
 * Measures the time from a click on the link to the other page to that page's largest paint. The pointer has rested on
 * the link before.
 */
async function reportNavigation(): Promise<void> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const page = await openOnPhone(`${site.url}/`, FOUR_G);
    const link = page.locator(".hero .button").first();
    await link.hover();
    await page.waitForTimeout(1500);
    await link.click();
    await page.waitForURL("**/coaching**");
    await page.waitUntilSettled();
    times.push((await readPaintFigures(page)).paint);
    await page.context().close();
  }
  printRow({
    what: "/ to /coaching, 4G: largest paint",
    ...summarizeFigures(times, "ms"),
    goal: "300 ms",
  });
}

/** Runs in the page. Presses an element, and returns the milliseconds until the result appears. */
async function measureReaction({
  press,
  brings,
}: {
  press: string;
  brings: string;
}): Promise<number> {
  const start = performance.now();
  document.querySelector<HTMLElement>(press)!.click();
  while (!document.querySelector(brings)) await new Promise(requestAnimationFrame);
  return performance.now() - start;
}
