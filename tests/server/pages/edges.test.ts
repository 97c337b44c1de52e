/**
 * Content that disappears from a page by itself, and the renderings that this takes (specification, section 2.24).
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { getInitialValues } from "../../../src/schema/entities/check.ts";
import { entities } from "../../../src/schema/index.ts";
import { sanitizeHtml } from "../../../src/server/content/sanitizeHtml.ts";
import { runAtEachChange } from "../../../src/server/pages/pageSchedule.ts";
import { findNextChange } from "../../../src/server/pages/pageSchedule.ts";
import { PageCache } from "../../../src/server/pages/pageCache.ts";
import { createPageRenderer } from "../../../src/server/pages/pageRenderer.ts";
import { loadWebBuild } from "../../../src/server/pages/webBuild.ts";
import { eventually, siteForAll, startSite } from "../../support/testSite.ts";

const site = siteForAll(startSite);

const EDGE = Date.UTC(2027, 2, 14, 20);
const DATE = { ...getInitialValues(entities.events.fields), id: "date", title: "The last act" };
const LATER = { ...DATE, id: "later", title: "The next season", startsAt: "2027-05-01T20:00" };

beforeAll(async () => {
  await site.asOwner("POST", "/api/extras", { on: ["dates"] });
  await site.asOwner("POST", "/api/site", { timeZone: "UTC" });
  const ending = { ...DATE, startsAt: "2027-03-14T18:00", endsAt: "2027-03-14T20:00" };
  await site.store.of(entities.events).update(() => [ending, LATER]);
});

/** The home page of an instance whose clock is this many milliseconds before the edge. */
async function instance(before: number) {
  const started = Date.now();
  const now = () => EDGE - before + (Date.now() - started);
  const { store } = site;
  const options = { store, build: await loadWebBuild(), siteUrl: null, fontProvider: "/fonts" };
  const render = createPageRenderer({
    ...options,
    cleanHtml: sanitizeHtml,
    now: () => new Date(now()),
  });
  let made = 0;
  const cache = new PageCache({
    render: (key) => {
      made++;
      return render(key);
    },
    onError: (_, error) => {
      throw error;
    },
  });
  const schedule = runAtEachChange({
    now,
    findNextChange: (instant) => findNextChange(store, instant),
    happens: () => cache.invalidate(),
  });
  ends.push(schedule.stop);
  const titles = async () => {
    const { bytes } = await cache.get("/");
    const html = new TextDecoder().decode(await bytes.identity());
    return [...html.matchAll(/<h3 dir="auto">([^<]+)/g)].map(([, title]) => title);
  };
  return { titles, made: () => made, now, invalidate: () => cache.invalidate() };
}

const ends: (() => void)[] = [];
afterAll(() => ends.forEach((end) => end()));

test("a past event leaves the page without any request, and the page is rendered once for it", async () => {
  const { titles, made, now } = await instance(1500);
  expect(await titles()).toEqual(["The last act", "The next season"]);
  expect([made(), now() < EDGE]).toEqual([1, true]);
  // There is no request.
  await eventually(made, 2);
  expect(now()).toBeGreaterThanOrEqual(EDGE);
  expect(now()).toBeLessThan(EDGE + 1000);
  const all = await Promise.all(Array.from({ length: 20 }, titles));
  expect(all).toEqual(Array.from({ length: 20 }, () => ["The next season"]));
  expect(made()).toBe(2);
});

test("of twenty requests at that time the first triggers one rendering for all; two instances each render once", async () => {
  const both = await Promise.all([instance(800), instance(1200)]);
  for (const { titles } of both) expect(await titles()).toHaveLength(2); // oxlint-disable-line no-await-in-loop
  for (const { titles, made, now, invalidate } of both) {
    while (now() < EDGE) await Bun.sleep(1); // oxlint-disable-line no-await-in-loop
    // Before the timer fires, as on a busy machine.
    invalidate();
    const all = await Promise.all(Array.from({ length: 20 }, titles)); // oxlint-disable-line no-await-in-loop
    expect(all).toEqual(Array.from({ length: 20 }, () => ["The next season"]));
    expect(made()).toBe(2);
  }
});

test("after a start past that time the first response is without the event", async () => {
  const { titles, made } = await instance(-1);
  expect(await titles()).toEqual(["The next season"]);
  expect(made()).toBe(1);
});
