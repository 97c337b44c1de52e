/** A copy of the source in which docs/adding-a-section.md is followed, and a site built from it. */
import { expect } from "bun:test";
import { existsSync } from "node:fs";
import { cp, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { collectOutput, type ProgramSite, startProgram } from "./program.ts";

const COPIED_PATHS = ["src", "docs/deploy", "package.json", "bun.lock", "tsconfig.json", "LICENSE"];

/** The web build, whose fonts are reused, since making them takes ten times as long as the rest. */
const WEB_BUILD = "dist/web";

const BUILD_SCRIPT = `import { createWebBuild } from "./src/build/web.ts";
await createWebBuild("${WEB_BUILD}", { isQuick: true })();
`;

const TSC = resolve("node_modules/.bin/tsc");

/** The names of the document's code blocks, in order. */
const BLOCK_NAMES = [
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

type Blocks = Readonly<Record<(typeof BLOCK_NAMES)[number], string>>;

export interface SourceCopy {
  readonly folder: string;
  readonly blocks: Blocks;
  write(path: string, text: string): Promise<unknown>;
  edit(path: string, change: (text: string) => string): Promise<void>;
  /** Fails if the copy doesn't compile, or with `entryFile`, if that file and its imports don't. */
  checkTypes(entryFile?: string): Promise<void>;
  /** Builds the web files, and starts a site. */
  start(env?: Readonly<Record<string, string>>): Promise<ProgramSite>;
  remove(): Promise<void>;
}

export async function copySource(): Promise<SourceCopy> {
  const folder = await mkdtemp(join(tmpdir(), "limelight-section-"));
  for (const name of COPIED_PATHS) await cp(name, join(folder, name), { recursive: true });
  await symlink(resolve("node_modules"), join(folder, "node_modules"));
  const write = (path: string, text: string) => Bun.write(join(folder, path), text);
  return {
    folder,
    blocks: await readBlocks("docs/adding-a-section.md"),
    write,
    async edit(path, change) {
      await write(path, change(await Bun.file(join(folder, path)).text()));
    },
    async checkTypes(only) {
      const project = only === undefined ? "tsconfig.json" : "tsconfig.only.json";
      if (only !== undefined)
        await write(project, JSON.stringify({ extends: "./tsconfig.json", include: [only] }));
      // With several threads, the same types would be computed separately, which takes half as much processor time
      // again.
      await runIn(folder, [TSC, "--noEmit", "--singleThreaded", "--project", project]);
    },
    async start(env = {}) {
      if (existsSync(WEB_BUILD)) await cp(WEB_BUILD, join(folder, WEB_BUILD), { recursive: true });
      await write("quick.ts", BUILD_SCRIPT);
      await runIn(folder, ["quick.ts"]);
      return startProgram({ folder, env, command: [process.execPath, "src/main.ts"] });
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

async function readBlocks(path: string): Promise<Blocks> {
  const document = await Bun.file(path).text();
  const blocks = [...document.matchAll(/^```(?:tsx?|css)\n(.*?)^```$/gms)];
  expect(blocks.length).toBe(BLOCK_NAMES.length);
  return Object.fromEntries(BLOCK_NAMES.map((name, at) => [name, blocks[at]![1]!])) as Blocks;
}

export const HOME_SECTIONS_LIST = /(HOME_SECTIONS: readonly PageSection\[\] = \[.*?)(^\];)/ms;
export const PUBLIC_PAGES_LIST = /(const PUBLIC_PAGES = \[.*?)(^\] as const)/ms;

/** Returns the text with `more` as the last entry of a list. */
export function appendToList(text: string, list: RegExp, more: string): string {
  expect(text).toMatch(list);
  return text.replace(list, `$1${more}$2`);
}

/** Runs a program in the copy. Fails unless it succeeds with no error output. */
async function runIn(folder: string, command: readonly string[]): Promise<void> {
  const options = { cwd: folder, stdout: "pipe", stderr: "pipe" } as const;
  const { code, out, error } = await collectOutput(
    Bun.spawn([process.execPath, ...command], options),
  );
  expect([code, out, error]).toEqual([0, expect.any(String), ""]);
}
