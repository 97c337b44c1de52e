/** The Styles tab, sentence by sentence (specification, section 2.19). */
import { beforeEach, expect, test } from "bun:test";
import { initialValues } from "../../../../src/schema/check.ts";
import { FONT_FAMILIES, styles } from "../../../../src/schema/styles.ts";
import { WIDTHS } from "../../../support/browser.ts";
import { dashboardForAll } from "../../../support/dashboard.ts";
import { expectSound } from "../../../support/expectSound.ts";
import { drop } from "../../../support/line.ts";
import { emptySite } from "../../../support/siteInBrowser.ts";

const DEFAULTS = initialValues(styles.fields);

const site = emptySite();
const dashboard = dashboardForAll(site);
const { button, field } = dashboard;

beforeEach(async () => {
  await site.asOwner("POST", "/api/styles", DEFAULTS);
  await dashboard.open("styles");
  await field("Heading Font").waitFor();
});

const values = (name: string) =>
  field(name)
    .locator("option")
    .evaluateAll((all) => all.map((each) => (each as HTMLOptionElement).value));
const root = (name: string) =>
  dashboard.page
    .frameLocator("iframe")
    .first()
    .locator("html")
    .evaluate((html, each) => html.style.getPropertyValue(each), name);

test("Save Styles sends all twelve fields.", async () => {
  await field("Heading Font").selectOption("Oswald");
  await field("Border Radius").fill("0");
  await button("Save Styles").click();
  await dashboard.toast("Site styles updated successfully");
  expect(dashboard.writes).toEqual([
    {
      call: "POST /api/styles",
      body: { ...DEFAULTS, headingFont: "Oswald", borderRadius: "0" },
    },
  ]);
  expect(Object.keys(dashboard.writes[0]!.body)).toHaveLength(12);
});

test("Failed to update site styles, and what was chosen stays.", async () => {
  const restore = await drop(dashboard.page, "**/api/styles");
  await field("Body Font").selectOption("Lora");
  await button("Save Styles").click();
  await dashboard.toast("Failed to update site styles");
  expect(await field("Body Font").inputValue()).toBe("Lora");
  await restore();
});

test("The fifteen fonts are offered, each in its own letters.", async () => {
  for (const name of ["Heading Font", "Body Font"]) {
    const fonts = await field(name)
      .locator("option")
      .evaluateAll((all) => all.map((each) => [each.textContent, each.style.fontFamily]));
    expect(fonts.map(([family]) => family)).toEqual([...FONT_FAMILIES]);
    for (const [family, face] of fonts) expect(face!.replaceAll('"', "")).toBe(family!);
  }
  const asked = await dashboard.page.locator("link[data-font]").count();
  expect(asked).toBe(FONT_FAMILIES.length);
});

test("Heading sizes: small, medium, large, xlarge. Body sizes: small, medium, large.", async () => {
  expect(await values("Heading Size")).toEqual(["small", "medium", "large", "xlarge"]);
  expect(await values("Body Size")).toEqual(["small", "medium", "large"]);
});

test("The preview follows every change before it is saved, on desktop and mobile.", async () => {
  await field("Primary Color").fill("#FF8800");
  await dashboard.page.getByText("Not live yet").waitFor();
  expect(await root("--primary")).toBe("#FF8800");
  await button("Mobile").click();
  await dashboard.page.locator('iframe[title="Mobile preview"]').waitFor();
  expect(await root("--primary")).toBe("#FF8800");
});

test("Reset to Defaults puts the defaults into the form; Save Styles stores them.", async () => {
  await site.asOwner("POST", "/api/styles", { headingFont: "Lora", textColor: "#EEEEEE" });
  await dashboard.open("styles");
  await button("Reset to Defaults").click();
  expect(await field("Heading Font").inputValue()).toBe("Bebas Neue");
  expect(await field("Text Color").inputValue()).toBe("#FFFFFF");
  expect(dashboard.writes).toEqual([]);
  await button("Save Styles").click();
  await dashboard.toast("Site styles updated successfully");
  expect(await site.asOwner("GET", "/api/styles")).toEqual(DEFAULTS);
});

test("Text below 4.5 : 1 warns with its ratio and is put right by one press.", async () => {
  await field("Text Color").fill("#333333");
  await dashboard.page.getByText("Hard to read on the about background").waitFor();
  await dashboard.page.getByText("4 hard to read").waitFor();
  await dashboard.page
    .locator(".field", { has: field("Text Color") })
    .getByRole("button", { name: /^Use #/ })
    .click();
  await dashboard.page.getByText("Everything is easy to read").waitFor();
});

test("A background that swallows the text warns as well.", async () => {
  await field("About Background").fill("#EEEEEE");
  const row = dashboard.page.locator(".field", { has: field("About Background") });
  await row.getByText("Text is hard to read on this color").waitFor();
  await row.getByRole("button", { name: /^Use #/ }).click();
  await row.getByText("Text is hard to read on this color").waitFor({ state: "detached" });
});

test("A radius that is none is refused in words beside its field.", async () => {
  await field("Border Radius").fill("round");
  await button("Save Styles").click();
  await dashboard.toast("Enter a length such as 8px, 0.5rem or 0.");
  expect(dashboard.writes).toEqual([]);
});

test("The keyboard alone changes a font and saves.", async () => {
  await field("Heading Size").focus();
  await dashboard.page.keyboard.press("ArrowDown");
  await dashboard.page.keyboard.press("Control+s");
  await dashboard.toast("Site styles updated successfully");
  expect(dashboard.writes[0]!.body.headingSize).toBe("xlarge");
});

test.each(WIDTHS)("The tab is sound at %d pixels.", async (width) => {
  await dashboard.open("styles", { width });
  await field("Text Color").fill("#333333");
  await dashboard.page.getByText("Hard to read on the about background").waitFor();
  await expectSound(dashboard.page);
  expect(dashboard.page.problems()).toEqual([]);
});
