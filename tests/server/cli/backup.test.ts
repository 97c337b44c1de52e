/** `limelight backup` and `restore` of the built program: stored, encrypted and off-site backups. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { encryptFile } from "../../../src/server/backup/encryption.ts";
import { backupCommand } from "../../../src/server/cli/backup.ts";
import { readConfig } from "../../../src/server/shared/config.ts";
import { unpackArchive } from "../../../src/server/backup/unpackArchive.ts";
import { addLargeFiles, removeLargeFiles } from "../../support/largeFiles.ts";
import {
  createSiteFolder,
  removeSiteFolder,
  runProgram,
  type SiteFolder,
  startProgram,
} from "../../support/program.ts";
import { setUpServedSite } from "../../support/servedSite.ts";
import { OWNER } from "../../support/site.ts";
import { createPicture } from "../../support/pictures.ts";
import { uploadPicture } from "../../support/uploadPicture.ts";
import { waitForValue } from "../../support/waits.ts";

const getBackupFolder = (site: SiteFolder) => join(site.folder, "backups");
const listArchives = async (site: SiteFolder) =>
  (await readdir(getBackupFolder(site)).catch(() => []))
    .filter((name) => name.endsWith(".tar.gz"))
    .toSorted();

/** An archive of the site, as it is in the bucket. */
async function createEncryptedBackup(site: SiteFolder, key: string): Promise<string> {
  expect(await runProgram(site, ["backup", "site.tar.gz"])).toMatchObject({ code: 0, error: "" });
  const file = join(site.folder, "site.tar.gz.age");
  await Bun.write(file, new Response(await encryptFile(join(site.folder, "site.tar.gz"), [key])));
  return file;
}

describe("a key for encrypted backups", () => {
  let site: SiteFolder;
  let other: SiteFolder;
  let env: Record<string, string>;
  let file: string;
  beforeAll(async () => {
    site = await createSiteFolder();
    other = await createSiteFolder();
    const owner = `${OWNER.username}\n${OWNER.email}\n${OWNER.password}\n`;
    expect((await runProgram(site, ["admin", "create"], owner)).code).toBe(0);
    const { out } = await runProgram(site, ["backup", "--new-key", "key.txt"]);
    env = { BACKUP_KEY: /BACKUP_KEY=(age1\w+)/.exec(out)![1]! };
    file = await createEncryptedBackup(site, env["BACKUP_KEY"]!);
  });
  afterAll(() => Promise.all([site, other].map(removeSiteFolder)));

  test("is readable only by its owner, and never overwritten", async () => {
    expect((await stat(join(site.folder, "key.txt"))).mode & 0o777).toBe(0o600);
    expect(await runProgram(site, ["backup", "--new-key", "key.txt"])).toMatchObject({
      code: 2,
      error: "key.txt can't be written: it already exists. Specify another file.\n",
    });
  });

  test("decrypts a backup on another machine, and a site starts from it", async () => {
    const key = join(site.folder, "key.txt");
    expect(await runProgram(other, ["restore", file, "--key", key])).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^Restored \d+ files, /),
    });
    const serving = await startProgram({ folder: other.folder, hasOwner: false });
    expect((await (await serving.owner()).get("/api/auth/me")).status).toBe(200);
    await serving.stop();
    const out = expect.stringContaining("No problems found.");
    expect(await runProgram(other, ["doctor"])).toMatchObject({ code: 0, out });
  });

  test("that is missing or wrong makes a restore fail with a message and change nothing", async () => {
    await runProgram(site, ["backup", "--new-key", "other.txt"]);
    await Bun.write(join(site.folder, "no-key.txt"), "nothing");
    const before = await readdir(site.dataDir);
    const refusals = [
      [["restore", file], `${file} is encrypted. To restore it, pass the key file: limelight`],
      [["restore", file, "--key", "other.txt"], `${file} can't be decrypted with this key.`],
      [["restore", file, "--key", "no-key.txt"], "no-key.txt contains no valid secret key."],
      [
        ["restore", file, "--key", "nothing.txt"],
        "The key file nothing.txt can't be read (ENOENT).",
      ],
    ] as const;
    for (const [args, words] of refusals) {
      const { code, error } = await runProgram(site, [...args]);
      expect([args, code, error]).toEqual([args, 2, expect.stringContaining(words)]);
    }
    expect(await readdir(site.dataDir)).toEqual(before);
  });

  test("that is mistyped in BACKUP_KEY is refused before a backup and before a start", async () => {
    const key = env["BACKUP_KEY"]!;
    const wrong = { BACKUP_KEY: key.slice(0, -1) + (key.endsWith("q") ? "p" : "q") };
    const words = "BACKUP_KEY isn't a valid public key: a character is wrong or missing.";
    for (const args of [["backup"], ["serve", "--port", "0"]]) {
      const { code, error } = await runProgram(site, args, "", wrong);
      const ends = args[0] === "serve" ? 78 : 2;
      expect([args, code, error]).toEqual([args, ends, expect.stringContaining(words)]);
    }
    expect(await listArchives(site)).toEqual([]);
  });
});

test.each([
  [["--list", "site.tar.gz"], "--list takes no file"],
  [["--new-key", "key.txt", "site.tar.gz"], "--new-key takes one file"],
  [["--new-key", "key.txt", "--list"], "Specify one of --list, --test-restore and --new-key."],
  [["--test-restore", "--list"], "Specify one of --list, --test-restore and --new-key."],
])("limelight backup refuses wrong arguments and does nothing: %p", async (args, words) => {
  const site = await createSiteFolder();
  const at = (arg: string) => (arg.startsWith("--") ? arg : join(site.folder, arg));
  const { config, positionals, flags } = readConfig(
    args.map(at),
    { SITE_DIR: site.folder },
    backupCommand.flags,
  );
  const before = await readdir(site.folder);
  const running = backupCommand.run(config, positionals, flags);
  await expect(running).rejects.toMatchObject({
    code: "usage",
    message: expect.stringContaining(words),
  });
  expect(await readdir(site.folder)).toEqual(before);
  await removeSiteFolder(site);
});

// The dashboard's notice is tested in problems.test.ts.
test("limelight backup saves a site with a damaged picture, but exits with 4", async () => {
  const site = await createSiteFolder();
  const serving = await startProgram({ folder: site.folder });
  const { url } = await uploadPicture(serving, "stage.jpg", await createPicture("jpeg", 400, 300));
  await serving.stop();
  const file = join(site.uploadsDir, url.split("/").at(-1)!);
  const bytes = await Bun.file(file).bytes();
  bytes[bytes.length >> 1]! ^= 1;
  await Bun.write(file, bytes);
  const words =
    "The image stage.jpg has a damaged file. Delete it in the dashboard and upload it again.";
  const { code, out } = await runProgram(site, ["backup"]);
  expect([code, out]).toEqual([4, expect.stringContaining(`Saved despite a problem: ${words}`)]);
  expect(await listArchives(site)).toHaveLength(1);
  await removeSiteFolder(site);
});

describe("a serving site", () => {
  const site = setUpServedSite();
  const expectBackupSucceeds = async () =>
    expect(await site.run("backup")).toMatchObject({ code: 0, error: "" });

  test("that is stopped ends a running backup, and the next backup succeeds", async () => {
    await addLargeFiles(site.uploadsDir);
    await site.asOwner("POST", "/api/backups");
    await waitForValue(async () => (await listLeftovers(site)).length > 0, true);
    await site.stop();
    expect(await listArchives(site)).toEqual([]);
    await removeLargeFiles(site.uploadsDir);
    await expectBackupSucceeds();
    expect((await listArchives(site)).length).toBe(1);
    expect(await listLeftovers(site)).toEqual([]);
  });

  const KILL_ROUNDS = Number(process.env["BACKUP_KILLS"] ?? 2);

  test(`that is killed ${KILL_ROUNDS} times during backups leaves only complete archives`, async () => {
    await fillSite(site);
    const started = performance.now();
    await expectBackupSucceeds();
    const usual = performance.now() - started;
    for (let round = 0; round < KILL_ROUNDS; round++) {
      await site.asOwner("POST", "/api/backups");
      await Bun.sleep((usual * round) / KILL_ROUNDS);
      const children = Bun.spawnSync(["pgrep", "-P", String(site.pid)]).stdout.toString();
      await site.stop("SIGKILL");
      for (const pid of children.trim().split("\n").filter(Boolean)) kill(Number(pid));
      for (const name of await listArchives(site)) {
        const unpacked = join(site.folder, "unpacked");
        await unpackArchive(join(getBackupFolder(site), name), unpacked);
        await rm(unpacked, { recursive: true });
      }
      await site.start();
    }
    await expectBackupSucceeds();
    expect(await listLeftovers(site)).toEqual([]);
  }, 300_000);
});

const listLeftovers = async (site: SiteFolder) =>
  (await readdir(getBackupFolder(site)).catch(() => [])).filter((name) => /part|check/.test(name));

async function fillSite(site: SiteFolder): Promise<void> {
  const bytes = crypto.getRandomValues(Buffer.alloc(60_000));
  for (let at = 0; at < 200; at++) await Bun.write(join(site.uploadsDir, `${at}.bin`), bytes);
}

/** Kills a process unless it has already ended. */
function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {}
}
