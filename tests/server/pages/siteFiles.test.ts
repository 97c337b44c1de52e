/** What search engines, shared links and browsers ask of the site (specification, section 2.1). */
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { startProgram } from "../../support/program.ts";
import { siteForAll } from "../../support/siteForAll.ts";

const ADDRESS = "https://jonah.example";
// Making the sample site and looking at several pages takes its time.
setDefaultTimeout(60_000);

const site = siteForAll(() => startProgram({ sample: true }));
const known = siteForAll(() => startProgram({ sample: true, env: { SITE_URL: ADDRESS } }));

/** Fetches from the site that knows its address, as a proxy in front of it would. */
const fromKnown = (path: string) =>
  fetch(known.url + path, { headers: { host: new URL(ADDRESS).host } });
const textOf = async (answer: Response | Promise<Response>) => (await answer).text();

/** The structured data of a page. */
const dataOf = async (path: string) => {
  const html = await textOf(fetch(site.url + path));
  return JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/.exec(html)![1]!);
};

describe("without a public address", () => {
  test("no page names an absolute address of its own", async () => {
    for (const path of ["/", "/coaching", "/privacy-policy"]) {
      const html = await textOf(fetch(site.url + path));
      expect(html).not.toContain('rel="canonical"');
      expect(html).not.toContain('property="og:url"');
      expect(html).not.toContain(site.url);
    }
  });

  test("the sitemap names no page, and robots.txt no sitemap", async () => {
    expect(await textOf(fetch(`${site.url}/sitemap.xml`))).not.toContain("<loc>");
    expect(await textOf(fetch(`${site.url}/robots.txt`))).not.toContain("Sitemap");
  });
});

describe("with a public address", () => {
  test.each(["/", "/coaching", "/privacy-policy"])("%s names its canonical one", async (path) => {
    const html = await textOf(fromKnown(path));
    expect(html).toContain(`<link rel="canonical" href="${ADDRESS}${path}"/>`);
    expect(html).toContain(`<meta property="og:url" content="${ADDRESS}${path}"/>`);
    expect(html).toMatch(new RegExp(`property="og:image" content="${ADDRESS}/[^"]+"`));
    expect(html).toContain('<meta name="twitter:card" content="summary_large_image"/>');
    expect(html).toMatch(/<meta name="description" content="[^"]{20,}"/);
  });

  test("the sitemap names the public pages, and robots.txt the sitemap", async () => {
    const sitemap = await textOf(fromKnown("/sitemap.xml"));
    expect([...sitemap.matchAll(/<loc>(.*?)<\/loc>/g)].map((match) => match[1])).toEqual([
      `${ADDRESS}/`,
      `${ADDRESS}/coaching`,
      `${ADDRESS}/privacy-policy`,
    ]);
    expect(await textOf(fromKnown("/robots.txt"))).toContain(`Sitemap: ${ADDRESS}/sitemap.xml`);
  });
});

test("search engines are asked to pass by what is no page of the site", async () => {
  const isPassedBy = async (path: string) =>
    (await textOf(fetch(site.url + path))).includes('<meta name="robots" content="noindex"/>');
  for (const path of ["/nothing", "/admin/login"])
    expect([path, await isPassedBy(path)]).toEqual([path, true]);
  for (const path of ["/", "/coaching", "/privacy-policy"])
    expect([path, await isPassedBy(path)]).toEqual([path, false]);
});

describe("structured data", () => {
  test("/ is about a Person, /coaching about a ProfessionalService", async () => {
    const [person, service] = [await dataOf("/"), await dataOf("/coaching")];
    expect(person).toMatchObject({ "@type": "Person", name: "Jonah Vale" });
    expect(person.sameAs).toContain("https://x.com/jonahvaledemo");
    expect(service).toMatchObject({ "@type": "ProfessionalService" });
    expect(service.founder.name).toBe("Jonah Vale");
  });

  test("nothing in it ends its element, nor does a name in the head", async () => {
    const name = `</script><b>"&'`;
    await site.asOwner("POST", "/api/site", { name });
    expect((await dataOf("/")).name).toBe(name);
    const html = await textOf(fetch(`${site.url}/`));
    expect(html).not.toContain("</script><b>");
    expect(await textOf(fetch(`${site.url}/favicon.svg`))).toContain("&lt;</text>");
    await site.asOwner("POST", "/api/site", { name: "Jonah Vale" });
  });
});

describe("small files", () => {
  test.each([
    ["/robots.txt", "text/plain"],
    ["/sitemap.xml", "application/xml"],
    ["/manifest.webmanifest", "application/manifest+json"],
    ["/favicon.svg", "image/svg+xml"],
    ["/favicon.ico", "image/x-icon"],
    ["/apple-touch-icon.png", "image/png"],
    ["/icon-512.png", "image/png"],
    ["/social.png", "image/png"],
  ])("%s is %s, and is not sent twice", async (path, type) => {
    const first = await fetch(site.url + path);
    expect(first.status).toBe(200);
    expect(first.headers.get("content-type")).toStartWith(type);
    const etag = first.headers.get("etag")!;
    const again = await fetch(site.url + path, { headers: { "if-none-match": etag } });
    expect(again.status).toBe(304);
  });

  test("the drawn pictures can be decoded at their size", async () => {
    for (const [path, width, height] of [
      ["/apple-touch-icon.png", 180, 180],
      ["/icon-512.png", 512, 512],
      ["/social.png", 1200, 630],
    ] as const) {
      const bytes = await (await fetch(site.url + path)).bytes();
      expect(await new Bun.Image(bytes).metadata()).toMatchObject({ width, height });
    }
  });

  test("the icon follows the site's colors", async () => {
    const before = await textOf(fetch(`${site.url}/favicon.svg`));
    await site.asOwner("POST", "/api/styles", { primaryColor: "#FF0066" });
    const after = await textOf(fetch(`${site.url}/favicon.svg`));
    expect(before).toContain("#00BFFF");
    expect(after).toContain("#FF0066");
    await site.asOwner("POST", "/api/styles", { primaryColor: "#00BFFF" });
  });
});
