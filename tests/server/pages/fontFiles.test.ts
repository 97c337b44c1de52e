/** The font files that the site carries, as browsers get them. */
import { expect, test } from "bun:test";
import { loadWebBuild } from "../../../src/server/pages/webBuild.ts";
import { siteForAll } from "../../support/siteForAll.ts";
import { startSite } from "../../support/startSite.ts";

const site = siteForAll(startSite);
const { fonts, directory } = await loadWebBuild();
const names = Object.values(fonts.families).flatMap(({ faces }) => faces.map(({ file }) => file));

test("each is served with its type, to be kept for ever, as often as it is asked for", async () => {
  for (const name of [...names, names[0]!]) {
    const answer = await fetch(`${site.url}/fonts/files/${name}`);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "font/woff2"]);
    expect(answer.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
    const file = await Bun.file(`${directory}/fonts/files/${name}`).bytes();
    expect(await answer.bytes()).toEqual(file);
  }
});

test.each([
  "nothing.woff2",
  "..%2f..%2fmanifest.json",
  "%2e%2e/%2e%2e/manifest.json",
  "..%5c..%5cmanifest.json",
  "",
])("nothing else is served there: %s", async (name) => {
  const answer = await fetch(`${site.url}/fonts/files/${name}`);
  expect([answer.status, answer.headers.get("content-type")]).toEqual([
    404,
    "text/html; charset=utf-8",
  ]);
});
