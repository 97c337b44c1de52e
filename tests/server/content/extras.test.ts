/** The extras of a site: one that is off is hidden from every visitor, and its content is kept. */
import { beforeEach, expect, test } from "bun:test";
import { createStoredSchema } from "../../../src/schema/entities/check.ts";
import { EXTRAS } from "../../../src/schema/sections/extras.ts";
import { allEntities, entities } from "../../../src/schema/index.ts";
import { getStyleElement } from "../../support/extraStyles.ts";
import { waitForValue, ownerOf, setUpSiteForAll, startSite } from "../../support/testSite.ts";
import * as v from "valibot";

const site = setUpSiteForAll(startSite);
const owner = ownerOf(site);

const ANNOUNCEMENT = { text: "The final is on Sunday at nine", link: "https://tv.example/final" };
const NOTHING = { text: null, link: null };

const switchOn = (...on: string[]) => site.asOwner("POST", "/api/extras", { on });
const readAnnouncement = async () => (await site.visitor().get("/api/announcement")).body;
const fetchPage = async (path = "/") => (await site.visitor().get(path)).text;
const PAGES = ["/", "/coaching", "/privacy-policy", "/nowhere"];

beforeEach(async () => {
  await switchOn();
  await site.asOwner("POST", "/api/announcement", NOTHING);
});

test("every extra (an optional section) lists exactly the entities that name it", () => {
  const named = allEntities.filter(({ extra }) => extra !== undefined);
  expect(named.map(({ key, extra }) => [extra, key])).toEqual(
    EXTRAS.flatMap(({ key, entities }) => entities.map((each) => [key, each])),
  );
});

test("a new site has no extras (optional sections)", async () => {
  expect((await site.visitor().get("/api/extras")).body).toEqual({ on: [] });
});

test("while an extra is off, the owner still gets its content, and visitors get empty values", async () => {
  await site.asOwner("POST", "/api/announcement", ANNOUNCEMENT);
  expect(await site.asOwner("GET", "/api/announcement")).toMatchObject(ANNOUNCEMENT);
  expect(await readAnnouncement()).toEqual(NOTHING);
  for (const path of PAGES) expect(await fetchPage(path)).not.toContain("announcement");
});

test("the announcement is at the top of the main part of every page", async () => {
  await site.asOwner("POST", "/api/announcement", ANNOUNCEMENT);
  await switchOn("announcement");
  expect(await readAnnouncement()).toEqual(ANNOUNCEMENT);
  const first = `${getStyleElement("announcement")}<aside class="announcement" aria-label="Announcement"><p dir="auto"><a href="https://tv.example/final">`;
  for (const path of PAGES)
    await waitForValue(
      async () =>
        (await fetchPage(path))
          .replace(/<main [^>]*>(<section [^>]*class="hero[^>]*>)?/, "<main>")
          .includes(`<main>${first}`),
      true,
    );
});

test("the announcement's accessible name is in the site's language", async () => {
  await site.asOwner("POST", "/api/announcement", ANNOUNCEMENT);
  await switchOn("announcement");
  await site.asOwner("POST", "/api/site", { language: "de" });
  expect(await fetchPage()).toContain('aria-label="Ankündigung"');
  await site.asOwner("POST", "/api/site", { language: "fi" });
  expect(await fetchPage()).toContain(
    'aria-label="Announcement" lang="en"><p dir="auto" lang="fi"><a',
  );
  await site.asOwner("POST", "/api/site", { language: "en" });
});

test("without a text the announcement isn't on the page, and without a link it isn't clickable", async () => {
  const before = await fetchPage();
  await switchOn("announcement");
  expect(await fetchPage()).toBe(before);
  await site.asOwner("POST", "/api/announcement", { text: "Tonight" });
  expect(await fetchPage()).toContain('<p dir="auto">Tonight</p>');
});

test("turning an extra off and on again leaves pages and API responses identical to the byte", async () => {
  await site.asOwner("POST", "/api/announcement", ANNOUNCEMENT);
  const without = await fetchPage();
  await switchOn("announcement");
  const [shown, called] = [await fetchPage(), (await site.visitor().get("/api/announcement")).text];
  await switchOn();
  expect(await fetchPage()).toBe(without);
  expect(await readAnnouncement()).toEqual(NOTHING);
  await switchOn("announcement");
  expect(await fetchPage()).toBe(shown);
  expect((await site.visitor().get("/api/announcement")).text).toBe(called);
});

test("an unknown extra is refused, and nothing is stored", async () => {
  const { status, body } = await owner.post("/api/extras", { on: ["announcement", "casino"] });
  const words = "This section doesn't exist.";
  expect([status, body.error, body.fields]).toEqual([422, words, { on: words }]);
  expect(await site.asOwner("GET", "/api/extras")).toEqual({ on: [] });
});

test("stored names of another release's extras are ignored, and kept when extras are changed", async () => {
  const names = Array.from({ length: 20 }, () => `x${Bun.randomUUIDv7().slice(-12)}`);
  expect(v.safeParse(createStoredSchema(entities.extras), { on: names }).success).toBe(true);
  await site.store.of(entities.extras).update(() => ({ on: names }));
  expect((await site.visitor().get("/")).status).toBe(200);
  expect(await switchOn(...names, "announcement")).toEqual({ on: [...names, "announcement"] });
  await site.asOwner("POST", "/api/announcement", ANNOUNCEMENT);
  expect(await readAnnouncement()).toEqual(ANNOUNCEMENT);
  expect((await owner.post("/api/extras", { on: [...names, "casino"] })).status).toBe(422);
});
