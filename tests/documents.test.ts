/** Holds the documents together: the files they name, and the list of decisions; their links are in readme.test.ts. */
import { expect, test } from "bun:test";

const documents = [
  ...new Bun.Glob("docs/**/*.md").scanSync("."),
  ...new Bun.Glob("*.md").scanSync("."),
].toSorted();

/** Documents that name current files of the program; the specification names others too. */
const GUIDES = /^docs\/(?:decisions\/|dashboard-kit|style)/;

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

test("every source file that a decision or a guide names exists", async () => {
  const files = [...new Bun.Glob("{src,tests,bench}/**/*.{ts,tsx,css}").scanSync(".")];
  const missing: string[] = [];
  for (const document of documents.filter((each) => GUIDES.test(each)))
    for (const [, path] of (await Bun.file(document).text()).matchAll(
      /`([\w/.-]+\.(?:tsx?|css))`/g,
    ))
      if (!files.some((file) => `/${file}`.endsWith(`/${path}`)))
        missing.push(`${document}: ${path}`);
  expect(missing).toEqual([]);
});

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
