/** A copy of the source in which docs/adding-a-section.md is followed, and a site built from it. */
import { expect } from "bun:test";
import { existsSync } from "node:fs";
import { cp, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type ProgramSite, startProgram } from "./program.ts";

const COPIED = ["src", "docs/deploy", "package.json", "bun.lock", "tsconfig.json", "LICENSE"];

/** Its fonts are reused, since making them takes ten times as long as the rest. */
const BUILT = "dist/web";

const BUILD = `import { createWebBuild } from "./src/build/web.ts";
await createWebBuild("${BUILT}", { isQuick: true })();
`;

const TSC = resolve("node_modules/.bin/tsc");

/** The code blocks of the document, in order. */
const BLOCKS = [
  "declaration",
  "colors",
  "section",
  "sheet",
  "line",
  "importing",
  "importingPage",
  "entry",
  "page",
  "extraHead",
  "importingExtra",
  "extraSection",
  "extraLine",
] as const;

type Blocks = Readonly<Record<(typeof BLOCKS)[number], string>>;

export interface Copy {
  readonly folder: string;
  readonly blocks: Blocks;
  write(path: string, text: string): Promise<unknown>;
  edit(path: string, change: (text: string) => string): Promise<void>;
  /** Fails if it doesn't compile; `only`: a file and its imports. */
  checkTypes(only?: string): Promise<void>;
  /** Builds the web files, and starts a site. */
  start(env?: Readonly<Record<string, string>>): Promise<ProgramSite>;
  remove(): Promise<void>;
}

export async function copySource(): Promise<Copy> {
  const folder = await mkdtemp(join(tmpdir(), "limelight-section-"));
  for (const name of COPIED) await cp(name, join(folder, name), { recursive: true });
  await symlink(resolve("node_modules"), join(folder, "node_modules"));
  const write = (path: string, text: string) => Bun.write(join(folder, path), text);
  return {
    folder,
    blocks: await blocksOf("docs/adding-a-section.md"),
    write,
    async edit(path, change) {
      await write(path, change(await Bun.file(join(folder, path)).text()));
    },
    async checkTypes(only) {
      const project = only === undefined ? "tsconfig.json" : "tsconfig.only.json";
      if (only !== undefined)
        await write(project, JSON.stringify({ extends: "./tsconfig.json", include: [only] }));
      // Several threads would compute the same types separately, which takes half as much processor time again.
      await runIn(folder, [TSC, "--noEmit", "--singleThreaded", "--project", project]);
    },
    async start(env = {}) {
      if (existsSync(BUILT)) await cp(BUILT, join(folder, BUILT), { recursive: true });
      await write("quick.ts", BUILD);
      await runIn(folder, ["quick.ts"]);
      return startProgram({ folder, env, command: [process.execPath, "src/main.ts"] });
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

async function blocksOf(path: string): Promise<Blocks> {
  const document = await Bun.file(path).text();
  const blocks = [...document.matchAll(/^```(?:tsx?|css)\n(.*?)^```$/gms)];
  expect(blocks.length).toBe(BLOCKS.length);
  return Object.fromEntries(BLOCKS.map((name, at) => [name, blocks[at]![1]!])) as Blocks;
}

export const HOME = /(HOME_SECTIONS: readonly PageSection\[\] = \[.*?)(^\];)/ms;
export const PAGES = /(const PUBLIC_PAGES = \[.*?)(^\] as const)/ms;

/** The text with `more` as the last entry of a list. */
export function atTheEnd(text: string, list: RegExp, more: string): string {
  expect(text).toMatch(list);
  return text.replace(list, `$1${more}$2`);
}

/** Runs a program in the copy; fails unless it succeeds without errors in its output. */
async function runIn(folder: string, command: readonly string[]): Promise<void> {
  const child = Bun.spawn([process.execPath, ...command], {
    cwd: folder,
    stdout: "pipe",
    stderr: "pipe",
  });
  const words = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  expect([await child.exited, ...words]).toEqual([0, expect.any(String), ""]);
}
