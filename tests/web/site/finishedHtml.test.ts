/** The content of a page before any script runs, as sent by the server (specification, sections 2.3 to 2.5). */
import { describe, expect, test } from "bun:test";
import { siteForAll } from "../../support/siteForAll.ts";
import { startSite } from "../../support/startSite.ts";

/** The elements that a selector finds in HTML, with their text and attributes. */
function all(html: string, selector: string): Record<string, string>[] {
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
const textsIn = (html: string, selector: string) => all(html, selector).map(({ text }) => text);

describe("of the sample site", () => {
  const site = siteForAll(() => startSite({ hasSample: true }));
  const read = async (path: string) => (await site.visitor().get(path)).text;

  test("the sections of the home page stack in their order, between the navigation and the footer", async () => {
    const order = all(await read("/"), "header, main > section, body > footer");
    const names = ["header", "hero", "about", "highlights", "connect", "press", "footer"];
    expect(order.map(({ id, tag }) => id ?? tag)).toEqual(names);
  });

  test("the footer has the year, a link to the policy and the agency's credit", async () => {
    const html = await read("/");
    const year = `© ${new Date().getFullYear()} Jonah Vale`;
    expect(textsIn(html, "footer").join().replaceAll(/\s+/g, " ")).toContain(year);
    const links = all(html, "footer a").map(({ href, text }) => [href, text]);
    expect(links).toContainEqual(["/privacy-policy", "Privacy Policy"]);
    expect(links).toContainEqual(["https://agency.example.com/", "Website by Half Moon Studio"]);
    expect(textsIn(await read("/coaching"), "footer a")).toEqual([
      "Privacy Policy",
      "Designed by Half Moon Studio",
    ]);
  });

  test("About has a row of statistics, each with a value and a label, and the bundled picture where none was chosen", async () => {
    expect(textsIn(await read("/"), "#about dd")).toEqual(["11", "4M", "640+", "212"]);
    expect(textsIn(await read("/"), "#about dt")[0]).toBe("Years on stage");
    await site.asOwner("POST", "/api/about", { image: null });
    expect(all(await read("/"), "#about img")[0]!["src"]).toStartWith("/pictures/about-default");
  });

  test("external links open in a new tab without access to the page", async () => {
    const links = all(await read("/"), "#connect ul a");
    expect(links).toHaveLength(6);
    for (const { target, rel } of links) {
      expect(target).toBe("_blank");
      expect(rel).toContain("noopener");
    }
  });

  test("/coaching has a title, a description and a social title of its own", async () => {
    const html = await read("/coaching");
    expect(textsIn(html, "title")).toEqual(["Personal Coaching | Jonah Vale"]);
    const content = (selector: string) => all(html, selector)[0]!["content"];
    expect(content("meta[name=description]")).toContain("Personal coaching");
    expect(content("meta[property='og:title']")).toBe("Personal Coaching | Jonah Vale");
  });

  test("the coaching hero shows COACHING, & MENTORING and the tagline where its fields are empty", async () => {
    const empty = { mainTitle: "", subtitle: "", tagline: "", buttonText: "" };
    await site.asOwner("POST", "/api/coaching-hero", empty);
    const words = textsIn(await read("/coaching"), "#coaching-hero h1, #coaching-hero p").join(" ");
    expect(words.replaceAll("&amp;", "&").replaceAll(/\s+/g, " ").trim()).toBe(
      "COACHING & MENTORING Transform your potential into success",
    );
  });

  test("the bar has buttons on the home page alone, a Home link elsewhere, and marks Coaching while there", async () => {
    const bar = "nav[aria-label=Main]";
    const [home, coaching] = [await read("/"), await read("/coaching")];
    expect(all(home, `${bar} button:not(.menu-close)`).length).toBeGreaterThan(2);
    expect(all(coaching, `${bar} button:not(.menu-close)`)).toEqual([]);
    expect(all(coaching, `${bar} a[href="/"]`).map(({ text }) => text)).toEqual(["Home"]);
    expect(textsIn(coaching, `${bar} [aria-current=page]`)).toEqual(["Coaching"]);
    expect(all(home, `${bar} [aria-current]`)).toEqual([]);
    for (const html of [home, coaching])
      expect(all(html, "a.brand").map(({ href }) => href)).toEqual(["/"]);
  });

  test("the privacy policy has its sections, today's date and links to / and /coaching", async () => {
    const html = await read("/privacy-policy");
    expect(textsIn(html, "h2")).toEqual([
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
    expect(textsIn(html, "time")).toEqual([new Date().toLocaleDateString("en-GB")]);
    const links = all(html, "header a").map(({ href }) => href);
    expect(links).toEqual(["#main", "/", "/", "/coaching"]);
    expect(html).toContain("hello@example.com");
  });

  test("with a link the button leads there, in both heroes, after the transformations and docked; without a text there is none", async () => {
    const placesOf = async (path: string, places: readonly string[]) => {
      const html = await read(path);
      return places.map((each) => all(html, `${each} .button`)[0]?.["href"]);
    };
    const buttonLink = "https://calendar.example.com/jonah";
    const after = [".hero", ".transformations-footer", ".dock"];
    for (const hero of ["hero", "coaching-hero"])
      await site.asOwner("POST", `/api/${hero}`, { buttonLink, buttonText: "Book" });
    expect(await placesOf("/", [".hero", ".dock"])).toEqual([buttonLink, buttonLink]);
    expect(await placesOf("/coaching", after)).toEqual([buttonLink, buttonLink, buttonLink]);
    await site.asOwner("POST", "/api/hero", { buttonText: "" });
    expect(all(await read("/"), ".hero .button, .dock")).toEqual([]);
    for (const hero of ["hero", "coaching-hero"])
      await site.asOwner("POST", `/api/${hero}`, { buttonLink: null });
  });

  test("paths match in any case, and an unknown one gets a 404 page, below others too", async () => {
    expect(await read("/COACHING")).toContain('id="coaching-hero"');
    for (const path of ["/nowhere", "/coaching/nowhere", "/admin/nowhere"]) {
      const { status, text } = await site.visitor().get(path);
      const words = [...textsIn(text, "title"), ...textsIn(text, "h1")];
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
      return all(await read("/"), "#about .rich")[0]!["data-quote"];
    };
    expect(await quoteIn(short)).toBe("all");
    expect(await quoteIn(short + long)).toBe("first");
    expect(await quoteIn(long)).toBeUndefined();
    expect(await quoteIn(`<h2>Sticky floors</h2>${short}`)).toBeUndefined();
  });
});

describe("of a site whose lists are empty", () => {
  const site = siteForAll(startSite);

  test("sections without items are omitted", async () => {
    for (const [path, id] of [
      ["/", "highlights"],
      ["/", "press"],
      ["/coaching", "transformations"],
    ])
      expect(all((await site.visitor().get(path!)).text, `#${id}`)).toEqual([]);
  });

  /** The targets of the hero's links while these sections are hidden. */
  async function ledTo(hiddenSections: readonly string[]): Promise<string[]> {
    await site.asOwner("POST", "/api/styles", { hiddenSections });
    const { text } = await site.visitor().get("/");
    const hero = /<section id="hero".*?<\/section>/s.exec(text)![0];
    return [...hero.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id!);
  }

  test("Scroll leads to the first existing section, and the second button is omitted with the highlights", async () => {
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
});
