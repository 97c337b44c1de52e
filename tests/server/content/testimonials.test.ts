/** Testimonials in calls and pages (specification, section 2.24). */
import { beforeEach, expect, test } from "bun:test";
import { entities } from "../../../src/schema/index.ts";
import { getStyleElement } from "../../support/extraStyles.ts";
import { readChapters } from "../../support/specification.ts";
import { setUpSiteForAll, startSite } from "../../support/testSite.ts";

const site = setUpSiteForAll(startSite);

const TESTIMONIAL = {
  words: "He said one sentence that I still say to myself.",
  name: "Mia Okafor",
};

const fetchPage = async (path = "/coaching") => (await site.visitor().get(path)).text;
const addTestimonial = (more: object = {}) =>
  site.asOwner("POST", "/api/testimonials", { ...TESTIMONIAL, ...more }) as Promise<{ id: string }>;
const setPlace = (place: string) => site.asOwner("POST", "/api/testimonial-settings", { place });

beforeEach(async () => {
  await site.store.of(entities.testimonials).update((all) => (all.length > 0 ? [] : all));
  await site.asOwner("POST", "/api/extras", { on: ["testimonials"] });
  await setPlace("coaching");
});

test("without a testimonial the pages are the same as without the section of testimonials", async () => {
  const empty = [await fetchPage("/"), await fetchPage()];
  await site.asOwner("POST", "/api/extras", { on: [] });
  expect([await fetchPage("/"), await fetchPage()]).toEqual(empty);
  await addTestimonial();
  expect([await fetchPage("/"), await fetchPage()]).toEqual(empty);
  expect((await site.visitor().get("/api/testimonials")).body).toEqual([]);
  expect(await site.asOwner("GET", "/api/testimonials")).toHaveLength(1);
});

test("testimonials are on the coaching page, the home page or both, as the owner chose", async () => {
  await addTestimonial();
  const readVisibility = async () =>
    (await Promise.all([fetchPage("/"), fetchPage("/coaching")])).map((html) =>
      html.includes(`${getStyleElement("testimonials")}<section id="testimonials"`),
    );
  expect(await readVisibility()).toEqual([false, true]);
  await setPlace("home");
  expect(await readVisibility()).toEqual([true, false]);
  await setPlace("both");
  expect(await readVisibility()).toEqual([true, true]);
});

test("a testimonial is shown as a quotation, and the name below links to the source", async () => {
  await addTestimonial({ role: "Lost 25 pounds in a year", link: "https://voices.example/mia" });
  const html = (await fetchPage()).replaceAll("<!-- -->", "");
  expect(html).toContain(
    `<figure dir="auto" data-large=""><blockquote><p>${TESTIMONIAL.words}</p></blockquote><figcaption>` +
      `<span><a href="https://voices.example/mia"><b>Mia Okafor</b></a>Lost 25 pounds in a year</span></figcaption></figure>`,
  );
  expect(html).not.toMatch(/Review|"@type":"Rating/);
});

test("only the first testimonial is large, if it has fewer than 140 characters", async () => {
  await addTestimonial({ words: "x".repeat(139) });
  await addTestimonial({ words: "Short" });
  expect((await fetchPage()).match(/data-large=/g)).toHaveLength(1);
  await site.store
    .of(entities.testimonials)
    .update(([first, ...others]) => [{ ...first!, words: "x".repeat(140) }, ...others]);
  expect(await fetchPage()).not.toContain("data-large=");
});

test("six testimonials are visible and the others after a click, in the owner's order", async () => {
  for (let at = 0; at < 7; at++) await addTestimonial({ name: `Somebody ${at}` });
  const html = await fetchPage();
  expect(html).toContain('<details class="more"><summary>All 7</summary>');
  const names = [...html.matchAll(/<b>(Somebody \d)<\/b>/g)].map(([, name]) => name);
  expect(names).toEqual([0, 1, 2, 3, 4, 5, 6].map((at) => `Somebody ${at}`));
  expect(html.indexOf("<details")).toBeGreaterThan(html.indexOf("Somebody 5"));
  expect(html.indexOf("<details")).toBeLessThan(html.indexOf("Somebody 6"));
});

/** Values that no visitor may find anywhere. */
const SECRETS = { agreed: "Agreed-secretly", email: "mia@voices.example" };
const HIDDEN = { words: "Nobody reads this yet", name: "Hidden Person", isActive: false };

test("visitors and readers never get consents, email addresses or hidden testimonials", async () => {
  await setPlace("both");
  await addTestimonial(SECRETS);
  await addTestimonial({ ...HIDDEN, ...SECRETS });
  const owner = await site.owner();
  await owner.put(`/api/testimonials/${(await addTestimonial(SECRETS)).id}`, { words: "Changed" });
  const specification = [...(await readChapters()).values()].join("\n");
  const named = [...specification.matchAll(/`(?:GET )?(\/[\w/.-]+)`/g)].map(([, path]) => path!);
  const paths = new Set([...named, "/", "/admin/dashboard"]);
  expect(paths.size).toBeGreaterThan(80);
  const logged: string[] = [];
  for (const caller of [site.visitor(), await site.logInAs("reader")])
    for (const path of paths) {
      const { text } = await caller.get(path); // oxlint-disable-line no-await-in-loop
      if (/Agreed-secretly|mia@voices|Nobody reads this|Hidden Person|isWaiting/.test(text))
        logged.push(path);
    }
  expect(logged).toEqual([]);
  expect(await fetchPage()).toContain("Changed");
  const editor = await site.logInAs("editor");
  expect((await editor.get("/api/testimonials")).body[0]).toMatchObject(SECRETS);
});
