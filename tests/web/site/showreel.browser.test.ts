/** The showreel as visitors meet it (specification, section 2.24). */
import { beforeAll, describe, expect, test } from "bun:test";
import { newPage, type PageOptions } from "../../support/browser.ts";
import { expectSoundAtWidths } from "../../support/expectSound.ts";
import { sampleSite } from "../../support/siteInBrowser.ts";
import { eventually } from "../../support/waits.ts";

const site = sampleSite();

const YOUTUBE = "https://www.youtube.com/watch?v=dQw4w9WgXcQ";
const VIDEOS = [
  { title: "Reel 2026", url: YOUTUBE, length: "2:10", captioned: true },
  { title: "The late set, Leeds", url: "https://vimeo.com/76979871", length: "4:02" },
  { title: "The House Next Door, the final", url: "https://youtu.be/9bZkp7q19f0" },
  { title: "The Velvet Hour, trailer", url: "https://harbourtv.example/the-velvet-hour" },
];

beforeAll(async () => {
  const highlights: { imageUrl: string }[] = await site.asOwner("GET", "/api/highlights");
  for (const [at, video] of VIDEOS.entries())
    await site.asOwner("POST", "/api/videos", { ...video, poster: highlights[at]!.imageUrl });
  await site.asOwner("POST", "/api/extras", { on: ["showreel"] });
});

/** The page, and every address outside of the site that was asked for; nobody there answers. */
async function opened(options: PageOptions = {}) {
  const page = await newPage(options);
  const asked: string[] = [];
  await page.route(
    (url) => url.origin !== site.url,
    (route) => {
      asked.push(route.request().url());
      return route.fulfill({ contentType: "text/html", body: "<title>A player</title>" });
    },
  );
  await page.goto(site.url);
  const reel = page.locator("#showreel");
  await reel.scrollIntoViewIfNeeded();
  return { page, asked, reel, link: (name: string) => reel.getByRole("link", { name }) };
}

test("nobody else is asked before a press; then the video plays in its place and has the focus", async () => {
  const { page, asked, reel, link } = await opened();
  await page.locator(".features").scrollIntoViewIfNeeded();
  expect(asked).toEqual([]);
  const box = (await link("Play Reel 2026, 2:10").boundingBox())!;
  await link("Play Reel 2026, 2:10").click();
  const frame = reel.locator("iframe");
  expect(await frame.getAttribute("title")).toBe("Reel 2026");
  expect(await frame.getAttribute("allow")).toBe("autoplay; fullscreen; picture-in-picture");
  expect(await frame.evaluate((each) => each === document.activeElement)).toBe(true);
  const { width, height } = (await frame.boundingBox())!;
  expect([width, height]).toEqual([box.width, box.height]);
  await eventually(
    () => asked,
    ["https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ?autoplay=1&rel=0"],
  );
});

test("one plays at a time, by keyboard too, and the other is its poster again", async () => {
  const { page, reel, link } = await opened();
  await link("Play Reel 2026, 2:10").focus();
  await page.keyboard.press("Enter");
  await reel.locator("iframe[title='Reel 2026']").waitFor();
  await link("Play The late set, Leeds, 4:02").focus();
  await page.keyboard.press("Enter");
  await reel.locator("iframe[title='The late set, Leeds']").waitFor();
  expect(await reel.locator("iframe").count()).toBe(1);
  expect(await link("Play Reel 2026, 2:10").isVisible()).toBe(true);
});

test("with a key held, without scripts, and from another host it is followed as a link", async () => {
  const { page, reel, link } = await opened();
  const opens = page.context().waitForEvent("page");
  await link("Play Reel 2026, 2:10").click({ modifiers: ["Control"] });
  await opens;
  expect(await reel.locator("iframe").count()).toBe(0);
  await link("Play The Velvet Hour, trailer").click();
  await page.waitForURL("https://harbourtv.example/the-velvet-hour");
  const plain = await opened({ javaScript: false });
  await plain.link("Play Reel 2026, 2:10").click();
  await plain.page.waitForURL(YOUTUBE);
});

describe.each([
  [390, "rows", 4],
  [768, "one across, the others in twos", 3],
  [1366, "one across, the others in threes", 2],
] as const)("at %i px", (width, how, rows) => {
  test(`it stands in ${how}`, async () => {
    const { page, reel } = await opened({ width });
    const tops = await reel
      .locator(".reel > li")
      .evaluateAll((items) => items.map((each) => Math.round(each.getBoundingClientRect().top)));
    expect(new Set(tops).size).toBe(rows);
    const first = (await reel.locator("a").first().boundingBox())!;
    expect(first.width / first.height).toBeCloseTo(16 / 9, 1);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  });
});

test("on a phone a row becomes as wide as the page while it plays", async () => {
  const { reel, link } = await opened({ width: 390 });
  const second = link("Play The late set, Leeds, 4:02");
  expect((await second.boundingBox())!.width).toBe(144);
  await second.click();
  expect((await reel.locator("iframe").boundingBox())!.width).toBeGreaterThan(300);
});

test("nothing is wrong with it at three widths", async () => {
  const { page } = await opened();
  await expectSoundAtWidths(page);
});
