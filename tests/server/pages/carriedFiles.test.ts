/** The fonts and pictures that the site carries, as browsers get them. */
import { expect, test } from "bun:test";
import { loadWebBuild } from "../../../src/server/pages/webBuild.ts";
import { siteForAll } from "../../support/siteForAll.ts";
import { startSite } from "../../support/startSite.ts";

const site = siteForAll(startSite);
const { fonts, shell, directory } = await loadWebBuild();
const fontFiles = Object.values(fonts.families).flatMap(({ faces }) =>
  faces.map(({ file }) => `/fonts/files/${file}`),
);
const picture = shell.pictures["about-default"]!;

test.each([
  ["a font", "font/woff2", fontFiles],
  ["a picture", "image/webp", [picture]],
])(
  "%s is served with its type, to be kept for ever, as often as it is asked for",
  async (_what, type, paths) => {
    for (const path of [...paths, paths[0]!]) {
      const answer = await fetch(site.url + path);
      expect([path, answer.status, answer.headers.get("content-type")]).toEqual([path, 200, type]);
      expect(answer.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
      expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
      expect(await answer.bytes()).toEqual(await Bun.file(directory + path).bytes());
    }
  },
);

test.each(["nothing.webp", "..%2fmanifest.json", "%2e%2e/manifest.json", "..%5cmanifest.json", ""])(
  "nothing else is served beside them: %s",
  async (name) => {
    for (const folder of ["/pictures/", "/fonts/files/"]) {
      const answer = await fetch(site.url + folder + name);
      const type = answer.headers.get("content-type");
      expect([answer.status, type]).toEqual([404, "text/html; charset=utf-8"]);
    }
  },
);
