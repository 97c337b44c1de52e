/** Checks docs/asvs.md: each requirement of levels 1 and 2 is named once, and the tests named as evidence exist. */
import { expect, test } from "bun:test";
import { existsSync } from "node:fs";

/**
 * The number of requirements of levels 1 and 2 in each section of ASVS 5.0.0, by chapter. In each section these come
 * first.
 */
const SECTIONS: Readonly<Record<string, readonly number[]>> = {
  1: [2, 9, 11, 3, 2],
  2: [3, 3, 4, 1],
  3: [0, 2, 4, 6, 5, 0, 2],
  4: [3, 1, 2, 4],
  5: [1, 3, 2, 3],
  6: [3, 12, 4, 4, 5, 3, 0, 4],
  7: [3, 4, 2, 5, 2, 2],
  8: [2, 3, 1, 1],
  9: [3, 4],
  10: [2, 2, 4, 11, 5, 2, 3],
  11: [2, 3, 3, 4, 1, 1],
  12: [3, 2, 4],
  13: [1, 5, 2, 5],
  14: [2, 4, 3],
  15: [3, 3, 7],
  16: [1, 5, 4, 3, 3],
  17: [1, 4, 2],
};

const text = await Bun.file("docs/asvs.md").text();
const rows = text
  .split("\n")
  .filter((line) => /^\| \d/.test(line))
  .map((line) =>
    line
      .slice(1, -1)
      .split(" | ")
      .map((cell) => cell.trim()),
  );

/** Expands a range: "1.2.6 to 1.2.8" becomes three requirements. */
function expandRange(cell: string): string[] {
  const [first = "", last = first] = cell.split(" to ");
  const section = first.slice(0, first.lastIndexOf("."));
  const [from, to] = [first, last].map((each) => Number(each.slice(section.length + 1)));
  return Array.from({ length: to! - from! + 1 }, (_, at) => `${section}.${from! + at}`);
}

test("docs/asvs.md names each requirement of levels 1 and 2 once, and no other", () => {
  const all = Object.entries(SECTIONS).flatMap(([chapter, counts]) =>
    counts.flatMap((count, section) =>
      Array.from({ length: count }, (_, at) => `${chapter}.${section + 1}.${at + 1}`),
    ),
  );
  expect(all.length).toBe(253);
  expect(rows.flatMap(([cell]) => expandRange(cell!)).toSorted()).toEqual(all.toSorted());
});

test("each requirement that counts as met names its test files, all of which exist", () => {
  const wrong = rows.filter(([, state, , tests = ""]) => {
    const names = [...tests.matchAll(/`([^`]+)`/g)].map(([, name]) => name!);
    const allExist = names.every((name) => existsSync(`tests/${name}.test.ts`));
    return !allExist || (state === "met" && names.length === 0);
  });
  expect(wrong).toEqual([]);
});

/** The titles of the tests for requirements of ASVS and attackers of docs/threats.md. */
const evidence = (await Bun.file("tests/fixtures/evidence.tsv").text())
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"))
  .map((line) => line.split("\t"))
  .map(([subject = "", file = "", title = ""]) => ({ what: subject, file, title }));

/** Reads the text of a test file. The tests of each store also run shared files without ".test" in their names. */
const readTests = async (file: string) => {
  const path = [`tests/${file}.test.ts`, `tests/${file}.ts`].find((each) => existsSync(each));
  return path === undefined ? "" : Bun.file(path).text();
};

test("each test that the evidence names by its title exists", async () => {
  expect(evidence.length).toBeGreaterThan(150);
  const missing = [];
  for (const each of evidence)
    if (!(await readTests(each.file)).includes(each.title)) missing.push(each);
  expect(missing).toEqual([]);
});

test("each requirement that counts as met, and each attacker of docs/threats.md, has a test in the list of evidence", async () => {
  const tested = new Set(evidence.map(({ what }) => what));
  const met = rows.filter(([, state]) => state === "met").map(([cell]) => cell!);
  const threats = await Bun.file("docs/threats.md").text();
  const [, table = ""] = threats.split("## Who attacks\n");
  const attackers = [...table.split("\n## ")[0]!.matchAll(/^\| ([^|-]+?) +\|/gm)].map(
    ([, attacker]) => attacker!,
  );
  expect(attackers.length).toBeGreaterThan(10);
  expect([...met, ...attackers.slice(1)].filter((each) => !tested.has(each))).toEqual([]);
});

test("the project's security policy says within how many days a vulnerability is fixed (15.1.1)", async () => {
  const [policyFile = ""] = new Bun.Glob("SECURITY.*").scanSync(".");
  const policy = (await Bun.file(policyFile).text()).replaceAll("\n", " ");
  expect(policy).toMatch(/mended within \d+ days/);
  expect(await Bun.file("docs/asvs.md").text()).toContain("the security policy beside the README");
});

test("the totals in the introduction of docs/asvs.md match its rows", () => {
  const count = (state: string) =>
    rows.filter(([, each]) => each === state).flatMap(([cell]) => expandRange(cell!)).length;
  expect(text.replaceAll("\n", " ")).toContain(
    `Of 253 requirements ${count("met")} are met, ${count("partly")} partly, and ${count("n/a")} are about what the program doesn't have.`,
  );
});
