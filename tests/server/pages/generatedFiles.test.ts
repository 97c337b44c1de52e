/** Files that search engines, shared links and browsers request (specification, section 2.1). */
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { decode, encode } from "fast-png";
import { uploadPicture } from "../../support/uploadPicture.ts";
import { createPicture } from "../../support/pictures.ts";
import { createGeneratedFileLookup } from "../../../src/server/pages/generatedFiles.ts";
import { loadWebBuild } from "../../../src/server/pages/webBuild.ts";
import { join } from "node:path";
import { setUpSiteForAll, startSite } from "../../support/testSite.ts";

const ADDRESS = "https://jonah.example";
// Making the sample site and reading several pages takes a while.
setDefaultTimeout(120_000);

const site = setUpSiteForAll(() => startSite({ hasSample: true }));
const addressedSite = setUpSiteForAll(() =>
  startSite({ hasSample: true, env: { SITE_URL: ADDRESS } }),
);

/** Fetches with the site's own host, like a proxy in front of it. */
const fetchAddressed = (path: string) =>
  fetch(addressedSite.url + path, { headers: { host: new URL(ADDRESS).host } });
const readText = async (answer: Response | Promise<Response>) => (await answer).text();

/** The structured data of a page. */
const readStructuredData = async (path: string) => {
  const html = await readText(fetch(site.url + path));
  return JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/.exec(html)![1]!);
};

describe("without a public URL in the settings", () => {
  test("no page contains a canonical URL or another absolute URL of the site", async () => {
    for (const path of ["/", "/coaching", "/privacy-policy"]) {
      const html = await readText(fetch(site.url + path));
      expect(html).not.toContain('rel="canonical"');
      expect(html).not.toContain('property="og:url"');
      expect(html).not.toContain(site.url);
    }
  });

  test("the sitemap lists no page, and robots.txt names no sitemap", async () => {
    expect(await readText(fetch(`${site.url}/sitemap.xml`))).not.toContain("<loc>");
    expect(await readText(fetch(`${site.url}/robots.txt`))).not.toContain("Sitemap");
  });
});

describe("with a public URL in the settings", () => {
  test.each(["/", "/coaching", "/privacy-policy"])("%s names its canonical URL", async (path) => {
    const html = await readText(fetchAddressed(path));
    expect(html).toContain(`<link rel="canonical" href="${ADDRESS}${path}"/>`);
    expect(html).toContain(`<meta property="og:url" content="${ADDRESS}${path}"/>`);
    expect(html).toMatch(new RegExp(`property="og:image" content="${ADDRESS}/[^"]+"`));
    expect(html).toContain('<meta name="twitter:card" content="summary_large_image"/>');
    expect(html).toMatch(/<meta name="description" content="[^"]{20,}"/);
  });

  test("the sitemap lists the public pages, and robots.txt names the sitemap", async () => {
    const sitemap = await readText(fetchAddressed("/sitemap.xml"));
    expect([...sitemap.matchAll(/<loc>(.*?)<\/loc>/g)].map((match) => match[1])).toEqual([
      `${ADDRESS}/`,
      `${ADDRESS}/coaching`,
      `${ADDRESS}/privacy-policy`,
    ]);
    expect(await readText(fetchAddressed("/robots.txt"))).toContain(
      `Sitemap: ${ADDRESS}/sitemap.xml`,
    );
  });
});

test("a missing page and the login page have noindex, and the site's public pages don't", async () => {
  const isPassedBy = async (path: string) =>
    (await readText(fetch(site.url + path))).includes('<meta name="robots" content="noindex"/>');
  for (const path of ["/nothing", "/admin/login"])
    expect([path, await isPassedBy(path)]).toEqual([path, true]);
  for (const path of ["/", "/coaching", "/privacy-policy"])
    expect([path, await isPassedBy(path)]).toEqual([path, false]);
});

describe("structured data", () => {
  test("describes a Person on / and a ProfessionalService on /coaching", async () => {
    const [person, service] = [
      await readStructuredData("/"),
      await readStructuredData("/coaching"),
    ];
    expect(person).toMatchObject({ "@type": "Person", name: "Jonah Vale" });
    expect(person.sameAs).toContain("https://x.com/jonahvaledemo");
    expect(service).toMatchObject({ "@type": "ProfessionalService" });
    expect(service.founder.name).toBe("Jonah Vale");
  });

  test("stays intact with HTML in the site's name, like the page's head and the icon", async () => {
    const name = `</script><b>"&'`;
    await site.asOwner("POST", "/api/site", { name });
    expect((await readStructuredData("/")).name).toBe(name);
    const html = await readText(fetch(`${site.url}/`));
    expect(html).not.toContain("</script><b>");
    expect(await readText(fetch(`${site.url}/favicon.svg`))).toContain("&lt;</text>");
    await site.asOwner("POST", "/api/site", { name: "Jonah Vale" });
  });
});

describe("generated files", () => {
  test.each([
    ["/robots.txt", "text/plain"],
    ["/sitemap.xml", "application/xml"],
    ["/manifest.webmanifest", "application/manifest+json"],
    ["/favicon.svg", "image/svg+xml"],
    ["/favicon.ico", "image/x-icon"],
    ["/apple-touch-icon.png", "image/png"],
    ["/icon-192.png", "image/png"],
    ["/icon-512.png", "image/png"],
    ["/admin/manifest.webmanifest", "application/manifest+json"],
    ["/admin/worker.js", "text/javascript"],
    ["/share-home.jpg", "image/jpeg"],
    ["/share-coaching.jpg", "image/jpeg"],
  ])("a request for %s gets the type %s, and a 304 if unchanged", async (path, type) => {
    const first = await fetch(site.url + path);
    expect(first.status).toBe(200);
    expect(first.headers.get("content-type")).toStartWith(type);
    const etag = first.headers.get("etag")!;
    const again = await fetch(site.url + path, { headers: { "if-none-match": etag } });
    expect(again.status).toBe(304);
  });

  test("the drawn pictures can be decoded, and have the expected sizes", async () => {
    for (const [path, width, height] of [
      ["/apple-touch-icon.png", 180, 180],
      ["/icon-192.png", 192, 192],
      ["/icon-512.png", 512, 512],
      ["/share-home.jpg", 1200, 630],
      ["/share-coaching.jpg", 1200, 630],
    ] as const) {
      const bytes = await (await fetch(site.url + path)).bytes();
      expect(await new Bun.Image(bytes).metadata()).toMatchObject({ width, height });
    }
  });

  test("a shared link has a picture drawn from the site's name and photo if the owner chose no picture", async () => {
    const share = async () =>
      new Bun.Image(await (await fetch(`${site.url}/share-home.jpg`)).bytes());
    const bytes = await (await fetch(`${site.url}/share-home.jpg`)).bytes();
    // The largest size that messengers fetch.
    expect(bytes.length).toBeLessThan(300_000);
    const { data, channels, width } = decode(await (await share()).png().bytes());
    const gray = (x: number, y: number) => data[(y * width + x) * channels]!;
    const row = (y: number) => Array.from({ length: width }, (_, x) => gray(x, y));
    // The name is white on black. X covers the lowest fifth, so it has no text.
    expect(row(400).filter((each) => each > 240).length).toBeGreaterThan(100);
    expect(row(580).some((each) => each > 200)).toBe(false);
  });

  test("the owner's picture for a shared link is served with its size, in a format that every messenger shows", async () => {
    const freshSite = await startSite({ hasAddress: true });
    const owner = await freshSite.logInAsOwner();
    const webp = await createPicture("webp", 1360, 900);
    const { url } = await uploadPicture({ owner: async () => owner }, "stage.webp", webp);
    await owner.post("/api/sharing", { homePicture: url });
    const html = await readText(fetch(`${freshSite.url}/`));
    const metaOf = (name: string) => new RegExp(`"${name}" content="([^"]+)"`).exec(html)?.[1];
    const address = metaOf("og:image")!;
    expect(address).toBe(`${freshSite.url}${url.replace(".webp", "-1088.jpg")}`);
    expect([metaOf("og:image:width"), metaOf("og:image:height")]).toEqual(["1088", "720"]);
    expect(metaOf("twitter:image")).toBe(address);
    expect((await fetch(address)).headers.get("content-type")).toBe("image/jpeg");
    await freshSite.stop();
  });

  test("the drawn picture's URL changes with its sources, since messengers cache pictures by URL", async () => {
    const freshSite = await startSite({ hasAddress: true });
    const owner = await freshSite.logInAsOwner();
    const head = async () =>
      /og:image" content="([^"]+)"/.exec(await readText(fetch(`${freshSite.url}/`)))?.[1];
    const before = await head();
    expect(before).toStartWith(`${freshSite.url}/share-home.jpg?v=`);
    await owner.post("/api/site", { name: "Somebody Else" });
    expect(await head()).not.toBe(before);
    expect((await fetch((await head())!)).headers.get("content-type")).toBe("image/jpeg");
    await freshSite.stop();
  });

  test("the drawn picture changes with the site's name, and an unsupported script causes no error", async () => {
    const etag = async () => (await fetch(`${site.url}/share-home.jpg`)).headers.get("etag");
    const first = await etag();
    for (const name of [
      "Zoë Żółć-Überschär & the Extraordinarily Long-Named Ensemble",
      "سلمى 🎤",
    ]) {
      await site.asOwner("POST", "/api/site", { name });
      expect(await etag()).not.toBe(first);
    }
    await site.asOwner("POST", "/api/site", { name: "Jonah Vale" });
    expect(await etag()).toBe(first);
  });

  test("a shared link's picture is drawn once for simultaneous requests, and again after a change of its sources", async () => {
    const freshSite = await startSite();
    const owner = await freshSite.logInAsOwner();
    const photo = await createPicture("jpeg", 400, 300);
    const { url } = await uploadPicture({ owner: async () => owner }, "photo.jpg", photo);
    await owner.post("/api/hero", { backgroundImage: url });
    let drawn = 0;
    const small = createGeneratedFileLookup({
      store: freshSite.store,
      build: await loadWebBuild(),
      siteUrl: null,
      now: Date.now,
      findPictureFile: async (name) => ((drawn += 1), { path: join(freshSite.uploadsDir, name) }),
    });
    const all = () => Promise.all(Array.from({ length: 20 }, () => small("/share-home.jpg")));
    expect(new Set((await all()).map((each) => each!.etag)).size).toBe(1);
    expect(drawn).toBe(1);
    await owner.post("/api/hero", { tagline: "Singer" });
    await all();
    expect(drawn).toBe(2);
    await freshSite.stop();
  });

  test("the owner's icon is served in every size that browsers request", async () => {
    const data = new Uint8Array(300 * 200 * 3).map((_, at) => [10, 200, 30][at % 3]!);
    const green = new Uint8Array(encode({ width: 300, height: 200, data, channels: 3 }));
    const { url } = await uploadPicture(site, "icon.png", green);
    await site.asOwner("POST", "/api/sharing", { icon: url });
    for (const [path, side] of [
      ["/apple-touch-icon.png", 180],
      ["/icon-512.png", 512],
    ] as const) {
      const picture = decode(await (await fetch(site.url + path)).bytes());
      expect([picture.width, picture.height]).toEqual([side, side]);
      expect([...picture.data.subarray(0, 3)]).toEqual([10, 200, 30]);
    }
    const ico = await (await fetch(`${site.url}/favicon.ico`)).bytes();
    expect([...decode(ico.subarray(22)).data.subarray(0, 3)]).toEqual([10, 200, 30]);
    expect(await readText(fetch(`${site.url}/manifest.webmanifest`))).not.toContain("favicon.svg");
    await site.asOwner("POST", "/api/sharing", { icon: null });
    const defaultIcon = await fetch(`${site.url}/apple-touch-icon.png`);
    expect(decode(await defaultIcon.bytes()).data.subarray(0, 3)).not.toEqual(
      new Uint8Array([10, 200, 30]),
    );
  });

  test("an unreadable icon file is replaced by a drawn one until it can be read", async () => {
    const freshSite = await startSite();
    const owner = await freshSite.owner();
    const { url } = await uploadPicture(
      freshSite,
      "icon.jpg",
      await createPicture("jpeg", 400, 300),
    );
    await owner.post("/api/sharing", { icon: url });
    let isUnreachable = true;
    const small = createGeneratedFileLookup({
      store: freshSite.store,
      build: await loadWebBuild(),
      siteUrl: null,
      now: Date.now,
      async findPictureFile(name) {
        if (isUnreachable) throw new Error("The bucket is away.");
        return { path: join(freshSite.uploadsDir, name) };
      },
    });
    const icon = async () => (await small("/icon-192.png"))!.etag;
    const drawn = await icon();
    isUnreachable = false;
    const uploaded = await icon();
    expect([uploaded === drawn, await icon()]).toEqual([false, uploaded]);
    await freshSite.stop();
  });

  test("the icon follows the site's colors", async () => {
    const before = await readText(fetch(`${site.url}/favicon.svg`));
    await site.asOwner("POST", "/api/styles", { primaryColor: "#FF0066" });
    const after = await readText(fetch(`${site.url}/favicon.svg`));
    expect(before).toContain("#00BFFF");
    expect(after).toContain("#FF0066");
    await site.asOwner("POST", "/api/styles", { primaryColor: "#00BFFF" });
  });
});
