/**
 * Breaks promises of the program deliberately, one after the other, and checks that tests notice. `bun
 * tests/mutations/run.ts` makes every change of the two tables, `bun tests/mutations/run.ts totp Undo` those whose
 * file or promise has one of these words. Everything happens in a copy, so neither the source nor the build is
 * touched. A change that browser tests notice needs a build; `bun run test` includes none of this. Exits with 1 if a
 * change went unnoticed.
 */
import { cp, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Outcome, outcomeOf, writeScript } from "../support/installedProgram.ts";
import type { Change } from "./changes.ts";
import { OF_THE_DASHBOARD } from "./ofTheDashboard.ts";
import { OF_THE_SERVER } from "./ofTheServer.ts";

const ROOT = join(import.meta.dir, "../..");
/** In milliseconds: shorter than usual, since a broken screen never appears. */
const TIMEOUT_MS = 12_000;
const LEFT_OUT = new Set([".git", "node_modules", "dist"]);

const words = process.argv.slice(2);
const isSelected = ({ file, breaks }: Change) =>
  words.length === 0 || words.some((word) => `${file} ${breaks}`.includes(word));

const copy = await mkdtemp(join(tmpdir(), "limelight-mutations-"));
const unnoticed: string[] = [];
try {
  await copySource();
  const changes = [...OF_THE_SERVER, ...OF_THE_DASHBOARD].filter(isSelected);
  await expectWell(new Set(changes.flatMap(({ noticed }) => noticed)));
  for (const change of changes) {
    const noticed = await isNoticed(change); // oxlint-disable-line no-await-in-loop -- one copy
    console.log(
      `${noticed ? "noticed  " : "UNNOTICED"} ${change.breaks} (${noticed ?? change.file})`,
    );
    if (!noticed) unnoticed.push(change.breaks);
  }
  console.log(`${changes.length - unnoticed.length} of ${changes.length} noticed`);
} finally {
  await rm(copy, { recursive: true, force: true });
}
process.exitCode = unnoticed.length > 0 ? 1 : 0;

/** Copies the source, with a script that runs it. */
async function copySource(): Promise<void> {
  for (const name of await readdir(ROOT))
    // oxlint-disable-next-line no-await-in-loop -- one disk
    if (!LEFT_OUT.has(name)) await cp(join(ROOT, name), join(copy, name), { recursive: true });
  await symlink(join(ROOT, "node_modules"), join(copy, "node_modules"));
  await mkdir(join(copy, "dist"));
  // The source reads the web build from the current folder.
  await writeScript(
    join(copy, "dist/limelight"),
    `[ "$1" = serve ] && cd "${copy}"\nexec "${process.execPath}" "${copy}/src/main.ts" "$@"`,
  );
  await writeFile(
    join(copy, "quick.ts"),
    'await (await import("./src/build/web.ts")).createWebBuild("dist/web", { isQuick: true })();',
  );
  await replace("tests/support/browser.ts", "PATIENCE = 45_000", `PATIENCE = ${TIMEOUT_MS}`);
  await build();
}

/** Reuses the fonts of the first build, which take ten times as long as the rest. */
async function build(): Promise<void> {
  const { code, output } = await run("quick.ts");
  if (code !== 0) throw new Error(output);
}

/** Throws if the tests that should notice fail without the change. */
async function expectWell(files: ReadonlySet<string>): Promise<void> {
  for (const file of files) {
    const { code, output } = await tested(file); // oxlint-disable-line no-await-in-loop -- one copy
    if (code !== 0) throw new Error(`tests/${file} fails without any change:\n${output}`);
  }
}

/** The test that notices a change, and its file; undefined if none does. */
async function isNoticed({ file, text, instead, noticed }: Change): Promise<string | undefined> {
  const isBuilt = noticed.some((each) => each.includes(".browser."));
  const before = await replace(`src/${file}`, text, instead);
  try {
    if (isBuilt) await build();
    for (const each of noticed) if ((await tested(each)).code !== 0) return each; // oxlint-disable-line no-await-in-loop
    return undefined;
  } finally {
    await Bun.write(join(copy, "src", file), before);
  }
}

/** Returns the original text. Throws unless `text` occurs in the file exactly once. */
async function replace(path: string, text: string, instead: string): Promise<string> {
  const before = await Bun.file(join(copy, path)).text();
  const { length } = before.split(text);
  if (length !== 2) throw new Error(`${path} has ${length - 1} times: ${text}`);
  await Bun.write(
    join(copy, path),
    before.replace(text, () => instead),
  );
  return before;
}

function tested(file: string) {
  return run("test", "--bail=1", "--timeout=60000", `tests/${file}`);
}

function run(...args: string[]): Promise<Outcome> {
  const child = Bun.spawn([process.execPath, ...args], {
    cwd: copy,
    stdout: "pipe",
    stderr: "pipe",
  });
  return outcomeOf(child);
}
