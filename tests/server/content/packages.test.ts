/** Packages in calls and pages (specification, section 2.24). */
import { beforeEach, describe, expect, test } from "bun:test";
import { entities } from "../../../src/schema/index.ts";
import { getStyleElement } from "../../support/extraStyles.ts";
import { setUpSiteForAll, startSite } from "../../support/testSite.ts";

const site = setUpSiteForAll(() => startSite({ hasAddress: true }));

const STRIPE = "https://buy.stripe.com/test_1";

const fetchPage = async (path = "/coaching") =>
  (await site.visitor().get(path)).text.replaceAll(/<!-- -->/g, "");
const addPackage = (item: object = {}) =>
  site.asOwner("POST", "/api/packages", { title: "Twelve weeks", ...item });
/** The structured data of the service. */
const readStructuredData = async () =>
  JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/.exec(await fetchPage())![1]!);

beforeEach(async () => {
  await site.store.of(entities.packages).update(() => []);
  for (const { id } of await site.asOwner("GET", "/api/forms"))
    await site.asOwner("DELETE", `/api/forms/${id}`);
  await site.asOwner("POST", "/api/forms", { title: "Tell me more" });
  await site.asOwner("POST", "/api/site", { timeZone: "UTC" });
  await site.asOwner("POST", "/api/extras", { on: ["packages"] });
  await site.asOwner("POST", "/api/package-settings", { place: "coaching", smallPrint: "" });
});

test("while the section of coaching packages is off, the page is unchanged and visitors get no packages", async () => {
  const empty = await fetchPage();
  await site.asOwner("POST", "/api/extras", { on: [] });
  expect(await fetchPage()).toBe(empty);
  await addPackage();
  await site.asOwner("POST", "/api/package-settings", { heading: "SECRET" });
  expect(await fetchPage()).toBe(empty);
  expect((await site.visitor().get("/api/packages")).body).toEqual([]);
  expect((await site.visitor().get("/api/package-settings")).body.heading).toBe("PACKAGES");
  expect(await site.asOwner("GET", "/api/packages")).toHaveLength(1);
  await site.asOwner("POST", "/api/package-settings", { heading: "PACKAGES" });
});

test("a coaching package shows its title, price, description and points, then its link", async () => {
  await addPackage({
    price: "£450",
    per: "6 sessions",
    description: "For whoever would rather\ndo anything else.",
    points: "Six sessions, an hour each\n\n  A plan \r\nMessages",
    buttonText: "Apply",
    buttonLink: STRIPE,
    featured: true,
  });
  await site.asOwner("POST", "/api/package-settings", { smallPrint: "Prices include VAT." });
  expect(await fetchPage()).toContain(`${getStyleElement("packages")}<section id="packages"`);
  const [article] = /<article.*?<\/section>/s.exec(await fetchPage())!;
  expect(article).toStartWith(
    '<article data-featured="" dir="auto"><h3>Twelve weeks</h3><p class="package-price display">£450 <small>6 sessions</small></p><p>For whoever would rather\ndo anything else.</p><ul><li>Six sessions, an hour each</li><li>A plan</li><li>Messages</li></ul>' +
      `<a href="${STRIPE}" class="button " aria-label="Apply: Twelve weeks">`,
  );
  expect(article).toContain('<p dir="auto">Prices include VAT.</p></section>');
});

test("a coaching package's empty fields show nothing: no price, no points and no button", async () => {
  await addPackage({ buttonText: "" });
  const html = await fetchPage();
  expect(html).toContain('<article dir="auto"><h3>Twelve weeks</h3></article>');
});

test("a coaching package's button opens in the same tab, and has the package's title in its accessible name", async () => {
  await addPackage({ buttonLink: STRIPE });
  await addPackage({ title: "An evening" });
  const html = (await fetchPage()).split('id="packages"')[1]!.split("</section>")[0]!;
  expect(html).not.toContain("target=");
  expect(html).toContain(
    `<a href="${STRIPE}" class="button quiet" aria-label="Book: Twelve weeks">`,
  );
  expect(html).toContain('aria-label="Book: An evening"');
});

describe("the section of coaching packages", () => {
  const readVisibility = async () => [
    (await fetchPage("/")).includes('id="packages"'),
    (await fetchPage("/coaching")).includes('id="packages"'),
  ];
  test("is after the transformations on the coaching page, and can be moved and hidden on the home page", async () => {
    await addPackage();
    await site.asOwner("POST", "/api/package-settings", { place: "both" });
    await site.asOwner("POST", "/api/transformations", { imageUrl: "/uploads/a.jpg" });
    const ids = async (path: string) =>
      [...(await fetchPage(path)).matchAll(/<section [^>]*?id="([\w-]+)"/g)].map(([, id]) => id);
    const coaching = await ids("/coaching");
    expect(coaching.slice(-3)).toEqual(["transformations", "packages", "enquiry"]);
    const { hiddenSections, sectionOrder } = await site.asOwner("GET", "/api/styles");
    await site.asOwner("POST", "/api/styles", { sectionOrder: ["packages", "about"] });
    const home = await ids("/");
    expect(home.indexOf("packages")).toBeLessThan(home.indexOf("about"));
    await site.asOwner("POST", "/api/styles", { hiddenSections: ["packages"] });
    expect(await readVisibility()).toEqual([false, true]);
    await site.asOwner("POST", "/api/styles", { hiddenSections, sectionOrder });
  });
});

test("a coaching package without a link leads to the enquiry form, or has no button if no form is active", async () => {
  await addPackage();
  await addPackage({ title: "An evening", buttonLink: STRIPE });
  await site.asOwner("POST", "/api/package-settings", { place: "both" });
  expect(await fetchPage()).toMatch(/<a [^>]*aria-label="Book: Twelve weeks" href="\/coaching#/);
  const [form] = await site.asOwner("GET", "/api/forms");
  await site.asOwner("PUT", `/api/forms/${form.id}`, { isActive: false });
  const html = await fetchPage();
  expect(html).toContain("Twelve weeks");
  expect(html).not.toContain("Book: Twelve weeks");
  expect(html).toContain("Book: An evening");
  expect(await fetchPage("/")).toContain("Book: Twelve weeks");
});

test("structured data has the coaching packages as offers without prices", async () => {
  expect((await readStructuredData()).makesOffer).toBeUndefined();
  await addPackage({ price: "£450", description: "Six sessions.", buttonLink: STRIPE });
  const { id } = await addPackage({ title: "An evening" });
  expect((await readStructuredData()).makesOffer).toEqual([
    { "@type": "Offer", name: "Twelve weeks", description: "Six sessions.", url: STRIPE },
    { "@type": "Offer", name: "An evening", url: `${site.url}/coaching#about-${id}` },
  ]);
  await site.asOwner("POST", "/api/package-settings", { place: "home" });
  expect((await readStructuredData()).makesOffer).toBeUndefined();
});

test("hidden coaching packages, and those outside of their visibility window, aren't on the page or in responses", async () => {
  const hidden = await addPackage({ title: "Tucked away", isActive: false });
  await addPackage({ title: "Coming soon", shownFrom: "2099-01-01T10:00" });
  await addPackage({ title: "Long gone", shownUntil: "2001-01-01T10:00" });
  expect(await fetchPage()).not.toMatch(/Tucked|Coming|Long gone/);
  expect((await site.visitor().get("/api/packages")).body).toEqual([]);
  expect((await readStructuredData()).makesOffer).toBeUndefined();
  await site.asOwner("PUT", `/api/packages/${hidden.id}`, { isActive: true });
  expect(await fetchPage()).toContain("Tucked away");
});
