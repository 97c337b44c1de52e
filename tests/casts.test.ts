/** No cast turns a value into another type: values are checked where they come in. */
import { expect, test } from "bun:test";
import { readdir } from "node:fs/promises";
import { join } from "node:path";

const SOURCES = join(import.meta.dir, "..", "src");
/**
 * Matches what excuses a cast: a comment above it that names a library whose types require it, or the library's own
 * call.
 */
const NAMES_LIBRARY =
  /(?:\/\/|\*) .*(?:Elysia|SimpleWebAuthn|TypeScript|Bun|Node)|\bsetQueryData\(/;

const sources = (await readdir(SOURCES, { recursive: true })).filter((name) =>
  /\.tsx?$/.test(name),
);

/**
 * Finds the lines of code that a pattern matches, each with its file. `isAllowed` gets each line with the four above
 * it.
 */
async function findLines(pattern: RegExp, isAllowed: (lines: string) => boolean = () => false) {
  const matches: string[] = [];
  for (const name of sources) {
    const lines = (await Bun.file(join(SOURCES, name)).text()).split("\n"); // oxlint-disable-line no-await-in-loop
    for (const [at, line] of lines.entries()) {
      if (/^\s*(?:\/\/|\*|\/\*)/.test(line) || !pattern.test(line)) continue;
      if (!isAllowed(lines.slice(Math.max(0, at - 4), at + 1).join("\n")))
        matches.push(`${name}: ${line.trim()}`);
    }
  }
  return matches;
}

test("no request body is read with a cast, only by a schema or readFields", async () => {
  expect(await findLines(/(?:readJson|readFields|readBytes)\(.*\) as /)).toEqual([]);
});

test("each cast through unknown, never or any has a comment that names the library which makes it necessary", async () => {
  const cast = / as (?:unknown as|never\b|any\b)/;
  expect(await findLines(cast, (lines) => NAMES_LIBRARY.test(lines))).toEqual([]);
});

/** Removes comments, imports and texts. */
const stripComments = (source: string) =>
  source
    .replace(/\/\*[\s\S]*?\*\/|(?<![:"'`\\])\/\/.*$/gm, "")
    .replace(/^(?:import|export)\s[^;]*?\sfrom\s[^;]*;/gm, "")
    .replace(/"(?:[^"\\\n]|\\.)*"/g, '""');
const CAST =
  /[\w)\]}"!>]\s+as\s+(?!const\b)(?:[A-Z{("[]|(?:never|any|unknown|string|number|object|boolean|keyof|readonly|typeof|v\.)\b)/g;

/** Lower this number whenever casts are removed. */
const MAX_CASTS = 190;
const MAX_ASSERTIONS = 4;

test(`the server casts a value in at most ${MAX_CASTS} places`, async () => {
  let count = 0;
  for (const name of sources.filter((each) => each.startsWith("server/"))) {
    const code = stripComments(await Bun.file(join(SOURCES, name)).text()); // oxlint-disable-line no-await-in-loop
    count += [...code.matchAll(CAST)].length;
  }
  expect(count).toBeGreaterThan(100);
  expect(count).toBeLessThanOrEqual(MAX_CASTS);
});

const OXLINT = join(SOURCES, "..", "node_modules", ".bin", "oxlint");

test(`non-null assertions are used in at most ${MAX_ASSERTIONS} places`, () => {
  const only = ["-A", "all", "-D", "typescript/no-non-null-assertion", "-f", "json"];
  const { stdout } = Bun.spawnSync([OXLINT, ...only, SOURCES]);
  const { diagnostics } = JSON.parse(stdout.toString()) as { diagnostics: unknown[] };
  expect(diagnostics.length).toBeGreaterThan(0);
  expect(diagnostics.length).toBeLessThanOrEqual(MAX_ASSERTIONS);
});
