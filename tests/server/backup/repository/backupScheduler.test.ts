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
import { program } from "../../../support/program.ts";
import { OWNER } from "../../../support/site.ts";
import { type Site, startSite } from "../../../support/startSite.ts";
import { eventually } from "../../../support/waits.ts";
import { NOON } from "../../../support/zones.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

// Due times depend on the hour of the machine's zone.
const zone = process.env["TZ"];
beforeAll(() => void (process.env["TZ"] = NOON));
afterAll(() => void (process.env["TZ"] = zone ?? "UTC"));

/** The built program makes them, which starts five times as fast as the source. */
const BUILT = [program()];

let site: Site;
let services: BackupScheduler[];
async function begin(): Promise<void> {
  services = [];
  site = await startSite({ env: { BACKUP_FREE: "0" }, hasBuiltBackups: true });
}
async function end(): Promise<void> {
  for (const each of services) await each.stop();
  await site.stop();
}

const state = () => site.asOwner<BackupsState>("GET", "/api/backups");
const list = () => findBackups(site.config.backupDir, shortenSiteId(site.store.siteId));
const catalog = () => readCatalog(site.config.backupDir, shortenSiteId(site.store.siteId));
const fileOf = (id: string) =>
  join(site.config.backupDir, createArchiveName(shortenSiteId(site.store.siteId), id));
/** The same backup, as if it had been made in another year. */
const inYear = (id: string, year: string) => id.replace(/^\d{4}/, year);

async function made(): Promise<BackupsState> {
  await site.asOwner("POST", "/api/backups");
  await eventually(async () => (await state()).underWay, null);
  return state();
}

interface How {
  readonly config?: Partial<Config>;
  /** A part of the store that behaves differently. */
  readonly store?: Partial<Pick<Store, "coordinator">>;
  readonly program?: readonly string[];
}

function serviceOf(later = 0, { config, store, program: run = BUILT }: How = {}) {
  const log: string[] = [];
  const { siteId, coordinator } = site.store;
  const service = new BackupScheduler({
    store: { siteId, coordinator, of: site.store.of.bind(site.store), ...store } as Store,
    config: { ...site.config, ...config },
    clock: () => Date.now() + later,
    log: (line) => log.push(line),
    program: run,
  });
  services.push(service);
  return { service, log };
}

/** A process that never ends, with its side effects; `begun` resolves once it runs. */
function endless(besides = "") {
  const file = join(site.dataDir, "../begun");
  const source = `${besides} Bun.write("${file}", ""); setInterval(() => {}, 1000);`;
  return {
    program: [process.execPath, "-e", source],
    begun: () => eventually(() => Bun.file(file).exists(), true),
  };
}

/** A process that has just started on this site, this many milliseconds later. */
function restarted(later = 0, how: How = {}) {
  const { service, log } = serviceOf(later, how);
  service.start(0);
  const idle = async () => (await service.readState()).underWay === null;
  return {
    service,
    log,
    over: () => eventually(async () => log.length > 0 && (await idle()), true),
  };
}

describe("the owner", () => {
  beforeAll(begin);
  afterAll(end);

  // The tests below look at this backup.
  test("starts a backup that continues in the background; a second one is refused meanwhile; its end is reported", async () => {
    expect(await state()).toMatchObject({ backups: [], underWay: null, warning: null, every: 24 });
    const owner = await site.owner();
    // Side by side, so that neither finishes in between.
    const answers = await Promise.all([1, 2].map(() => owner.post("/api/backups", {})));
    const [begun, second] = answers.toSorted((one, other) => one.status - other.status);
    expect([begun!.status, begun!.body.underWay]).toEqual([202, "backup"]);
    expect([second!.status, second!.body.error]).toEqual([
      409,
      "A backup is already running. Wait until it finishes.",
    ]);
    await eventually(async () => (await state()).underWay, null);
    const { backups, here, away } = await state();
    expect(backups).toEqual([
      expect.objectContaining({ isHere: true, isAway: false, isGood: true, remarks: [] }),
    ]);
    expect(here).toMatchObject({ count: 1, bytes: backups[0]!.size, failure: null });
    expect([here.lastAt, away]).toEqual([backups[0]!.createdAt, null]);
  });

  test("sees how each backup differs from now: how many items of each kind, and which parts changed", async () => {
    expect((await state()).backups[0]!.differs).toEqual({ counts: [], changed: [] });
    await site.asOwner("POST", "/api/hero", { mainTitle: "Another" });
    await site.asOwner("POST", "/api/press-settings", { heading: "Another" });
    await site.asOwner("POST", "/api/statistics", { value: "7", label: "Shows" });
    const [backup] = (await state()).backups;
    expect(backup!.differs).toEqual({
      counts: [{ label: "statistic", plural: "statistics", by: -1 }],
      changed: ["Hero", "Press"],
    });
  });

  test("downloads a backup after a proof; other people, and ids that don't exist, get nothing", async () => {
    const [backup] = (await state()).backups;
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
    site.advance(11 * MINUTE);
    const { status, body } = await owner.get(path);
    expect([status, body.code]).toEqual([403, "proof_needed"]);
  });

  test("tests the newest backup: a site is started from it and removed", async () => {
    expect((await state()).rehearsal).toBeNull();
    await site.asOwner("POST", "/api/backups/rehearsal");
    await eventually(async () => (await state()).underWay, null);
    const { rehearsal, nextRehearsalAt } = await state();
    expect(rehearsal).toMatchObject({ ok: true });
    const days = (Date.parse(nextRehearsalAt!) - Date.parse(rehearsal!.at)) / DAY;
    expect(days).toBe(30);
    const left = await readdir(site.config.backupDir);
    expect(left.filter((name) => name.startsWith(".rehearsal"))).toEqual([]);
  });

  test("is notified of a failed restore test, and that the backup is unusable", async () => {
    const [backup] = (await state()).backups;
    const file = fileOf(backup!.id);
    const whole = await Bun.file(file).bytes();
    await writeFile(file, whole.subarray(0, whole.length - 100));
    await site.asOwner("POST", "/api/backups/rehearsal");
    await eventually(async () => (await state()).underWay, null);
    const { warning, backups } = await state();
    expect(warning).toEqual({
      title: "The last backup can't be restored",
      message: expect.stringContaining("This archive can't be restored"),
    });
    expect(backups.map(({ id, isGood }) => [id, isGood])).toEqual([[backup!.id, false]]);
    await eventually(
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

describe("automatically,", () => {
  beforeEach(begin);
  afterEach(end);

  test("a start makes a due backup, then tests it, and then does nothing more", async () => {
    const first = restarted();
    await first.over();
    expect(first.log).toEqual([
      expect.stringMatching(/^backup done: Saved .*\.tar\.gz \(\d+ KB\)\.$/),
    ]);
    const second = restarted();
    await second.over();
    expect(second.log).toEqual([
      expect.stringMatching(/^restore test done: Restore test passed: a site started from /),
    ]);
    expect((await catalog()).rehearsal).toMatchObject({ ok: true });
    const third = restarted();
    // Its first check is over before the next one of this kind begins.
    const fourth = restarted(DAY);
    await fourth.over();
    expect(third.log).toEqual([]);
  });

  test("no backup is made while another instance is busy with it, nor when they are turned off, of which the owner isn't warned", async () => {
    let attempts = 0;
    const alone: InstanceCoordinator["runExclusively"] = async () => void attempts++ as undefined;
    const coordinator: InstanceCoordinator = { ...site.store.coordinator, runExclusively: alone };
    const waiting = restarted(DAY, { store: { coordinator } });
    const off = restarted(5 * DAY, { config: { backupEvery: null } });
    await eventually(() => attempts, 1);
    expect((await waiting.service.readState()).underWay).toBeNull();
    // One that starts after them, and isn't prevented.
    await restarted().over();
    expect([waiting.log, off.log]).toEqual([[], []]);
    expect(await off.service.readState()).toMatchObject({
      every: null,
      nextAt: null,
      warning: null,
    });
  });

  test("a failure is reported and retried later, not at once", async () => {
    for (const name of ["hero.json", "hero.json.bak"]) await unlink(join(site.dataDir, name));
    const first = restarted();
    await first.over();
    expect(first.log).toEqual([
      expect.stringContaining("backup failed: Nothing was saved: a site"),
    ]);
    const { failure } = (await first.service.readState()).here;
    expect(failure).toMatchObject({ times: 1, message: expect.stringContaining("Nothing was") });
    const waiting = restarted(MINUTE);
    const later = restarted(20 * MINUTE);
    await later.over();
    expect(waiting.log).toEqual([]);
    expect((await catalog()).failure!.times).toBe(2);
  });

  test("a backup whose process can't be started is reported, and retried later, not at once", async () => {
    const { service, log } = serviceOf(0, { program: ["/no/such/program"] });
    service.start(0);
    const failed = "Its process couldn't be started (ENOENT).";
    await eventually(() => log.some((line) => line.includes(failed)), true);
    const { here } = await service.readState();
    expect(here.failure).toMatchObject({ times: 1, message: expect.stringContaining(failed) });
    expect(() => service.startJob("backup")).toThrow(failed);
  });

  test("a restore test whose process is killed is reported, and tried again after a day", async () => {
    await made();
    const { program: run, begun } = endless();
    const { service, log } = restarted(0, { program: run });
    await begun();
    const found = Bun.spawnSync(["pgrep", "-P", String(process.pid), "-f", "begun"]);
    const pid = Number(found.stdout.toString().trim());
    expect(pid).toBeGreaterThan(1);
    process.kill(pid, "SIGKILL");
    const reason = "The process exited unexpectedly (SIGKILL).";
    await eventually(() => log, [`restore test failed: ${reason}`]);
    const { rehearsal, nextRehearsalAt, warning } = await service.readState();
    expect(rehearsal).toMatchObject({ ok: false, isBad: false, message: reason });
    expect(Date.parse(nextRehearsalAt!) - Date.parse(rehearsal!.at)).toBe(DAY);
    expect(warning).toEqual({ title: "The last restore test couldn't run", message: reason });
  });

  test("each removes older ones by the site's settings; an unreadable one doesn't count, and doesn't affect others", async () => {
    const { service } = serviceOf(0, { config: { backupKeep: [1, 0, 0] } });
    await service.startJob("backup").done;
    const [first] = await list();
    await copyFile(fileOf(first!.id), fileOf("2020-01-01T03-00-00-000Z"));
    const unreadable = fileOf("2030-01-01T00-00-00-000Z");
    await symlink(unreadable, unreadable);
    expect((await list()).map(({ id }) => id)).toEqual([first!.id, "2020-01-01T03-00-00-000Z"]);
    expect(await service.startJob("backup").done).toMatchObject({ ok: true });
    expect((await list()).map(({ id }) => id)).toEqual([expect.any(String), first!.id]);
  });

  test("a backup process that doesn't stop is killed, so that the site can stop", async () => {
    const { program: run, begun } = endless('process.on("SIGTERM", () => {});');
    const { service } = serviceOf(0, { program: run });
    const { done } = service.startJob("backup");
    await begun();
    await service.stop();
    expect((await done).ok).toBe(false);
  });

  // What it leaves is removed by the next one (createBackup.test.ts).
  test("a killed backup process is reported, and its backup doesn't count", async () => {
    await addLargeFiles(site.uploadsDir);
    const { done } = serviceOf().service.startJob("backup");
    const isBegun = async () =>
      (await readdir(site.config.backupDir).catch(() => [])).some((name) => name.endsWith(".part"));
    await eventually(isBegun, true);
    const children = Bun.spawnSync(["pgrep", "-P", String(process.pid), "-f", "limelight backup"]);
    const pids = children.stdout.toString().split("\n").filter(Boolean);
    expect(pids).not.toEqual([]);
    for (const pid of pids) process.kill(Number(pid), "SIGKILL");
    expect(await done).toEqual({
      ok: false,
      isStoredLocally: false,
      message: "The process exited unexpectedly (SIGKILL).",
    });
    expect(await list()).toEqual([]);
  });

  test("a backup that is about to be restored isn't removed, whatever its age, even if it wasn't uploaded", async () => {
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
    const { service } = serviceOf(0, { config });
    await made();
    const [today] = await list();
    const old = inYear(today!.id, "2020");
    await rename(fileOf(today!.id), fileOf(old));
    expect((await list()).map(({ id }) => id)).toEqual([old]);
    const { ok, isStoredLocally, message } = await service.startJob("backupBeforeRestore").done;
    expect([ok, isStoredLocally, message]).toEqual([
      false,
      true,
      expect.stringContaining("isn't responding"),
    ]);
    expect((await list()).map(({ id }) => id)).toEqual([expect.any(String), old]);
    await service.startJob("backup").done;
    expect((await list()).map(({ id }) => id)).not.toContain(old);
  });

  test("the owner sets how many backups to keep, after a proof; extra ones are removed with the next backup", async () => {
    await made();
    const [today] = await list();
    for (const year of ["2020", "2021"])
      await copyFile(fileOf(today!.id), fileOf(inYear(today!.id, year)));
    const retention = { daily: 0, weekly: 0, monthly: 1 };
    const owner = await site.loginAsOwner();
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
    site.advance(11 * MINUTE);
    expect((await set(retention)).body.code).toBe("proof_needed");
    await owner.post("/api/auth/proof", { password: OWNER.password });
    expect((await state()).keep).toEqual({ daily: 7, weekly: 4, monthly: 12 });
    expect((await set(retention)).body.keep).toEqual(retention);
    expect(await list()).toHaveLength(3);
    await made();
    const years = (await list()).map(({ id }) => id.slice(0, 4));
    expect(years).not.toContain("2020");
    expect(years).not.toContain("2021");
    expect(years).toHaveLength(2);
  });
});
