/** The testimonials as visitors meet them (specification, section 2.24). */
import { beforeAll, expect, test } from "bun:test";
import { newPage, type PageOptions } from "../../support/browser.ts";
import { expectSoundAtWidths } from "../../support/expectSound.ts";
import { sampleSite } from "../../support/siteInBrowser.ts";

const site = sampleSite();

const LONG = "Donaudampfschifffahrtsgesellschaftskapitän".repeat(14);
const ARABIC = "كان يتحدث معنا بهدوء ووضوح حتى فهم الجميع ما يجب فعله. ".repeat(8).trim();
const SAID = [
  { words: "He said one sentence in week two that I still say to myself on the stairs." },
  { words: "I had not been inside a gym since school. ".repeat(4).trim(), name: "Paul and Denise" },
  { words: "Eleven weeks, forty minutes each.", link: "https://voices.example/simone" },
  { words: ARABIC, name: "ياسمين حداد", role: "مديرة" },
  { words: LONG, name: LONG.slice(0, 80), role: LONG.slice(0, 80) },
  { words: "彼は私たちの名前をすべて覚えてくれました。".repeat(10), name: "山田花子" },
  { words: "Behind the press", name: "Marcus Bell" },
];

beforeAll(async () => {
  const [{ imageUrl: portrait }]: [{ imageUrl: string }] = await site.asOwner(
    "GET",
    "/api/highlights",
  );
  for (const said of SAID)
    await site.asOwner("POST", "/api/testimonials", {
      name: "Mia Okafor",
      role: "Lost 12 kg in a year",
      portrait,
      ...said,
    });
  await site.asOwner("POST", "/api/testimonial-settings", { place: "both" });
  await site.asOwner("POST", "/api/extras", { on: ["testimonials"] });
});

async function opened(options: PageOptions & { path?: string } = {}) {
  const { path = "/coaching", ...how } = options;
  const page = await newPage(how);
  await page.goto(site.url + path);
  const voices = page.locator("#testimonials");
  await voices.scrollIntoViewIfNeeded();
  return { page, voices };
}

test("the rest is behind a press, without scripts too", async () => {
  const { voices } = await opened({ javaScript: false });
  const late = voices.getByText("Behind the press");
  expect(await late.isVisible()).toBe(false);
  await voices.getByText("All 7").click();
  expect(await late.isVisible()).toBe(true);
});

test.each([
  [390, 1],
  [768, 2],
  [1366, 3],
] as const)("at %i px they stand in %i columns below the large one", async (width, columns) => {
  const { voices } = await opened({ width });
  const figures = voices.locator(".testimonials").first().locator("figure");
  const boxes = await figures.evaluateAll((all) =>
    all.map((each) => each.getBoundingClientRect().toJSON()),
  );
  const [large, ...others] = boxes;
  expect(new Set(others.map(({ x }) => Math.round(x))).size).toBe(columns);
  expect(large.width).toBeGreaterThan(others[0].width * (columns - 0.5));
  const sizes = await voices
    .locator("blockquote p")
    .evaluateAll((all) => all.map((each) => Number.parseFloat(getComputedStyle(each).fontSize)));
  expect(sizes[0]).toBeGreaterThan(sizes[1]! * 1.2);
});

test("with three, the two others share two columns, so that no hole is left", async () => {
  const [, , , ...more]: { id: string }[] = await site.asOwner("GET", "/api/testimonials");
  for (const { id } of more)
    await site.asOwner("PUT", `/api/testimonials/${id}`, { isActive: false });
  const { voices } = await opened({ width: 1366 });
  const boxes = await voices
    .locator("figure")
    .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().toJSON()));
  expect(boxes).toHaveLength(3);
  expect(boxes[1].width).toBeGreaterThan(boxes[0].width * 0.45);
  for (const { id } of more)
    await site.asOwner("PUT", `/api/testimonials/${id}`, { isActive: true });
});

test.each([320, 390, 1366])(
  "no word makes the page wider at %i px, and no way on is small",
  async (width) => {
    const { page, voices } = await opened({ width });
    await voices.getByText("All 7").click();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    for (const box of await voices
      .locator("a, summary")
      .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().toJSON())))
      expect(box.height).toBeGreaterThanOrEqual(44);
  },
);

test("words read from the right begin there", async () => {
  const { voices } = await opened();
  const figure = voices.locator("figure", { hasText: "ياسمين حداد" });
  expect(await figure.evaluate((each) => getComputedStyle(each).direction)).toBe("rtl");
});

test("nothing is wrong with them at three widths, in two looks, on either page", async () => {
  const { page, voices } = await opened();
  await voices.getByText("All 7").click();
  await expectSoundAtWidths(page);
  await site.asOwner("POST", "/api/styles", {
    backgroundColor: "#FFFFFF",
    textColor: "#111111",
    sectionBackgroundColor: "#FFFFFF",
    headingFont: "Playfair Display",
  });
  const light = await opened({ path: "/" });
  await expectSoundAtWidths(light.page);
});

test("two hundred of six hundred letters make no page wider at 320 px", async () => {
  const words = `${"x".repeat(560)} ${"y".repeat(39)}`;
  for (let count = SAID.length; count < 200; count++)
    await site.asOwner("POST", "/api/testimonials", { words, name: `Somebody ${count}` });
  const { page, voices } = await opened({ width: 320, path: "/" });
  await voices.getByText("All 200").click();
  expect(await voices.locator("figure").count()).toBe(200);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
});
