/** Follows the walks of docs/architecture.md through the imports from file to file. */
import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { dirname, join, normalize } from "node:path";

/** The largest number of our files that each walk may pass. */
const LIMITS = {
  "An enquiry": 13,
  "A save": 10,
  "A page that is ready": 10,
  "A page that is rendered": 10,
  "An upload": 12,
  "A newsletter": 14,
  "A restore": 11,
  "A login": 12,
} as const;

const FILE = /`(src\/[\w./-]+\.tsx?)`/g;
const SHARED = /\[[^\]]+\]\(#([\w-]+)\)/;
const SPECIFIER = /(?:\bfrom\s*|\bimport\s*\(?\s*)["'](\.[^"']+)["']/g;

/** A numbered step: its file, or the name of a part that several walks share. */
interface Step {
  readonly file?: string | undefined;
  readonly shared?: string | undefined;
  /** Whether the step is a call from the browser to the server. */
  readonly isCall: boolean;
}

const text = await Bun.file("docs/architecture.md").text();
const parts = new Map(
  text
    .split("\n### ")
    .slice(1)
    .map((part) => {
      const [heading, ...lines] = part.split("\n");
      const end = lines.findIndex((line) => line.startsWith("## "));
      return [heading!, parseSteps(end < 0 ? lines : lines.slice(0, end))] as const;
    }),
);
const getName = (heading: string) => heading.replace(/ \(.*/, "");
const findPart = (name: string) => [...parts].find(([heading]) => getName(heading) === name);
const createAnchor = (heading: string) => heading.toLowerCase().replaceAll(" ", "-");

function parseSteps(lines: readonly string[]): Step[] {
  return lines
    .filter((line) => /^\d+\. /.test(line))
    .map((line) => ({
      file: [...line.matchAll(FILE)][0]?.[1],
      shared: SHARED.exec(line)?.[1],
      isCall: line.includes("over HTTP"),
    }));
}

/** Returns the steps with shared parts inserted. */
const expandSteps = (steps: readonly Step[]): Step[] =>
  steps.flatMap((step) => {
    if (step.shared === undefined) return [step];
    const part = [...parts].find(([heading]) => createAnchor(heading) === step.shared);
    if (!part) throw new Error(`There is no part ${step.shared}.`);
    return part[1];
  });

const getFiles = (steps: readonly Step[]) => steps.flatMap(({ file }) => file ?? []);

async function readImports(file: string): Promise<string[]> {
  const source = await Bun.file(file).text();
  return [...source.matchAll(SPECIFIER)].map(([, to]) => normalize(join(dirname(file), to!)));
}

/**
 * Finds files that neither import an earlier file nor are imported by one. The first file and the targets of calls are
 * starts, which needn't.
 */
async function findUnreached(steps: readonly Step[]): Promise<string[]> {
  const passed = new Map<string, readonly string[]>();
  const unreached: string[] = [];
  let isStart = true;
  for (const { file, isCall } of steps) {
    const imports = await readImports(file!); // oxlint-disable-line no-await-in-loop
    const reaches = [...passed].some(
      ([earlier, targets]) => targets.includes(file!) || imports.includes(earlier),
    );
    if (!isStart && !reaches) unreached.push(file!);
    passed.set(file!, imports);
    isStart = isCall;
  }
  return unreached;
}

test("architecture.md describes exactly the eight walks through the code and their shared parts", () => {
  const shared = ["In by the front door", "Onto the disk"];
  expect([...parts.keys()].map(getName)).toEqual([...shared, ...Object.keys(LIMITS)]);
});

test("every numbered step of a walk names an existing file or a shared part", () => {
  for (const [heading, steps] of parts) {
    expect([heading, steps.length > 4]).toEqual([heading, true]);
    for (const { file, shared } of steps)
      expect([heading, file ?? shared, file === undefined || existsSync(file)]).toEqual([
        heading,
        expect.any(String),
        true,
      ]);
  }
});

describe.each(Object.entries(LIMITS))('the walk "%s"', (name, limit) => {
  const [heading = "", steps = []] = findPart(name) ?? [];
  const files = getFiles(steps);
  const all = getFiles(expandSteps(steps));

  test("names files of which each is connected by an import to an earlier file", async () => {
    expect(await findUnreached(expandSteps(steps))).toEqual([]);
  });

  test("names as many files as its heading says, each once", () => {
    const [counted, inAll = counted] = [...heading.matchAll(/\d+/g)].map(Number);
    expect([counted, inAll]).toEqual([files.length, new Set(all).size]);
    expect(new Set(files).size).toBe(files.length);
    expect(files.length).toBeLessThanOrEqual(limit);
  });
});

test("a file in the wrong place of a walk is detected", async () => {
  const [, steps] = findPart("A login")!;
  const lost = { file: "src/server/uploads/jpegStructure.ts", isCall: false };
  expect(await findUnreached([...expandSteps(steps), lost])).toEqual([lost.file]);
});
