/** Pages kept from one start to the next, answered before the site is open (specification, section 4.15). */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { open, readFile, rename, rm, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import pLimit from "p-limit";
import { freePort } from "../../support/ports.ts";
import {
  newSiteFolder,
  program,
  removeFolder,
  runProgram,
  serveProgram,
  type SiteFolder,
} from "../../support/program.ts";
import { AS_OWNER, callersOf } from "../../support/site.ts";
import { eventually } from "../../support/waits.ts";
import { ANOTHER_DAY, NOON } from "../../support/zones.ts";

/** Kept pages are of a day. */
const TODAY = { TZ: NOON };

let site: SiteFolder;
/** Sites that have served a page and stand still, one for each test. */
const sites: SiteFolder[] = [];
/** The headline that is on the kept page. */
let words: string;
/** Pages are kept once a site was calm for two seconds, which some can be at a time. */
const some = pLimit(4);
beforeAll(async () => {
  // The first alone: it may have the sample content to make.
  await addSite();
  await Promise.all(Array.from({ length: CHANGES.length + 1 }, () => some(addSite)));
}, 240_000);
beforeEach(() => {
  site = sites.pop()!;
});
afterEach(() => removeFolder(site));
afterAll(() => Promise.all(sites.map(removeFolder)));

async function addSite(): Promise<void> {
  const site = await newSiteFolder({ sample: true });
  sites.push(site);
  const serving = await serveProgram(site, { ...AS_OWNER, ...TODAY });
  words = (await callersOf(serving.url).visitor().get("/api/hero")).body.mainTitle;
  await fetch(serving.url);
  await eventually(() => existsSync(join(site.dataDir, ".first-pages")), true);
  await serving.stop();
}

interface Held {
  readonly url: string;
  /** Gives it what it waits for, and resolves when it has opened the site. */
  goOn(): Promise<void>;
  stop(): Promise<void>;
}

/** A start that is held up in the middle of opening the site: one of its files comes by a pipe that is silent. */
async function heldStart(env: Record<string, string> = {}): Promise<Held> {
  const [file, aside] = [join(site.dataDir, "users.json"), join(site.folder, "users.json")];
  await rename(file, aside);
  expect(await Bun.spawn(["mkfifo", file]).exited).toBe(0);
  const port = String(freePort());
  const child = Bun.spawn([program(), "serve"], {
    cwd: site.folder,
    env: { DATA_DIR: site.dataDir, UPLOADS_DIR: site.uploadsDir, PORT: port, ...TODAY, ...env },
    stdout: "ignore",
    stderr: "ignore",
  });
  // Opens as soon as the program reads from the other end.
  const pipe = await open(file, "w");
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    async goOn() {
      await rm(file);
      await pipe.writeFile(await readFile(aside));
      await rename(aside, file);
      await pipe.close();
      await eventually(() => statusOf(`${url}/api/health`), 200);
    },
    async stop() {
      child.kill("SIGKILL");
      await child.exited;
      await pipe.close().catch(() => undefined);
      if (existsSync(aside)) await rename(aside, file);
    },
  };
}

/** Undefined where nothing listens. */
const statusOf = (url: string) =>
  fetch(url).then(
    ({ status }) => status,
    () => undefined,
  );

describe("a start on what was there before", () => {
  test("answers with the finished page, says that it is starting, and lets all else wait", async () => {
    const held = await heldStart();
    try {
      const page = await fetch(held.url);
      expect([page.status, await page.text()]).toEqual([200, expect.stringContaining(words)]);
      expect(page.headers.get("content-security-policy")).toContain("script-src");
      expect(page.headers.get("x-content-type-options")).toBe("nosniff");
      const known = { "if-none-match": page.headers.get("etag")! };
      expect((await fetch(held.url, { headers: known })).status).toBe(304);
      const health = await fetch(`${held.url}/api/health`);
      expect([health.status, await health.json()]).toEqual([503, { status: "starting" }]);
      const waiting = fetch(`${held.url}/api/hero`);
      await held.goOn();
      expect((await (await waiting).json()).mainTitle).toBe(words);
      const opened = await fetch(held.url);
      expect(opened.headers.get("etag")).toBe(page.headers.get("etag"));
    } finally {
      await held.stop();
    }
  });
});

/** What happens between a page that is kept and the next start; returns settings of that. */
const CHANGES: [string, () => Promise<Record<string, string> | void>][] = [
  [
    "a save that a kill followed at once",
    async () => {
      const serving = await serveProgram(site, { ...AS_OWNER, ...TODAY });
      const owner = await callersOf(serving.url).loginAsOwner();
      expect((await owner.post("/api/hero", { mainTitle: "Another" })).status).toBe(200);
      await serving.stop("SIGKILL");
    },
  ],
  [
    "an edit by hand",
    async () => {
      const file = join(site.dataDir, "hero.json");
      const text = await readFile(file, "utf8");
      await writeFile(file, text.replace(words, "By hand"));
      expect((await runProgram(site, ["doctor", "--accept"])).code).toBe(0);
    },
  ],
  [
    "a file that was written again, were it with the same bytes",
    async () => utimes(join(site.dataDir, "styles.json"), new Date(), new Date()),
  ],
  ["another public address", async () => ({ SITE_URL: "http://127.0.0.1:9" })],
  ["another day", async () => ({ TZ: ANOTHER_DAY })],
  [
    "a page of which half was written",
    async () => {
      const file = join(site.dataDir, ".first-pages");
      const whole = await readFile(file);
      await writeFile(file, whole.subarray(0, whole.length / 2));
    },
  ],
];

describe("nothing is answered with what was before", () => {
  test.each(CHANGES)("after %s", async (_, change) => {
    const env = (await change()) ?? {};
    const held = await heldStart(env);
    try {
      expect(await statusOf(held.url)).toBeUndefined();
    } finally {
      await held.stop();
    }
  });
});

test("kept pages are in no backup", async () => {
  const archive = join(site.folder, "a.tar.gz");
  expect(await runProgram(site, ["backup", archive])).toMatchObject({ code: 0, error: "" });
  const listed = await Bun.$`tar tzf ${archive}`.text();
  expect(listed).toContain("hero.json");
  expect(listed).not.toContain("first-pages");
});
