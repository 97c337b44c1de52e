/**
 * A browser's actual downloads: on / and /coaching as a visitor who only reads, and as an owner who logs in and
 * opens the dashboard. Bytes as transferred (brotli), by kind.
 */
import { DOWNLOADS } from "../src/build/budget.ts";
import { closeBrowser } from "../tests/support/browser.ts";
import { startProgram } from "../tests/support/program.ts";
import { runBefore, toDashboard, weigh, type Weight } from "../tests/support/weigh.ts";
import { tell } from "./measure.ts";

const { page, scripts } = DOWNLOADS;
const site = await startProgram({ sample: true });
try {
  for (const [path, most] of Object.entries(scripts)) {
    const html = await (await fetch(site.url + path)).text();
    const weight = await weigh((tab) => tab.goto(site.url + path), { width: 390 });
    const script = runBefore(html) + weight.script;
    tell({
      what: `${path}: script before intent`,
      median: kilobytes(script),
      goal: limit(most),
    });
    sayCode(path, weight, page.code);
    tell({ what: `${path}: fonts`, median: kilobytes(weight.font), goal: limit(page.font) });
  }
  sayCode("log in, dashboard", await weigh(toDashboard(site)), DOWNLOADS.dashboard.code);
} finally {
  await closeBrowser();
  await site.stop();
}

function sayCode(label: string, weight: Weight, goal: number): void {
  const parts = (["document", "script", "stylesheet"] as const).map(
    (kind) => `${kind} ${kilobytes(weight[kind])}`,
  );
  tell({
    what: `${label}: HTML, style and script`,
    median: kilobytes(weight.code),
    ratio: parts.join(", "),
    goal: limit(goal),
  });
}

function limit(bytes: number): string {
  return `< ${bytes / 1000} KB`;
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} KB`;
}
