/**
 * What a browser really downloads: on / and /coaching as a visitor who only looks, and as an owner who
 * logs in and opens the dashboard. Bytes as transferred (brotli), by kind.
 */
import { closeBrowser } from "../tests/support/browser.ts";
import { startProgram } from "../tests/support/program.ts";
import { KINDS, toDashboard, weigh, type Weight } from "../tests/support/weigh.ts";

const site = await startProgram({ sample: true });
try {
  for (const path of ["/", "/coaching"])
    say(path, await weigh((page) => page.goto(site.url + path)));
  say("log in, dashboard", await weigh(toDashboard(site)));
} finally {
  await closeBrowser();
  await site.stop();
}

function say(what: string, weight: Weight): void {
  const parts = KINDS.map((kind) => `${kind} ${(weight[kind] / 1000).toFixed(1)}`);
  console.log(
    `${what.padEnd(18)} ${parts.join(", ")} KB; code ${(weight.code / 1000).toFixed(1)} KB`,
  );
}
