/** Measures what a browser downloads for a page: bytes as transferred (brotli), by kind. */
import { createHash } from "node:crypto";
import { brotliCompressSync } from "node:zlib";
import type { Page, Response } from "playwright-core";
import { newPage, type PageOptions, type TestPage } from "./browser.ts";
import { OWNER } from "./site.ts";
import { waitUntilStable } from "./waits.ts";

export const RESOURCE_KINDS = [
  "document",
  "script",
  "stylesheet",
  "font",
  "image",
  "fetch",
] as const;
type ResourceKind = (typeof RESOURCE_KINDS)[number];

/** Bytes by kind; `code` is HTML, scripts and style sheets together. */
export type DownloadSizes = Readonly<Record<ResourceKind | "code", number>>;

/** Measures a page that `visit` opens. Doesn't scroll or press anything itself. */
export async function measureDownloads(
  visit: (page: TestPage) => Promise<unknown>,
  options?: PageOptions,
): Promise<DownloadSizes> {
  const page = await newPage(options);
  await page.addInitScript(simulateFastConnection);
  const sums = Object.fromEntries(RESOURCE_KINDS.map((kind) => [kind, 0])) as Record<
    ResourceKind,
    number
  >;
  const pending: Promise<void>[] = [];
  page.on("response", (response) => pending.push(addSize(sums, response)));
  await visit(page);
  await waitUntilStable(page);
  await page.waitUntilSettled();
  await Promise.all(pending);
  await page.context().close();
  return { ...sums, code: sums.document + sums.script + sums.stylesheet };
}

/**
 * Runs in the page. Simulates a quick line, however busy the machine is, since a page that arrives slowly prefetches
 * its form's code.
 */
function simulateFastConnection(): void {
  const { prototype } = PerformanceNavigationTiming;
  Object.defineProperty(prototype, "responseEnd", {
    get(this: PerformanceNavigationTiming) {
      return this.requestStart;
    },
  });
}

/**
 * Returns the compressed size (brotli) of the inline scripts that a page executes. Random names of uploads compress
 * differently each time, so they are replaced by fixed names.
 */
export function measureInlineScripts(html: string): number {
  const scripts = [...html.matchAll(/<script\b([^>]*)>([\s\S]*?)<\/script>/g)];
  const executed = scripts.filter(([, attributes]) => !/type="(?!module)/.test(attributes!));
  const names = new Map<string, string>();
  const getFixedName = (name: string) =>
    names.getOrInsertComputed(name, () => createHash("md5").update(`${names.size}`).digest("hex"));
  const text = executed.map(([, , each]) => each).join("\n");
  return brotliCompressSync(text.replace(/[0-9a-f]{32}/g, getFixedName)).length;
}

/** Logs in and opens the dashboard, for `measureDownloads`. */
export const createDashboardVisit = (site: { readonly url: string }) => async (page: Page) => {
  await page.goto(`${site.url}/admin/login`);
  await page.getByLabel("Username or email").fill(OWNER.username);
  await page.getByLabel("Password", { exact: true }).fill(OWNER.password);
  await page.getByRole("button", { name: "Login" }).click();
  await page.getByRole("tab", { name: "Hero" }).waitFor();
};

async function addSize(sums: Record<ResourceKind, number>, response: Response): Promise<void> {
  const kind = response.request().resourceType() as ResourceKind;
  // An aborted request transferred nothing.
  if (!(kind in sums) || (await response.finished())) return;
  const { responseBodySize } = await response.request().sizes();
  // A response from the browser's cache has a negative size.
  sums[kind] += Math.max(0, responseBodySize);
}
