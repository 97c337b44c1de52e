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
import { folderForEach } from "../../../support/folderForEach.ts";
import { openSiteStorage } from "../../../support/placesIn.ts";
import { smallDisk } from "../../../support/smallDisk.ts";
import { ON_DISK } from "../../../support/temporary.ts";
import { eventually } from "../../../support/waits.ts";
import { makeStopped } from "../stoppedSite.ts";

const DAY = 24 * 60 * 60 * 1000;
const START = new Date("2026-01-10T12:00:00").getTime();

// A real disk, since its free space matters here.
const at = folderForEach(ON_DISK);
let site: string;
let backups: string;
beforeEach(async () => {
  backups = at("backups");
  site = shortenSiteId(await makeStopped(at()));
});

const configOf = (env: Record<string, string> = {}) =>
  readConfig([], {
    DATA_DIR: at("data"),
    UPLOADS_DIR: at("uploads"),
    BACKUP_FREE: "0",
    ...env,
  }).config;

interface How {
  readonly env?: Record<string, string>;
  readonly isForced?: boolean;
  readonly shouldPrune?: boolean;
}
const made = (now: number, { env, ...how }: How = {}) =>
  createBackup({
    site: openSiteStorage(at()),
    config: configOf(env),
    isForced: false,
    shouldPrune: true,
    now,
    ...how,
  });
const WELL = { localFailure: undefined, remoteFailure: undefined };
const names = async () =>
  (await readdir(backups)).filter((name) => name.endsWith(".gz")).toSorted();
const list = () => findBackups(backups, site);
/** One backup a day, from the first day to the one before `count`. */
const madeDaily = async (count: number) => {
  for (let day = 0; day < count; day++) await made(START + day * DAY);
};

test("a backup that is only in the bucket is refused with the command that restores it", async () => {
  const id = createBackupId(START);
  const entry = { remarks: [], isBad: false, away: { size: 1, checkedAt: null } };
  await mkdir(backups);
  await writeCatalog(backups, site, { format: 1, backups: { [id]: entry } });
  await expect(getArchivePath(backups, site, id)).rejects.toThrow(
    `limelight restore ${createArchiveName(site, id)} --key key.txt`,
  );
});

test("a backup is named by its time, complete, private, and describes its contents", async () => {
  expect(await made(START)).toEqual(WELL);
  const [backup, ...others] = await list();
  expect(others).toEqual([]);
  expect(backup).toMatchObject({ at: START, isGood: true, remoteSize: null, remarks: [] });
  expect(backup!.summary!["highlights"]!.count).toBe(0);
  const file = await getArchivePath(backups, site, backup!.id);
  expect(Bun.file(file).size).toBe(backup!.localSize!);
  const manifest = await unpackArchive(file, at("unpacked"));
  expect(manifest.createdAt).toBe(new Date(START).toISOString());
  expect(await readFile(at("unpacked/data/hero.json"), "utf8")).toContain("Ada");
  const left = (await readdir(backups)).toSorted();
  expect(left).toEqual([".lock", createArchiveName(site, backup!.id), `limelight-${site}.json`]);
  expect((await Bun.file(file).stat()).mode & 0o777).toBe(0o600);
});

test("one backup is made in each interval, unless more are requested", async () => {
  await made(START);
  await made(START + 60_000);
  expect((await list()).length).toBe(1);
  await made(START + 60_000, { isForced: true });
  expect((await list()).length).toBe(2);
  await made(START + DAY);
  // After 24 hours one of the day before is enough.
  expect((await list()).map(({ at }) => at - START)).toEqual([DAY, 60_000]);
});

test("a manual backup removes no other, and says when it lacks the bucket", async () => {
  const byHand = { isForced: true, shouldPrune: false };
  await madeDaily(2);
  const before = await names();
  const env = { BACKUP_KEEP: "0,0,0" };
  expect(await made(START + 2 * DAY, { ...byHand, env })).toEqual(WELL);
  expect(await names()).toEqual([...before, expect.any(String)]);
  // The backup needs its own space, but leaves no share of the disk free.
  expect(await made(START + 3 * DAY, { ...byHand, env: { BACKUP_FREE: "90" } })).toEqual(WELL);
  expect((await names()).length).toBe(4);

  const catalog = await readCatalog(backups, site);
  const [newest] = await list();
  const entry = { ...catalog.backups[newest!.id]!, away: { size: 1, checkedAt: null } };
  await writeCatalog(backups, site, { ...catalog, backups: { [newest!.id]: entry } });
  const { remoteFailure } = await made(START + 4 * DAY, byHand);
  expect(remoteFailure).toStartWith(
    "Nothing was uploaded: the site has off-site backups, but BACKUP_S3 isn't set for",
  );
});

test("the folder determines which backups exist, also when the catalog is lost or damaged", async () => {
  await made(START);
  const before = await list();
  await writeFile(join(backups, `limelight-${site}.json`), "{");
  expect(await list()).toEqual(before.map((each) => ({ ...each, summary: undefined })));
  await made(START + 1);
  expect((await list()).length).toBe(1);
});

test("other archives in the folder, and those of other sites, stay untouched", async () => {
  await mkdir(backups);
  const others = [
    "limelight-01234567-2020-01-01T00-00-00-000Z.tar.gz",
    "before-0.2.0-2020.tar.gz",
    "notes.txt",
    `limelight-${site}-2020-13-41T00-00-00-000Z.tar.gz`,
  ];
  for (const name of others) await writeFile(join(backups, name), "theirs");
  await made(START, { env: { BACKUP_KEEP: "0,0,0" } });
  const files = await readdir(backups);
  for (const name of others) expect(files).toContain(name);
  expect((await list()).length).toBe(1);
});

test("leftovers of a kill are removed, and complete backups stay", async () => {
  await made(START);
  const [whole] = await names();
  const name = createArchiveName(site, "2026-01-11T03-00-00-000Z");
  await writeFile(join(backups, `${name}.part`), "half");
  await mkdir(join(backups, `.${name}.check`, "data"), { recursive: true });
  await writeFile(join(backups, `limelight-${site}.json.0-0.tmp`), "half");
  await made(START + 1);
  expect((await readdir(backups)).toSorted()).toEqual([".lock", whole!, `limelight-${site}.json`]);
});

describe("a backup that fails", () => {
  test("is reported and counted until the next success; earlier backups stay", async () => {
    await made(START);
    await cp(at("data"), at("aside"), { recursive: true });
    for (const name of ["hero.json", "hero.json.bak"]) await unlink(at("data", name));
    const failed = await made(START + DAY);
    expect(failed.localFailure).toStartWith(
      "Nothing was saved: a site restored from this archive couldn't",
    );
    await made(START + DAY + 1, { env: { BACKUP_KEEP: "0,0,0" } });
    const { failure } = await readCatalog(backups, site);
    expect(failure).toMatchObject({ times: 2, message: failed.localFailure });
    expect((await list()).length).toBe(1);
    await rm(at("data"), { recursive: true });
    await cp(at("aside"), at("data"), { recursive: true });
    expect(await made(START + DAY + 2)).toEqual(WELL);
    expect((await readCatalog(backups, site)).failure).toBeUndefined();
  });

  test("for lack of disk space says how much is missing, and removes nothing", async () => {
    await madeDaily(4);
    const before = await names();
    const { localFailure } = await made(START + 4 * DAY, { env: { BACKUP_FREE: "90" } });
    expect(localFailure).toMatch(
      /^Not enough disk space for a backup: making one needs \d+ MB, and 90% of the disk/,
    );
    expect(await names()).toEqual(before);
  });

  test("because another process is making one is refused", async () => {
    await made(START);
    const config = configOf();
    let outcome: unknown;
    const source = join(
      import.meta.dir,
      "../../../../src/server/backup/repository/backupFolder.ts",
    );
    const script = `import { lockBackups } from "${source}"; await lockBackups("${backups}");`;
    await testNewestBackup(config, site, async () => {
      const child = Bun.spawn([process.execPath, "-e", script], { stderr: "pipe" });
      outcome = [await child.exited, await new Response(child.stderr).text()];
    });
    expect(outcome).toEqual([1, expect.stringContaining("Another process is using the folder")]);
  });
});

const disk = await smallDisk(8);

describe.skipIf(disk === undefined)("on a disk of 8 MB", () => {
  afterEach(async () => {
    for (const name of await readdir(disk!)) await rm(join(disk!, name), { recursive: true });
  });
  const onIt = (free: string) => ({ env: { BACKUP_DIR: disk!, BACKUP_FREE: free } });
  const listBackups = () => findBackups(disk!, site);
  const fill = (bytes: number) =>
    writeFile(at("uploads", "a.bin"), crypto.getRandomValues(Buffer.alloc(bytes)));

  test("the oldest are removed for a new one, but never the newest three", async () => {
    await fill(1_100_000);
    const counts: number[] = [];
    for (let day = 0; day < 9; day++) {
      expect(await made(START + day * DAY, onIt("10"))).toEqual(WELL);
      counts.push((await listBackups()).length);
    }
    expect(Math.max(...counts)).toBeGreaterThan(3);
    expect(Math.max(...counts)).toBeLessThan(10);
    expect((await listBackups())[0]!.at).toBe(START + 8 * DAY);
    expect((await readCatalog(disk!, site)).gaveWay?.count).toBeGreaterThan(0);
  });

  test("that fills up during a backup, the earlier ones stay intact and nothing else is left", async () => {
    expect(await made(START, onIt("0"))).toEqual(WELL);
    const [first] = await listBackups();
    await fill(3_000_000);
    const making = made(START + DAY, onIt("0"));
    const isBegun = async () => (await readdir(disk!)).some((name) => name.endsWith(".part"));
    await eventually(isBegun, true);
    await writeFile(join(disk!, "somebody-else"), Buffer.alloc(8_000_000)).catch(() => {});
    expect((await making).localFailure).toMatch(/^Not enough disk space for \//);
    expect((await listBackups()).map(({ id }) => id)).toEqual([first!.id]);
    await rm(join(disk!, "somebody-else"));
    expect((await readdir(disk!)).filter((name) => /part|check|tmp/.test(name))).toEqual([]);
    await unpackArchive(await getArchivePath(disk!, site, first!.id), at("unpacked"));
  });
});

describe("a restore test", () => {
  test("is recorded; a backup from which no site starts doesn't count, and a new one is due", async () => {
    await made(START);
    const config = configOf();
    await testNewestBackup(config, site, async () => {}, START + 1);
    expect((await readCatalog(backups, site)).rehearsal).toMatchObject({ ok: true });
    const message = "The site in the backup answers / with 500.";
    const failing = () => Promise.reject(cannotOpen(message));
    const fails = testNewestBackup(config, site, failing, START + 2);
    await expect(fails).rejects.toThrow("with 500");
    expect((await readCatalog(backups, site)).rehearsal).toMatchObject({ ok: false, message });
    expect((await list())[0]!.isGood).toBe(false);
    await made(START + 3);
    expect((await list()).map(({ isGood }) => isGood)).toEqual([true]);
  });

  test("that fails for other reasons doesn't discredit the backup", async () => {
    await made(START);
    const full = testNewestBackup(configOf({ BACKUP_FREE: "90" }), site, async () => {});
    await expect(full).rejects.toThrow("Not enough disk space for a backup");
    expect((await list())[0]!.isGood).toBe(true);
    expect((await readCatalog(backups, site)).rehearsal!.ok).toBe(false);
  });
});

const DAYS = Number(process.env["BACKUP_DAYS"] ?? 10);

test(`over ${DAYS} days of real backups no more stay than configured, and each is intact`, async () => {
  for (let day = 0; day < DAYS; day++) {
    expect(await made(START + day * DAY)).toEqual(WELL);
    const listed = await list();
    expect(listed[0]!.at).toBe(START + day * DAY);
    expect(listed.length).toBeLessThanOrEqual(7 + 4 + 12);
    for (let back = 0; back < Math.min(7, day + 1); back++)
      expect(listed[back]!.at).toBe(START + (day - back) * DAY);
  }
  const ids = (await list()).map(({ id }) => id);
  expect((await names()).map((name) => parseArchiveName(name)!.id).toReversed()).toEqual(ids);
  expect(Object.keys((await readCatalog(backups, site)).backups).toSorted()).toEqual(
    ids.toSorted(),
  );
  for (const id of ids)
    await unpackArchive(await getArchivePath(backups, site, id), at("unpacked", id));
}, 600_000);
