/** The content of a page before any script runs, as sent by the server (specification, sections 2.3 to 2.5). */
import { describe, expect, test } from "bun:test";
import { setUpSiteForAll } from "../../support/setUpSite.ts";
import { startSite } from "../../support/startSite.ts";

/** The elements that a selector finds in HTML, with their text and attributes. */
function findElements(html: string, selector: string): Record<string, string>[] {
  const elements: Record<string, string>[] = [];
  new HTMLRewriter()
    .on(selector, {
      element: ({ tagName, attributes }) =>
        void elements.push({ tag: tagName, text: "", ...Object.fromEntries(attributes) }),
      text: ({ text }) => void (elements.at(-1)!["text"] += text.replaceAll("&#x27;", "'")),
    })
    .transform(html);
  return elements;
}
const readTexts = (html: string, selector: string) =>
  findElements(html, selector).map(({ text }) => text);

describe("the HTML of the sample site", () => {
  const site = setUpSiteForAll(() => startSite({ hasSample: true }));
  const fetchPage = async (path: string) => (await site.visitor().get(path)).text;

  test("the sections of the home page are in their order between the navigation and the footer", async () => {
    const order = findElements(await fetchPage("/"), "header, main > section, body > footer");
    const names = ["header", "hero", "about", "highlights", "connect", "press", "footer"];
    expect(order.map(({ id, tag }) => id ?? tag)).toEqual(names);
  });

  test("the footer has the year, a link to the policy and the agency's credit", async () => {
    const html = await fetchPage("/");
    const year = `© ${new Date().getFullYear()} Jonah Vale`;
    expect(readTexts(html, "footer").join().replaceAll(/\s+/g, " ")).toContain(year);
    const links = findElements(html, "footer a").map(({ href, text }) => [href, text]);
    expect(links).toContainEqual(["/privacy-policy", "Privacy Policy"]);
    expect(links).toContainEqual(["https://agency.example.com/", "Website by Half Moon Studio"]);
    expect(readTexts(await fetchPage("/coaching"), "footer a")).toEqual([
      "Privacy Policy",
      "Designed by Half Moon Studio",
    ]);
  });

  test("About has statistics with values and labels, and the bundled picture if none was chosen", async () => {
    expect(readTexts(await fetchPage("/"), "#about dd")).toEqual(["11", "4M", "640+", "212"]);
    expect(readTexts(await fetchPage("/"), "#about dt")[0]).toBe("Years on stage");
    await site.asOwner("POST", "/api/about", { image: null });
    expect(findElements(await fetchPage("/"), "#about img")[0]!["src"]).toStartWith(
      "/pictures/about-default",
    );
  });

  test("external links open in a new tab without access to the page", async () => {
    const links = findElements(await fetchPage("/"), "#connect ul a");
    expect(links).toHaveLength(6);
    for (const { target, rel } of links) {
      expect(target).toBe("_blank");
      expect(rel).toContain("noopener");
    }
  });

  test("/coaching has a title, a description and a social title of its own", async () => {
    const html = await fetchPage("/coaching");
    expect(readTexts(html, "title")).toEqual(["Personal Coaching | Jonah Vale"]);
    const content = (selector: string) => findElements(html, selector)[0]!["content"];
    expect(content("meta[name=description]")).toContain("Personal coaching");
    expect(content("meta[property='og:title']")).toBe("Personal Coaching | Jonah Vale");
  });

  test("the coaching hero shows COACHING, & MENTORING and the tagline where its fields are empty", async () => {
    const empty = { mainTitle: "", subtitle: "", tagline: "", buttonText: "" };
    await site.asOwner("POST", "/api/coaching-hero", empty);
    const words = readTexts(
      await fetchPage("/coaching"),
      "#coaching-hero h1, #coaching-hero p",
    ).join(" ");
    expect(words.replaceAll("&amp;", "&").replaceAll(/\s+/g, " ").trim()).toBe(
      "COACHING & MENTORING Transform your potential into success",
    );
  });

  test("the navigation bar has buttons for sections only on the home page, and a Home link on other pages", async () => {
    const bar = "nav[aria-label=Main]";
    const [home, coaching] = [await fetchPage("/"), await fetchPage("/coaching")];
    expect(findElements(home, `${bar} button:not(.menu-close)`).length).toBeGreaterThan(2);
    expect(findElements(coaching, `${bar} button:not(.menu-close)`)).toEqual([]);
    expect(findElements(coaching, `${bar} a[href="/"]`).map(({ text }) => text)).toEqual(["Home"]);
    expect(readTexts(coaching, `${bar} [aria-current=page]`)).toEqual(["Coaching"]);
    expect(findElements(home, `${bar} [aria-current]`)).toEqual([]);
    for (const html of [home, coaching])
      expect(findElements(html, "a.brand").map(({ href }) => href)).toEqual(["/"]);
  });

  test("the privacy policy has its sections, today's date and links to / and /coaching", async () => {
    const html = await fetchPage("/privacy-policy");
    expect(readTexts(html, "h2")).toEqual([
      "Introduction",
      "Information We Collect",
      "How We Use Your Information",
      "Information Sharing",
      "Data Security",
      "Your Rights",
      "Cookies",
      "Third-Party Links",
      "Children's Privacy",
      "Changes to This Policy",
      "Contact Us",
    ]);
    expect(readTexts(html, "time")).toEqual([new Date().toLocaleDateString("en-GB")]);
    const links = findElements(html, "header a").map(({ href }) => href);
    expect(links).toEqual(["#main", "/", "/", "/coaching"]);
    expect(html).toContain("hello@example.com");
  });

  test("the call-to-action button leads to its link in every place, and is omitted without a text", async () => {
    const placesOf = async (path: string, places: readonly string[]) => {
      const html = await fetchPage(path);
      return places.map((each) => findElements(html, `${each} .button`)[0]?.["href"]);
    };
    const buttonLink = "https://calendar.example.com/jonah";
    const after = [".hero", ".transformations-footer", ".dock"];
    for (const hero of ["hero", "coaching-hero"])
      await site.asOwner("POST", `/api/${hero}`, { buttonLink, buttonText: "Book" });
    expect(await placesOf("/", [".hero", ".dock"])).toEqual([buttonLink, buttonLink]);
    expect(await placesOf("/coaching", after)).toEqual([buttonLink, buttonLink, buttonLink]);
    await site.asOwner("POST", "/api/hero", { buttonText: "" });
    expect(findElements(await fetchPage("/"), ".hero .button, .dock")).toEqual([]);
    for (const hero of ["hero", "coaching-hero"])
      await site.asOwner("POST", `/api/${hero}`, { buttonLink: null });
  });

  test("paths match in upper and lower case, and an unknown path gets a 404 page", async () => {
    expect(await fetchPage("/COACHING")).toContain('id="coaching-hero"');
    for (const path of ["/nowhere", "/coaching/nowhere", "/admin/nowhere"]) {
      const { status, text } = await site.visitor().get(path);
      const words = [...readTexts(text, "title"), ...readTexts(text, "h1")];
      expect([path, status, ...words]).toEqual([
        path,
        404,
        "Page Not Found | Jonah Vale",
        "404 Page Not Found",
      ]);
    }
  });

  test("About's short text, or the first short paragraph of a longer one, is a quote", async () => {
    const short = "<p>I sing for a living.</p>";
    const long = `<p>${"I sing for a living, mostly in rooms with sticky floors. ".repeat(6)}</p>`;
    const quoteIn = async (content: string) => {
      await site.asOwner("POST", "/api/about", { title: "ABOUT", content });
      return findElements(await fetchPage("/"), "#about .rich")[0]!["data-quote"];
    };
    expect(await quoteIn(short)).toBe("all");
    expect(await quoteIn(short + long)).toBe("first");
    expect(await quoteIn(long)).toBeUndefined();
    expect(await quoteIn(`<h2>Sticky floors</h2>${short}`)).toBeUndefined();
  });
});

describe("the HTML of a site whose lists are empty", () => {
  const site = setUpSiteForAll(startSite);

  test("sections without items are omitted", async () => {
    for (const [path, id] of [
      ["/", "highlights"],
      ["/", "press"],
      ["/coaching", "transformations"],
    ])
      expect(findElements((await site.visitor().get(path!)).text, `#${id}`)).toEqual([]);
  });

  /** The targets of the hero's links while these sections are hidden. */
  async function readScrollTargets(hiddenSections: readonly string[]): Promise<string[]> {
    await site.asOwner("POST", "/api/styles", { hiddenSections });
    const { text } = await site.visitor().get("/");
    const hero = /<section id="hero".*?<\/section>/s.exec(text)![0];
    return [...hero.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id!);
  }

  test("Scroll leads to the first existing section, and the second button is omitted without highlights", async () => {
    await site.asOwner("POST", "/api/hero", { buttonText: "Work with me" });
    expect(await readScrollTargets([])).toEqual(["about"]);
    expect(await readScrollTargets(["about"])).toEqual([]);
    const show = { title: "Night", imageUrl: "/uploads/night.jpg" };
    await site.asOwner("POST", "/api/highlights", show);
    await site.asOwner("POST", "/api/press-features", { name: "The Stage", subtitle: "Bright" });
    expect(await readScrollTargets([])).toEqual(["highlights", "about"]);
    expect(await readScrollTargets(["about"])).toEqual(["highlights", "highlights"]);
    expect(await readScrollTargets(["highlights"])).toEqual(["about"]);
    expect(await readScrollTargets(["about", "highlights"])).toEqual(["press"]);
    expect(await readScrollTargets(["about", "highlights", "press"])).toEqual([]);
  });
});
