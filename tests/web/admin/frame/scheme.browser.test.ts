/** Light and dark: as the system has it, or as it was chosen in the account menu. */
import { afterEach, expect, test } from "bun:test";
import { contrastRatio } from "../../../../src/schema/contrast.ts";
import { axe } from "../../../support/axe.ts";
import { closePages, newPage, type TestPage } from "../../../support/browser.ts";
import { finders, loggedInPage } from "../../../support/dashboard.ts";
import { sampleSite } from "../../../support/siteInBrowser.ts";
import { eventually } from "../../../support/waits.ts";

const site = sampleSite();
afterEach(closePages);

const DARK = "rgb(10, 11, 13)";
const LIGHT = "rgb(244, 245, 247)";

const ground = (page: TestPage) =>
  page.evaluate(() => getComputedStyle(document.body).backgroundColor);
const bar = (page: TestPage) => page.locator("meta[name=theme-color]").getAttribute("content");

test("a black logo that can be seen through stands whole and on light, in the light and in the dark", async () => {
  const page = await loggedInPage(site, { colorScheme: "light" });
  await page.goto(`${site.url}/admin/dashboard?tab=hero`);
  const logo = page.locator(".tiles img[data-tone=dark]").first();
  const look = () =>
    logo.evaluate((each) => {
      const { backgroundColor, objectFit } = getComputedStyle(each);
      return [backgroundColor, objectFit] as const;
    });
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    const [background, fit] = await look();
    expect(contrastRatio(Bun.color(background, "hex")!, "#000000")!).toBeGreaterThan(7);
    expect(fit).toBe("contain");
  }
});

test("the login is light or dark as the system is, and follows it", async () => {
  const page = await newPage({ colorScheme: "light" });
  await page.goto(`${site.url}/admin/login`);
  await page.getByLabel("Password", { exact: true }).waitFor();
  expect([await ground(page), await bar(page), await axe(page)]).toEqual([LIGHT, "#f4f5f7", []]);
  await page.emulateMedia({ colorScheme: "dark" });
  // The sheet follows at once, the browser's own bar when the page hears of it.
  expect(await ground(page)).toBe(DARK);
  await eventually(() => bar(page), "#0a0b0d");
});

test("what is chosen in the account menu holds against the system, over a reload, until it is the system's again", async () => {
  const page = await loggedInPage(site, { width: 390 });
  const { button } = finders(() => page);
  const open = async () => {
    await page.goto(`${site.url}/admin/dashboard`);
    await button("Account").click();
    await page.getByRole("group", { name: "Appearance" }).waitFor();
  };
  await open();
  expect([await ground(page), await button("System").getAttribute("aria-pressed")]).toEqual([
    DARK,
    "true",
  ]);
  await button("Light").click();
  expect([await ground(page), await bar(page)]).toEqual([LIGHT, "#f4f5f7"]);
  await open();
  expect([await ground(page), await button("Light").getAttribute("aria-pressed")]).toEqual([
    LIGHT,
    "true",
  ]);
  await page.emulateMedia({ colorScheme: "light" });
  await button("Dark").click();
  expect([await ground(page), await axe(page)]).toEqual([DARK, []]);
  await button("System").click();
  expect(await ground(page)).toBe(LIGHT);
});

test("with the system's own colors what is chosen, switched on or unsaved can still be told", async () => {
  const page = await loggedInPage(site);
  await page.emulateMedia({ forcedColors: "active" });
  await page.goto(`${site.url}/admin/dashboard?tab=styles&sub=sections`);
  const { field } = finders(() => page);
  await field("Show Connect").uncheck();
  const color = (selector: string, pseudo?: string) =>
    page
      .locator(selector)
      .first()
      .evaluate((each, of) => getComputedStyle(each, of).backgroundColor, pseudo);
  const differs = async (one: string, other: string, pseudo?: string) =>
    expect([one, await color(one, pseudo)]).not.toEqual([one, await color(other, pseudo)]);
  const tab = '.rail [role="tab"]';
  await differs(`${tab}[aria-selected="true"]`, `${tab}[aria-selected="false"]`);
  const part = ".segments button";
  await differs(`${part}[aria-selected="true"]`, `${part}[aria-selected="false"]`);
  const toggle = '.toggle input[role="switch"]';
  await differs(`${toggle}:checked`, `${toggle}:not(:checked)`);
  await differs(`${toggle}:checked`, `${toggle}:not(:checked)`, "::before");
  await differs(`${tab}[aria-selected="true"] .dot`, `${tab}[aria-selected="true"]`);
  await differs(".save-bar .dot", "body");
  // The words of what is chosen stand on the color that they are made for.
  const isSystems = (name: string, color: string) =>
    page.evaluate(
      ([name, color]) => {
        const probe = document.body.appendChild(document.createElement("p"));
        probe.style.cssText = `forced-color-adjust: none; ${name}: ${color}`;
        const chosen = document.querySelector('.rail [role="tab"][aria-selected="true"]')!;
        const [of, wanted] = [chosen, probe].map((each) =>
          getComputedStyle(each).getPropertyValue(name!),
        );
        probe.remove();
        return of === wanted;
      },
      [name, color],
    );
  for (const width of [1366, 390]) {
    await page.setViewportSize({ width, height: 800 });
    expect(await isSystems("background-color", "Highlight")).toBe(true);
    expect(await isSystems("color", "HighlightText")).toBe(true);
  }
});
