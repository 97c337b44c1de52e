/**
 * What a browser really downloads: on / and /coaching as a visitor who only looks, and as an owner who
 * logs in and opens the dashboard. Bytes as transferred (brotli), by kind.
 */
import { closeBrowser } from "../tests/support/browser.ts";
import { startProgram } from "../tests/support/program.ts";
import { runBefore, toDashboard, weigh, type Weight } from "../tests/support/weigh.ts";
import { tell } from "./measure.ts";

const site = await startProgram({ sample: true });
try {
  for (const path of ["/", "/coaching", "/privacy-policy"]) {
    const html = await (await fetch(site.url + path)).text();
    const weight = await weigh((page) => page.goto(site.url + path), { width: 390 });
    const script = runBefore(html) + weight.script;
    tell({ what: `${path}: script before intent`, median: kilobytes(script), goal: "6 KB" });
    sayCode(path, weight, "40 KB");
    tell({ what: `${path}: fonts`, median: kilobytes(weight.font), goal: "45 KB" });
  }
  sayCode("log in, dashboard", await weigh(toDashboard(site)), "150 KB");
} finally {
  await closeBrowser();
  await site.stop();
}

function sayCode(what: string, weight: Weight, goal: string): void {
  const parts = (["document", "script", "stylesheet"] as const).map(
    (kind) => `${kind} ${kilobytes(weight[kind])}`,
  );
  tell({
    what: `${what}: HTML, style and script`,
    median: kilobytes(weight.code),
    ratio: parts.join(", "),
    goal,
  });
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} KB`;
}
