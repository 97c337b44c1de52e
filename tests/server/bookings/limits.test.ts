/** The expiry and the number of suggested times (specification, section 4.21). */
import { describe, expect, test } from "bun:test";
import { startCallSite, getWallTimeIn } from "../../support/callSite.ts";
import { setUpSiteForAll } from "../../support/setUpSite.ts";

const HOUR_MS = 3_600_000;

describe("on a site with rate limits", () => {
  const site = setUpSiteForAll(() => startCallSite({ hasLimits: true }));

  test("a visitor can press the buttons for suggested times nine times, and then has to wait", async () => {
    const { id, link } = await site.sendAndSuggest([getWallTimeIn(30)]);
    const statuses: number[] = [];
    for (let press = 0; press < 11; press++)
      statuses.push((await site.pressButton(link, { time: "7" })).status);
    // The enquiry itself counts as one of the ten.
    expect(statuses).toEqual([...Array(9).fill(422), 429, 429]);
    const refused = await site.pressButton(link, { time: "0" });
    expect(refused.text).toContain(
      `<p role="alert">You&#x27;ve sent too many messages. Please wait a moment and try again.</p>`,
    );
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await site.getEnquiry(id)).booked).toBeNull();
    // Reading isn't limited.
    expect((await site.visitor().get(link)).status).toBe(200);
  });
});

describe("on a site without rate limits", () => {
  const site = setUpSiteForAll(startCallSite);

  test("a link to suggested times works until the last of the times, but at most two weeks", async () => {
    const early = await site.sendAndSuggest([getWallTimeIn(30), getWallTimeIn(40)], {
      email: "bo@example.com",
    });
    const late = await site.sendAndSuggest([getWallTimeIn(24 * 20)]);
    const status = async (link: string) => (await site.visitor().get(link)).status;
    expect([await status(early.link), await status(late.link)]).toEqual([200, 200]);
    site.advance(32 * HOUR_MS);
    const page = (await site.visitor().get(early.link)).text;
    expect(page.match(/<input[^>]*type="radio"/g)).toHaveLength(1);
    expect((await site.pressButton(early.link, { time: "0" })).status).toBe(409);
    site.advance(10 * HOUR_MS);
    expect([await status(early.link), await status(late.link)]).toEqual([410, 200]);
    site.advance((14 * 24 - 43) * HOUR_MS);
    expect(await status(late.link)).toBe(200);
    site.advance(2 * HOUR_MS);
    expect([
      await status(late.link),
      (await site.pressButton(late.link, { time: "0" })).status,
    ]).toEqual([410, 410]);
    expect((await site.getEnquiry(late.id)).booked).toBeNull();
  });
});
