/** Every response declares its type, and texts their encoding (ASVS 5.0, 4.1.1). */
import { expect, test } from "bun:test";
import { setUpSiteForAll, startSite } from "../../support/testSite.ts";

const site = setUpSiteForAll(() => startSite({ env: { SITE_URL: "http://ada.example" } }));

const PATHS =
  "/ /coaching /nowhere /privacy-policy /admin /confirm-subscription?t=x /letters /robots.txt /sitemap.xml /.well-known/security.txt /api/hero /api/nowhere /api/users /api/health /uploads/none.jpg".split(
    " ",
  );
/** Built files that a page links to. */
const FILE = /(?:src|href)="(\/[^"]+\.(?:js|css|svg|xml|txt|webmanifest))/g;
const CORRECT_TYPE =
  /^(?:application\/(?:\w+\+)?json|image\/|font\/|(?:text\/|application\/xml|.*\+xml).*; ?charset=utf-8)/i;

test("every response has a content type, and every text a charset", async () => {
  const headers = { host: "ada.example" };
  const home = await site.visitor().get("/", headers);
  const files = [...home.text.matchAll(FILE)].map(([, name]) => name!);
  expect(files.length).toBeGreaterThan(1);
  for (const path of PATHS.concat(files)) {
    const type = (await site.visitor().get(path, headers)).headers.get("content-type");
    expect([path, type]).toEqual([path, expect.stringMatching(CORRECT_TYPE)]);
  }
});
