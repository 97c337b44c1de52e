/** The size limits of a visitor's first downloads, compressed with brotli. */
import { describe, expect, test } from "bun:test";
import { basename } from "node:path";
import { DOWNLOAD_LIMITS_BYTES } from "../../src/build/budget.ts";
import { loadWebBuild } from "../../src/server/pages/webBuild.ts";
import { setUpSampleSite } from "../support/browserSite.ts";
import { hydrateForm } from "../support/hydrateForm.ts";
import {
  measureInlineScripts,
  createDashboardVisit,
  measureDownloads,
} from "../support/downloadSizes.ts";

const ASSETS = "dist/web/assets";
const { shell } = await loadWebBuild();

const site = setUpSampleSite();

/** Returns the names of a script and of everything that it imports statically. */
async function collectImports(name: string, visited = new Set<string>()): Promise<Set<string>> {
  if (visited.has(name)) return visited;
  visited.add(name);
  const code = await Bun.file(`${ASSETS}/${name}`).text();
  const imports = code.matchAll(/(?:\bfrom|\bimport)\s*["`](?:\/assets\/|\.\/)([^"`]+\.js)["`]/g);
  for (const [, imported] of imports) await collectImports(imported!, visited);
  return visited;
}

/**
 * Ten segments: what a new connection delivers before the browser has acknowledged any (RFC 6928), headers included.
 */
const FIRST_FLIGHT_BYTES = 14_600;
const HEADER_BYTES = 750;

const SCRIPTS = Object.entries(DOWNLOAD_LIMITS_BYTES.scripts);

describe.each(SCRIPTS)("before a visitor does anything, the page %s", (path, most) => {
  test(`stays within its limits: ${most} bytes of inline scripts, 40 KB of HTML and styles, and 45 KB of fonts`, async () => {
    const html = await (await fetch(site.url + path)).text();
    expect(measureInlineScripts(html)).toBeGreaterThan(1000);
    expect(measureInlineScripts(html)).toBeLessThanOrEqual(most);
    const { script, code, stylesheet, font } = await measureDownloads((page) =>
      page.goto(site.url + path),
    );
    expect(script).toBe(0);
    expect(stylesheet).toBeLessThan(FIRST_FLIGHT_BYTES - HEADER_BYTES);
    expect(code).toBeLessThan(DOWNLOAD_LIMITS_BYTES.page.code);
    expect(font).toBeLessThan(DOWNLOAD_LIMITS_BYTES.page.font);
  });
});

test("only the page with the enquiry form has the form's data, and no page has a router's state", async () => {
  const html = async (path: string) => (await fetch(site.url + path)).text();
  const has = async (path: string, mark: string) => (await html(path)).includes(mark);
  for (const [path] of SCRIPTS) {
    const isForms = path === "/coaching";
    expect(await has(path, '<script type="application/json">{"form":')).toBe(isForms);
    expect(await has(path, "tsr-")).toBe(false);
  }
});

test("the enquiry form is hydrated with less than 74 KB of scripts", async () => {
  const { script } = await measureDownloads(async (page) => {
    await page.goto(`${site.url}/coaching`);
    await hydrateForm(page);
  });
  expect(script).toBeGreaterThan(20_000);
  expect(script).toBeLessThan(DOWNLOAD_LIMITS_BYTES.enquiryForm.script);
});

test("logging in and opening the dashboard downloads less than 181 KB of code", async () => {
  const { code } = await measureDownloads(createDashboardVisit(site));
  expect(code).toBeLessThan(DOWNLOAD_LIMITS_BYTES.dashboard.code);
});

test("the enquiry form's script has no code of the dashboard or the router", async () => {
  const names = [...(await collectImports(basename(shell.enquiryScript)))];
  const code = await Promise.all(names.map((name) => Bun.file(`${ASSETS}/${name}`).text()));
  for (const mark of ["jodit", "QueryClient", "isoTimestamp", "scrollRestoration"]) {
    expect([mark, code.some((each) => each.includes(mark))]).toEqual([mark, false]);
  }
});
