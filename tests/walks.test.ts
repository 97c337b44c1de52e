/** The walks of docs/architecture.md: each is a way that can be followed from file to file, and short. */
import { describe, expect, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { dirname, join, normalize } from "node:path";

const ROOT = join(import.meta.dir, "..");

/** How many files each may pass. */
const MOST: Readonly<Record<string, number>> = {
  "An enquiry": 14,
  "A save": 10,
  "A page that is ready": 10,
  "A page that is rendered": 10,
  "An upload": 12,
  "A letter": 12,
  "A restore": 10,
  "A login": 10,
};

/** A step, which may name a file and those beside it in its folder. */
interface Step {
  readonly files: readonly string[];
  /** Nothing imports across the line. */
  readonly isOverHttp: boolean;
}

const text = await readFile(join(ROOT, "docs/architecture.md"), "utf8");
const walks = new Map(
  text
    .split(/^### /m)
    .slice(1)
    .map((section) => [section.slice(0, section.indexOf("\n")), stepsOf(section)] as const)
    .filter(([, steps]) => steps.length > 0),
);

function stepsOf(section: string): Step[] {
  const lines = section.split("\n").filter((line) => /^\d+\. /.test(line));
  return lines.map((line) => {
    const names = [...line.matchAll(/`([\w./-]+\.tsx?)`/g)].map(([, name]) => name!);
    const [first = ""] = names;
    const files = names.map((name) => (name.includes("/") ? name : join(dirname(first), name)));
    return { files, isOverHttp: line.includes("over HTTP") };
  });
}

/** The files of ours that a file imports, from the repository's root. */
async function importsOf(file: string): Promise<string[]> {
  const source = await readFile(join(ROOT, file), "utf8");
  const found = source.matchAll(/(?:from|import)\s*\(?\s*["'](\.[^"']+)["']/g);
  return [...found].map(([, path]) => normalize(join(dirname(file), path!)));
}

test("there are eight", () => {
  expect([...walks.keys()]).toEqual(Object.keys(MOST));
});

describe.each([...walks])("%s", (name, steps) => {
  test("passes no more files than it may", () => {
    const files = new Set(steps.flatMap((step) => step.files));
    expect(files.size).toBeLessThanOrEqual(MOST[name]!);
    expect(files.size).toBeGreaterThan(3);
  });

  test("names files of which each imports, or is imported by, one that comes before it", async () => {
    const passed: string[] = [];
    const lost: string[] = [];
    for (const { files, isOverHttp } of steps)
      for (const file of files) {
        const own = await importsOf(file);
        const theirs = await Promise.all(passed.map(importsOf));
        const isReached =
          passed.length === 0 ||
          own.some((each) => passed.includes(each)) ||
          theirs.some((each) => each.includes(file));
        if (!isReached && !isOverHttp) lost.push(`${file} after ${passed.at(-1)}`);
        passed.push(file);
      }
    expect(lost).toEqual([]);
  });
});
