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
import { type Outcome, collectOutcome, writeScript } from "../support/installedProgram.ts";
import type { Mutation } from "./changes.ts";
import { DASHBOARD_MUTATIONS } from "./ofTheDashboard.ts";
import { SERVER_MUTATIONS } from "./ofTheServer.ts";

const ROOT = join(import.meta.dir, "../..");
/** In milliseconds: shorter than usual, since a broken screen never appears. */
const TIMEOUT_MS = 12_000;
const EXCLUDED_NAMES = new Set([".git", "node_modules", "dist"]);

const filters = process.argv.slice(2);
const isSelected = ({ file, breaks }: Mutation) =>
  filters.length === 0 || filters.some((word) => `${file} ${breaks}`.includes(word));

const copyFolder = await mkdtemp(join(tmpdir(), "limelight-mutations-"));
const unnoticed: string[] = [];
try {
  await copySource();
  const mutations = [...SERVER_MUTATIONS, ...DASHBOARD_MUTATIONS].filter(isSelected);
  await expectTestsPass(new Set(mutations.flatMap(({ noticed }) => noticed)));
  for (const change of mutations) {
    const noticed = await findNoticingTest(change); // oxlint-disable-line no-await-in-loop -- one copy
    console.log(
      `${noticed ? "noticed  " : "UNNOTICED"} ${change.breaks} (${noticed ?? change.file})`,
    );
    if (!noticed) unnoticed.push(change.breaks);
  }
  console.log(`${mutations.length - unnoticed.length} of ${mutations.length} noticed`);
} finally {
  await rm(copyFolder, { recursive: true, force: true });
}
process.exitCode = unnoticed.length > 0 ? 1 : 0;

/** Copies the source, with a script that runs it. */
async function copySource(): Promise<void> {
  for (const name of await readdir(ROOT))
    // oxlint-disable-next-line no-await-in-loop -- one disk
    if (!EXCLUDED_NAMES.has(name))
      await cp(join(ROOT, name), join(copyFolder, name), { recursive: true });
  await symlink(join(ROOT, "node_modules"), join(copyFolder, "node_modules"));
  await mkdir(join(copyFolder, "dist"));
  // The source reads the web build from the current folder.
  await writeScript(
    join(copyFolder, "dist/limelight"),
    `[ "$1" = serve ] && cd "${copyFolder}"\nexec "${process.execPath}" "${copyFolder}/src/main.ts" "$@"`,
  );
  await writeFile(
    join(copyFolder, "quick.ts"),
    'await (await import("./src/build/web.ts")).createWebBuild("dist/web", { isQuick: true })();',
  );
  await replace(
    "tests/support/browser.ts",
    "PAGE_TIMEOUT_MS = 45_000",
    `PAGE_TIMEOUT_MS = ${TIMEOUT_MS}`,
  );
  await build();
}

/** Reuses the fonts of the first build, which take ten times as long as the rest. */
async function build(): Promise<void> {
  const { code, output } = await run("quick.ts");
  if (code !== 0) throw new Error(output);
}

/** Throws if the tests that should notice fail without the change. */
async function expectTestsPass(files: ReadonlySet<string>): Promise<void> {
  for (const file of files) {
    const { code, output } = await runTestFile(file); // oxlint-disable-line no-await-in-loop -- one copy
    if (code !== 0) throw new Error(`tests/${file} fails without any change:\n${output}`);
  }
}

/** Returns the test file that notices a change; undefined if none does. */
async function findNoticingTest({
  file,
  text,
  instead,
  noticed,
}: Mutation): Promise<string | undefined> {
  const needsBuild = noticed.some((each) => each.includes(".browser."));
  const before = await replace(`src/${file}`, text, instead);
  try {
    if (needsBuild) await build();
    for (const each of noticed) if ((await runTestFile(each)).code !== 0) return each; // oxlint-disable-line no-await-in-loop
    return undefined;
  } finally {
    await Bun.write(join(copyFolder, "src", file), before);
  }
}

/** Returns the original text. Throws unless `text` occurs in the file exactly once. */
async function replace(path: string, text: string, instead: string): Promise<string> {
  const before = await Bun.file(join(copyFolder, path)).text();
  const { length } = before.split(text);
  if (length !== 2) throw new Error(`${path} has ${length - 1} times: ${text}`);
  await Bun.write(
    join(copyFolder, path),
    before.replace(text, () => instead),
  );
  return before;
}

function runTestFile(file: string) {
  return run("test", "--bail=1", "--timeout=60000", `tests/${file}`);
}

function run(...args: string[]): Promise<Outcome> {
  const child = Bun.spawn([process.execPath, ...args], {
    cwd: copyFolder,
    stdout: "pipe",
    stderr: "pipe",
  });
  return collectOutcome(child);
}
