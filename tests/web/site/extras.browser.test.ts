/**
 * The showreel, the pairs of before and after, and the dates as visitors use them (specification, sections 2.4 and
 * 2.24).
 */
import { beforeAll, describe, expect, test } from "bun:test";
import { newPage, type PageOptions, WIDTHS } from "../../support/browser.ts";
import { inspectAtWidths } from "../../support/expectAccessible.ts";
import { measureBoxes, measureOverflow } from "../../support/pageState.ts";
import { setUpSampleSite } from "../../support/browserSite.ts";
import { waitForValue } from "../../support/waits.ts";

const site = setUpSampleSite();
beforeAll(() => site.asOwner("POST", "/api/extras", { on: ["showreel", "dates"] }));

describe("the showreel", () => {
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
  });

  /** Opens the page; returns every requested URL of other hosts, which get a placeholder of a player. */
  async function openShowreel(options: PageOptions = {}) {
    const page = await newPage(options);
    const requested: string[] = [];
    // The context has the route, so that it also covers a page opened beside this one.
    await page.context().route(
      (url) => url.origin !== site.url,
      (route) => {
        requested.push(route.request().url());
        return route.fulfill({ contentType: "text/html", body: "<title>A player</title>" });
      },
    );
    await page.goto(site.url);
    const reel = page.locator("#showreel");
    await reel.scrollIntoViewIfNeeded();
    return {
      page,
      asked: requested,
      reel,
      link: (name: string) => reel.getByRole("link", { name }),
    };
  }

  test("requests no other host before a click, which plays the video in place", async () => {
    const { page, asked, reel, link } = await openShowreel();
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
    await waitForValue(
      () => asked,
      ["https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ?autoplay=1&rel=0"],
    );
    await link("Play The late set, Leeds, 4:02").focus();
    await page.keyboard.press("Enter");
    await reel.locator("iframe[title='The late set, Leeds']").waitFor();
    expect(await frame.count()).toBe(1);
    // The first video shows its poster again.
    expect(await link("Play Reel 2026, 2:10").isVisible()).toBe(true);
  });

  test("a video's poster is a normal link with a modifier key, without scripts, and for other hosts", async () => {
    const { page, reel, link } = await openShowreel();
    const opens = page.context().waitForEvent("page");
    await link("Play Reel 2026, 2:10").click({ modifiers: ["Control"] });
    await opens;
    expect(await reel.locator("iframe").count()).toBe(0);
    await link("Play The Velvet Hour, trailer").click();
    await page.waitForURL("https://harbourtv.example/the-velvet-hour");
    const plain = await openShowreel({ javaScriptEnabled: false });
    await plain.link("Play Reel 2026, 2:10").click();
    await plain.page.waitForURL(YOUTUBE);
  });

  test("is in rows on a phone, and on wider pages has the other videos in a row below the first", async () => {
    const { page, reel, link } = await openShowreel({ width: 390 });
    await inspectAtWidths(page, WIDTHS, async (width) => {
      const tops = await reel
        .locator(".reel > li")
        .evaluateAll((items) => items.map((each) => Math.round(each.getBoundingClientRect().top)));
      expect(new Set(tops).size).toBe(width === 390 ? 4 : 2);
      const first = (await reel.locator("a").first().boundingBox())!;
      expect(first.width / first.height).toBeCloseTo(16 / 9, 1);
      expect(await measureOverflow(page)).toBe(0);
    });
    const second = link("Play The late set, Leeds, 4:02");
    expect((await second.boundingBox())!.width).toBe(144);
    await second.click();
    expect((await reel.locator("iframe").boundingBox())!.width).toBeGreaterThan(300);
  });
});

describe("a pair of before and after", () => {
  beforeAll(async () => {
    const items: { id: string; imageUrl: string }[] = await site.asOwner(
      "GET",
      "/api/transformations",
    );
    const [first, second] = items;
    for (const [item, other] of [
      [first!, second!],
      [second!, first!],
    ] as const)
      await site.asOwner("PUT", `/api/transformations/${item.id}`, {
        beforeUrl: other.imageUrl,
        consent: "Mia agreed by email on 3 May.",
      });
  });

  async function openPair(options: PageOptions = {}) {
    const page = await newPage(options);
    await page.goto(`${site.url}/coaching`);
    const pair = page.locator("[data-pair]").first();
    await pair.scrollIntoViewIfNeeded();
    const cut = () =>
      pair
        .locator("img")
        .nth(1)
        .evaluate((each) => getComputedStyle(each).clipPath);
    return { page, pair, range: pair.getByRole("slider"), cut };
  }

  test("is compared with a divider that arrow keys, Home, End and clicks move, and doesn't open in a dialog", async () => {
    const { page, pair, range, cut } = await openPair();
    expect(await range.evaluate((each) => getComputedStyle(each).touchAction)).toBe("pan-y");
    expect(await range.getAttribute("aria-label")).toStartWith("Before and after: ");
    expect(await cut()).toBe("inset(0px 0px 0px 50%)");
    await range.focus();
    await page.keyboard.press("ArrowRight");
    expect(await cut()).toBe("inset(0px 0px 0px 51%)");
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("ArrowLeft");
    expect(await cut()).toBe("inset(0px 0px 0px 49%)");
    await page.keyboard.press("End");
    expect(await cut()).toBe("inset(0px 0px 0px 100%)");
    await page.keyboard.press("Home");
    expect(await cut()).toBe("inset(0px 0px 0px 0%)");
    await page.emulateMedia({ forcedColors: "active" });
    expect(await range.evaluate((each) => getComputedStyle(each).forcedColorAdjust)).toBe("none");
    await page.emulateMedia({ forcedColors: null });
    // The divider is away from the edges, where a click would hit its grip.
    await range.fill("50");

    const widthOf = async (selector: string) =>
      (await page.locator(selector).first().boundingBox())!.width;
    await inspectAtWidths(page, WIDTHS, async (width) => {
      const wide = await widthOf("[data-pair]");
      expect(Math.round(wide)).toBe(Math.round(await widthOf(".poster:not(.pair)")));
      const row = await widthOf(".transformations");
      if (width === 390) expect(Math.round(wide)).toBe(Math.round(row));
      else expect(wide).toBeLessThan(row / 1.9);
    });
    await pair.scrollIntoViewIfNeeded();
    const box = (await pair.boundingBox())!;
    for (const share of [0.02, 0.3, 0.98]) {
      await page.mouse.click(box.x + box.width * share, box.y + box.height / 3);
      const at = Number(/(\d+)%/.exec(await cut())![1]);
      expect(Math.abs(at / 100 - share)).toBeLessThan(0.011);
    }
    expect(await page.locator("dialog[open]").count()).toBe(0);
    // The other pictures can be opened.
    await page.locator(".poster-opener").first().click();
    await page.locator("dialog[open]").waitFor();
  });

  test("is two pictures side by side without scripts", async () => {
    const { pair, range } = await openPair({ javaScriptEnabled: false });
    const [before, after] = await measureBoxes(pair.locator("img"));
    expect(Math.round(before!.right)).toBe(Math.round(after!.left));
    expect(await range.isVisible()).toBe(false);
  });
});

describe("the dates", () => {
  const LONG = "Donaudampfschifffahrtsgesellschaftskapitän ".repeat(2).trim();

  beforeAll(async () => {
    for (const [at, more] of [
      { ticketUrl: "https://tickets.example/1", tickets: "few" },
      { title: LONG, venue: LONG, note: LONG, ticketUrl: "https://tickets.example/1" },
      { status: "cancelled" },
      { kind: "screen", venue: "Harbour TV", timeZone: "America/New_York" },
      { endsAt: "2099-03-06T20:00", tickets: "out" },
      { title: "Behind the press" },
    ].entries())
      await site.asOwner("POST", "/api/events", {
        title: `Night ${at}`,
        startsAt: `2099-03-0${at + 1}T20:00`,
        ...more,
      });
  });

  async function openDates(options: PageOptions = {}) {
    const page = await newPage(options);
    await page.goto(site.url);
    const dates = page.locator("#dates");
    await dates.scrollIntoViewIfNeeded();
    return { page, dates };
  }

  test("a click shows the remaining dates, without scripts too, and no long word widens the page", async () => {
    const { page, dates } = await openDates({ javaScriptEnabled: false });
    const late = dates.getByRole("heading", { name: "Behind the press" });
    expect(await late.isVisible()).toBe(false);
    await dates.getByText("All 6 dates").click();
    expect(await late.isVisible()).toBe(true);
    await inspectAtWidths(page, [320, 390, 1366], async (width) => {
      expect(await measureOverflow(page)).toBe(0);
      for (const box of await measureBoxes(dates.locator("a, summary")))
        expect(box.height).toBeGreaterThanOrEqual(width < 768 ? 44 : 24);
    });
  });

  test("without upcoming events, UPDATES opens the mailing list", async () => {
    for (const { id } of await site.asOwner("GET", "/api/events"))
      await site.asOwner("DELETE", `/api/events/${id}`);
    await site.asOwner("POST", "/api/events", { title: "Long ago", startsAt: "2001-03-01T20:00" });
    const { page, dates } = await openDates();
    await dates
      .getByText("No upcoming dates. Join the mailing list to hear about new ones first.")
      .waitFor();
    await dates.getByRole("button", { name: "UPDATES" }).click();
    await page.locator("dialog.mailing-list-dialog[open]").waitFor();
  });
});
