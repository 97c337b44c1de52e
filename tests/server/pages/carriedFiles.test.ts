/** The fonts and pictures that come with the site, as browsers get them. */
import { expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createBuiltFileLookup, loadWebBuild } from "../../../src/server/pages/webBuild.ts";
import { setUpSiteForAll, startSite } from "../../support/testSite.ts";

const site = setUpSiteForAll(startSite);
const build = await loadWebBuild();
const { fonts, shell, directory } = build;
const fontFiles = Object.values(fonts.families).flatMap(({ faces }) =>
  faces.map(({ file }) => `/fonts/files/${file}`),
);
const picture = shell.pictures["about-default"]!;

test.each([
  ["a font", "font/woff2", fontFiles],
  ["a picture", "image/webp", [picture]],
])(
  "%s of the build is served with its content type and immutable caching",
  async (_label, type, paths) => {
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
  "a path that is no built file gets no file: %s",
  async (name) => {
    for (const folder of ["/pictures/", "/fonts/files/"]) {
      const answer = await fetch(site.url + folder + name);
      const type = answer.headers.get("content-type");
      expect([answer.status, type]).toEqual([404, "text/html; charset=utf-8"]);
    }
  },
);

test("a built file that couldn't be read is read again at the next request", async () => {
  const folder = await mkdtemp(join(tmpdir(), "limelight-built-"));
  const file = { url: "/late.js", type: "text/javascript", compressed: false };
  const answer = createBuiltFileLookup({ ...build, files: [file], directory: folder })("/late.js")!;
  await expect((async () => answer.bytes.identity())()).rejects.toThrow();
  await Bun.write(join(folder, "late.js"), "late()");
  expect(new TextDecoder().decode(await answer.bytes.identity())).toBe("late()");
  await rm(folder, { recursive: true });
});
