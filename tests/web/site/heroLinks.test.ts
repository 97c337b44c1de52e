/** The hero's links lead to sections that the page shows (specification, section 2.3). */
import { expect, test } from "bun:test";
import { siteForAll } from "../../support/siteForAll.ts";
import { startSite } from "../../support/startSite.ts";

const site = siteForAll(startSite);

/** Where the hero's links lead while these sections are hidden. */
async function ledTo(hiddenSections: readonly string[]): Promise<string[]> {
  await site.asOwner("POST", "/api/styles", { hiddenSections });
  const { text } = await site.visitor().get("/");
  const hero = /<section id="hero".*?<\/section>/s.exec(text)![0];
  return [...hero.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id!);
}

test("Scroll leads to the first section that is there, and the quiet button goes with the highlights", async () => {
  await site.asOwner("POST", "/api/hero", { buttonText: "Work with me" });
  expect(await ledTo([])).toEqual(["about"]);
  expect(await ledTo(["about"])).toEqual([]);
  const show = { title: "Night", imageUrl: "/uploads/night.jpg" };
  await site.asOwner("POST", "/api/highlights", show);
  await site.asOwner("POST", "/api/press-features", { name: "The Stage", subtitle: "Bright" });
  expect(await ledTo([])).toEqual(["highlights", "about"]);
  expect(await ledTo(["about"])).toEqual(["highlights", "highlights"]);
  expect(await ledTo(["highlights"])).toEqual(["about"]);
  expect(await ledTo(["about", "highlights"])).toEqual(["press"]);
  expect(await ledTo(["about", "highlights", "press"])).toEqual([]);
});
