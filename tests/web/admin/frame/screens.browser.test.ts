/** Every screen of the dashboard and everything that opens on it, at every width, dark and light. */
import { beforeAll, describe, expect, test } from "bun:test";
import { contrastRatio } from "../../../../src/schema/core/contrast.ts";
import { axe } from "../../../support/axe.ts";
import { newPage, type TestPage, WIDTHS } from "../../../support/browser.ts";
import { dashboardForAll, finders, followLink, loggedInPage } from "../../../support/dashboard.ts";
import { onlyForm } from "../../../support/enquiryForm.ts";
import { atWidths } from "../../../support/expectSound.ts";
import { sideways } from "../../../support/pageState.ts";
import { sampleSite } from "../../../support/siteInBrowser.ts";
import { eventually, waitUntilStable } from "../../../support/waits.ts";

const site = sampleSite();

const TABS = (
  "hero about statistics highlights highlights&sub=settings highlights&sub=preview connect " +
  "connect&sub=settings press press&sub=settings press&sub=preview coaching " +
  "coaching&sub=transformations.gallery coaching&sub=transformations.settings " +
  "coaching&sub=transformations.preview email forms forms&sub=builder forms&sub=submissions " +
  "styles styles&sub=colors styles&sub=sections styles&sub=sharing files"
).split(" ");
const ACCOUNT = "password mail security backups bin people happened site".split(" ");

const SCREENS = [
  ...TABS.map((tab) => `tab=${tab}`),
  ...ACCOUNT.map((screen) => `tab=hero&account=${screen}`),
];

const GROUNDS = { dark: "rgb(10, 11, 13)", light: "rgb(244, 245, 247)" } as const;

const IS_COMPLETE = process.env["COMBINATIONS"] === "all";
let turn = 0;

/**
 * On a phone and on a tablet it is dark, on a laptop light: what is on a screen is the same in both. With
 * COMBINATIONS=all every screen is looked at on all three; else on a phone and in turn on a tablet or on a laptop, with
 * barriers looked for on the phone or on the laptop.
 */
async function expectSoundIn(page: TestPage, screen: string, hasBarriers = true): Promise<void> {
  const problems: unknown[] = [];
  const isLarge = turn++ % 2 === 1;
  const checked = IS_COMPLETE ? [390, 1366] : [isLarge ? 1366 : 390];
  await atWidths(page, IS_COMPLETE ? WIDTHS : [390, isLarge ? 1366 : 768], async (width) => {
    const colorScheme = width === 1366 ? "light" : "dark";
    await page.emulateMedia({ colorScheme });
    const ground = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    await waitUntilStable(page);
    const barriers = hasBarriers && checked.includes(width) ? await axe(page) : [];
    const isRight = ground === GROUNDS[colorScheme];
    if (!isRight || barriers.length > 0 || (await sideways(page)) !== 0)
      problems.push([width, ground, barriers]);
  });
  expect([screen, problems]).toEqual([screen, []]);
}

test("every screen is accessible and never scrolls sideways, at any width, dark and light", async () => {
  const page = await loggedInPage(site, { width: 390 });
  await page.goto(`${site.url}/admin/dashboard`);
  await page.locator(".tab-head").waitFor();
  for (const screen of SCREENS) {
    await page.emulateMedia({ colorScheme: "dark" });
    await followLink(page, screen);
    await waitUntilStable(page);
    await expectSoundIn(page, screen);
  }
  expect(page.problems()).toEqual([]);
});

/** Everything that buttons open on a screen, one after the other. */
const OPENED: Readonly<Record<string, readonly (string | RegExp)[]>> = {
  about: ["Choose Image"],
  statistics: ["Add New"],
  connect: ["Add Link"],
  press: ["Add Feature", "Choose Image"],
  "coaching&sub=transformations": ["Add Transformation"],
  dates: ["Add Event"],
  packages: ["Add Package"],
  showreel: ["Add Video"],
  testimonials: ["Ask for a testimonial"],
  forms: ["New Form"],
  "forms&sub=builder": [/^Edit WWW/],
  "email&sub=letters": [],
};
/** The longest allowed value, as one word. */
const long = (letters: number) => "W".repeat(letters);

describe("full of long words", () => {
  const dashboard = dashboardForAll(site, { width: 390 });
  beforeAll(async () => {
    const add = (list: string, item: object) => site.asOwner("POST", `/api/${list}`, item);
    const [{ imageUrl: poster }] = await site.asOwner("GET", "/api/highlights");
    await add("extras", { on: ["dates", "packages", "showreel", "testimonials"] });
    await add("events", { title: long(120), startsAt: "2099-03-01T20:00", venue: long(120) });
    await add("packages", { title: long(80), price: long(40), per: long(40), featured: true });
    await add("videos", { title: long(120), url: "https://vimeo.com/76979871", poster });
    const testimonial = { words: long(600), name: long(80), role: long(80) };
    for (const isWaiting of [true, false])
      await add("testimonials", { ...testimonial, isWaiting, isActive: !isWaiting });
    await add("testimonials", { words: "متشكر جدا", name: "ياسمين حداد" });
    await add("letters", { subject: long(120), body: "<p>Hi</p>" });
    await onlyForm(site, [
      { title: "You", fields: [{ label: long(90), fieldType: "select", options: "a\nb" }] },
    ]);
  });

  test("tabs are accessible, also with their open forms and dialogs", async () => {
    await dashboard.open("add");
    await expectSoundIn(dashboard.page, "add");
    for (const [tab, opens] of Object.entries(OPENED)) {
      const [name = "", sub] = tab.split("&sub=");
      await dashboard.goTo(name, { sub });
      // Barriers on most of these screens were looked for above.
      await expectSoundIn(dashboard.page, tab, !SCREENS.includes(`tab=${tab}`));
      for (const button of opens) {
        await dashboard.button(button).first().click();
        await expectSoundIn(dashboard.page, `${tab}: ${button}`);
      }
      await dashboard.page.keyboard.press("Escape");
    }
    expect(dashboard.page.problems()).toEqual([]);
  });
});

describe("light and dark", () => {
  const { dark: DARK, light: LIGHT } = GROUNDS;

  const ground = (page: TestPage) =>
    page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const bar = (page: TestPage) => page.locator("meta[name=theme-color]").getAttribute("content");

  test("a black transparent logo is shown whole on a light background, in light and dark mode", async () => {
    const page = await loggedInPage(site, { colorScheme: "light" });
    await page.goto(`${site.url}/admin/dashboard?tab=hero`);
    const logo = page.locator(".tiles img[data-tone=dark]").first();
    const readStyle = () =>
      logo.evaluate((each) => {
        const { backgroundColor, objectFit } = getComputedStyle(each);
        return [backgroundColor, objectFit] as const;
      });
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      const [background, fit] = await readStyle();
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
    // The sheet changes at once, the browser's toolbar once the page reports it.
    expect(await ground(page)).toBe(DARK);
    await eventually(() => bar(page), "#0a0b0d");
  });

  test("the appearance chosen in the account menu overrides the system's, over a reload, until System is chosen", async () => {
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
    expect(await ground(page)).toBe(DARK);
    await button("System").click();
    expect(await ground(page)).toBe(LIGHT);
  });

  test("in forced colors chosen, turned-on and unsaved states are still distinguishable", async () => {
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
    const part = ".segmented button";
    await differs(`${part}[aria-selected="true"]`, `${part}[aria-selected="false"]`);
    const toggle = '.switch input[role="switch"]';
    await differs(`${toggle}:checked`, `${toggle}:not(:checked)`);
    await differs(`${toggle}:checked`, `${toggle}:not(:checked)`, "::before");
    await differs(`${tab}[aria-selected="true"] .dot`, `${tab}[aria-selected="true"]`);
    await differs(".save-bar .dot", "body");
    // Selected text and its background are the pair that belongs together.
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
});
