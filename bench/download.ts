/**
 * What a browser really downloads: on / and /coaching as a visitor who only looks, and as an owner who
 * logs in and opens the dashboard. Bytes as transferred (brotli), by kind.
 */
import type { Page, Response } from "playwright-core";
import { closeBrowser, newPage } from "../tests/support/browser.ts";
import { startProgram } from "../tests/support/program.ts";
import { OWNER } from "../tests/support/site.ts";

type Kind = "document" | "script" | "stylesheet" | "font" | "image" | "fetch";
const KINDS: readonly Kind[] = ["document", "script", "stylesheet", "font", "image", "fetch"];

const site = await startProgram({ sample: true });
try {
  for (const path of ["/", "/coaching"])
    say(path, await weigh((page) => page.goto(site.url + path)));
  say("log in, dashboard", await weigh(logIn));
} finally {
  await closeBrowser();
  await site.stop();
}

async function logIn(page: Page): Promise<void> {
  await page.goto(`${site.url}/admin/login`);
  await page.getByLabel("Username or email").fill(OWNER.username);
  await page.getByLabel("Password", { exact: true }).fill(OWNER.password);
  await page.getByRole("button", { name: "Login" }).click();
  await page.getByRole("tab", { name: "Hero" }).waitFor();
}

/** Sums what arrives until the network is still, without a scroll or a press beyond `visit`'s own. */
async function weigh(visit: (page: Page) => Promise<unknown>): Promise<Record<Kind, number>> {
  const page = await newPage({ width: 1366 });
  const sums = Object.fromEntries(KINDS.map((kind) => [kind, 0])) as Record<Kind, number>;
  const pending: Promise<void>[] = [];
  page.on("response", (response) => pending.push(add(sums, response)));
  await visit(page);
  await page.settled();
  await page.waitForTimeout(1500);
  // A request that the page itself gave up never finishes; it has brought nothing.
  await Promise.race([Promise.all(pending), Bun.sleep(10_000)]);
  await page.context().close();
  return sums;
}

async function add(sums: Record<Kind, number>, response: Response): Promise<void> {
  const kind = response.request().resourceType() as Kind;
  await response.finished();
  const { responseBodySize } = await response.request().sizes();
  // What comes from the browser's cache is reported with a negative size.
  if (kind in sums) sums[kind] += Math.max(0, responseBodySize);
}

function say(what: string, sums: Record<Kind, number>): void {
  const parts = KINDS.map((kind) => `${kind} ${(sums[kind] / 1000).toFixed(1)}`);
  const code = sums.document + sums.script + sums.stylesheet;
  console.log(`${what.padEnd(18)} ${parts.join(", ")} KB; code ${(code / 1000).toFixed(1)} KB`);
}
