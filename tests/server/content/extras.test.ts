/** What an owner adds to the site: what is off is off for every visitor, and nothing written is lost. */
import { beforeEach, expect, test } from "bun:test";
import { storedSchema } from "../../../src/schema/entities/check.ts";
import { EXTRAS } from "../../../src/schema/sections/extras.ts";
import { allEntities, entities } from "../../../src/schema/index.ts";
import { styleOf } from "../../support/extraStyles.ts";
import { eventually, ownerOf, siteForAll, startSite } from "../../support/testSite.ts";
import * as v from "valibot";

const site = siteForAll(startSite);
const owner = ownerOf(site);

const SAID = { text: "The final is on Sunday at nine", link: "https://tv.example/final" };
const NOTHING = { text: null, link: null };

const switchOn = (...on: string[]) => site.asOwner("POST", "/api/extras", { on });
const read = async () => (await site.visitor().get("/api/announcement")).body;
const page = async (path = "/") => (await site.visitor().get(path)).text;
const PAGES = ["/", "/coaching", "/privacy-policy", "/nowhere"];

beforeEach(async () => {
  await switchOn();
  await site.asOwner("POST", "/api/announcement", NOTHING);
});

test("an extra and its entities name each other", () => {
  const named = allEntities.filter(({ extra }) => extra !== undefined);
  expect(named.map(({ key, extra }) => [extra, key])).toEqual(
    EXTRAS.flatMap(({ key, entities: own }) => own.map((each) => [key, each])),
  );
});

test("a site begins without any", async () => {
  expect((await site.visitor().get("/api/extras")).body).toEqual({ on: [] });
});

test("what is written while it is off is the owner's to read, and an empty site's to visitors", async () => {
  await site.asOwner("POST", "/api/announcement", SAID);
  expect(await site.asOwner("GET", "/api/announcement")).toMatchObject(SAID);
  expect(await read()).toEqual(NOTHING);
  for (const path of PAGES) expect(await page(path)).not.toContain("announcement");
});

test("switched on it stands first in the first screen or the main part of every page, with its sheet right before it", async () => {
  await site.asOwner("POST", "/api/announcement", SAID);
  await switchOn("announcement");
  expect(await read()).toEqual(SAID);
  const first = `${styleOf("announcement")}<aside class="announcement" aria-label="Announcement"><p dir="auto"><a href="https://tv.example/final">`;
  for (const path of PAGES)
    await eventually(
      async () =>
        (await page(path))
          .replace(/<main [^>]*>(<section [^>]*class="hero[^>]*>)?/, "<main>")
          .includes(`<main>${first}`),
      true,
    );
});

test("its name is in the site's language", async () => {
  await site.asOwner("POST", "/api/announcement", SAID);
  await switchOn("announcement");
  await site.asOwner("POST", "/api/site", { language: "de" });
  expect(await page()).toContain('aria-label="Ankündigung"');
  await site.asOwner("POST", "/api/site", { language: "fi" });
  expect(await page()).toContain('aria-label="Announcement" lang="en"><p dir="auto" lang="fi"><a');
  await site.asOwner("POST", "/api/site", { language: "en" });
});

test("without words nothing of it is on a page, and without a link nothing is pressed", async () => {
  const before = await page();
  await switchOn("announcement");
  expect(await page()).toBe(before);
  await site.asOwner("POST", "/api/announcement", { text: "Tonight" });
  expect(await page()).toContain('<p dir="auto">Tonight</p>');
});

test("taken away and added again, pages and calls are the same to the byte", async () => {
  await site.asOwner("POST", "/api/announcement", SAID);
  const without = await page();
  await switchOn("announcement");
  const [shown, called] = [await page(), (await site.visitor().get("/api/announcement")).text];
  await switchOn();
  expect(await page()).toBe(without);
  expect(await read()).toEqual(NOTHING);
  await switchOn("announcement");
  expect(await page()).toBe(shown);
  expect((await site.visitor().get("/api/announcement")).text).toBe(called);
});

test("a name that is no extra's is refused, and nothing is stored", async () => {
  const { status, body } = await owner.post("/api/extras", { on: ["announcement", "casino"] });
  const words = "This section doesn't exist.";
  expect([status, body.error, body.fields]).toEqual([422, words, { on: words }]);
  expect(await site.asOwner("GET", "/api/extras")).toEqual({ on: [] });
});

test("twenty names of another release are kept at a start, ignored, and survive a change", async () => {
  const names = Array.from({ length: 20 }, () => `x${Bun.randomUUIDv7().slice(-12)}`);
  expect(v.safeParse(storedSchema(entities.extras), { on: names }).success).toBe(true);
  await site.store.of(entities.extras).update(() => ({ on: names }));
  expect((await site.visitor().get("/")).status).toBe(200);
  expect(await switchOn(...names, "announcement")).toEqual({ on: [...names, "announcement"] });
  await site.asOwner("POST", "/api/announcement", SAID);
  expect(await read()).toEqual(SAID);
  expect((await owner.post("/api/extras", { on: [...names, "casino"] })).status).toBe(422);
});
