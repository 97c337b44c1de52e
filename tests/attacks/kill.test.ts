/**
 * The built executable killed while it is written to, while it starts, while it migrates older data, and while it
 * restores (specification, section 4.15): every acknowledged write is there once after each restart, and deletions stay
 * deleted. `KILL_ROUNDS=1000 bun test tests/attacks/kill.test.ts` for a long run.
 */
import { expect, setDefaultTimeout, test } from "bun:test";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { AllWrites } from "../support/allWrites.ts";
import { getProgramPath, runProgram, startProgram } from "../support/program.ts";
import { setUpServedSite } from "../support/servedSite.ts";
import { OWNER_ENV } from "../support/site.ts";
import { waitForValue } from "../support/waits.ts";

/** The default of three rounds kills after many writes and after few, and kills 0, 1 and 2 of the next starts. */
const KILL_ROUNDS = Number(process.env["KILL_ROUNDS"] ?? 3);

setDefaultTimeout(60_000 + KILL_ROUNDS * 5000);

const site = setUpServedSite({ isStarted: false });

/** Starts a process of the program, and kills it after `ms`. */
async function runAndKill(args: string[], ms: number): Promise<void> {
  const child = Bun.spawn([getProgramPath(), ...args], {
    cwd: site.folder,
    env: { ...OWNER_ENV, DATA_DIR: site.dataDir, UPLOADS_DIR: site.uploadsDir, PORT: "0" },
    stdout: "ignore",
    stderr: "ignore",
  });
  await Bun.sleep(ms);
  child.kill("SIGKILL");
  await child.exited;
}

test(`a site killed ${KILL_ROUNDS} times during writes and starts loses, doubles and reverts no acknowledged write`, async () => {
  await site.start();
  const writes = new AllWrites();
  await writes.prepare(await site.owner());
  for (let round = 0; round < KILL_ROUNDS; round++) {
    const writers = writes.write({ owner: await site.owner(), visitor: site.visitor() });
    // Every other round has many writes before it, however slow the machine is.
    const enough = writes.acknowledged + 12;
    if (round % 2 === 0) await waitForValue(() => writes.acknowledged >= enough, true);
    await Bun.sleep(50 + 400 * Math.random());
    await site.stop("SIGKILL");
    await writers;
    for (let again = 0; again < round % 3; again++)
      await runAndKill(["serve"], 150 * Math.random());
    if (round % 6 === 2) await site.expectNoProblems();
    await site.start();
    site.expectUndamaged();
    await writes.assertStored(await site.owner());
  }
  expect(writes.acknowledged).toBeGreaterThan(5 * KILL_ROUNDS);
  if (KILL_ROUNDS > 50)
    console.log(`${KILL_ROUNDS} kills, ${writes.acknowledged} acknowledged writes`);
});

test("a site killed while it migrates older data serves all of it after the next start", async () => {
  let expected: string | undefined;
  // Each round starts the site twice, with fewer moments to kill at than in the test above.
  for (let round = 0; round <= KILL_ROUNDS / 3; round++) {
    await unpackRelease();
    if (round > 0) await runAndKill(["serve"], 20 + 180 * Math.random());
    await site.start();
    const seen = await readContent(site.url);
    expected ??= seen;
    expect(seen).toBe(expected);
    await site.stop("SIGKILL");
    site.expectUndamaged();
  }
});

/** The data of the program before 1.0.0, with files in place of the pictures that it lists. */
async function unpackRelease(): Promise<void> {
  for (const each of [site.dataDir, site.uploadsDir])
    await rm(each, { recursive: true, force: true });
  const archive = join(import.meta.dir, "../fixtures/data-before-1.0.0.tar.gz");
  await Bun.spawn(["tar", "-xzf", archive, "-C", site.folder]).exited;
  const { value } = await Bun.file(join(site.dataDir, "uploads.json")).json();
  for (const { filename } of value) await Bun.write(join(site.uploadsDir, filename), "x");
}

/** The content that visitors get. */
async function readContent(url: string): Promise<string> {
  const paths = ["site", "hero", "about", "statistics", "highlights", "connect-links", "forms"];
  const answers = paths.map(async (path) => (await fetch(`${url}/api/${path}`)).text());
  return (await Promise.all(answers)).join("\n");
}

test("a restore killed at any time leaves the earlier or the restored site, and can be repeated", async () => {
  await site.start();
  for (const title of TITLES) {
    await site.asOwner("POST", "/api/hero", { mainTitle: title });
    await site.run("backup", `${title}.tar.gz`);
  }
  await site.stop();
  const seen = new Set<string>();
  const rounds = Math.max(3, KILL_ROUNDS / 5);
  let now = await readTitleOrError();
  for (let round = 0; round < rounds; round++) {
    const other = TITLES.find((title) => title !== now)!;
    await runAndKill(["restore", join(site.folder, `${other}.tar.gz`)], 5 + 200 * Math.random());
    const after = await readTitleOrError();
    expect(after).toBeOneOf([now, other]);
    seen.add(after === now ? "old" : "new");
    now = after;
    // The old data moved away would grow with each round.
    expect(await site.run("doctor", "--remove-copies")).toMatchObject({ code: 0 });
  }
  if (rounds > 20) expect(seen.size).toBe(2);
  expect(await site.run("restore", "First.tar.gz")).toMatchObject({ code: 0, error: "" });
  expect(await readTitleOrError()).toBe("First");
  await site.expectNoProblems();
});

const TITLES = ["First", "Second"] as const;

/** The title that the site shows after its start, or the message with which the start was refused. */
async function readTitleOrError(): Promise<string> {
  const probe = await startProgram({ folder: site.folder }).catch(() => undefined);
  if (!probe) return (await runProgram(site, ["serve"], "", { PORT: "0" })).error;
  const html = await (await fetch(probe.url)).text();
  await probe.stop("SIGKILL");
  return /<h1[^>]*>.*?(First|Second).*?<\/h1>/s.exec(html)?.[1] ?? html;
}
