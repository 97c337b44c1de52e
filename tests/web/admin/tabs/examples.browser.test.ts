/** Empty lists show how they could look (specification, section 2.9). */
import { beforeAll, expect, test } from "bun:test";
import { setUpDashboard } from "../../../support/dashboard.ts";
import { expectAccessible } from "../../../support/expectAccessible.ts";
import { setUpEmptySite } from "../../../support/browserSite.ts";

const site = setUpEmptySite();
const dashboard = setUpDashboard(site, { width: 390 });
const example = () => dashboard.page.locator(".example");

beforeAll(async () => {
  await site.asOwner("POST", "/api/site", { name: "Ivy Marlowe" });
  await site.asOwner("POST", "/api/extras", {
    on: ["showreel", "dates", "testimonials", "packages"],
  });
});

/** By tab: the texts of the example's two rows, and the text below them. */
const EMPTY: Readonly<Record<string, readonly [first: RegExp, second: RegExp, words: string]>> = {
  statistics: [/15\+\s*Years on stage/, /250\s*Shows played/, "No statistics yet"],
  highlights: [/Opening night/, /The late set/, "No highlights yet"],
  connect: [
    /@ivymarlowe\s*Instagram · instagram\.com\/ivymarlowe/,
    /Ivy Marlowe\s*YouTube/,
    "No connect links yet",
  ],
  press: [
    /Ivy Marlowe fills the house/,
    /In conversation with Ivy Marlowe/,
    "No press features yet",
  ],
  "coaching transformations": [/Mia/, /Tom/, "No transformations yet"],
  showreel: [/Showreel 2027\s*YouTube · 2:10/, /Ivy Marlowe, live\s*Vimeo/, "No videos yet"],
  dates: [/14\s*Mar\s*Live at the Palladium/, /A weekend for beginners/, "No events yet"],
  testimonials: [
    /on the way home\.\s*Mia Keller, Lost 25 pounds in a year/,
    /Ivy Marlowe had the whole room on its feet\.\s*Tom Barker, Harbour Fest/,
    "No testimonials yet",
  ],
  packages: [
    /Twelve weeks\s*£450, 6 sessions · links to your enquiry form\s*Highlighted/,
    /A single session\s*£90, 60 minutes/,
    "No packages yet",
  ],
};

test("each empty tab shows an example that contains the owner's name", async () => {
  for (const [screen, [first, second, words]] of Object.entries(EMPTY)) {
    const [tab = "", sub] = screen.split(" ");
    await dashboard.goTo(tab, { sub });
    // No other tab has these texts.
    await dashboard.page.getByText(words, { exact: true }).waitFor();
    await example().getByText("For example", { exact: true }).waitFor();
    expect(await example().locator(".list-row").allInnerTexts()).toEqual([
      expect.stringMatching(first),
      expect.stringMatching(second),
    ]);
  }
  // The example isn't clickable and is hidden from assistive technology, and Add is the only accent.
  await dashboard.goTo("dates");
  await example().waitFor();
  expect(await dashboard.page.getByText("Live at the Palladium").count()).toBe(1);
  expect(
    await dashboard.page.getByRole("paragraph").filter({ hasText: "For example" }).count(),
  ).toBe(0);
  expect(await example().evaluate((each) => (each as HTMLElement).inert)).toBe(true);
  const accents = dashboard.page.locator("main .ui-button[data-variant=primary]");
  expect((await accents.allInnerTexts()).map((each) => each.trim())).toEqual(["Add Event"]);
  await expectAccessible(dashboard.page);
});
