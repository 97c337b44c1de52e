/** A browser's actual downloads for a page: bytes as transferred (brotli), by kind. */
import { createHash } from "node:crypto";
import { brotliCompressSync } from "node:zlib";
import type { Page, Response } from "playwright-core";
import { newPage, type PageOptions, type TestPage } from "./browser.ts";
import { OWNER } from "./site.ts";
import { waitUntilStable } from "./waits.ts";

export const KINDS = ["document", "script", "stylesheet", "font", "image", "fetch"] as const;
type Kind = (typeof KINDS)[number];

/** Bytes by kind; `code` is HTML, scripts and style sheets together. */
export type Weight = Readonly<Record<Kind | "code", number>>;

/** Measures a page that `visit` opens, without any scroll or press of its own. */
export async function weigh(
  visit: (page: TestPage) => Promise<unknown>,
  options?: PageOptions,
): Promise<Weight> {
  const page = await newPage(options);
  await page.addInitScript(arriveAtOnce);
  const sums = Object.fromEntries(KINDS.map((kind) => [kind, 0])) as Record<Kind, number>;
  const arrived: Promise<void>[] = [];
  page.on("response", (response) => arrived.push(add(sums, response)));
  await visit(page);
  await waitUntilStable(page);
  await page.settled();
  await Promise.all(arrived);
  await page.context().close();
  return { ...sums, code: sums.document + sums.script + sums.stylesheet };
}

/** As on a quick line, however busy the machine is: a page that arrives slowly prefetches its form's code. */
function arriveAtOnce(): void {
  const { prototype } = PerformanceNavigationTiming;
  Object.defineProperty(prototype, "responseEnd", {
    get(this: PerformanceNavigationTiming) {
      return this.requestStart;
    },
  });
}

/**
 * The size of a page's inline scripts that run by themselves, compressed (brotli). Random names of uploads compress
 * differently each time, so they are replaced by fixed ones.
 */
export function runBefore(html: string): number {
  const scripts = [...html.matchAll(/<script\b([^>]*)>([\s\S]*?)<\/script>/g)];
  const run = scripts.filter(([, attributes]) => !/type="(?!module)/.test(attributes!));
  const names = new Map<string, string>();
  const sameName = (name: string) =>
    names.getOrInsertComputed(name, () => createHash("md5").update(`${names.size}`).digest("hex"));
  const text = run.map(([, , each]) => each).join("\n");
  return brotliCompressSync(text.replace(/[0-9a-f]{32}/g, sameName)).length;
}

/** Logs in and opens the dashboard, for `weigh`. */
export const toDashboard = (site: { readonly url: string }) => async (page: Page) => {
  await page.goto(`${site.url}/admin/login`);
  await page.getByLabel("Username or email").fill(OWNER.username);
  await page.getByLabel("Password", { exact: true }).fill(OWNER.password);
  await page.getByRole("button", { name: "Login" }).click();
  await page.getByRole("tab", { name: "Hero" }).waitFor();
};

async function add(sums: Record<Kind, number>, response: Response): Promise<void> {
  const kind = response.request().resourceType() as Kind;
  // An aborted request transferred nothing.
  if (!(kind in sums) || (await response.finished())) return;
  const { responseBodySize } = await response.request().sizes();
  // A response from the browser's cache has a negative size.
  sums[kind] += Math.max(0, responseBodySize);
}
