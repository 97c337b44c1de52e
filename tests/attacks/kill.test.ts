/**
 * The built executable killed while it is written to, while it starts, brings older data up to date, and
 * restores (specification, section 4.15): what was answered with success is there after every restart,
 * once, and what was deleted is not. `KILL_ROUNDS=1000 bun test tests/attacks/kill.test.ts` for a long run.
 */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { join } from "node:path";
import { AllWrites } from "../support/allWrites.ts";
import type { Client } from "../support/client.ts";
import {
  newSiteFolder,
  program,
  removeFolder,
  runProgram,
  serveProgram,
  type Serving,
  type SiteFolder,
} from "../support/program.ts";
import { AS_OWNER, callersOf } from "../support/site.ts";
import { eventually } from "../support/waits.ts";

/** By default each kind of moment twice: with many writes behind it or few, and killed at 0, 1 or 2 starts after it. */
const ROUNDS = Number(process.env["KILL_ROUNDS"] ?? 12);
const PATIENCE = 60_000 + ROUNDS * 5000;
const ENV = { ...AS_OWNER, RATE_LIMIT: "off" };

let site: SiteFolder;
let serving: Serving;
let owner: Client;

beforeEach(async () => {
  site = await newSiteFolder();
});
afterEach(async () => {
  await serving.stop("SIGKILL");
  await removeFolder(site);
});

async function start(): Promise<void> {
  serving = await serveProgram(site, ENV);
  owner = await callersOf(serving.url).loginAsOwner();
}

/** A process of the program that is killed after a while, wherever it is then. */
async function killed(args: string[], ms: number, where = site): Promise<void> {
  const child = Bun.spawn([program(), ...args], {
    cwd: where.folder,
    env: { ...ENV, DATA_DIR: where.dataDir, UPLOADS_DIR: where.uploadsDir, PORT: "0" },
    stdout: "ignore",
    stderr: "ignore",
  });
  await Bun.sleep(ms);
  child.kill("SIGKILL");
  await child.exited;
}

/** One line of the log is enough. */
const expectNoDamage = () =>
  expect(/.*(DAMAGED|RECOVERED|LOST).*/.exec(serving.log())?.[0]).toBeUndefined();

async function expectWell(): Promise<void> {
  const doctor = await runProgram(site, ["doctor"]);
  expect([doctor.code, doctor.out]).toEqual([0, expect.stringContaining("All is well.")]);
}

test(
  `${ROUNDS} times over, after kill -9 under all kinds of writes and while starting nothing is lost, doubled or back`,
  async () => {
    await start();
    const writes = new AllWrites();
    await writes.prepare(owner);
    for (let round = 0; round < ROUNDS; round++) {
      const visitor = callersOf(serving.url).visitor();
      const writers = writes.write({ owner, visitor });
      // However slow the machine: every other round has many writes behind it.
      const enough = writes.acknowledged + 12;
      if (round % 2 === 0) await eventually(() => writes.acknowledged >= enough, true);
      await Bun.sleep(50 + 400 * Math.random());
      await serving.stop("SIGKILL");
      await writers;
      for (let again = 0; again < round % 3; again++) await killed(["serve"], 150 * Math.random());
      if (round % 6 === 5) await expectWell();
      await start();
      expectNoDamage();
      await writes.compare(owner);
    }
    expect(writes.acknowledged).toBeGreaterThan(5 * ROUNDS);
    if (ROUNDS > 50) console.log(`${ROUNDS} kills, ${writes.acknowledged} acknowledged writes`);
  },
  PATIENCE,
);

test(
  "killed while it brings the data of 0.1.0 up to date, it goes on with all of it",
  async () => {
    let expected: string | undefined;
    // Each round starts twice, and there are fewer moments to be killed at than in the test above.
    for (let round = 0; round <= ROUNDS / 3; round++) {
      await unpackRelease();
      if (round > 0) await killed(["serve"], 20 + 180 * Math.random());
      serving = await serveProgram(site, ENV);
      const seen = await contentOf(serving.url);
      expected ??= seen;
      expect(seen).toBe(expected);
      await serving.stop("SIGKILL");
      expectNoDamage();
    }
  },
  PATIENCE,
);

/** The data of the first release, with files in place of the pictures that it lists. */
async function unpackRelease(): Promise<void> {
  await removeFolder(site);
  site = await newSiteFolder();
  const archive = join(import.meta.dir, "../fixtures/data-0.1.0.tar.gz");
  await Bun.spawn(["tar", "-xzf", archive, "-C", site.folder]).exited;
  const { value } = await Bun.file(join(site.dataDir, "uploads.json")).json();
  for (const { filename } of value) await Bun.write(join(site.uploadsDir, filename), "x");
}

/** What visitors get of everything. */
async function contentOf(url: string): Promise<string> {
  const paths = ["site", "hero", "about", "statistics", "highlights", "connect-links", "forms"];
  const answers = paths.map(async (path) => (await fetch(`${url}/api/${path}`)).text());
  return (await Promise.all(answers)).join("\n");
}

test(
  "a backup taken while the site is written to is restored to a whole site",
  async () => {
    await start();
    const writes = new AllWrites();
    await writes.prepare(owner);
    const writers = writes.write({ owner, visitor: callersOf(serving.url).visitor() });
    await eventually(() => writes.acknowledged > 50, true);
    for (const name of ["one.tar.gz", "two.tar.gz"])
      expect(await runProgram(site, ["backup", name])).toMatchObject({ code: 0, error: "" });
    await serving.stop("SIGKILL");
    await writers;
    for (const name of ["one.tar.gz", "two.tar.gz"]) {
      expect(await runProgram(site, ["restore", name])).toMatchObject({ code: 0, error: "" });
      expect((await runProgram(site, ["doctor"])).out).toContain("All is well.");
      await start();
      expect((await owner.get("/")).status).toBe(200);
      expect(serving.log()).not.toMatch(/DAMAGED|RECOVERED/);
      if (name === "one.tar.gz") await serving.stop();
    }
  },
  PATIENCE,
);

test(
  "a restore killed at any moment leaves the old site or the new one; running it again succeeds",
  async () => {
    await start();
    for (const title of TITLES) {
      await owner.post("/api/hero", { mainTitle: title });
      await runProgram(site, ["backup", `${title}.tar.gz`]);
    }
    await serving.stop();
    const seen = new Set<string>();
    const rounds = Math.max(6, ROUNDS / 5);
    for (let round = 0; round < rounds; round++) {
      const now = await titleOrWords();
      const other = TITLES.find((title) => title !== now)!;
      await killed(["restore", join(site.folder, `${other}.tar.gz`)], 5 + 200 * Math.random());
      const after = await titleOrWords();
      expect(after).toBeOneOf([now, other]);
      seen.add(after === now ? "old" : "new");
      // What was set aside would grow with each round.
      expect(await runProgram(site, ["doctor", "--remove-copies"])).toMatchObject({ code: 0 });
    }
    if (rounds > 20) expect(seen.size).toBe(2);
    expect(await runProgram(site, ["restore", "First.tar.gz"])).toMatchObject({
      code: 0,
      error: "",
    });
    expect(await titleOrWords()).toBe("First");
    expect((await runProgram(site, ["doctor"])).out).toContain("All is well.");
    await start();
  },
  PATIENCE,
);

const TITLES = ["First", "Second"] as const;

/** The title that the site shows when it is started, or the words in which its start was refused. */
async function titleOrWords(): Promise<string> {
  const probe = await serveProgram(site, ENV).catch(() => undefined);
  if (!probe) return (await runProgram(site, ["serve"], "", { PORT: "0" })).error;
  const html = await (await fetch(probe.url)).text();
  await probe.stop("SIGKILL");
  return /<h1[^>]*>.*?(First|Second).*?<\/h1>/s.exec(html)?.[1] ?? html;
}
