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
import { openSiteStorage } from "../../../support/placesIn.ts";
import { program, runProgram, siteIn } from "../../../support/program.ts";
import { hasSwift, sharedSwift, type Swift } from "../../../support/swift.ts";
import { type TamperedLine, tamperedLineTo } from "../../../support/tamperedLine.ts";
import { eventually } from "../../../support/waits.ts";
import { makeStopped } from "../stoppedSite.ts";

const DAY = 24 * 60 * 60 * 1000;
const START = new Date("2026-01-10T12:00:00").getTime();
const WELL = { localFailure: undefined, remoteFailure: undefined };

describe.skipIf(!hasSwift)("in a bucket", () => {
  let swift: Swift;
  let line: TamperedLine;
  let key: { secret: string; public: string };
  beforeAll(async () => {
    swift = await sharedSwift();
    line = await tamperedLineTo(swift.port);
    key = await createKeyPair();
  }, 200_000);
  afterAll(async () => {
    await line?.stop();
  });

  let root: string;
  let site: string;
  let bucket: string;
  beforeEach(async () => {
    line.mend();
    root = await mkdtemp(join(tmpdir(), "limelight-away-"));
    site = shortenSiteId(await makeStopped(root));
    bucket = `backups-${site}`;
    await swift.makeBucket(bucket);
  });
  afterEach(() => rm(root, { recursive: true, force: true }));

  const envOf = (env: Record<string, string> = {}) => ({
    DATA_DIR: join(root, "data"),
    UPLOADS_DIR: join(root, "uploads"),
    BACKUP_FREE: "0",
    BACKUP_KEY: key.public,
    BACKUP_S3: `s3://${bucket}/ada?endpoint=http://127.0.0.1:${line.port}&region=us-east-1`,
    S3_ACCESS_KEY_ID: swift.accessKeyId,
    S3_SECRET_ACCESS_KEY: swift.secretAccessKey,
    ...env,
  });
  const made = (now: number, env?: Record<string, string>) => {
    const { config } = readConfig([], envOf(env));
    return createBackup({
      site: openSiteStorage(root),
      config,
      isForced: false,
      shouldPrune: true,
      now,
    });
  };
  const list = () => findBackups(join(root, "backups"), site);
  const catalog = () => readCatalog(join(root, "backups"), site);
  const s3 = () => new Bun.S3Client({ ...swift, bucket, region: "us-east-1" });
  const listRemoteKeys = async () =>
    ((await s3().list()).contents ?? []).map((each) => each.key).toSorted();
  const keyOf = (id: string) => `ada/${createArchiveName(site, id)}.age`;
  const unpack = (file: string, identities?: string[]) =>
    unpackArchive(file, join(root, "unpacked"), { identities });
  const grow = (bytes: number) => writeFile(join(root, "uploads", "a.bin"), randomBytes(bytes));

  test("the newest backup is uploaded once, and can be opened only with the key, by any tool for the format", async () => {
    expect(await made(START)).toEqual(WELL);
    const [backup] = await list();
    expect(backup).toMatchObject({ isRemoteVerified: true });
    expect(await listRemoteKeys()).toEqual([keyOf(backup!.id)]);
    const { lastModified } = await s3().stat(keyOf(backup!.id));
    await made(START + 1);
    expect((await s3().stat(keyOf(backup!.id))).lastModified).toEqual(lastModified);

    const file = join(root, "fetched.tar.gz.age");
    await Bun.write(file, await s3().file(keyOf(backup!.id)).bytes());
    expect(Bun.file(file).size).toBe(backup!.remoteSize!);
    expect(await readFile(file, "latin1")).not.toContain("Ada");
    await expect(unpack(file)).rejects.toThrow("is encrypted. Name");
    const other = (await createKeyPair()).secret;
    await expect(unpack(file, [other])).rejects.toThrow("can't be decrypted with this key");
    await unpack(file, [key.secret]);
    expect(await readFile(join(root, "unpacked/data/hero.json"), "utf8")).toContain("Ada");
    if (Bun.which("age") === null) return;
    await writeFile(join(root, "key.txt"), `# created: today\n${key.secret}\n`);
    expect(await readSecretKeys(join(root, "key.txt"))).toEqual([key.secret]);
    const opened = Bun.spawn(["age", "-d", "-i", join(root, "key.txt"), file]);
    const localFile = Bun.file(join(root, "backups", createArchiveName(site, backup!.id)));
    expect(Bun.hash(await new Response(opened.stdout).bytes())).toBe(
      Bun.hash(await localFile.bytes()),
    );
  });

  test("an archive of several parts arrives complete", async () => {
    await grow(21_000_000);
    expect(await made(START)).toEqual(WELL);
    const [backup] = await list();
    expect(backup!.remoteSize).toBeGreaterThan(21_000_000);
    await Bun.write(join(root, "fetched"), await s3().file(keyOf(backup!.id)).bytes());
    await unpack(join(root, "fetched"), [key.secret]);
  });

  test.each([2_000_000, 18_000_000])(
    "an interrupted upload of %p bytes leaves nothing in the bucket, is reported, and repeated",
    async (bytes) => {
      await grow(bytes);
      line.up = (sent, before) => (before > Math.min(bytes, 8_000_000) / 2 ? null : sent);
      const cut = await made(START);
      expect(cut).toEqual({
        localFailure: undefined,
        remoteFailure: expect.stringContaining("failed: "),
      });
      const named = `The backup bucket (${bucket} at 127.0.0.1:${line.port})`;
      expect(cut.remoteFailure).toStartWith(named);
      expect((await listRemoteKeys()).filter((name) => name.endsWith(".age"))).toEqual([]);
      expect(
        (await list()).map(({ localSize, remoteSize }) => [localSize !== null, remoteSize]),
      ).toEqual([[true, null]]);
      expect((await catalog()).awayFailure).toMatchObject({ times: 1, message: cut.remoteFailure });
      line.mend();
      expect(await made(START + 1)).toEqual(WELL);
      expect((await catalog()).awayFailure).toBeUndefined();
      expect((await list())[0]!.isRemoteVerified).toBe(true);
    },
    120_000,
  );

  test("an upload that reads back differently is removed from the bucket, and does not count", async () => {
    await grow(3_000_000);
    // In the middle of what is read back, whatever passed over the connection before.
    let passed = 0;
    line.down = (bytes) => {
      const before = passed;
      passed += bytes.length;
      if (before <= 1_000_000 && passed > 1_000_000) bytes[50]! ^= 1;
      return bytes;
    };
    expect((await made(START)).remoteFailure).toStartWith(
      "The backup in the bucket differs from what was uploaded",
    );
    expect(await listRemoteKeys()).toEqual([]);
    expect((await list())[0]).toMatchObject({ remoteSize: null, isRemoteVerified: false });
    line.mend();
    expect(await made(START + 1)).toEqual(WELL);
  });

  // The store's other refusals have the same messages as for pictures (pictureStorage.test.ts).
  test("an unreachable store is reported and counted, and the local backup is still made", async () => {
    const unreachable = {
      BACKUP_S3: `s3://${bucket}?endpoint=http://127.0.0.1:9&region=us-east-1`,
    };
    expect(await made(START, unreachable)).toEqual({
      localFailure: undefined,
      remoteFailure: expect.stringContaining("(backups-"),
    });
    expect((await list()).length).toBe(1);
    expect((await made(START + 1, unreachable)).remoteFailure).toEndWith(
      "failed: it isn't responding.",
    );
    expect((await catalog()).awayFailure!.times).toBe(2);
  });

  test("old backups are removed from the bucket too, and a store that refuses deletions is no failure", async () => {
    const env = { BACKUP_KEEP: "2,0,0" };
    for (let day = 0; day < 4; day++) expect(await made(START + day * DAY, env)).toEqual(WELL);
    expect((await listRemoteKeys()).length).toBe(2);
    line.up = (bytes) => (bytes.toString("latin1", 0, 7) === "DELETE " ? null : bytes);
    for (let day = 4; day < 6; day++) expect(await made(START + day * DAY, env)).toEqual(WELL);
    expect((await listRemoteKeys()).length).toBe(4);
    expect((await list()).filter(({ remoteSize }) => remoteSize !== null).length).toBe(4);
    line.mend();
    await made(START + 6 * DAY, env);
    expect((await listRemoteKeys()).length).toBe(2);
  });

  test("a machine that lost its folder finds the off-site backups again, and uploads a new one", async () => {
    await made(START);
    const [lost] = await list();
    await rm(join(root, "backups"), { recursive: true });
    await s3().write("ada/notes.txt", "theirs");
    await s3().write("ada/limelight-01234567-2020-01-01T00-00-00-000Z.tar.gz.age", "theirs");
    expect(await made(START + DAY)).toEqual(WELL);
    expect(await list()).toMatchObject([
      { localSize: expect.any(Number), isRemoteVerified: true },
      { id: lost!.id, localSize: null, isRemoteVerified: false },
    ]);
    expect((await listRemoteKeys()).length).toBe(4);
  });

  test("a kill during an upload leaves nothing partial in the bucket; the next run repeats it", async () => {
    await grow(30_000_000);
    let passed = 0;
    line.up = (bytes) => {
      passed += bytes.length;
      return bytes;
    };
    for (const after of [100_000, 9_000_000, 20_000_000]) {
      passed = 0;
      const child = Bun.spawn([program(), "backup", "--by-site", "due"], {
        env: { ...process.env, ...envOf() },
        stdout: "ignore",
        stderr: "ignore",
      });
      await eventually(() => passed > after, true);
      child.kill("SIGKILL");
      await child.exited;
      expect((await listRemoteKeys()).filter((name) => name.endsWith(".age"))).toEqual([]);
      expect((await list()).map(({ localSize }) => localSize)).toEqual([expect.any(Number)]);
    }
    line.mend();
    expect(await made(Date.now())).toEqual(WELL);
    expect((await list())[0]!.isRemoteVerified).toBe(true);
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
      const { DATA_DIR: _, UPLOADS_DIR: __, ...settings } = envOf();
      return runProgram(siteIn(fresh), [...args], "", settings);
    };
    const left = async () => (await readdir(join(fresh, "backups")).catch(() => [])).toSorted();

    test("the newest backup is downloaded and restored, and no temporary file stays", async () => {
      await made(START);
      await made(START + DAY);
      const [newest, older] = await list();
      const listed = await limelight("backup", "--list");
      expect(listed).toMatchObject({ code: 0, error: "" });
      const named = [newest!, older!].map(({ id }) => createArchiveName(site, id));
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

    test("a local backup is used where there is one, without a key", async () => {
      await made(START);
      const [backup] = await list();
      const name = createArchiveName(site, backup!.id);
      await mkdir(join(fresh, "backups"));
      await cp(join(root, "backups", name), join(fresh, "backups", name));
      line.down = () => null;
      expect((await limelight("backup", "--list")).error).toContain("failed: ");
      line.mend();
      expect((await limelight("backup", "--list")).out).toMatch(
        /UTC +Local +Off-site +Name\n +2026-01-10 12:00 +\d+ KB +\d+ KB +limelight-/,
      );
      expect((await limelight("restore", "--newest")).out).toContain(`Restoring ${name}.`);
    });

    test("with backups of several sites the restore asks which one", async () => {
      await made(START);
      const [backup] = await list();
      const other = keyOf(backup!.id).replace(site, "00000000");
      await s3().file(other).write("another site's");
      expect((await limelight("restore", "--newest", "--key", keyFile)).error).toContain(
        "There are backups of several sites: ",
      );
      const { out } = await limelight("restore", "--newest", "--key", keyFile, "--site", site);
      expect(out).toContain(`Restoring ${createArchiveName(site, backup!.id)}.`);
      expect((await limelight("restore", "--newest", "--site", "11111111")).error).toContain(
        "No backup of site 11111111 was found in ",
      );
    });

    test("an interrupted download is reported, changes nothing and leaves nothing", async () => {
      await grow(2_000_000);
      await made(START);
      line.down = (bytes, received) => (received > 1_000_000 ? null : bytes);
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

function randomBytes(size: number): Uint8Array {
  const bytes = new Uint8Array(size);
  for (let at = 0; at < size; at += 1 << 16)
    crypto.getRandomValues(bytes.subarray(at, at + (1 << 16)));
  return bytes;
}
