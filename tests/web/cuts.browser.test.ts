/** A picture's focus is visible wherever the picture is cropped, on the site and in the dashboard. */
import { beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { newPage } from "../support/browser.ts";
import { setUpDashboard } from "../support/dashboard.ts";
import { drawPortrait } from "../support/drawPortrait.ts";
import { replaceItems } from "../support/replaceItems.ts";
import { setUpEmptySite } from "../support/browserSite.ts";
import { uploadPicture } from "../support/uploadPicture.ts";
import { waitForValue } from "../support/waits.ts";

const site = setUpEmptySite();
const dashboard = setUpDashboard(site);

/** The focus is in a corner, so that every crop has to include that corner, whatever its ratio. */
const FOCUS = { x: 0, y: 0 };
let stem: string;
/** An unused picture. */
let unusedId: string;

beforeAll(async () => {
  const drawn = drawPortrait({ width: 900, height: 1200, focus: FOCUS, isLight: false });
  const [{ id, url }, other] = [
    await uploadPicture(site, "face.png", drawn),
    await uploadPicture(site, "gone.png", drawn),
  ];
  for (const each of [id, other.id])
    await site.asOwner("PUT", `/api/uploads/${each}`, { focus: FOCUS }); // oxlint-disable-line no-await-in-loop
  unusedId = other.id;
  stem = url.replace(/\.\w+$/, "");
  const hero = { mainTitle: "Ada Quinn", subtitle: "Singer", tagline: "Dancer" };
  await site.asOwner("POST", "/api/hero", { ...hero, backgroundImage: url });
  await site.asOwner("POST", "/api/coaching-hero", { ...hero, backgroundImage: url });
  await site.asOwner("POST", "/api/about", {
    title: "About",
    content: "<p>Hello.</p>",
    image: url,
  });
  await replaceItems(site, "/api/highlights", [{ title: "Opening night", imageUrl: url }]);
  await replaceItems(site, "/api/transformations", [{ imageUrl: url }]);
  await replaceItems(site, "/api/press-features", [
    { name: "Ledger", subtitle: "Cover story", logoUrl: url },
  ]);
  await replaceItems(site, "/api/forms", [{ name: "Enquiry", title: "Enquiry", isActive: true }]);
});

/** Each crop of the picture, by its own or its parent's class, with its `object-position`. */
const readCuts = (page: Page) =>
  page.evaluate(
    (name) =>
      Array.from(document.images)
        .filter((image) => image.src.includes(name) || image.src.includes("/api/bin/"))
        .filter((image) => getComputedStyle(image).objectFit === "cover")
        .map((image) => ({
          place: image.className || String(image.parentElement?.className),
          at: getComputedStyle(image).objectPosition,
        })),
    stem,
  );

/** Fails unless the picture is cropped in these places, and every crop is at its focus. */
async function expectFocusVisible(page: Page, ...crops: string[]) {
  const wrong = async () => {
    const cuts = await readCuts(page);
    const missing = crops.filter(
      (each) => !cuts.some(({ place }) => place.split(" ").includes(each)),
    );
    return [...missing, ...cuts.filter(({ at }) => at !== "0% 0%")];
  };
  await waitForValue(wrong, []);
}

test.each([390, 1366])("Each picture on a page shows its focus point at %d px.", async (width) => {
  const page = await newPage({ width });
  await page.goto(site.url);
  await expectFocusVisible(page, "hero-picture", "about-portrait", "poster-picture");
  await page.goto(`${site.url}/coaching`);
  await expectFocusVisible(page, "hero-picture", "poster-picture");
});

test("Each thumbnail of the dashboard keeps its picture's focus point visible.", async () => {
  const { goTo, button } = dashboard;
  await goTo("hero");
  await expectFocusVisible(dashboard.page, "tile-picture");
  await goTo("about");
  await expectFocusVisible(dashboard.page, "folded-picture");
  await goTo("highlights");
  await expectFocusVisible(dashboard.page, "row-picture");
  await goTo("coaching", { sub: "transformations" });
  await expectFocusVisible(dashboard.page, "row-picture");
  await goTo("press");
  await button("Edit Ledger").click();
  await button("Choose Image").click();
  await expectFocusVisible(dashboard.page, "tile-picture");
  await goTo("files");
  await expectFocusVisible(dashboard.page, "file-picture");
  await dashboard.page.getByRole("button", { name: "Edit face.png" }).click();
  await expectFocusVisible(dashboard.page, "crop-preview-frame");
  await site.asOwner("DELETE", `/api/uploads/${unusedId}`);
  await dashboard.page.goto(`${site.url}/admin/dashboard?account=bin`);
  await expectFocusVisible(dashboard.page, "well");
});

/** Style sheets of places that show a whole picture, or use the owner's crop. */
const OTHER_POSITIONS = [
  // The server draws this picture for its frame, with the focus visible.
  "admin/tabs/styles/SharePreviews.css",
  // This picture is cropped like the place that it previews.
  "admin/editor/CropChoice.css",
];

test("Style sheets of the dashboard crop pictures around their focus point, except in two listed files.", async () => {
  const root = new URL("../../src/web/", import.meta.url).pathname;
  const sheets: string[] = [];
  for await (const path of new Bun.Glob("admin/**/*.css").scan(root)) {
    const css = await Bun.file(root + path).text();
    for (const [rule] of css.matchAll(/\{[^{}]*object-fit: cover[^{}]*\}/g)) {
      if (OTHER_POSITIONS.includes(path)) continue;
      sheets.push(path);
      expect(rule, path).toContain("object-position: var(--focus");
    }
  }
  expect(sheets).toContain("admin/tokens.css");
});
