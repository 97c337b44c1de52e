/**
 * What a visitor's phone has to do: bytes and blocking before anything is touched, the largest paint, and how
 * soon a press is answered. Chromium with its processor slowed four times, over a fast line and over 4G as
 * Lighthouse has it (1.6 Mbit/s, 150 ms), medians of ROUNDS (default 5).
 */
import type { CDPSession } from "playwright-core";
import { closeBrowser, newPage, type TestPage } from "../tests/support/browser.ts";
import { startProgram } from "../tests/support/program.ts";
import { runBefore, weigh } from "../tests/support/weigh.ts";
import { median, say } from "./measure.ts";

const ROUNDS = Number(process.env["ROUNDS"] ?? 5);
const SLOWED = 4;
const FOUR_G = { latency: 150, downloadThroughput: 204_800, uploadThroughput: 93_750 };
const FAST = { latency: 0, downloadThroughput: -1, uploadThroughput: -1 };

/** What a visitor presses, and what then appears. */
const PRESSES = [
  { path: "/", press: "#highlights .poster-opener", brings: "dialog[open]" },
  { path: "/coaching", press: "#transformations .poster-opener", brings: "dialog[open]" },
  { path: "/coaching", press: ".enquiry-forward", brings: ".question-error, .ui-toast" },
];

const site = await startProgram({ sample: true, env: { RATE_LIMIT: "off" } });
try {
  for (const path of ["/", "/coaching", "/privacy-policy"]) await sayBefore(path);
  for (const [line, conditions] of [
    ["fast", FAST],
    ["4G", FOUR_G],
  ] as const) {
    for (const path of ["/", "/coaching"]) await sayPaint(path, line, conditions);
    for (const way of PRESSES) await sayPress(way, line, conditions);
  }
  await sayNavigation();
} finally {
  await closeBrowser();
  await site.stop();
}

async function sayBefore(path: string): Promise<void> {
  const inline = runBefore(await (await fetch(site.url + path)).text());
  const { code, script, font } = await weigh((page) => page.goto(site.url + path), { width: 390 });
  say(`${path}: script before intent`, kilobytes(inline + script), "6 KB");
  say(`${path}: HTML, style and script`, kilobytes(code), "40 KB");
  say(`${path}: fonts`, kilobytes(font), "45 KB");
}

type Conditions = typeof FAST;

/** Opens a page on a slow phone; what was painted and what blocked is noted from its beginning. */
async function open(path: string, conditions: Conditions): Promise<TestPage> {
  const page = await newPage({ width: 390 });
  await page.addInitScript(notePaint);
  const client: CDPSession = await page.context().newCDPSession(page);
  await client.send("Emulation.setCPUThrottlingRate", { rate: SLOWED });
  await client.send("Network.emulateNetworkConditions", { offline: false, ...conditions });
  await page.visit(site.url + path);
  return page;
}

async function sayPaint(path: string, line: string, conditions: Conditions) {
  const figures: Noted[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const page = await open(path, conditions);
    figures.push(await page.evaluate(() => (window as unknown as { noted: Noted }).noted));
    await page.context().close();
  }
  const of = (name: keyof Noted) => median(figures.map((each) => each[name]));
  say(`${path}, ${line}: largest paint`, milliseconds(of("paint")), "1,000 ms on 4G");
  say(`${path}, ${line}: blocking`, milliseconds(of("blocked")), "0 ms");
}

async function sayPress(way: (typeof PRESSES)[number], line: string, conditions: Conditions) {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const page = await open(way.path, conditions);
    await page.locator(way.press).first().scrollIntoViewIfNeeded();
    await page.settled();
    times.push(await page.evaluate(reaction, way));
    await page.context().close();
  }
  const goal = line === "fast" ? "100 ms" : "400 ms";
  say(
    `${way.path}, ${line}: ${way.press.split(" ").at(-1)} to reaction`,
    milliseconds(median(times)),
    goal,
  );
}

/** A press on the link to the other page, on which the pointer has rested, up to that page's largest paint. */
async function sayNavigation(): Promise<void> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const page = await open("/", FOUR_G);
    const link = page.locator(".hero .button").first();
    await link.hover();
    await page.waitForTimeout(1500);
    await link.click();
    await page.waitForURL("**/coaching**");
    await page.settled();
    times.push(await page.evaluate(() => (window as unknown as { noted: Noted }).noted.paint));
    await page.context().close();
  }
  say("/ to /coaching, 4G: largest paint", milliseconds(median(times)), "300 ms");
}

interface Noted {
  paint: number;
  blocked: number;
}

/** Runs in the page before anything else. */
function notePaint(): void {
  const noted: Noted = { paint: 0, blocked: 0 };
  Object.assign(window, { noted });
  const observer = new PerformanceObserver((list) => {
    for (const { entryType, startTime, duration } of list.getEntries())
      if (entryType === "longtask") noted.blocked += Math.max(0, duration - 50);
      else noted.paint = startTime;
  });
  for (const type of ["largest-contentful-paint", "longtask"])
    observer.observe({ type, buffered: true });
}

/** Runs in the page: presses, and returns the milliseconds until something has come of it. */
async function reaction({ press, brings }: { press: string; brings: string }): Promise<number> {
  const start = performance.now();
  document.querySelector<HTMLElement>(press)!.click();
  while (!document.querySelector(brings)) await new Promise(requestAnimationFrame);
  return performance.now() - start;
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} KB`;
}

function milliseconds(time: number): string {
  return `${Math.round(time)} ms`;
}
