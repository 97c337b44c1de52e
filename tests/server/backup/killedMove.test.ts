/**
 * A move that is killed at any moment: the same command goes on, and what is there then answers as what was moved.
 * The site is served meanwhile. LIMELIGHT_KILLS is the number of moments, spread evenly (default 2).
 */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { hasPostgres, postgresForAll } from "../../support/postgres.ts";
import {
  newSiteFolder,
  program,
  type ProgramSite,
  removeFolder,
  runProgram,
  type SiteFolder,
  startProgram,
} from "../../support/program.ts";
import { answersOf } from "./answersOf.ts";
import { joinAll } from "../../support/subscriber.ts";

setDefaultTimeout(600_000);

const UNLIMITED = { RATE_LIMIT: "off" };

const KILLS = Number(process.env["LIMELIGHT_KILLS"] ?? 2);

describe.if(hasPostgres)("a move that is killed", () => {
  const postgres = postgresForAll();
  let own: SiteFolder;
  let site: ProgramSite;
  let cookie: string;
  const targets: SiteFolder[] = [];

  beforeAll(async () => {
    own = await newSiteFolder({ sample: true });
    site = await startProgram({ folder: own.folder, env: UNLIMITED });
    cookie = (await site.owner()).cookies();
    const guests = Array.from({ length: 300 }, (_, at) => ({ email: `guest${at}@example.com` }));
    await joinAll(site, guests);
  });
  afterAll(async () => {
    await site?.stop();
    await Promise.all([own, ...targets].map(removeFolder));
  });

  /** Where it goes: in turns a database with a folder for its pictures, and folders. */
  async function target(round: number) {
    const folder = await newSiteFolder();
    targets.push(folder);
    const database = postgres.url();
    const args = ["--to", round % 2 ? folder.dataDir : database, "--uploads", folder.uploadsDir];
    const env: Record<string, string> = round % 2 ? {} : { DATABASE_URL: database };
    return { folder, args, env: { ...UNLIMITED, ...env } };
  }

  const move = (args: readonly string[]) => runProgram(own, ["move", ...args]);
  const cancel = async () => expect(await move(["--cancel"])).toMatchObject({ code: 0 });

  /** Ends by a signal after so many milliseconds, or by itself, well; resolves to whether it was killed. */
  async function killed(args: readonly string[], after: number): Promise<boolean> {
    const child = Bun.spawn([program(), "move", ...args], {
      cwd: own.folder,
      env: { PATH: process.env["PATH"], DATA_DIR: own.dataDir, UPLOADS_DIR: own.uploadsDir },
      stdout: "ignore",
      stderr: "pipe",
    });
    const timer = setTimeout(() => child.kill("SIGKILL"), after);
    await child.exited;
    clearTimeout(timer);
    if (child.signalCode === "SIGKILL") return true;
    expect([child.exitCode, await new Response(child.stderr).text()]).toEqual([0, ""]);
    return false;
  }

  /**
   * Kills a move at a moment of it. One that was over before is taken back, and the next killed in half the time:
   * how long the first one took says little about others on a busy machine.
   */
  async function killedMove(round: number, after: number): ReturnType<typeof target> {
    const place = await target(round);
    if (await killed(place.args, after)) return place;
    await cancel();
    return killedMove(round, after / 2);
  }

  /** What visitors and the owner, in the session of before, are answered. */
  async function answers(url: string): Promise<Record<string, string>> {
    const pictures = Object.keys(await (await fetch(`${url}/api/pictures`)).json());
    const calls = "hero styles history/hero uploads email-subscriptions bin auth/me".split(" ");
    const paths = ["/", "/coaching", ...calls.map((path) => `/api/${path}`), ...pictures];
    expect(pictures.length).toBeGreaterThan(3);
    return answersOf(url, paths, cookie);
  }

  test("goes on when it is called again, at whatever moment it was, and nothing is missing", async () => {
    const whole = await target(1);
    const began = performance.now();
    expect(await move(whole.args)).toMatchObject({ code: 0, error: "" });
    const took = performance.now() - began;
    await cancel();
    for (let round = 0; round < KILLS; round++) {
      await site.asOwner("POST", "/api/hero", { mainTitle: `Round ${round}` });
      const { folder, args, env } = await killedMove(round, (took * (round + 0.5)) / KILLS);
      const done = await move(args);
      expect(done).toMatchObject({ code: 0, error: "" });
      expect(done.out).toContain("Both places hold the same");
      await expect(site.asOwner("POST", "/api/hero", { mainTitle: "Late" })).rejects.toThrow("503");
      const before = await answers(site.url);
      const there = await startProgram({ folder: folder.folder, owner: false, env });
      expect(await answers(there.url)).toEqual(before);
      await there.asOwner("POST", "/api/hero", { mainTitle: "There" });
      await there.stop();
      await cancel();
    }
  });
});
