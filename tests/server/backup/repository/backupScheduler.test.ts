/** The backups of a running site: started by the owner or automatically, reported, warned about, downloaded. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { copyFile, readdir, rename, symlink, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { BackupsState } from "../../../../src/schema/api/backups.ts";
import { BackupScheduler } from "../../../../src/server/backup/repository/backupScheduler.ts";
import {
  findBackups,
  createArchiveName,
  shortenSiteId,
} from "../../../../src/server/backup/repository/backupFolder.ts";
import { readCatalog } from "../../../../src/server/backup/repository/catalog.ts";
import { unpackArchive } from "../../../../src/server/backup/unpackArchive.ts";
import { type Config, readConfig } from "../../../../src/server/shared/config.ts";
import type { InstanceCoordinator } from "../../../../src/server/shared/instanceCoordinator.ts";
import type { Store } from "../../../../src/server/storage/store.ts";
import { addLargeFiles } from "../../../support/largeFiles.ts";
import { getProgramPath } from "../../../support/program.ts";
import { OWNER } from "../../../support/site.ts";
import { type Site, startSite } from "../../../support/startSite.ts";
import { waitForValue } from "../../../support/waits.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

// Due times depend on the hour of the machine's zone.
const zone = process.env["TZ"];
/** A time zone where it is about noon, so that no day ends there while a test runs. */
const hoursUntilNoon = 12 - new Date().getUTCHours();
const NOON_ZONE = `Etc/GMT${hoursUntilNoon < 0 ? "+" : "-"}${Math.abs(hoursUntilNoon)}`;
beforeAll(() => void (process.env["TZ"] = NOON_ZONE));
afterAll(() => void (process.env["TZ"] = zone ?? "UTC"));

/** The built program makes the backups, since it starts five times as fast as the source. */
const BUILT_PROGRAM = [getProgramPath()];

let site: Site;
let schedulers: BackupScheduler[];
async function startTestSite(): Promise<void> {
  schedulers = [];
  site = await startSite({ env: { BACKUP_FREE: "0" }, hasBuiltBackups: true });
}
async function stopTestSite(): Promise<void> {
  for (const each of schedulers) await each.stop();
  await site.stop();
}

const readState = () => site.asOwner<BackupsState>("GET", "/api/backups");
const listBackups = () => findBackups(site.config.backupDir, shortenSiteId(site.store.siteId));
const readSiteCatalog = () => readCatalog(site.config.backupDir, shortenSiteId(site.store.siteId));
const getArchivePath = (id: string) =>
  join(site.config.backupDir, createArchiveName(shortenSiteId(site.store.siteId), id));
/** The id that the backup would have if it had been made in another year. */
const setYear = (id: string, year: string) => id.replace(/^\d{4}/, year);

async function createBackup(): Promise<BackupsState> {
  await site.asOwner("POST", "/api/backups");
  await waitForValue(async () => (await readState()).underWay, null);
  return readState();
}

interface SchedulerOptions {
  readonly config?: Partial<Config>;
  /** Replaces a part of the store. */
  readonly store?: Partial<Pick<Store, "coordinator">>;
  readonly program?: readonly string[];
}

function createScheduler(
  laterMs = 0,
  { config, store, program: run = BUILT_PROGRAM }: SchedulerOptions = {},
) {
  const log: string[] = [];
  const { siteId, coordinator } = site.store;
  const service = new BackupScheduler({
    store: { siteId, coordinator, of: site.store.of.bind(site.store), ...store } as Store,
    config: { ...site.config, ...config },
    clock: () => Date.now() + laterMs,
    log: (line) => log.push(line),
    command: run,
  });
  schedulers.push(service);
  return { service, log };
}

/** A program that never ends and begins with `sideEffects`; `waitUntilStarted` resolves once it runs. */
function createEndlessProgram(sideEffects = "") {
  const file = join(site.dataDir, "../begun");
  const source = `${sideEffects} Bun.write("${file}", ""); setInterval(() => {}, 1000);`;
  return {
    program: [process.execPath, "-e", source],
    waitUntilStarted: () => waitForValue(() => Bun.file(file).exists(), true),
  };
}

/** Starts a scheduler for this site, as if this many milliseconds had passed. */
function restartScheduler(laterMs = 0, options: SchedulerOptions = {}) {
  const { service, log } = createScheduler(laterMs, options);
  service.start(0);
  const isIdle = async () => (await service.readState()).underWay === null;
  return {
    service,
    log,
    waitUntilIdle: () => waitForValue(async () => log.length > 0 && (await isIdle()), true),
  };
}

describe("the owner", () => {
  beforeAll(startTestSite);
  afterAll(stopTestSite);

  // The tests below use this backup.
  test("starts a backup in the background, and another is refused while the first is running", async () => {
    expect(await readState()).toMatchObject({
      backups: [],
      underWay: null,
      warning: null,
      every: 24,
    });
    const owner = await site.owner();
    // Side by side, so that neither finishes in between.
    const answers = await Promise.all([1, 2].map(() => owner.post("/api/backups", {})));
    const [waitUntilStarted, second] = answers.toSorted((one, other) => one.status - other.status);
    expect([waitUntilStarted!.status, waitUntilStarted!.body.underWay]).toEqual([202, "backup"]);
    expect([second!.status, second!.body.error]).toEqual([
      409,
      "A backup is already running. Wait until it finishes.",
    ]);
    await waitForValue(async () => (await readState()).underWay, null);
    const { backups, here, away } = await readState();
    expect(backups).toEqual([
      expect.objectContaining({ isHere: true, isAway: false, isGood: true, remarks: [] }),
    ]);
    expect(here).toMatchObject({ count: 1, bytes: backups[0]!.size, failure: null });
    expect([here.lastAt, away]).toEqual([backups[0]!.createdAt, null]);
  });

  test("sees by how many items and in which sections each backup differs from the current site", async () => {
    expect((await readState()).backups[0]!.differs).toEqual({ counts: [], changed: [] });
    await site.asOwner("POST", "/api/hero", { mainTitle: "Another" });
    await site.asOwner("POST", "/api/press-settings", { heading: "Another" });
    await site.asOwner("POST", "/api/statistics", { value: "7", label: "Shows" });
    const [backup] = (await readState()).backups;
    expect(backup!.differs).toEqual({
      counts: [{ label: "statistic", plural: "statistics", by: -1 }],
      changed: ["Hero", "Press"],
    });
  });

  test("downloads a backup soon after the login, and is asked for a new proof of identity later", async () => {
    const [backup] = (await readState()).backups;
    const owner = await site.owner();
    const path = `/api/backups/${backup!.id}`;
    const answer = await fetch(site.url + path, { headers: { cookie: owner.cookies() } });
    expect(answer.headers.get("content-disposition")).toBe(
      `attachment; filename="limelight-${backup!.id}.tar.gz"`,
    );
    const file = join(site.dataDir, "../fetched.tar.gz");
    await writeFile(file, await answer.bytes());
    expect(
      (await unpackArchive(file, join(site.dataDir, "../unpacked"))).files.length,
    ).toBeGreaterThan(9);
    expect((await owner.get("/api/backups/2020-01-01T00-00-00-000Z")).status).toBe(404);
    expect((await owner.get("/api/backups/..%2f..%2fetc%2fpasswd")).status).toBe(404);
    expect((await site.visitor().get(path)).status).toBe(401);
    site.advance(11 * MINUTE_MS);
    const { status, body } = await owner.get(path);
    expect([status, body.code]).toEqual([403, "proof_needed"]);
  });

  test("tests the newest backup by starting a site from it, which is removed afterwards", async () => {
    expect((await readState()).rehearsal).toBeNull();
    await site.asOwner("POST", "/api/backups/rehearsal");
    await waitForValue(async () => (await readState()).underWay, null);
    const { rehearsal, nextRehearsalAt } = await readState();
    expect(rehearsal).toMatchObject({ ok: true });
    const days = (Date.parse(nextRehearsalAt!) - Date.parse(rehearsal!.at)) / DAY_MS;
    expect(days).toBe(30);
    const left = await readdir(site.config.backupDir);
    expect(left.filter((name) => name.startsWith(".rehearsal"))).toEqual([]);
  });

  test("is notified that the last backup can't be restored if its restore test fails", async () => {
    const [backup] = (await readState()).backups;
    const file = getArchivePath(backup!.id);
    const whole = await Bun.file(file).bytes();
    await writeFile(file, whole.subarray(0, whole.length - 100));
    await site.asOwner("POST", "/api/backups/rehearsal");
    await waitForValue(async () => (await readState()).underWay, null);
    const { warning, backups } = await readState();
    expect(warning).toEqual({
      title: "The last backup can't be restored",
      message: expect.stringContaining("This archive can't be restored"),
    });
    expect(backups.map(({ id, isGood }) => [id, isGood])).toEqual([[backup!.id, false]]);
    await waitForValue(
      () => site.asOwner("GET", "/api/notices"),
      [
        {
          code: "backup",
          problem: "backup",
          ...warning,
          opens: { screen: "backups", label: "Open Backups" },
        },
      ],
    );
  });
});

describe("automatic backups", () => {
  beforeEach(startTestSite);
  afterEach(stopTestSite);

  test("the first start makes a due backup, the second tests it, and the third does nothing", async () => {
    const first = restartScheduler();
    await first.waitUntilIdle();
    expect(first.log).toEqual([
      expect.stringMatching(/^backup done: Saved .*\.tar\.gz \(\d+ KB\)\.$/),
    ]);
    const second = restartScheduler();
    await second.waitUntilIdle();
    expect(second.log).toEqual([
      expect.stringMatching(/^restore test done: Restore test passed: a site started from /),
    ]);
    expect((await readSiteCatalog()).rehearsal).toMatchObject({ ok: true });
    const third = restartScheduler();
    // The first check of `third` is over before a later scheduler's check begins.
    const fourth = restartScheduler(DAY_MS);
    await fourth.waitUntilIdle();
    expect(third.log).toEqual([]);
  });

  test("no backup is made while another instance makes one or while backups are turned off, and the owner isn't warned", async () => {
    let attempts = 0;
    const alone: InstanceCoordinator["runExclusively"] = async () => void attempts++ as undefined;
    const coordinator: InstanceCoordinator = { ...site.store.coordinator, runExclusively: alone };
    const waiting = restartScheduler(DAY_MS, { store: { coordinator } });
    const off = restartScheduler(5 * DAY_MS, { config: { backupEvery: null } });
    await waitForValue(() => attempts, 1);
    expect((await waiting.service.readState()).underWay).toBeNull();
    // This scheduler starts after the others, and nothing prevents its backup.
    await restartScheduler().waitUntilIdle();
    expect([waiting.log, off.log]).toEqual([[], []]);
    expect(await off.service.readState()).toMatchObject({
      every: null,
      nextAt: null,
      warning: null,
    });
  });

  test("a due backup isn't started, and no failure is logged, while a backup that the owner started is running", async () => {
    const { program, waitUntilStarted } = createEndlessProgram();
    let isOver = false;
    const runExclusively: InstanceCoordinator["runExclusively"] = async (_job, work) => {
      try {
        // The owner is faster than the check that no other instance makes the backup.
        return await work(async () => Boolean(service.startJob("backup")));
      } finally {
        isOver = true;
      }
    };
    const coordinator = { ...site.store.coordinator, runExclusively };
    const { service, log } = createScheduler(0, { program, store: { coordinator } });
    service.start(0);
    await waitUntilStarted();
    await waitForValue(() => isOver, true);
    expect(log).toEqual([]);
  });

  test("a failed backup is reported, and repeated after some minutes instead of at once", async () => {
    for (const name of ["hero.json", "hero.json.bak"]) await unlink(join(site.dataDir, name));
    const first = restartScheduler();
    await first.waitUntilIdle();
    expect(first.log).toEqual([
      expect.stringContaining("backup failed: Nothing was saved: a site"),
    ]);
    const { failure } = (await first.service.readState()).here;
    expect(failure).toMatchObject({ times: 1, message: expect.stringContaining("Nothing was") });
    const waiting = restartScheduler(MINUTE_MS);
    const laterMs = restartScheduler(20 * MINUTE_MS);
    await laterMs.waitUntilIdle();
    expect(waiting.log).toEqual([]);
    expect((await readSiteCatalog()).failure!.times).toBe(2);
  });

  test("a backup whose process can't be started is reported as failed", async () => {
    const { service, log } = createScheduler(0, { program: ["/no/such/program"] });
    service.start(0);
    const failed = "The job's process couldn't be started (ENOENT).";
    await waitForValue(() => log.some((line) => line.includes(failed)), true);
    const { here } = await service.readState();
    expect(here.failure).toMatchObject({ times: 1, message: expect.stringContaining(failed) });
    expect(() => service.startJob("backup")).toThrow(failed);
  });

  test("a restore test whose process is killed is reported, and the next test is due a day later", async () => {
    await createBackup();
    const { program: run, waitUntilStarted: begun } = createEndlessProgram();
    const { service, log } = restartScheduler(0, { program: run });
    await begun();
    const found = Bun.spawnSync(["pgrep", "-P", String(process.pid), "-f", "begun"]);
    const pid = Number(found.stdout.toString().trim());
    expect(pid).toBeGreaterThan(1);
    process.kill(pid, "SIGKILL");
    const reason = "The process exited unexpectedly (SIGKILL).";
    await waitForValue(() => log, [`restore test failed: ${reason}`]);
    const { rehearsal, nextRehearsalAt, warning } = await service.readState();
    expect(rehearsal).toMatchObject({ ok: false, isBad: false, message: reason });
    expect(Date.parse(nextRehearsalAt!) - Date.parse(rehearsal!.at)).toBe(DAY_MS);
    expect(warning).toEqual({ title: "The last restore test couldn't run", message: reason });
  });

  test("a new backup removes older ones by the site's settings, and an unreadable file doesn't count as a backup", async () => {
    const { service } = createScheduler(0, { config: { backupKeep: [1, 0, 0] } });
    await service.startJob("backup").outcome;
    const [first] = await listBackups();
    await copyFile(getArchivePath(first!.id), getArchivePath("2020-01-01T03-00-00-000Z"));
    const unreadable = getArchivePath("2030-01-01T00-00-00-000Z");
    await symlink(unreadable, unreadable);
    expect((await listBackups()).map(({ id }) => id)).toEqual([
      first!.id,
      "2020-01-01T03-00-00-000Z",
    ]);
    expect(await service.startJob("backup").outcome).toMatchObject({ ok: true });
    expect((await listBackups()).map(({ id }) => id)).toEqual([expect.any(String), first!.id]);
  });

  test("a backup process that ignores SIGTERM is killed when the site stops", async () => {
    const { program: run, waitUntilStarted } = createEndlessProgram(
      'process.on("SIGTERM", () => {});',
    );
    const { service } = createScheduler(0, { program: run });
    const { outcome } = service.startJob("backup");
    await waitUntilStarted();
    await service.stop();
    expect((await outcome).ok).toBe(false);
  });

  // createBackup.test.ts shows that the next backup removes what this one leaves.
  test("a backup whose process is killed is reported as failed, and isn't listed", async () => {
    await addLargeFiles(site.uploadsDir);
    const { outcome } = createScheduler().service.startJob("backup");
    const isBegun = async () =>
      (await readdir(site.config.backupDir).catch(() => [])).some((name) => name.endsWith(".part"));
    await waitForValue(isBegun, true);
    const children = Bun.spawnSync(["pgrep", "-P", String(process.pid), "-f", "limelight backup"]);
    const pids = children.stdout.toString().split("\n").filter(Boolean);
    expect(pids).not.toEqual([]);
    for (const pid of pids) process.kill(Number(pid), "SIGKILL");
    expect(await outcome).toEqual({
      ok: false,
      isStoredLocally: false,
      message: "The process exited unexpectedly (SIGKILL).",
    });
    expect(await listBackups()).toEqual([]);
  });

  test("the backup made before a restore removes no old backup, even if it can't be uploaded", async () => {
    const { config } = readConfig([], {
      DATA_DIR: site.dataDir,
      UPLOADS_DIR: site.uploadsDir,
      BACKUP_FREE: "0",
      BACKUP_KEEP: "0,0,0",
      BACKUP_S3: "s3://away?endpoint=http://127.0.0.1:9",
      BACKUP_KEY: "age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p",
      S3_ACCESS_KEY_ID: "a",
      S3_SECRET_ACCESS_KEY: "b",
    });
    const { service } = createScheduler(0, { config });
    await createBackup();
    const [today] = await listBackups();
    const old = setYear(today!.id, "2020");
    await rename(getArchivePath(today!.id), getArchivePath(old));
    expect((await listBackups()).map(({ id }) => id)).toEqual([old]);
    const { ok, isStoredLocally, message } = await service.startJob("backupBeforeRestore").outcome;
    expect([ok, isStoredLocally, message]).toEqual([
      false,
      true,
      expect.stringContaining("isn't responding"),
    ]);
    expect((await listBackups()).map(({ id }) => id)).toEqual([expect.any(String), old]);
    await service.startJob("backup").outcome;
    expect((await listBackups()).map(({ id }) => id)).not.toContain(old);
  });

  test("the owner sets how many backups to keep, and the next backup removes extra ones", async () => {
    await createBackup();
    const [today] = await listBackups();
    for (const year of ["2020", "2021"])
      await copyFile(getArchivePath(today!.id), getArchivePath(setYear(today!.id, year)));
    const retention = { daily: 0, weekly: 0, monthly: 1 };
    const owner = await site.logInAsOwner();
    const set = (body: object) => owner.put("/api/backups/keep", body);
    const wrong = await set({ daily: 1.5, weekly: "4", monthly: 121 });
    expect([wrong.status, wrong.body.fields]).toEqual([
      422,
      {
        daily: "Use a whole number from 0 to 90.",
        weekly: "Use a whole number from 0 to 104.",
        monthly: "Use a whole number from 0 to 120.",
      },
    ]);
    site.advance(11 * MINUTE_MS);
    expect((await set(retention)).body.code).toBe("proof_needed");
    await owner.post("/api/auth/proof", { password: OWNER.password });
    expect((await readState()).keep).toEqual({ daily: 7, weekly: 4, monthly: 12 });
    expect((await set(retention)).body.keep).toEqual(retention);
    expect(await listBackups()).toHaveLength(3);
    await createBackup();
    const years = (await listBackups()).map(({ id }) => id.slice(0, 4));
    expect(years).not.toContain("2020");
    expect(years).not.toContain("2021");
    expect(years).toHaveLength(2);
  });
});
