/** Off-site backups, in a real S3-compatible store (Swift, where Debian's packages are installed). */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readSecretKeys, createKeyPair } from "../../../../src/server/backup/encryption.ts";
import { createBackup } from "../../../../src/server/backup/repository/createBackup.ts";
import {
  findBackups,
  createArchiveName,
  shortenSiteId,
} from "../../../../src/server/backup/repository/backupFolder.ts";
import { readCatalog } from "../../../../src/server/backup/repository/catalog.ts";
import { unpackArchive } from "../../../../src/server/backup/unpackArchive.ts";
import { readConfig } from "../../../../src/server/shared/config.ts";
import { openSiteStorage } from "../../../support/openSiteStorage.ts";
import { getProgramPath, runProgram, toSiteFolder } from "../../../support/program.ts";
import { hasSwift, getSharedSwift, type Swift } from "../../../support/swift.ts";
import { type TamperingProxy, startTamperingProxy } from "../../../support/tamperingProxy.ts";
import { waitForValue } from "../../../support/waits.ts";
import { createStoppedSite } from "../stoppedSite.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const START = new Date("2026-01-10T12:00:00").getTime();
const NO_FAILURES = { localFailure: undefined, remoteFailure: undefined };

describe.skipIf(!hasSwift)("in a bucket", () => {
  let swift: Swift;
  let proxy: TamperingProxy;
  let key: { secret: string; public: string };
  beforeAll(async () => {
    swift = await getSharedSwift();
    proxy = await startTamperingProxy(swift.port);
    key = await createKeyPair();
  }, 200_000);
  afterAll(async () => {
    await proxy?.stop();
  });

  let root: string;
  let siteId: string;
  let bucket: string;
  beforeEach(async () => {
    proxy.reset();
    root = await mkdtemp(join(tmpdir(), "limelight-away-"));
    siteId = shortenSiteId(await createStoppedSite(root));
    bucket = `backups-${siteId}`;
    await swift.makeBucket(bucket);
  });
  afterEach(() => rm(root, { recursive: true, force: true }));

  const createEnv = (env: Record<string, string> = {}) => ({
    DATA_DIR: join(root, "data"),
    UPLOADS_DIR: join(root, "uploads"),
    BACKUP_FREE: "0",
    BACKUP_KEY: key.public,
    BACKUP_S3: `s3://${bucket}/ada?endpoint=http://127.0.0.1:${proxy.port}&region=us-east-1`,
    S3_ACCESS_KEY_ID: swift.accessKeyId,
    S3_SECRET_ACCESS_KEY: swift.secretAccessKey,
    ...env,
  });
  const createTestBackup = (now: number, env?: Record<string, string>) => {
    const { config } = readConfig([], createEnv(env));
    return createBackup({
      site: openSiteStorage(root),
      config,
      isForced: false,
      canRemoveBackups: true,
      now,
    });
  };
  const listBackups = () => findBackups(join(root, "backups"), siteId);
  const readSiteCatalog = () => readCatalog(join(root, "backups"), siteId);
  const createClient = () => new Bun.S3Client({ ...swift, bucket, region: "us-east-1" });
  const listRemoteKeys = async () =>
    ((await createClient().list()).contents ?? []).map((each) => each.key).toSorted();
  const createKey = (id: string) => `ada/${createArchiveName(siteId, id)}.age`;
  const unpackFile = (file: string, secretKeys?: string[]) =>
    unpackArchive(file, join(root, "unpacked"), { secretKeys });
  const writePicture = (bytes: number) =>
    writeFile(join(root, "uploads", "a.bin"), createRandomBytes(bytes));

  test("the newest backup is uploaded once, encrypted, and can be opened only with the key", async () => {
    expect(await createTestBackup(START)).toMatchObject(NO_FAILURES);
    const [backup] = await listBackups();
    expect(backup).toMatchObject({ isRemoteVerified: true });
    expect(await listRemoteKeys()).toEqual([createKey(backup!.id)]);
    const { lastModified } = await createClient().stat(createKey(backup!.id));
    await createTestBackup(START + 1);
    expect((await createClient().stat(createKey(backup!.id))).lastModified).toEqual(lastModified);

    const file = join(root, "fetched.tar.gz.age");
    await Bun.write(file, await createClient().file(createKey(backup!.id)).bytes());
    expect(Bun.file(file).size).toBe(backup!.remoteSize!);
    expect(await readFile(file, "latin1")).not.toContain("Ada");
    await expect(unpackFile(file)).rejects.toThrow("is encrypted. Name");
    const other = (await createKeyPair()).secret;
    await expect(unpackFile(file, [other])).rejects.toThrow("can't be decrypted with this key");
    await unpackFile(file, [key.secret]);
    expect(await readFile(join(root, "unpacked/data/hero.json"), "utf8")).toContain("Ada");
    if (Bun.which("age") === null) return;
    await writeFile(join(root, "key.txt"), `# created: today\n${key.secret}\n`);
    expect(await readSecretKeys(join(root, "key.txt"))).toEqual([key.secret]);
    const opened = Bun.spawn(["age", "-d", "-i", join(root, "key.txt"), file]);
    const localFile = Bun.file(join(root, "backups", createArchiveName(siteId, backup!.id)));
    expect(Bun.hash(await new Response(opened.stdout).bytes())).toBe(
      Bun.hash(await localFile.bytes()),
    );
  });

  test("a backup uploaded in several parts is complete", async () => {
    await writePicture(21_000_000);
    expect(await createTestBackup(START)).toMatchObject(NO_FAILURES);
    const [backup] = await listBackups();
    expect(backup!.remoteSize).toBeGreaterThan(21_000_000);
    await Bun.write(
      join(root, "fetched"),
      await createClient().file(createKey(backup!.id)).bytes(),
    );
    await unpackFile(join(root, "fetched"), [key.secret]);
  });

  test.each([2_000_000, 18_000_000])(
    "an interrupted upload of %p bytes leaves nothing, is reported, and is repeated by the next backup",
    async (bytes) => {
      await writePicture(bytes);
      proxy.toServer = (sent, before) => (before > Math.min(bytes, 8_000_000) / 2 ? null : sent);
      const cut = await createTestBackup(START);
      expect(cut).toMatchObject({
        localFailure: undefined,
        remoteFailure: expect.stringContaining("failed: "),
      });
      const named = `The backup bucket (${bucket} at 127.0.0.1:${proxy.port})`;
      expect(cut.remoteFailure).toStartWith(named);
      expect((await listRemoteKeys()).filter((name) => name.endsWith(".age"))).toEqual([]);
      expect(
        (await listBackups()).map(({ localSize, remoteSize }) => [localSize !== null, remoteSize]),
      ).toEqual([[true, null]]);
      expect((await readSiteCatalog()).awayFailure).toMatchObject({
        times: 1,
        message: cut.remoteFailure,
      });
      proxy.reset();
      expect(await createTestBackup(START + 1)).toMatchObject(NO_FAILURES);
      expect((await readSiteCatalog()).awayFailure).toBeUndefined();
      expect((await listBackups())[0]!.isRemoteVerified).toBe(true);
    },
    120_000,
  );

  test("an upload that reads back differently is removed from the bucket, and does not count", async () => {
    await writePicture(3_000_000);
    // Changes a byte in the middle of what is read back.
    let passed = 0;
    proxy.toClient = (bytes) => {
      const before = passed;
      passed += bytes.length;
      if (before <= 1_000_000 && passed > 1_000_000) bytes[50]! ^= 1;
      return bytes;
    };
    expect((await createTestBackup(START)).remoteFailure).toStartWith(
      "The backup in the bucket differs from what was uploaded",
    );
    expect(await listRemoteKeys()).toEqual([]);
    expect((await listBackups())[0]).toMatchObject({ remoteSize: null, isRemoteVerified: false });
    proxy.reset();
    expect(await createTestBackup(START + 1)).toMatchObject(NO_FAILURES);
  });

  // The store's other refusals have the same messages as for pictures (pictureStorage.test.ts).
  test("an unreachable store is reported and counted, and the local backup is still made", async () => {
    const unreachable = {
      BACKUP_S3: `s3://${bucket}?endpoint=http://127.0.0.1:9&region=us-east-1`,
    };
    expect(await createTestBackup(START, unreachable)).toMatchObject({
      localFailure: undefined,
      remoteFailure: expect.stringContaining("(backups-"),
    });
    expect((await listBackups()).length).toBe(1);
    expect((await createTestBackup(START + 1, unreachable)).remoteFailure).toEndWith(
      "failed: it isn't responding.",
    );
    expect((await readSiteCatalog()).awayFailure!.times).toBe(2);
  });

  test("old backups are removed from the bucket too, and a failed removal is repeated by a later backup", async () => {
    const env = { BACKUP_KEEP: "2,0,0" };
    for (let day = 0; day < 4; day++)
      expect(await createTestBackup(START + day * DAY_MS, env)).toMatchObject(NO_FAILURES);
    expect((await listRemoteKeys()).length).toBe(2);
    proxy.toServer = (bytes) => (bytes.toString("latin1", 0, 7) === "DELETE " ? null : bytes);
    for (let day = 4; day < 6; day++)
      expect(await createTestBackup(START + day * DAY_MS, env)).toMatchObject(NO_FAILURES);
    expect((await listRemoteKeys()).length).toBe(4);
    expect((await listBackups()).filter(({ remoteSize }) => remoteSize !== null).length).toBe(4);
    proxy.reset();
    await createTestBackup(START + 6 * DAY_MS, env);
    expect((await listRemoteKeys()).length).toBe(2);
  });

  test("a machine that lost its backup folder lists the off-site backups again, and uploads a new backup", async () => {
    await createTestBackup(START);
    const [lost] = await listBackups();
    await rm(join(root, "backups"), { recursive: true });
    await createClient().write("ada/notes.txt", "theirs");
    await createClient().write(
      "ada/limelight-01234567-2020-01-01T00-00-00-000Z.tar.gz.age",
      "theirs",
    );
    expect(await createTestBackup(START + DAY_MS)).toMatchObject(NO_FAILURES);
    expect(await listBackups()).toMatchObject([
      { localSize: expect.any(Number), isRemoteVerified: true },
      { id: lost!.id, localSize: null, isRemoteVerified: false },
    ]);
    expect((await listRemoteKeys()).length).toBe(4);
  });

  test("a backup killed during its upload leaves no partial file in the bucket, and the next one is uploaded completely", async () => {
    await writePicture(30_000_000);
    let passed = 0;
    proxy.toServer = (bytes) => {
      passed += bytes.length;
      return bytes;
    };
    for (const after of [100_000, 9_000_000, 20_000_000]) {
      passed = 0;
      const child = Bun.spawn([getProgramPath(), "backup", "--by-site", "due"], {
        env: { ...process.env, ...createEnv() },
        stdout: "ignore",
        stderr: "ignore",
      });
      await waitForValue(() => passed > after, true);
      child.kill("SIGKILL");
      await child.exited;
      expect((await listRemoteKeys()).filter((name) => name.endsWith(".age"))).toEqual([]);
      expect((await listBackups()).map(({ localSize }) => localSize)).toEqual([expect.any(Number)]);
    }
    proxy.reset();
    expect(await createTestBackup(Date.now())).toMatchObject(NO_FAILURES);
    expect((await listBackups())[0]!.isRemoteVerified).toBe(true);
  }, 120_000);

  describe("on a new machine, with the previous settings and the key", () => {
    let fresh: string;
    let keyFile: string;
    beforeEach(async () => {
      fresh = await mkdtemp(join(tmpdir(), "limelight-fresh-"));
      keyFile = join(fresh, "key.txt");
      await writeFile(keyFile, `${key.secret}\n`);
    });
    afterEach(() => rm(fresh, { recursive: true, force: true }));

    const limelight = async (...args: readonly string[]) => {
      const { DATA_DIR: _, UPLOADS_DIR: __, ...settings } = createEnv();
      return runProgram(toSiteFolder(fresh), [...args], "", settings);
    };
    const left = async () => (await readdir(join(fresh, "backups")).catch(() => [])).toSorted();

    test("the newest backup is downloaded and restored, and no temporary file stays", async () => {
      await createTestBackup(START);
      await createTestBackup(START + DAY_MS);
      const [newest, older] = await listBackups();
      const listed = await limelight("backup", "--list");
      expect(listed).toMatchObject({ code: 0, error: "" });
      const named = [newest!, older!].map(({ id }) => createArchiveName(siteId, id));
      expect([...listed.out.matchAll(/limelight-\S+/g)].map(([name]) => name)).toEqual(named);
      expect(await limelight("restore", "--newest")).toMatchObject({
        code: 2,
        error: expect.stringContaining(
          `${named[0]} is an off-site backup, encrypted with your key. Pass`,
        ),
      });
      const restored = await limelight("restore", "--newest", "--key", keyFile);
      expect(restored).toMatchObject({ code: 0, error: "" });
      expect(restored.out).toContain(`Restoring ${named[0]}.\nRestored `);
      expect(await readFile(join(fresh, "data/hero.json"), "utf8")).toContain("Ada");
      expect(await left()).toEqual([]);
      const before = await limelight("restore", named[1]!, "--key", keyFile);
      expect(before.out).toContain(`Restoring ${named[1]}.\nRestored `);
    });

    test("a local backup is restored without the key", async () => {
      await createTestBackup(START);
      const [backup] = await listBackups();
      const name = createArchiveName(siteId, backup!.id);
      await mkdir(join(fresh, "backups"));
      await cp(join(root, "backups", name), join(fresh, "backups", name));
      proxy.toClient = () => null;
      expect((await limelight("backup", "--list")).error).toContain("failed: ");
      proxy.reset();
      expect((await limelight("backup", "--list")).out).toMatch(
        /UTC +Local +Off-site +Name\n +2026-01-10 12:00 +\d+ KB +\d+ KB +limelight-/,
      );
      expect((await limelight("restore", "--newest")).out).toContain(`Restoring ${name}.`);
    });

    test("with backups of several sites in the bucket the restore asks which site is meant", async () => {
      await createTestBackup(START);
      const [backup] = await listBackups();
      const other = createKey(backup!.id).replace(siteId, "00000000");
      await createClient().file(other).write("another site's");
      expect((await limelight("restore", "--newest", "--key", keyFile)).error).toContain(
        "There are backups of several sites: ",
      );
      const { out } = await limelight("restore", "--newest", "--key", keyFile, "--site", siteId);
      expect(out).toContain(`Restoring ${createArchiveName(siteId, backup!.id)}.`);
      expect((await limelight("restore", "--newest", "--site", "11111111")).error).toContain(
        "No backup of site 11111111 was found in ",
      );
    });

    test("an interrupted download is reported, and leaves no file and no restored site", async () => {
      await writePicture(2_000_000);
      await createTestBackup(START);
      proxy.toClient = (bytes, received) => (received > 1_000_000 ? null : bytes);
      const { code, error } = await limelight("restore", "--newest", "--key", keyFile);
      expect([code, error]).toEqual([
        2,
        expect.stringContaining("couldn't be downloaded completely"),
      ]);
      expect(await left()).toEqual([]);
      expect(await Bun.file(join(fresh, "data/hero.json")).exists()).toBe(false);
    });
  });
});

function createRandomBytes(size: number): Uint8Array {
  const bytes = new Uint8Array(size);
  for (let at = 0; at < size; at += 1 << 16)
    crypto.getRandomValues(bytes.subarray(at, at + (1 << 16)));
  return bytes;
}
