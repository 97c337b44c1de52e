/** Pages as stored bytes: always the newest content, whatever fails or changes (specification, section 4.14). */
import { beforeAll, describe, expect, test } from "bun:test";
import { EXTRAS } from "../../../src/schema/sections/extras.ts";
import type { Fields } from "../../../src/schema/kinds/fields.ts";
import { allEntities, findEntityByKey } from "../../../src/schema/index.ts";
import { PageCache } from "../../../src/server/pages/pageCache.ts";
import { createContentSecurityPolicy } from "../../../src/server/pages/pageRenderer.ts";
import type { Document } from "../../../src/server/storage/store.ts";
import { extractComponentCode } from "../../../src/web/entry-server.tsx";
import { replaceForms } from "../../support/enquiryForm.ts";
import { createFilledItem } from "../../support/createFilledItem.ts";
import { waitForValue, ownerOf, setUpSiteForAll, startSite } from "../../support/testSite.ts";

const site = setUpSiteForAll(() => startSite({ env: { RATE_LIMIT: "off" } }));
const owner = ownerOf(site);

const fetchPage = async (path = "/", headers = {}) =>
  (await fetch(site.url + path, { headers })).text();

const createRendered = (html: string) => ({ status: 200, html, policy: "p" });

/** Fails to render a page if `html` is empty. */
const createRenderedOrThrow = (html: string) => {
  if (html === "") throw new Error("broken");
  return createRendered(html);
};
const onError = () => {};

/** Creates renderings that the test completes with a result of its choice. */
function createHeldCache() {
  const started: ((html: string) => void)[] = [];
  const render = () =>
    new Promise<ReturnType<typeof createRendered>>((resolve) =>
      started.push((html) => resolve(createRendered(html))),
    );
  return { started, render };
}

type Cache = PageCache;
const readText = async ({ bytes }: Awaited<ReturnType<Cache["get"]>>) =>
  new TextDecoder().decode(await bytes.identity());
const readCachedText = async (cache: Cache) => readText(await cache.get("/"));

describe("a page", () => {
  test("is rendered even if a font has the name of an object's property", async () => {
    const { headingFont } = (await owner.get("/api/styles")).body;
    for (const name of ["constructor", "__proto__"]) {
      await owner.post("/api/styles", { headingFont: name });
      for (const path of ["/", "/privacy-policy"]) expect(await fetchPage(path)).toContain(name);
    }
    await owner.post("/api/styles", { headingFont });
  });

  test("includes the data of an enquiry form only if it has a form", async () => {
    const brought = async () => {
      const html = await fetchPage("/coaching");
      return ['type="application/json"', "<form"].map((mark) => html.includes(mark));
    };
    await owner.post("/api/coaching-hero", { mainTitle: ' data-wakes="" ' });
    expect(await brought()).toEqual([false, false]);
    await replaceForms(site, [{ title: "About you", fields: [{ label: "Your name" }] }]);
    expect(await brought()).toEqual([true, true]);
  });

  test("responds with 304 to a client that sends its ETag, even weakened or among others", async () => {
    const etag = (await site.visitor().get("/")).headers.get("etag")!;
    for (const cachedEtag of [etag, `W/${etag}`, `"other", ${etag}`]) {
      const again = await site.visitor().get("/", { "if-none-match": cachedEtag });
      expect([again.status, again.text]).toEqual([304, ""]);
      expect(again.headers.get("content-security-policy")).toContain("script-src");
    }
  });

  test("answers HEAD like GET, without the body", async () => {
    const [get, head] = await Promise.all([
      site.visitor().get("/"),
      site.visitor().call("HEAD", "/"),
    ]);
    expect([head.status, head.text]).toEqual([200, ""]);
    for (const name of ["etag", "content-type", "content-security-policy", "cache-control"])
      expect([name, head.headers.get(name)]).toEqual([name, get.headers.get(name)]);
  });

  test.each(["/", "/coaching", "/privacy-policy", "/admin/login", "/nothing"])(
    "at %s allows exactly its own inline scripts and styles in its content security policy",
    async (path) => {
      const { text, headers } = await site.visitor().get(path);
      const policy = headers.get("content-security-policy")!;
      const inline = [...text.matchAll(/<(script|style)\b([^>]*)>([\s\S]*?)<\/\1>/g)].filter(
        ([, , attributes, code]) => code !== "" && !attributes!.includes("json"),
      );
      for (const [, , , code] of inline) {
        const hash = new Bun.CryptoHasher("sha256").update(code!).digest("base64");
        expect(policy).toContain(`'sha256-${hash}'`);
      }
      expect(policy.match(/'sha256-/g)?.length ?? 0).toBe(
        new Set(inline.map(([, , , code]) => code)).size,
      );
      expect(policy).not.toMatch(/script-src[^;]*unsafe|style-src [^;]*unsafe/);
      expect(text).not.toContain("nonce");
    },
  );
});

describe("the content security policy", () => {
  test("allows the page's own inline code, not code injected by content", () => {
    const html = `<style nonce="n1">a{}</style><script nonce="n1">own()</script><p><script>evil()</script><script nonce="n2">evil(2)</script><style>evil{}</style>`;
    const { scripts, styles, html: clean } = extractComponentCode(html, "n1");
    expect([scripts, styles]).toEqual([["own()"], ["a{}"]]);
    expect(clean).not.toContain('nonce="n1"');
    const policy = createContentSecurityPolicy({
      scripts,
      styles,
      pictureHosts: [],
      isHttps: true,
    });
    for (const evil of ["evil()", "evil(2)", "evil{}"]) {
      const hash = new Bun.CryptoHasher("sha256").update(evil).digest("base64");
      expect(policy).not.toContain(hash);
    }
  });

  test.each([
    ["https://żółw.example/x.png", "https://xn--w-uga1v8h.example"],
    ["https://cdn.example:8443/x.png", "https://cdn.example:8443"],
    ["https://a;script-src-elem/x.png", undefined],
    ["https://a,b.example/x.png", undefined],
    ["https://*/x.png", undefined],
  ])("allows only the host of the picture's URL %s, if it is valid", async (address, named) => {
    expect((await owner.post("/api/hero", { backgroundImage: address })).status).toBe(200);
    const answer = await site.visitor().get("/");
    expect(answer.status).toBe(200);
    const sources = /img-src ([^;]*)/.exec(answer.headers.get("content-security-policy")!)![1]!;
    expect(sources).toBe(["'self' data: blob:", named].filter(Boolean).join(" "));
    await owner.post("/api/hero", { backgroundImage: null });
  });
});

describe("pictures from other hosts", () => {
  const DECLARED_FIELDS = allEntities.flatMap((entity) =>
    entity.readers !== "everyone" || entity.shape === "records"
      ? []
      : Object.entries(entity.fields as Fields)
          .filter(([, { kind }]) => kind.findPictures)
          .map(([field, { kind }]) => [entity.key, field, kind.name] as const),
  );

  test("are tested in at least eight fields with a picture or rich text", () => {
    expect(DECLARED_FIELDS.length).toBeGreaterThanOrEqual(8);
  });

  beforeAll(async () => {
    const on = EXTRAS.map(({ key }) => key);
    await site.asOwner("POST", "/api/extras", { on });
  });

  test.each(DECLARED_FIELDS)(
    "are allowed by the content security policy in the field %s.%s",
    async (key, field, input) => {
      const host = `https://${key}-${field}.example`.toLowerCase();
      const value = input === "image" ? `${host}/x.png` : `<p><img src="${host}/x.png"></p>`;
      const handle = site.store.of(findEntityByKey(key)!) as unknown as Document<unknown>;
      const before = handle.read().value;
      const item = { ...createFilledItem(findEntityByKey(key)!), [field]: value };
      await handle.update(() => (Array.isArray(before) ? [...before, item] : item));
      const { headers } = await site.visitor().get("/");
      expect(/img-src ([^;]*)/.exec(headers.get("content-security-policy")!)![1]).toContain(host);
      await handle.update(() => before);
    },
  );
});

describe("the page cache", () => {
  test("keeps the last good page while rendering fails, and shows the next good page", async () => {
    const failures: string[] = [];
    let now = "first";
    const onError = (key: string) => void failures.push(key);
    const cache = new PageCache({ render: async () => createRenderedOrThrow(now), onError });
    expect(await readCachedText(cache)).toBe("first");
    now = "";
    for (let round = 0; round < 3; round++) {
      cache.invalidate();
      expect(await readCachedText(cache)).toBe("first");
    }
    expect(failures).toEqual(["/", "/", "/"]);
    now = "second";
    cache.invalidate();
    expect(await readCachedText(cache)).toBe("second");
  });

  test("fails until the first page can be rendered, and recovers automatically", async () => {
    let now = "";
    const cache = new PageCache({ render: async () => createRenderedOrThrow(now), onError });
    await expect(readCachedText(cache)).rejects.toThrow("broken");
    now = "well";
    expect(await readCachedText(cache)).toBe("well");
  });

  test("never keeps a rendering that began before the last change", async () => {
    const { started, render } = createHeldCache();
    const ready: string[] = [];
    const cache = new PageCache({
      render,
      onReady: async (_, page) => ready.push(await readText(page)),
      onOutdated: (key) => ready.push(`${key} is old`),
      onError,
    });
    const early = readCachedText(cache);
    cache.invalidate();
    const late = readCachedText(cache);
    await waitForValue(() => started.length, 2);
    started[1]!("new");
    started[0]!("old");
    expect(await late).toBe("new");
    expect(await early).toBe("old");
    expect(await readCachedText(cache)).toBe("new");
    expect(ready).toEqual(["/ is old", "new"]);
  });

  test("renders a page once for any number of simultaneous readers", async () => {
    let count = 0;
    const cache = new PageCache({ render: async () => createRendered(String(++count)), onError });
    await Promise.all(Array.from({ length: 50 }, () => cache.get("/")));
    expect(count).toBe(1);
  });
});
