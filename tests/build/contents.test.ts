/** The program contains nothing but what runs (ASVS 5.0, 15.2.3). */
import { expect, test } from "bun:test";
import { getProgramPath } from "../support/program.ts";

test("neither the program nor a file for browsers contains tests or source maps", async () => {
  const files = [...new Bun.Glob("**/*").scanSync("dist/web")];
  expect(files.filter((name) => name.endsWith(".map"))).toEqual([]);
  const scripts = files.filter((name) => /\.(?:js|css)$/.test(name));
  expect(scripts.length).toBeGreaterThan(10);
  for (const name of scripts)
    expect([
      name,
      (await Bun.file(`dist/web/${name}`).text()).includes("sourceMappingURL"),
    ]).toEqual([name, false]);
  const bytes = Buffer.from(await Bun.file(getProgramPath()).arrayBuffer());
  // Names from our tests, and from a source map.
  for (const words of ["startLetterSite", "sessionMail.test", "src/server/app.ts"])
    expect([words, bytes.includes(words)]).toEqual([words, false]);
});
