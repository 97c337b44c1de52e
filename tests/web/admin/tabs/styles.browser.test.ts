/** The Styles tab, sentence by sentence (specification, section 2.19). */
import { beforeEach, expect, test } from "bun:test";
import { getInitialValues } from "../../../../src/schema/entities/check.ts";
import { entities } from "../../../../src/schema/index.ts";
import { LOOKS } from "../../../../src/schema/looks/looks.ts";
import { toEntityName } from "../../../../src/schema/entities/entity.ts";
import { FONT_FAMILIES, styles } from "../../../../src/schema/sections/styles.ts";
import { setUpDashboard, openLoggedInPage } from "../../../support/dashboard.ts";
import { holdRequests } from "../../../support/network.ts";
import { setUpEmptySite } from "../../../support/browserSite.ts";
import { waitForValue, waitUntilStable } from "../../../support/waits.ts";

const DEFAULTS = getInitialValues(styles.fields);

const site = setUpEmptySite();
const dashboard = setUpDashboard(site);
const { button, field } = dashboard;

const SECTIONS = ["highlight", "connect", "press", "transformation"] as const;

beforeEach(async () => {
  await site.asOwner("POST", "/api/styles", DEFAULTS);
  for (const name of SECTIONS) {
    const { backgroundColor, textColor, accentColor } = getInitialValues(
      entities[`${name}Settings`].fields,
    );
    const colors = { backgroundColor, textColor, accentColor };
    await site.asOwner("POST", `/api/${name}-settings`, colors);
  }
});

async function openStyles(): Promise<void> {
  await dashboard.open("styles");
  await field("Heading Font").waitFor();
}

const readOptionValues = (name: string) =>
  field(name)
    .locator("option")
    .evaluateAll((all) => all.map((each) => (each as HTMLOptionElement).value));
const readRootStyle = (name: string) =>
  dashboard.page
    .frameLocator('iframe[title="Desktop preview"], iframe[title="Mobile preview"]')
    .first()
    .locator("html")
    .evaluate((html, each) => html.style.getPropertyValue(each), name);

const openColors = (width = 1366) => dashboard.open("styles", { width, sub: "colors" });

test("Reset to Defaults fills in the defaults, and fifteen fonts are offered, each in its own letters.", async () => {
  await site.asOwner("POST", "/api/styles", { headingFont: "Lora", textColor: "#EEEEEE" });
  await openStyles();
  await button("Reset to Defaults").click();
  await waitForValue(() => field("Heading Font").inputValue(), "Bebas Neue");
  for (const name of ["Heading Font", "Body Font"]) {
    const fonts = await field(name)
      .locator("option")
      .evaluateAll((all) => all.map((each) => [each.textContent, each.style.fontFamily]));
    expect(fonts.map(([family]) => family)).toEqual([...FONT_FAMILIES]);
    for (const [family, face] of fonts) expect(face!.replaceAll('"', "")).toBe(family!);
  }
  const countFonts = () => dashboard.page.locator("link[data-font]").count();
  await waitForValue(countFonts, FONT_FAMILIES.length);
  expect(await readOptionValues("Heading Size")).toEqual(["small", "medium", "large", "xlarge"]);
  expect(await readOptionValues("Body Size")).toEqual(["small", "medium", "large"]);
  await field("Border Radius").fill("round");
  await button("Save Styles").click();
  await dashboard.waitForRefusal("Enter a length such as 8px, 0.5rem or 0.");
  expect(dashboard.writes).toEqual([]);
  await field("Border Radius").fill(DEFAULTS.borderRadius);
  await field("Heading Size").focus();
  await dashboard.page.keyboard.press("ArrowDown");
  await dashboard.page.keyboard.press("Control+s");
  await dashboard.waitForToast("Site styles updated successfully");
  expect(dashboard.writes).toEqual([
    { call: "POST /api/styles", body: { ...DEFAULTS, headingSize: "xlarge" } },
  ]);
});

test("The form isn't shown before all colors are loaded, and the preview follows every change before it is saved.", async () => {
  await dashboard.open("email");
  const { page } = dashboard;
  const release = await holdRequests(page, "**/api/press-settings", "GET");
  await dashboard.goTo("styles");
  await page.getByText("Loading styles...", { exact: true }).waitFor();
  expect(await button("Reset to Defaults").isDisabled()).toBe(true);
  expect(await field("Heading Font").count()).toBe(0);
  release();
  await field("Heading Font").waitFor();
  expect(await button("Reset to Defaults").isEnabled()).toBe(true);
  await dashboard.subtab("Styles", "Colors").click();
  await field("Primary Color").fill("#FF8800");
  await dashboard.waitForText("Not saved yet");
  await waitForValue(() => readRootStyle("--primary"), "#FF8800");
  await button("Mobile").click();
  await page.locator('iframe[title="Mobile preview"]').waitFor();
  await waitForValue(() => readRootStyle("--primary"), "#FF8800");
});

test("Text that is hard to read gets a warning, and one click corrects its color or a whole set of colors.", async () => {
  await openColors();
  await field("Text Color").fill("#333333");
  await dashboard.waitForText("Text is hard to read on the about background");
  await dashboard.waitForText("4 hard to read");
  await dashboard.page
    .locator(".field", { has: field("Text Color") })
    .getByRole("button", { name: /^Use #/ })
    .click();
  await dashboard.waitForText("All text is easy to read");
  await field("About Background").fill("#EEEEEE");
  const row = dashboard.page.locator(".field", { has: field("About Background") });
  await row.getByText("Text is hard to read on this color").waitFor();
  await row.getByRole("button", { name: /^Use #/ }).click();
  await row.getByText("Text is hard to read on this color").waitFor({ state: "detached" });
  await field("Background Color").fill("#FFE9F1");
  await field("Hero Background").fill("#FFE9F1");
  await dashboard.page
    .getByText(/hard to read/)
    .first()
    .waitFor();
  await button("Fix contrast").click();
  await dashboard.waitForText("All text is easy to read");
  expect(await button("Fix contrast").count()).toBe(0);
  await button("Undo").click();
  await button("Fix contrast").waitFor();
  expect(await field("Background Color").inputValue()).toBe("#FFE9F1");
});

test("A look applies to the home page and the coaching page, is previewed before a save, and can be undone.", async () => {
  await openStyles();
  const { mainTitle } = await site.asOwner("GET", "/api/hero");
  for (let at = 0; at < LOOKS.length; at += 1)
    await dashboard.page
      .locator('iframe[title="Look preview"]')
      .nth(at)
      .contentFrame()
      .getByText(mainTitle)
      .first()
      .waitFor({ state: "attached" });
  const colorsOf = async (path: string) => {
    const { backgroundColor, textColor, accentColor } = await site.asOwner("GET", path);
    return { backgroundColor, textColor, accentColor };
  };
  const before = await readRootStyle("--heading-font");
  await field("Broadway: Theater red on cream").check();
  await dashboard.waitForToast("Broadway applied to both pages");
  await waitForValue(() => readRootStyle("--background"), "#FBF3E4");
  await waitForValue(() => readRootStyle("--heading-case"), "uppercase");
  expect(dashboard.writes).toEqual([]);
  await button("Undo").click();
  await waitForValue(() => readRootStyle("--heading-font"), before);
  await field("Broadway: Theater red on cream").check();
  await button("Save Styles").click();
  await dashboard.waitForToast("Site styles updated successfully");
  const broadway = LOOKS.find(({ name }) => name === "broadway")!;
  expect(dashboard.writes.map(({ call }) => call)).toEqual(["POST /api/batch"]);
  const { changes } = dashboard.writes[0]!.body as { changes: { name: string }[] };
  const named = ["styles", ...Object.keys(broadway.sections)].map(toEntityName);
  expect(changes.map(({ name }) => name)).toEqual(named);
  expect(await site.asOwner("GET", "/api/styles")).toMatchObject(broadway.styles);
  for (const [name, sectionColors] of Object.entries(broadway.sections))
    expect(await colorsOf(`/api/${toEntityName(name)}`)).toEqual(sectionColors);
  const html = (await site.visitor().get("/")).text;
  expect(html).toContain('data-look="broadway"');
  expect(html).toContain("--hero-button:#FFE2A8");

  await field("Daylight: White and quiet").check();
  await dashboard.page.keyboard.press("ArrowRight");
  expect(await field("Velvet: Plum and gold").isChecked()).toBe(true);
  await dashboard.subtab("Styles", "Colors").click();
  await field("Accent Color").fill("#FFFFFF");
  await dashboard.subtab("Styles", "Look").click();
  await dashboard.card("Look").getByText("Velvet (edited)").waitFor();
  await button("Reset to Velvet").click();
  await dashboard.card("Look").getByText("Velvet (edited)").waitFor({ state: "detached" });
  await dashboard.subtab("Styles", "Colors").click();
  expect(await field("Accent Color").inputValue()).toBe("#E2BE6A");
});

test("A look's name is shown once its font has loaded, so that it doesn't change its size or lines.", async () => {
  await site.asOwner("POST", "/api/hero", { mainTitle: "Konstantinopolitanska" });
  const page = await openLoggedInPage(site);
  await page.addInitScript(recordNames);
  await page.goto(`${site.url}/admin/dashboard?tab=email`);
  const release = await holdRequests(page, /\/fonts\/files\//);
  const fontRequest = page.waitForRequest(/\/fonts\/files\/oswald/);
  await page.getByRole("tab", { name: "Styles", exact: true }).click();
  const broadway = page.locator('iframe[title="Look preview"]').nth(1).contentFrame();
  await broadway.locator("h1").waitFor({ state: "attached" });
  await fontRequest;
  release();
  await broadway.locator("h1").waitFor();
  await waitUntilStable(page);
  const seen = await page.evaluate(() => (window as unknown as { seen: string[][] }).seen);
  expect(seen.map((states) => states.length)).toEqual(LOOKS.map(() => 1));
});

test("Apply to all puts the theme's colors on every section, and an optional color is removed by emptying its text.", async () => {
  await site.asOwner("POST", "/api/styles", { heroTextColor: "#EEEEEE" });
  await openColors();
  await field("Hero Text").fill("");
  await field("Section Background").fill("#331122");
  await dashboard.waitForText(/^4 sections have their own colors: Highlights/);
  await button("Apply to all").click();
  await dashboard.waitForText("Every section has these colors.");
  await button("Save Styles").click();
  await dashboard.waitForToast("Site styles updated successfully");
  expect(dashboard.writes.map(({ call }) => call)).toEqual(["POST /api/batch"]);
  const [, ...sections] = dashboard.writes[0]!.body.changes;
  expect(sections).toHaveLength(4);
  for (const { name, values: sent } of sections) {
    expect(name).toEndWith("-settings");
    expect(sent).toMatchObject({
      backgroundColor: "#331122",
      textColor: "#FFFFFF",
      accentColor: "#00BFFF",
    });
  }
  expect((await site.asOwner("GET", "/api/styles")).heroTextColor).toBeNull();
});

/** Runs in the page before anything else: records the size and position of each look's name whenever they change. */
function recordNames(): void {
  const seen: string[][] = [];
  Object.assign(window, { seen });
  const record = () => {
    const frames = document.querySelectorAll<HTMLIFrameElement>('iframe[title="Look preview"]');
    for (const [at, { contentDocument }] of [...frames].entries()) {
      const states = (seen[at] ??= []);
      const name = contentDocument?.querySelector("h1");
      if (!name?.checkVisibility({ visibilityProperty: true })) continue;
      const letters = document.createRange();
      letters.selectNodeContents(name);
      const { width, height, top } = letters.getBoundingClientRect();
      const state = [width, height, top].map(Math.round).join();
      if (states.at(-1) !== state) states.push(state);
    }
    requestAnimationFrame(record);
  };
  requestAnimationFrame(record);
}
