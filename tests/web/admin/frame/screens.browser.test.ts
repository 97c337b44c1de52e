/** Every screen of the dashboard and everything that opens on it, at every width, dark and light. */
import { describe, expect, test } from "bun:test";
import { computeContrastRatio } from "../../../../src/schema/core/color.ts";
import { findBarriers } from "../../../support/axe.ts";
import { newPage, type TestPage } from "../../../support/browser.ts";
import { createFinders, followLink, openLoggedInPage } from "../../../support/dashboard.ts";
import { replaceForms } from "../../../support/enquiryForm.ts";
import { inspectAtWidths } from "../../../support/expectAccessible.ts";
import { measureOverflow } from "../../../support/pageState.ts";
import { setUpSampleSite } from "../../../support/browserSite.ts";
import { waitForValue, waitUntilStable } from "../../../support/waits.ts";

const site = setUpSampleSite();

const IS_COMPLETE = process.env["COMBINATIONS"] === "all";

/** The screens, each with the buttons that are pressed on it, one after another. */
const SCREENS: Readonly<Record<string, readonly (string | RegExp)[]>> = {
  hero: [],
  about: ["Choose Image"],
  statistics: ["Add New"],
  highlights: [],
  "highlights&sub=settings": [],
  connect: ["Add Link"],
  press: [],
  coaching: [],
  "coaching&sub=transformations.gallery": [],
  dates: ["Add Event"],
  packages: [],
  showreel: [],
  testimonials: ["Ask for a testimonial"],
  email: [],
  "email&sub=letters": [],
  forms: ["New Form"],
  "forms&sub=builder": [/^Edit WWW/],
  "forms&sub=submissions": [],
  styles: [],
  "styles&sub=colors": [],
  "styles&sub=sections": [],
  "styles&sub=sharing": [],
  files: [],
  ...Object.fromEntries(
    ["password", "mail", "security", "backups", "bin", "people", "happened", "site"].map(
      (screen) => [`hero&account=${screen}`, []],
    ),
  ),
};

/** Screens made of the same parts as one above. */
const SIMILAR_SCREENS: typeof SCREENS = {
  "highlights&sub=preview": [],
  "connect&sub=settings": [],
  press: ["Add Feature", "Choose Image"],
  "press&sub=settings": [],
  "press&sub=preview": [],
  "coaching&sub=transformations.gallery": ["Add Transformation"],
  "coaching&sub=transformations.settings": [],
  "coaching&sub=transformations.preview": [],
  packages: ["Add Package"],
  showreel: ["Add Video"],
};

const BACKGROUNDS = { dark: "rgb(10, 11, 13)", light: "rgb(244, 245, 247)" } as const;
let screenNumber = 0;

/**
 * Checks a screen in dark on a phone and a tablet, and in light on a laptop. With COMBINATIONS=all every screen is
 * checked at all three widths, otherwise on a phone, and every second one also on a tablet or a laptop in turn; axe
 * runs on the laptop, or else on the phone.
 */
async function expectScreenAccessible(page: TestPage, screen: string): Promise<void> {
  const problems: unknown[] = [];
  const larger = [[], [768], [], [1366]][screenNumber++ % 4]!;
  const checked = IS_COMPLETE ? [390, 1366] : [larger.includes(1366) ? 1366 : 390];
  // The frame around the screens is the same, so it is checked once.
  const within = screenNumber === 1 ? undefined : "main, dialog";
  const look = async (width: number) => {
    const colorScheme = width === 1366 ? "light" : "dark";
    await page.emulateMedia({ colorScheme });
    const ground = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    await waitUntilStable(page);
    const barriers = checked.includes(width) ? await findBarriers(page, within) : [];
    const isRight = ground === BACKGROUNDS[colorScheme];
    if (!isRight || barriers.length > 0 || (await measureOverflow(page)) !== 0)
      problems.push([width, ground, barriers]);
  };
  await look(390);
  await inspectAtWidths(page, IS_COMPLETE ? [768, 1366] : larger, look);
  expect([screen, problems]).toEqual([screen, []]);
}

/** The longest allowed value, as one word. */
const createLongWord = (letters: number) => "W".repeat(letters);

async function addLongWords(): Promise<void> {
  const add = (list: string, item: object) => site.asOwner("POST", `/api/${list}`, item);
  const [{ imageUrl: poster }] = await site.asOwner("GET", "/api/highlights");
  await add("extras", { on: ["dates", "packages", "showreel", "testimonials"] });
  await add("events", {
    title: createLongWord(120),
    startsAt: "2099-03-01T20:00",
    venue: createLongWord(120),
  });
  await add("packages", {
    title: createLongWord(80),
    price: createLongWord(40),
    per: createLongWord(40),
    featured: true,
  });
  await add("videos", { title: createLongWord(120), url: "https://vimeo.com/76979871", poster });
  const testimonial = {
    words: createLongWord(600),
    name: createLongWord(80),
    role: createLongWord(80),
  };
  for (const isWaiting of [true, false])
    await add("testimonials", { ...testimonial, isWaiting, isActive: !isWaiting });
  await add("testimonials", { words: "متشكر جدا", name: "ياسمين حداد" });
  await add("letters", { subject: createLongWord(120), body: "<p>Hi</p>" });
  await replaceForms(site, [
    { title: "You", fields: [{ label: createLongWord(90), fieldType: "select", options: "a\nb" }] },
  ]);
}

test("every screen filled with long words is accessible and never scrolls sideways, at any width, dark and light", async () => {
  await addLongWords();
  const page = await openLoggedInPage(site, { width: 390 });
  const { button } = createFinders(() => page);
  await page.goto(`${site.url}/admin/dashboard?tab=add`);
  await page.locator(".tab-head").waitFor();
  await expectScreenAccessible(page, "add");
  for (const [screen, opens] of Object.entries({
    ...SCREENS,
    ...(IS_COMPLETE && SIMILAR_SCREENS),
  })) {
    await followLink(page, `tab=${screen}`);
    await expectScreenAccessible(page, screen);
    for (const name of opens) {
      await button(name).first().click();
      await expectScreenAccessible(page, `${screen}: ${name}`);
    }
    await page.keyboard.press("Escape");
  }
  expect(page.problems()).toEqual([]);
});

describe("light and dark", () => {
  const { dark: DARK, light: LIGHT } = BACKGROUNDS;

  const readBackground = (page: TestPage) =>
    page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const readThemeColor = (page: TestPage) =>
    page.locator("meta[name=theme-color]").getAttribute("content");

  test("a black transparent logo is shown whole on a light background, in light and dark mode", async () => {
    const page = await openLoggedInPage(site, { colorScheme: "light" });
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
      expect(computeContrastRatio(Bun.color(background, "hex")!, "#000000")!).toBeGreaterThan(7);
      expect(fit).toBe("contain");
    }
  });

  test("the login follows the system's light or dark mode, also when the mode changes", async () => {
    const page = await newPage({ colorScheme: "light" });
    await page.goto(`${site.url}/admin/login`);
    await page.getByLabel("Password", { exact: true }).waitFor();
    expect([
      await readBackground(page),
      await readThemeColor(page),
      await findBarriers(page),
    ]).toEqual([LIGHT, "#f4f5f7", []]);
    await page.emulateMedia({ colorScheme: "dark" });
    // The background changes at once, the theme color of the browser's toolbar a moment later.
    expect(await readBackground(page)).toBe(DARK);
    await waitForValue(() => readThemeColor(page), "#0a0b0d");
  });

  test("the appearance chosen in the account menu overrides the system's, also after a reload, until System is chosen", async () => {
    const page = await openLoggedInPage(site, { width: 390 });
    const { button } = createFinders(() => page);
    const open = async () => {
      await page.goto(`${site.url}/admin/dashboard`);
      await button("Account").click();
      await page.getByRole("group", { name: "Appearance" }).waitFor();
    };
    await open();
    expect([
      await readBackground(page),
      await button("System").getAttribute("aria-pressed"),
    ]).toEqual([DARK, "true"]);
    await button("Light").click();
    expect([await readBackground(page), await readThemeColor(page)]).toEqual([LIGHT, "#f4f5f7"]);
    await open();
    expect([
      await readBackground(page),
      await button("Light").getAttribute("aria-pressed"),
    ]).toEqual([LIGHT, "true"]);
    await page.emulateMedia({ colorScheme: "light" });
    await button("Dark").click();
    expect(await readBackground(page)).toBe(DARK);
    await button("System").click();
    expect(await readBackground(page)).toBe(LIGHT);
  });

  test("in forced colors selected, turned-on and unsaved elements are distinguishable", async () => {
    const page = await openLoggedInPage(site);
    await page.emulateMedia({ forcedColors: "active" });
    await page.goto(`${site.url}/admin/dashboard?tab=styles&sub=sections`);
    const { field } = createFinders(() => page);
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
    // Highlight and HighlightText are the system's pair of a background and its text.
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
