/**
 * Checks that the documents fit together: the files that they name, and the list of decisions. readme.test.ts checks
 * links.
 */
import { expect, test } from "bun:test";

const documents = [
  ...new Bun.Glob("docs/**/*.md").scanSync("."),
  ...new Bun.Glob("*.md").scanSync("."),
].toSorted();

/**
 * Matches documents about the program as it is: not the changelog, nor the specification, which also names standards.
 */
const GUIDE_PATH = /^(?!CHANGELOG|docs\/(?:specification|artwork)\/)/;

/** Files that docs/adding-a-section.md creates. */
const EXAMPLE_FILE = /(?:Awards|Honors|awards)\.(?:tsx?|css)$/;

const guides = await Promise.all(
  documents
    .filter((each) => GUIDE_PATH.test(each))
    .map(async (path) => ({ path, text: await Bun.file(path).text() })),
);

test("decisions are numbered without gaps, and their index lists each by its title", async () => {
  const files = [...new Bun.Glob("0*.md").scanSync("docs/decisions")].toSorted();
  const listed = await Promise.all(
    files.map(async (file, at) => {
      const [heading = ""] = (await Bun.file(`docs/decisions/${file}`).text()).split("\n");
      expect(`${file} ${heading}`).toMatch(
        new RegExp(`^${String(at + 1).padStart(4, "0")}-.* # ${at + 1}\\. `),
      );
      return `${at + 1}. [${heading.replace(/^# \d+\. /, "")}](${file})`;
    }),
  );
  const index = (await Bun.file("docs/decisions/README.md").text()).split("\n");
  expect(index.filter((line) => /^\d+\./.test(line))).toEqual(listed);
});

const sources = ["*", "{src,tests,bench}/**/*"].flatMap((pattern) => [
  ...new Bun.Glob(`${pattern}.{ts,tsx,css}`).scanSync("."),
]);

test("every source file that a document names exists", () => {
  const missing = guides.flatMap(({ path: document, text }) =>
    [...text.matchAll(/`(\w[\w/.-]*\.(?:tsx?|css))`/g)]
      .map(([, path = ""]) => path)
      .filter((path) => !sources.some((file) => `/${file}`.endsWith(`/${path}`)))
      .filter((path) => !EXAMPLE_FILE.test(path))
      .map((path) => `${document}: ${path}`),
  );
  expect(missing).toEqual([]);
});

test("every name from the code that a document uses is in the code", async () => {
  const texts = await Promise.all(sources.map((file) => Bun.file(file).text()));
  const known = new Set([...texts, ...sources].flatMap((text) => text.match(/\w+/g) ?? []));
  const unknown = guides.flatMap(({ path, text }) =>
    [...text.replace(/^```.*?^```/gms, "").matchAll(/`([^`\n]+)`/g)]
      .flatMap(([, code = ""]) => code.match(CODE_NAME) ?? [])
      .filter((name) => !known.has(name))
      .map((name) => `${path}: ${name}`),
  );
  expect(unknown).toEqual([]);
});

/** A name in camel case or capitals, outside of paths and addresses. */
const CODE_NAME = /(?<![\w/.-])(?:\w*[a-z][A-Z]\w*|[A-Z][A-Z_]{3,})(?![\w/.-])/g;

test("every file that a comment of the code or of a style sheet names exists", async () => {
  const files = ["*", "{src,tests,bench,docs}/**/*"].flatMap((pattern) => [
    ...new Bun.Glob(pattern).scanSync("."),
  ]);
  const missing: string[] = [];
  let named = 0;
  for (const file of files.filter((each) => /^(?:src|tests|bench)\/.*\.(?:tsx?|css)$/.test(each)))
    for (const [comment] of (await Bun.file(file).text()).matchAll(COMMENT))
      for (const [path] of comment.matchAll(NAMED_FILE)) {
        named++;
        if (!files.some((each) => `/${each}`.endsWith(`/${path}`)))
          missing.push(`${file}: ${path}`);
      }
  expect(missing).toEqual([]);
  expect(named).toBeGreaterThan(100);
});

const COMMENT = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/ .*$/gm;
/** Excludes the ends of addresses and patterns. */
const NAMED_FILE = /(?<![\w/.*{-])(?:[\w-]+\/)*[\w-]+(?:\.\w+)*\.(?:tsx?|css|md|svg)(?![\w(])/g;
