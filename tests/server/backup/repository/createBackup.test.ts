/** Backups where backups are kept, made of a real site on a real disk, with a simulated clock. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { cp, mkdir, readdir, readFile, rm, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  createBackup,
  testNewestBackup,
} from "../../../../src/server/backup/repository/createBackup.ts";
import {
  findBackups,
  parseArchiveName,
  createArchiveName,
  createBackupId,
  getArchivePath,
  shortenSiteId,
} from "../../../../src/server/backup/repository/backupFolder.ts";
import { readCatalog, writeCatalog } from "../../../../src/server/backup/repository/catalog.ts";
import { unpackArchive } from "../../../../src/server/backup/unpackArchive.ts";
import { cannotOpen } from "../../../../src/server/shared/errors.ts";
import { readConfig } from "../../../../src/server/shared/config.ts";
import { setUpFolderForEach } from "../../../support/folderForEach.ts";
import { openSiteStorage } from "../../../support/openSiteStorage.ts";
import { mountSmallDisk } from "../../../support/smallDisk.ts";
import { DISK_FOLDER } from "../../../support/temporary.ts";
import { waitForValue } from "../../../support/waits.ts";
import { createStoppedSite } from "../stoppedSite.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const START = new Date("2026-01-10T12:00:00").getTime();

// A real disk, since its free space matters here.
const getPath = setUpFolderForEach(DISK_FOLDER);
let siteId: string;
let backupFolder: string;
beforeEach(async () => {
  backupFolder = getPath("backups");
  siteId = shortenSiteId(await createStoppedSite(getPath()));
});

const createConfig = (env: Record<string, string> = {}) =>
  readConfig([], {
    DATA_DIR: getPath("data"),
    UPLOADS_DIR: getPath("uploads"),
    BACKUP_FREE: "0",
    ...env,
  }).config;

interface BackupOptions {
  readonly env?: Record<string, string>;
  readonly isForced?: boolean;
  readonly canRemoveBackups?: boolean;
}
const createTestBackup = (now: number, { env, ...options }: BackupOptions = {}) =>
  createBackup({
    site: openSiteStorage(getPath()),
    config: createConfig(env),
    isForced: false,
    canRemoveBackups: true,
    now,
    ...options,
  });
const NO_FAILURES = { localFailure: undefined, remoteFailure: undefined };
const listArchiveNames = async () =>
  (await readdir(backupFolder)).filter((name) => name.endsWith(".gz")).toSorted();
const listBackups = () => findBackups(backupFolder, siteId);
/** One backup a day, from the first day to the one before `count`. */
const createDailyBackups = async (count: number) => {
  for (let day = 0; day < count; day++) await createTestBackup(START + day * DAY_MS);
};

test("a request for the file of a backup that is only in the bucket names the command that restores it", async () => {
  const id = createBackupId(START);
  const entry = { remarks: [], isBad: false, away: { size: 1, checkedAt: null } };
  await mkdir(backupFolder);
  await writeCatalog(backupFolder, siteId, { format: 1, backups: { [id]: entry } });
  await expect(getArchivePath(backupFolder, siteId, id)).rejects.toThrow(
    `limelight restore ${createArchiveName(siteId, id)} --key key.txt`,
  );
});

test("a backup is a complete private file, named by its time and listed with a summary", async () => {
  expect(await createTestBackup(START)).toMatchObject(NO_FAILURES);
  const [backup, ...others] = await listBackups();
  expect(others).toEqual([]);
  expect(backup).toMatchObject({ timeMs: START, isGood: true, remoteSize: null, remarks: [] });
  expect(backup!.summary!["highlights"]!.count).toBe(0);
  const file = await getArchivePath(backupFolder, siteId, backup!.id);
  expect(Bun.file(file).size).toBe(backup!.localSize!);
  const manifest = await unpackArchive(file, getPath("unpacked"));
  expect(manifest.createdAt).toBe(new Date(START).toISOString());
  expect(await readFile(getPath("unpacked/data/hero.json"), "utf8")).toContain("Ada");
  const left = (await readdir(backupFolder)).toSorted();
  expect(left).toEqual([
    ".lock",
    createArchiveName(siteId, backup!.id),
    `limelight-${siteId}.json`,
  ]);
  expect((await Bun.file(file).stat()).mode & 0o777).toBe(0o600);
});

test("a second backup in the same interval is made only on request", async () => {
  await createTestBackup(START);
  await createTestBackup(START + 60_000);
  expect((await listBackups()).length).toBe(1);
  await createTestBackup(START + 60_000, { isForced: true });
  expect((await listBackups()).length).toBe(2);
  await createTestBackup(START + DAY_MS);
  // Of the day before only one backup stays after 24 hours.
  expect((await listBackups()).map(({ timeMs }) => timeMs - START)).toEqual([DAY_MS, 60_000]);
});

test("a manual backup removes no other backup, and reports a missing BACKUP_S3 if the site has off-site backups", async () => {
  const byHand = { isForced: true, canRemoveBackups: false };
  await createDailyBackups(2);
  const before = await listArchiveNames();
  const env = { BACKUP_KEEP: "0,0,0" };
  expect(await createTestBackup(START + 2 * DAY_MS, { ...byHand, env })).toMatchObject(NO_FAILURES);
  expect(await listArchiveNames()).toEqual([...before, expect.any(String)]);
  // A manual backup needs space for itself only: BACKUP_FREE doesn't apply.
  expect(
    await createTestBackup(START + 3 * DAY_MS, { ...byHand, env: { BACKUP_FREE: "90" } }),
  ).toMatchObject(NO_FAILURES);
  expect((await listArchiveNames()).length).toBe(4);

  const catalog = await readCatalog(backupFolder, siteId);
  const [newest] = await listBackups();
  const entry = { ...catalog.backups[newest!.id]!, away: { size: 1, checkedAt: null } };
  await writeCatalog(backupFolder, siteId, { ...catalog, backups: { [newest!.id]: entry } });
  const { remoteFailure } = await createTestBackup(START + 4 * DAY_MS, byHand);
  expect(remoteFailure).toStartWith(
    "Nothing was uploaded: the site has off-site backups, but BACKUP_S3 isn't set for",
  );
});

test("backups in the folder are listed even if the catalog file is damaged", async () => {
  await createTestBackup(START);
  const before = await listBackups();
  await writeFile(join(backupFolder, `limelight-${siteId}.json`), "{");
  expect(await listBackups()).toEqual(before.map((each) => ({ ...each, summary: undefined })));
  await createTestBackup(START + 1);
  expect((await listBackups()).length).toBe(1);
});

test("a backup removes no other files from the folder, such as other sites' archives", async () => {
  await mkdir(backupFolder);
  const others = [
    "limelight-01234567-2020-01-01T00-00-00-000Z.tar.gz",
    "before-0.2.0-2020.tar.gz",
    "notes.txt",
    `limelight-${siteId}-2020-13-41T00-00-00-000Z.tar.gz`,
  ];
  for (const name of others) await writeFile(join(backupFolder, name), "theirs");
  await createTestBackup(START, { env: { BACKUP_KEEP: "0,0,0" } });
  const files = await readdir(backupFolder);
  for (const name of others) expect(files).toContain(name);
  expect((await listBackups()).length).toBe(1);
});

test("the next backup removes what a killed backup left, and complete backups stay", async () => {
  await createTestBackup(START);
  const [whole] = await listArchiveNames();
  const name = createArchiveName(siteId, "2026-01-11T03-00-00-000Z");
  await writeFile(join(backupFolder, `${name}.part`), "half");
  await mkdir(join(backupFolder, `.${name}.check`, "data"), { recursive: true });
  await writeFile(join(backupFolder, `limelight-${siteId}.json.0-0.tmp`), "half");
  await createTestBackup(START + 1);
  expect((await readdir(backupFolder)).toSorted()).toEqual([
    ".lock",
    whole!,
    `limelight-${siteId}.json`,
  ]);
});

describe("a backup that fails", () => {
  test("is reported and counted until the next success, and earlier backups stay", async () => {
    await createTestBackup(START);
    await cp(getPath("data"), getPath("aside"), { recursive: true });
    for (const name of ["hero.json", "hero.json.bak"]) await unlink(getPath("data", name));
    const failed = await createTestBackup(START + DAY_MS);
    expect(failed.localFailure).toStartWith(
      "Nothing was saved: a site restored from this archive couldn't",
    );
    await createTestBackup(START + DAY_MS + 1, { env: { BACKUP_KEEP: "0,0,0" } });
    const { failure } = await readCatalog(backupFolder, siteId);
    expect(failure).toMatchObject({ times: 2, message: failed.localFailure });
    expect((await listBackups()).length).toBe(1);
    await rm(getPath("data"), { recursive: true });
    await cp(getPath("aside"), getPath("data"), { recursive: true });
    expect(await createTestBackup(START + DAY_MS + 2)).toMatchObject(NO_FAILURES);
    expect((await readCatalog(backupFolder, siteId)).failure).toBeUndefined();
  });

  test("for lack of disk space reports how much it needs, and removes no earlier backup", async () => {
    await createDailyBackups(4);
    const before = await listArchiveNames();
    const { localFailure } = await createTestBackup(START + 4 * DAY_MS, {
      env: { BACKUP_FREE: "90" },
    });
    expect(localFailure).toMatch(
      /^Not enough disk space for a backup: making one needs \d+ MB, and 90% of the disk/,
    );
    expect(await listArchiveNames()).toEqual(before);
  });

  test("because another process is using the folder says so", async () => {
    await createTestBackup(START);
    const config = createConfig();
    let outcome: unknown;
    const source = join(
      import.meta.dir,
      "../../../../src/server/backup/repository/backupFolder.ts",
    );
    const script = `import { lockBackups } from "${source}"; await lockBackups("${backupFolder}");`;
    await testNewestBackup(config, siteId, async () => {
      const child = Bun.spawn([process.execPath, "-e", script], { stderr: "pipe" });
      outcome = [await child.exited, await new Response(child.stderr).text()];
    });
    expect(outcome).toEqual([1, expect.stringContaining("Another process is using the folder")]);
  });
});

const diskFolder = await mountSmallDisk(8);

describe.skipIf(diskFolder === undefined)("on a disk of 8 MB", () => {
  afterEach(async () => {
    for (const name of await readdir(diskFolder!))
      await rm(join(diskFolder!, name), { recursive: true });
  });
  const createSmallDiskOptions = (free: string) => ({
    env: { BACKUP_DIR: diskFolder!, BACKUP_FREE: free },
  });
  const listBackups = () => findBackups(diskFolder!, siteId);
  const fillUploads = (bytes: number) =>
    writeFile(getPath("uploads", "a.bin"), crypto.getRandomValues(Buffer.alloc(bytes)));

  test("the oldest backups are removed to make room for a new one", async () => {
    await fillUploads(1_100_000);
    const counts: number[] = [];
    for (let day = 0; day < 9; day++) {
      expect(
        await createTestBackup(START + day * DAY_MS, createSmallDiskOptions("10")),
      ).toMatchObject(NO_FAILURES);
      counts.push((await listBackups()).length);
    }
    expect(Math.max(...counts)).toBeGreaterThan(3);
    expect(Math.max(...counts)).toBeLessThan(10);
    expect((await listBackups())[0]!.timeMs).toBe(START + 8 * DAY_MS);
    expect((await readCatalog(diskFolder!, siteId)).gaveWay?.count).toBeGreaterThan(0);
  });

  test("that fills up during a backup, earlier backups stay intact and no partial one is left", async () => {
    expect(await createTestBackup(START, createSmallDiskOptions("0"))).toMatchObject(NO_FAILURES);
    const [first] = await listBackups();
    await fillUploads(3_000_000);
    const making = createTestBackup(START + DAY_MS, createSmallDiskOptions("0"));
    const isBegun = async () => (await readdir(diskFolder!)).some((name) => name.endsWith(".part"));
    await waitForValue(isBegun, true);
    await writeFile(join(diskFolder!, "somebody-else"), Buffer.alloc(8_000_000)).catch(() => {});
    expect((await making).localFailure).toMatch(/^Not enough disk space for \//);
    expect((await listBackups()).map(({ id }) => id)).toEqual([first!.id]);
    await rm(join(diskFolder!, "somebody-else"));
    expect((await readdir(diskFolder!)).filter((name) => /part|check|tmp/.test(name))).toEqual([]);
    await unpackArchive(await getArchivePath(diskFolder!, siteId, first!.id), getPath("unpacked"));
  });
});

describe("a restore test", () => {
  test("that can't start a site marks the backup as bad, and a new backup replaces it", async () => {
    await createTestBackup(START);
    const config = createConfig();
    await testNewestBackup(config, siteId, async () => {}, START + 1);
    expect((await readCatalog(backupFolder, siteId)).rehearsal).toMatchObject({ ok: true });
    const message = "The site in the backup answers / with 500.";
    const failing = () => Promise.reject(cannotOpen(message));
    const fails = testNewestBackup(config, siteId, failing, START + 2);
    await expect(fails).rejects.toThrow("with 500");
    expect((await readCatalog(backupFolder, siteId)).rehearsal).toMatchObject({
      ok: false,
      message,
    });
    expect((await listBackups())[0]!.isGood).toBe(false);
    await createTestBackup(START + 3);
    expect((await listBackups()).map(({ isGood }) => isGood)).toEqual([true]);
  });

  test("that fails for lack of disk space doesn't mark the backup as bad", async () => {
    await createTestBackup(START);
    const full = testNewestBackup(createConfig({ BACKUP_FREE: "90" }), siteId, async () => {});
    await expect(full).rejects.toThrow("Not enough disk space for a backup");
    expect((await listBackups())[0]!.isGood).toBe(true);
    expect((await readCatalog(backupFolder, siteId)).rehearsal!.ok).toBe(false);
  });
});

const DAY_COUNT = Number(process.env["BACKUP_DAYS"] ?? 10);

test(`after ${DAY_COUNT} daily backups no more of them stay than configured, and each is intact`, async () => {
  for (let day = 0; day < DAY_COUNT; day++) {
    expect(await createTestBackup(START + day * DAY_MS)).toMatchObject(NO_FAILURES);
    const listed = await listBackups();
    expect(listed[0]!.timeMs).toBe(START + day * DAY_MS);
    expect(listed.length).toBeLessThanOrEqual(7 + 4 + 12);
    for (let back = 0; back < Math.min(7, day + 1); back++)
      expect(listed[back]!.timeMs).toBe(START + (day - back) * DAY_MS);
  }
  const ids = (await listBackups()).map(({ id }) => id);
  expect((await listArchiveNames()).map((name) => parseArchiveName(name)!.id).toReversed()).toEqual(
    ids,
  );
  expect(Object.keys((await readCatalog(backupFolder, siteId)).backups).toSorted()).toEqual(
    ids.toSorted(),
  );
  for (const id of ids)
    await unpackArchive(await getArchivePath(backupFolder, siteId, id), getPath("unpacked", id));
}, 600_000);
