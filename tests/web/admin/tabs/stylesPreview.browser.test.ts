/** The preview in Styles shows the same first screen as the Hero tab's, also while some settings are still loading. */
import { expect, test } from "bun:test";
import { entities } from "../../../../src/schema/index.ts";
import { LOOKS } from "../../../../src/schema/looks/looks.ts";
import { addAllExtras } from "../../../support/allExtras.ts";
import { setUpDashboard } from "../../../support/dashboard.ts";
import { holdRequests } from "../../../support/network.ts";
import { readPortrait, REAL_PORTRAITS } from "../../../support/realPortraits.ts";
import { setUpSampleSite } from "../../../support/browserSite.ts";
import { uploadPicture } from "../../../support/uploadPicture.ts";
import { waitUntilStable } from "../../../support/waits.ts";
import { LOOK_OF_EACH_LAYOUT, applyLook } from "../../../support/applyLook.ts";

const site = setUpSampleSite();
const dashboard = setUpDashboard(site);
const PHOTOS = ["collins", "collins-wide"];

/** Each photo with one look, in two layouts; with COMBINATIONS each photo with all looks. */
const TESTED_LOOKS = LOOK_OF_EACH_LAYOUT.slice(0, 2).map(
  (look, at) => [look.label, PHOTOS[at]!, look] as const,
);
const ALL_LOOKS = LOOKS.flatMap((look) =>
  PHOTOS.map((photo) => [look.label, photo, look] as const),
);

test.each(process.env["COMBINATIONS"] ? ALL_LOOKS : TESTED_LOOKS)(
  "in the look %s with the photo %s the previews of Hero and Styles show the same first screen",
  async (_, photo, look) => {
    await applyLook(site, look);
    const portrait = REAL_PORTRAITS.find(({ name }) => name === photo)!;
    const { url } = await uploadPicture(site, "portrait.jpg", await readPortrait(portrait));
    await site.asOwner("POST", `/api/${entities.hero.name}`, { backgroundImage: url });
    await dashboard.open("hero");
    const firstScreens = async () => [
      await measureFirstScreen("Desktop"),
      await measureFirstScreen("Mobile"),
    ];
    const expected = await firstScreens();
    await dashboard.goTo("styles", { sub: "colors" });
    expect(await firstScreens()).toEqual(expected);
  },
);

/** The positions of the picture and the text, in device pixels. */
async function measureFirstScreen(device: "Desktop" | "Mobile") {
  await dashboard.button(device).click();
  const frame = dashboard.page.frameLocator(`iframe[title="${device} preview"]`);
  await frame.locator(".hero-title").waitFor();
  await waitUntilStable(dashboard.page);
  return frame.locator(".hero").evaluate((hero) =>
    [hero, ...hero.querySelectorAll(".hero-picture, .hero-title, .hero-actions")].map((each) => {
      const { left, top, width, height } = each.getBoundingClientRect();
      return [each.className, ...[left, top, width, height].map(Math.round)];
    }),
  );
}

test("The preview shows the home page's other sections before the settings of testimonials have loaded.", async () => {
  await addAllExtras(site);
  await dashboard.open("add");
  const release = await holdRequests(dashboard.page, "**/api/testimonial-settings", "GET");
  await dashboard.page.goto(`${site.url}/admin/dashboard?tab=styles&sub=colors`);
  const rest = dashboard.page.frameLocator('iframe[title="Desktop preview, further down"]');
  await rest.locator("#testimonials").waitFor();
  release();
  await rest.locator("#about").waitFor();
});
