/** `limelight backup` saves only what a start takes, and says in words why it does not. */
import { afterAll, afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  symlink,
  unlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { allEntities, entities } from "../../../src/schema/index.ts";
import { folderStorage } from "../../../src/server/storage/pictures/folderStorage.ts";
import { saveArchive } from "../../../src/server/backup/saveArchive.ts";
import { NO_SECOND_FACTOR } from "../../../src/server/accounts/owners.ts";
import { folderEngine } from "../../../src/server/storage/files/folderEngine.ts";
import { editSealed } from "../../support/editSealed.ts";
import { program } from "../../support/program.ts";
import { startSite } from "../../support/startSite.ts";

let root = "";
let data = "";
let uploads = "";

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "limelight-save-"));
  data = join(root, "data");
  uploads = join(root, "uploads");
  await mkdir(uploads, { mode: 0o700 });
  const store = await folderEngine(data).open({ entities: allEntities });
  await store.of(entities.users).update(() => [OWNER]);
  await store.close();
});
afterEach(() => rm(root, { recursive: true }));

const OWNER = {
  id: "019a0000-0000-7000-8000-000000000001",
  username: "ada",
  email: "ada@example.com",
  role: "admin",
  passwordHash: "none",
  createdAt: "2026-11-20T10:00:00.000Z",
  ...NO_SECOND_FACTOR,
  loginsSeenAt: null,
};

/** The command itself, as a process. */
async function backup(file: string) {
  const child = Bun.spawn([program(), "backup", file], {
    env: { ...process.env, DATA_DIR: data, UPLOADS_DIR: uploads },
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, error] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  return { code: await child.exited, out, error };
}

const save = () =>
  saveArchive(join(root, "site.tar.gz"), {
    data: folderEngine(data),
    uploads: folderStorage(uploads),
  });

/** Nothing that looks like an archive, or is left of one. */
const nothingSaved = async () =>
  expect((await readdir(root)).filter((name) => name.includes("tar.gz"))).toEqual([]);

test("a whole site is saved without a further word", async () => {
  const { code, out, error } = await backup(join(root, "site.tar.gz"));
  expect([code, error]).toEqual([0, ""]);
  expect(out).toStartWith("Saved ");
  expect((await readdir(root)).toSorted()).toEqual(["data", "site.tar.gz", "uploads"]);
});

describe("a site that a start refuses is not saved:", () => {
  const both = async (name: string, change: (file: string) => Promise<void>) => {
    for (const file of [name, `${name}.bak`]) await change(join(data, file));
  };
  const cases: Record<string, () => Promise<void>> = {
    "a document is gone, and its copy": () => both("hero.json", (file) => unlink(file)),
    "a document is torn, and its copy": () => both("hero.json", (file) => writeFile(file, "{")),
    "a document and its copy contradict each other": () =>
      editSealed(join(data, "site.json"), (text) => text.replace(/"name":"[^"]*"/, '"name":"X"')),
    "a document of a newer version": () =>
      both("site.json", (file) =>
        editSealed(file, (text) => text.replace(/"version":\d+/, '"version":99')),
      ),
    "a list names a segment that is gone": () =>
      both("form-submissions/segments.json", (file) =>
        editSealed(file, (text) => text.replace('"last":1', '"last":2')),
      ),
    "a list of segments is torn, and its copy": () =>
      both("email-subscriptions/segments.json", (file) => writeFile(file, "[")),
    "the marker is torn, and its copy": () =>
      both("installation.json", (file) => writeFile(file, "")),
    "a document whose file is too large for an archive": () =>
      both("about.json", (file) => writeFile(file, new Uint8Array(65 * 1024 * 1024))),
  };
  test.each(Object.entries(cases))("%s", async (_, spoil) => {
    await spoil();
    await expect(save()).rejects.toThrow("Nothing was saved, since a site put back from it");
    await nothingSaved();
  });

  test("the command says so in words, with exit code 1, and an earlier archive stays", async () => {
    const file = join(root, "site.tar.gz");
    await writeFile(file, "an earlier one");
    await cases["a document is gone, and its copy"]!();
    const { code, out, error } = await backup(file);
    expect([code, out]).toEqual([1, ""]);
    expect(error).toContain(`${join(data, "hero.json")} is missing, and so is its copy`);
    expect(await readFile(file, "utf8")).toBe("an earlier one");
  });
});

test("what a start mends is saved, and said", async () => {
  await writeFile(join(data, "hero.json"), "{");
  const { code, out, error } = await backup(join(root, "site.tar.gz"));
  expect([code, out]).toEqual([0, expect.stringContaining("Saved")]);
  expect(error).toContain("Saved as it is: hero.json is missing or can't be read.");
});

test("no file is left out without a word", async () => {
  await writeFile(join(uploads, "my photo (1).jpg"), "x");
  await writeFile(join(uploads, ".hidden"), "x");
  await symlink("/etc/hostname", join(uploads, "linked.jpg"));
  await writeFile(join(data, "huge.bin"), new Uint8Array(65 * 1024 * 1024));
  const { code, error } = await backup(join(root, "site.tar.gz"));
  expect(code).toBe(0);
  expect(error.trim().split("\n").toSorted()).toEqual([
    "Left out data/huge.bin: it is larger than 64 MB.",
    "Left out uploads/.hidden: it is hidden.",
    "Left out uploads/linked.jpg: it is neither a file nor a folder.",
    "Left out uploads/my photo (1).jpg: its name is none that Limelight gives.",
  ]);
});

describe("a target is refused in words, with exit code 1:", () => {
  const refused = async (file: string, words: string) => {
    const { code, out, error } = await backup(file);
    expect({ code, out, error }).toEqual({ code: 1, out: "", error: expect.any(String) });
    expect(error).toContain(words);
    expect(error.trim().split("\n").length).toBe(1);
  };
  test("in a folder that is not there", () =>
    refused(join(root, "nowhere", "a.tar.gz"), `There is no folder ${join(root, "nowhere")}.`));
  test("a folder", () => refused(root, "is a folder. Nothing was saved."));
  test("a device", () => refused("/dev/null", "is a device. Nothing was saved."));
  test("inside the data", () => refused(join(data, "a.tar.gz"), "inside the site's own folder"));
  test("inside the pictures, by a link", async () => {
    await symlink(uploads, join(root, "link"));
    await refused(join(root, "link", "a.tar.gz"), "inside the site's own folder");
    expect(await readdir(uploads)).toEqual([]);
  });
  test("on a disk that takes no files", () =>
    refused("/sys/a.tar.gz", "The folder /sys can't be written to."));

  test("pictures whose folder is missing", async () => {
    await rm(uploads, { recursive: true });
    await refused(join(root, "a.tar.gz"), `${uploads} can't be read (ENOENT). Nothing was saved.`);
  });

  test.skipIf(process.getuid!() === 0)("in a folder of somebody else", async () => {
    await chmod(root, 0o500);
    await refused(join(root, "a.tar.gz"), "can't be written to");
    await chmod(root, 0o700);
  });
});

test("the dashboard's export refuses a site that could not be put back, before the download begins", async () => {
  const site = await startSite();
  const owner = await site.owner();
  expect((await owner.get("/api/export")).status).toBe(200);
  const exports = async () => (await owner.get("/api/audit-log?kind=data")).body.length;
  const exported = await exports();
  for (const name of ["hero.json", "hero.json.bak"]) await unlink(join(site.dataDir, name));
  const head = await owner.call("HEAD", "/api/export");
  // Nothing is looked at for the head alone, and nothing has been exported.
  expect([head.status, head.headers.get("content-type")]).toEqual([200, "application/gzip"]);
  expect(await exports()).toBe(exported);
  const { status, body } = await owner.get("/api/export");
  expect([status, body.code]).toEqual([503, "cannot_store"]);
  expect(body.error).toStartWith("Nothing was exported, since it could not be put back: ");
  await site.stop();
});

const disk = Bun.which("mount") ? await smallDisk() : undefined;

afterAll(async () => {
  if (disk === undefined) return;
  await Bun.spawn(["umount", disk]).exited;
  await rm(disk, { recursive: true });
});

/** Only root may mount. */
async function smallDisk(): Promise<string | undefined> {
  const folder = await mkdtemp(join(tmpdir(), "limelight-small-"));
  const mount = Bun.spawn(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", folder], {
    stderr: "ignore",
  });
  if ((await mount.exited) === 0) return folder;
  await rm(folder, { recursive: true });
  return undefined;
}

test.skipIf(disk === undefined)(
  "a full disk is said in words, and nothing is left on it",
  async () => {
    await writeFile(join(uploads, "a.bin"), crypto.getRandomValues(new Uint8Array(60_000)));
    for (let at = 0; at < 40; at++)
      await Bun.write(join(uploads, `${at}.bin`), Bun.file(join(uploads, "a.bin")));
    const { code, out, error } = await backup(join(disk!, "a.tar.gz"));
    expect([code, out]).toEqual([1, ""]);
    expect(error).toStartWith(`There is no room for ${join(disk!, "a.tar.gz")}`);
    expect(await readdir(disk!)).toEqual([]);
  },
);
