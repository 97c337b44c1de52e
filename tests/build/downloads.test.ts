/** How large what a visitor downloads before doing anything may be, compressed with brotli. */
import { expect, test } from "bun:test";
import { basename } from "node:path";
import { loadWebBuild } from "../../src/server/pages/webBuild.ts";

const ASSETS = "dist/web/assets";
const { shell } = await loadWebBuild();

/** A script and everything it imports at once; what it imports on demand is not among it. */
async function withImports(name: string, found = new Set<string>()): Promise<Set<string>> {
  if (found.has(name)) return found;
  found.add(name);
  const code = await Bun.file(`${ASSETS}/${name}`).text();
  const imports = code.matchAll(/(?:\bfrom|\bimport)\s*"(?:\/assets\/|\.\/)([^"]+\.js)"/g);
  for (const [, imported] of imports) await withImports(imported!, found);
  return found;
}

test("the home page comes to life with less than 95 KB of scripts", async () => {
  const names = [...(await withImports(basename(shell.script)))];
  const sizes = names.map((name) => Bun.file(`${ASSETS}/${name}.br`).size);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(95_000);
});

test("the public pages look right with less than 15 KB of styles", () => {
  expect(Bun.file(`${ASSETS}/${basename(shell.siteStyles)}.br`).size).toBeLessThan(15_000);
});

test("a layout ends below the width at which the next one begins", async () => {
  for (const url of [shell.siteStyles, shell.heroStyles, shell.previewStyles, shell.adminStyles]) {
    const css = await Bun.file(`${ASSETS}/${basename(url)}`).text();
    const both = /\((?:max-width:|width ?<= ?)(?:640|768|1024|1280)px\)/.exec(css);
    expect([basename(url), both?.[0]]).toEqual([basename(url), undefined]);
  }
});

test("logging in and opening the dashboard stays below 150 KB, with its HTML and its fonts' styles", async () => {
  const scripts = new Set<string>();
  for (const url of [shell.script, shell.chunks["/admin"]!])
    await withImports(basename(url), scripts);
  // The first tab previews the hero, whose sheet is a smaller one.
  const styles = [shell.adminStyles, shell.heroStyles].map((url) => basename(url));
  const sizes = [...scripts, ...styles].map((name) => Bun.file(`${ASSETS}/${name}.br`).size);
  // 1.8 KB of HTML and twice 0.7 KB of @font-face rules come besides (bench/download.ts).
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(150_000 - 3_300);
});

test("what only the dashboard or the checks need is not in the entry", async () => {
  const names = [...(await withImports(basename(shell.script)))];
  const code = await Promise.all(names.map((name) => Bun.file(`${ASSETS}/${name}`).text()));
  for (const mark of ["valibot", "jodit", "QueryClient", "isoTimestamp"]) {
    expect([mark, code.some((each) => each.includes(mark))]).toEqual([mark, false]);
  }
});
