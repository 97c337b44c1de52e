/** `limelight backup` saves only sites that can start, and says why it refuses others. */
import { beforeEach, describe, expect, test } from "bun:test";
import { chmod, readdir, readFile, rm, symlink, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { saveArchive } from "../../../src/server/backup/saveArchive.ts";
import { setUpFolderForEach } from "../../support/folderForEach.ts";
import { openSiteStorage } from "../../support/openSiteStorage.ts";
import { runProgram, toSiteFolder } from "../../support/program.ts";
import { mountSmallDisk } from "../../support/smallDisk.ts";
import { startSite } from "../../support/startSite.ts";
import { createStoppedSite } from "./stoppedSite.ts";

const getPath = setUpFolderForEach();
beforeEach(() => createStoppedSite(getPath()));

/** Runs the command as a process. */
const runBackup = (file = getPath("site.tar.gz")) =>
  runProgram(toSiteFolder(getPath()), ["backup", file]);

describe("a site that couldn't start is not backed up", () => {
  // The check (examineSite) is tested with every fault in siteChecks.test.ts.
  test.each<[string, string, (file: string) => Promise<void>]>([
    ["a document is gone, and its copy", "hero", unlink],
    [
      "a document whose file is too large for an archive",
      "about",
      (file) => writeFile(file, new Uint8Array(65 * 1024 * 1024)),
    ],
  ])("%s", async (_, name, spoil) => {
    await spoil(getPath("data", `${name}.json`));
    await spoil(getPath("data", `${name}.json.bak`));
    const saving = saveArchive(getPath("site.tar.gz"), openSiteStorage(getPath()));
    await expect(saving).rejects.toThrow("Nothing was saved: a site restored from this archive");
    expect((await readdir(getPath())).toSorted()).toEqual(["data", "uploads"]);
  });

  test("limelight backup exits with 1 and a message, and an earlier archive stays", async () => {
    await writeFile(getPath("site.tar.gz"), "an earlier one");
    for (const name of ["hero.json", "hero.json.bak"]) await unlink(getPath("data", name));
    const { code, out, error } = await runBackup();
    expect([code, out]).toEqual([1, ""]);
    expect(error).toContain(`${getPath("data", "hero.json")} is missing, and so is its copy`);
    expect(await readFile(getPath("site.tar.gz"), "utf8")).toBe("an earlier one");
  });
});

test("a backup warns of a file that the next start would repair, and of nothing on an intact site", async () => {
  const intact = await runBackup();
  expect([intact.code, intact.out, intact.error]).toEqual([
    0,
    expect.stringMatching(/^Saved /),
    "",
  ]);
  expect((await readdir(getPath())).toSorted()).toEqual(["data", "site.tar.gz", "uploads"]);
  await writeFile(getPath("data", "hero.json"), "{");
  const { code, out, error } = await runBackup();
  expect([code, out]).toEqual([0, expect.stringContaining("Saved")]);
  expect(error).toContain("Saved despite a problem: hero.json is missing or can't be read.");
});

test("a backup warns of each file that it omits", async () => {
  await writeFile(getPath("uploads", "my photo (1).jpg"), "x");
  await writeFile(getPath("uploads", ".hidden"), "x");
  await symlink("/etc/hostname", getPath("uploads", "linked.jpg"));
  await writeFile(getPath("data", "huge.bin"), new Uint8Array(65 * 1024 * 1024));
  const { code, error } = await runBackup();
  expect(code).toBe(0);
  expect(error.trim().split("\n").toSorted()).toEqual([
    "Left out data/huge.bin: it is larger than 64 MB.",
    "Left out uploads/.hidden: it is hidden.",
    "Left out uploads/linked.jpg: it is neither a file nor a folder.",
    "Left out uploads/my photo (1).jpg: it isn't one of Limelight's files.",
  ]);
});

test.each<[string, file: () => string, words: string]>([
  [
    "in a folder that is not there",
    () => getPath("nowhere", "a.tar.gz"),
    "isn't a folder that Limelight can open",
  ],
  ["a folder", () => getPath(), "is a folder. Nothing was saved."],
  ["a device", () => "/dev/null", "is a device. Nothing was saved."],
  ["inside the data", () => getPath("data", "a.tar.gz"), "inside the site's own folder"],
  [
    "inside the pictures, by a link",
    () => getPath("link", "a.tar.gz"),
    "inside the site's own folder",
  ],
  ["on a disk that takes no files", () => "/sys/a.tar.gz", "Writing /sys/a.tar.gz failed ("],
])("a backup to an impossible target is refused with a message: %s", async (_, file, words) => {
  await symlink(getPath("uploads"), getPath("link"));
  await expect(saveArchive(file(), openSiteStorage(getPath()))).rejects.toThrow(words);
  expect(await readdir(getPath("uploads"))).toEqual([]);
});

test("a backup of a site without its folder of pictures is refused with a message", async () => {
  await rm(getPath("uploads"), { recursive: true });
  await expect(saveArchive(getPath("site.tar.gz"), openSiteStorage(getPath()))).rejects.toThrow(
    `${getPath("uploads")} can't be read (ENOENT). Nothing was saved.`,
  );
});

test.skipIf(process.getuid!() === 0)(
  "a backup into a folder without write permission is refused with a message",
  async () => {
    await chmod(getPath(), 0o500);
    expect((await runBackup()).error).toContain("can't be written to");
    await chmod(getPath(), 0o700);
  },
);

test("the dashboard's export refuses a site that could not be restored, before the download begins", async () => {
  const site = await startSite();
  const owner = await site.owner();
  expect((await owner.get("/api/export")).status).toBe(200);
  const exports = async () => (await owner.get("/api/audit-log?kind=data")).body.length;
  const exported = await exports();
  for (const name of ["hero.json", "hero.json.bak"]) await unlink(join(site.dataDir, name));
  const head = await owner.call("HEAD", "/api/export");
  // HEAD reads no data and isn't recorded as an export.
  expect([head.status, head.headers.get("content-type")]).toEqual([200, "application/gzip"]);
  expect(await exports()).toBe(exported);
  const { status, body } = await owner.get("/api/export");
  expect([status, body.code]).toEqual([503, "cannot_store"]);
  expect(body.error).toStartWith(
    "Nothing was exported: a site restored from this archive couldn't start. ",
  );
  await site.stop();
});

const diskFolder = await mountSmallDisk(1);

test.skipIf(diskFolder === undefined)(
  "a backup to a full disk reports this and leaves no file",
  async () => {
    const noise = crypto.getRandomValues(new Uint8Array(60_000));
    for (let number = 0; number < 40; number++)
      await writeFile(getPath("uploads", `${number}.bin`), noise);
    const { code, out, error } = await runBackup(join(diskFolder!, "a.tar.gz"));
    expect([code, out]).toEqual([1, ""]);
    expect(error).toStartWith(`Not enough disk space for ${join(diskFolder!, "a.tar.gz")}`);
    expect(await readdir(diskFolder!)).toEqual([]);
  },
);

test.skipIf(diskFolder === undefined)(
  "a backup to a disk with space for the archive, but not for its check, reports a full disk",
  async () => {
    const noise = crypto.getRandomValues(new Uint8Array(60_000));
    for (let number = 0; number < 11; number++)
      await writeFile(getPath("uploads", `${number}.bin`), noise);
    const file = join(diskFolder!, "a.tar.gz");
    await expect(saveArchive(file, openSiteStorage(getPath()))).rejects.toThrow(
      `Not enough disk space for ${file}: `,
    );
    expect(await readdir(diskFolder!)).toEqual([]);
  },
);

test("an archive that can't be read back intact is not saved, and the message advises checking the disk", async () => {
  const { data, uploads } = openSiteStorage(getPath());
  const emptyData = { ...data, async *readFiles() {} };
  const file = getPath("site.tar.gz");
  await expect(saveArchive(file, { data: emptyData, uploads })).rejects.toThrow(
    `${file} couldn't be read back intact. Nothing was saved. Check the disk, or save somewhere else.`,
  );
  expect((await readdir(getPath())).toSorted()).toEqual(["data", "uploads"]);
});
