/** The public pages under other styles and with content at its limits (specification, section 3.10). */
import { afterEach, expect, test } from "bun:test";
import { expectSoundAtWidths } from "../../support/expectSound.ts";
import { closePages, newPage, openPublicPage } from "../../support/browser.ts";
import { sampleSite } from "../../support/siteInBrowser.ts";
import { still, twoFrames } from "../../support/waits.ts";

const PAGES = ["/", "/coaching", "/privacy-policy"];
const LIGHT = {
  headingFont: "Playfair Display",
  bodyFont: "Lora",
  primaryColor: "#B00020",
  backgroundColor: "#FFFFFF",
  textColor: "#000000",
  accentColor: "#5A3E00",
  borderRadius: "24px",
  headingSize: "xlarge",
  bodySize: "large",
  heroBackgroundColor: "#FFF4E0",
  aboutBackgroundColor: "#F0F0F0",
  sectionBackgroundColor: "#FAFAFA",
};
const LIGHT_SECTION = {
  backgroundColor: "#FFFFFF",
  textColor: "#111111",
  accentColor: "#B00020",
};

const site = sampleSite();
afterEach(closePages);

async function lit() {
  await site.asOwner("POST", "/api/styles", LIGHT);
  for (const section of ["highlight", "connect", "press", "transformation"])
    await site.asOwner("POST", `/api/${section}-settings`, LIGHT_SECTION);
}

test("a light theme can be read everywhere, on a phone and a laptop", async () => {
  await lit();
  const page = await newPage({ toastsStay: true });
  for (const path of PAGES) {
    await page.visit(site.url + path);
    await expectSoundAtWidths(page, [390, 1366]);
  }
  await page.visit(`${site.url}/coaching`);
  await page.locator(".enquiry-forward").click();
  await page.getByText("Validation Error").waitFor();
  await expectSoundAtWidths(page, [390, 1366]);
});

test("all twelve styles visibly apply; without a picture the coaching hero's words can be read on its dark grey", async () => {
  await lit();
  await site.asOwner("POST", "/api/coaching-hero", { backgroundImage: null });
  const page = await openPublicPage(site, "/");
  const style = (selector: string, name: string) =>
    page
      .locator(selector)
      .first()
      .evaluate((each, name) => getComputedStyle(each).getPropertyValue(name), name);
  expect(await style("#hero h1", "font-family")).toStartWith('"Playfair Display"');
  expect(await style("#connect .rich p", "font-family")).toStartWith("Lora");
  expect(await style(".hero-subtitle", "color")).toBe("rgb(176, 0, 32)");
  expect(await style(".foot", "background-color")).toBe("rgb(255, 255, 255)");
  expect(await style("#hero h1", "color")).toBe("rgb(0, 0, 0)");
  expect(await style(".feature-name", "color")).toBe("rgb(90, 62, 0)");
  expect(await style("#hero", "background-color")).toBe("rgb(255, 244, 224)");
  expect(await style("#about", "background-color")).toBe("rgb(240, 240, 240)");
  expect(await style("#connect .title", "font-size")).toBe("104.909px");
  expect(await style("#connect .rich", "font-size")).toBe("19px");
  expect(await style("html", "color-scheme")).toBe("light");
  await page.goto(`${site.url}/coaching`);
  expect(await style(".enquiry-forward", "border-radius")).toBe("24px");
  expect(await style(".enquiry-forward", "color")).toBe("rgb(255, 255, 255)");
  expect(await style("#coaching-hero", "color")).toBe("rgb(255, 255, 255)");
  expect(await style("#coaching-hero", "background-color")).toBe("rgb(26, 26, 26)");
  await page.goto(`${site.url}/privacy-policy`);
  expect(await style(".policy", "background-color")).toBe("rgb(250, 250, 250)");
});

test("fifty highlights keep their bars in one row, the current one in view", async () => {
  const [{ imageUrl }] = await site.asOwner("GET", "/api/highlights");
  for (let order = 8; order < 50; order += 1)
    await site.asOwner("POST", "/api/highlights", { title: `Night ${order}`, imageUrl, order });
  const page = await openPublicPage(site, "/", { width: 390 });
  const bars = page.locator(".carousel-bars");
  expect((await bars.boundingBox())!.height).toBeLessThanOrEqual(44);
  await page.getByRole("button", { name: "Previous", exact: true }).click();
  const last = page.locator('[aria-label="Go to highlight 50"][aria-current]');
  await last.waitFor();
  await still(page);
  const [row, bar] = [(await bars.boundingBox())!, (await last.boundingBox())!];
  expect(bar.x + bar.width).toBeLessThanOrEqual(row.x + row.width + 1);
});

test("a picture that can't be fetched covers nothing of the page", async () => {
  const content = '<p>Before</p><p><img src="/uploads/gone.webp" alt=""> after</p>';
  await site.asOwner("POST", "/api/about", { title: "ABOUT", content });
  await site.asOwner("POST", "/api/transformations", { imageUrl: "/uploads/gone.webp", order: 0 });
  const page = await openPublicPage(site, "/");
  await page.evaluate(() => document.querySelector("#about .rich img")!.scrollIntoView());
  await page.waitForFunction(
    () => document.querySelector<HTMLImageElement>("#about .rich img")!.complete,
  );
  await twoFrames(page);
  await page.evaluate(() => scrollTo(0, 0));
  const onTop = await page.locator("#hero h1").evaluate((title) => {
    const { x, y, height } = title.getBoundingClientRect();
    return document.elementFromPoint(x + 20, y + height / 2)!.localName;
  });
  expect(onTop).toBe("h1");
  await page.visit(`${site.url}/coaching`);
  await page.locator("#transformations button").first().click();
  await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
  await page.getByRole("dialog").waitFor({ state: "hidden" });
});
