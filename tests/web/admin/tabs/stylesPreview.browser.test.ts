/** The preview of Styles shows a first screen like its own preview, and survives missing parts. */
import { expect, test } from "bun:test";
import { entities } from "../../../../src/schema/index.ts";
import { LOOKS } from "../../../../src/schema/looks/looks.ts";
import { addAllExtras } from "../../../support/allExtras.ts";
import { dashboardForAll } from "../../../support/dashboard.ts";
import { hold } from "../../../support/line.ts";
import { portraitFile, REAL_PORTRAITS } from "../../../support/realPortraits.ts";
import { sampleSite } from "../../../support/siteInBrowser.ts";
import { uploadPicture } from "../../../support/uploadPicture.ts";
import { waitUntilStable } from "../../../support/waits.ts";
import { LOOK_OF_EACH_LAYOUT, wear } from "../../../support/wear.ts";

const site = sampleSite();
const dashboard = dashboardForAll(site);
const PHOTOS = ["collins", "collins-wide"];

/** Each photo once, in two layouts; with COMBINATIONS all looks with both. */
const TRIED = LOOK_OF_EACH_LAYOUT.slice(0, 2).map(
  (look, at) => [look.label, PHOTOS[at]!, look] as const,
);
const ALL = LOOKS.flatMap((look) => PHOTOS.map((photo) => [look.label, photo, look] as const));

test.each(process.env["COMBINATIONS"] ? ALL : TRIED)(
  "in %s, with the photo %s, both previews show the same first screen",
  async (_, photo, look) => {
    await wear(site, look);
    const portrait = REAL_PORTRAITS.find(({ name }) => name === photo)!;
    const { url } = await uploadPicture(site, "portrait.jpg", await portraitFile(portrait));
    await site.asOwner("POST", `/api/${entities.hero.name}`, { backgroundImage: url });
    await dashboard.open("hero");
    const firstScreens = async () => [
      await firstScreenIn("Desktop"),
      await firstScreenIn("Mobile"),
    ];
    const expected = await firstScreens();
    await dashboard.goTo("styles", { sub: "colors" });
    expect(await firstScreens()).toEqual(expected);
  },
);

/** The positions of the picture and the text, in device pixels. */
async function firstScreenIn(device: "Desktop" | "Mobile") {
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

test("The preview shows the other sections, testimonials too, before their settings have loaded.", async () => {
  await addAllExtras(site);
  await dashboard.open("add");
  const release = await hold(dashboard.page, "**/api/testimonial-settings", "GET");
  await dashboard.page.goto(`${site.url}/admin/dashboard?tab=styles&sub=colors`);
  const rest = dashboard.page.frameLocator('iframe[title="Desktop preview, further down"]');
  await rest.locator("#testimonials").waitFor();
  release();
  await rest.locator("#about").waitFor();
});
