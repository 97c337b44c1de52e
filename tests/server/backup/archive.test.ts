import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { allEntities, entities } from "../../../src/schema/index.ts";
import { folderStorage } from "../../../src/server/storage/pictures/folderStorage.ts";
import { restoreArchive } from "../../../src/server/backup/restore.ts";
import { unpackArchive } from "../../../src/server/backup/unpackArchive.ts";
import { archiveStream } from "../../../src/server/backup/writeArchive.ts";
import { folderEngine } from "../../../src/server/storage/files/folderEngine.ts";
import { openStore } from "../../../src/server/storage/files/openStore.ts";
import { editSealed } from "../../support/editSealed.ts";

let root = "";
const folders = () => ({ data: join(root, "data"), uploads: join(root, "uploads") });
const site = () => ({
  data: folderEngine(folders().data),
  uploads: folderStorage(folders().uploads),
});

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "limelight-backup-"));
  await mkdir(join(root, "uploads"));
  const store = await openStore({ directory: folders().data, entities: allEntities });
  await store.of(entities.hero).update((hero) => ({ ...hero, mainTitle: "Before" }));
  await store.close();
  await writeFile(join(root, "uploads", "a.jpg"), new Uint8Array(100_000).fill(7));
});
afterEach(() => rm(root, { recursive: true }));

async function backup(): Promise<string> {
  const path = join(root, "site.tar.gz");
  await writeFile(path, archiveStream(site()));
  return path;
}

async function tree(folder: string): Promise<Record<string, string>> {
  const names = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((e) =>
    e.isFile(),
  );
  const paths = names
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((p) => !p.includes("/."));
  const pairs = paths.map(async (path) => [
    path.slice(folder.length),
    await readFile(path, "latin1"),
  ]);
  return Object.fromEntries(await Promise.all(pairs)) as Record<string, string>;
}

/** Without what signs the sessions: that is never archived. */
async function archivedTree(folder: string): Promise<Record<string, string>> {
  const { "/secret": _, ...files } = await tree(folder);
  return files;
}

test("a backup is an archive of both folders, and a restore puts every byte back", async () => {
  const before = await archivedTree(folders().data);
  const archive = await backup();
  await writeFile(join(root, "data", "hero.json"), '{"mainTitle":"After"}');
  await writeFile(join(root, "data", "later.json"), "{}");
  await rm(join(root, "uploads", "a.jpg"));
  const restored = await restoreArchive(archive, site());
  expect(restored.files).toBe(Object.keys(before).length + 1);
  expect(await archivedTree(folders().data)).toEqual(before);
  expect((await readFile(join(root, "uploads", "a.jpg"))).length).toBe(100_000);
  const kept = await readFile(join(root, "data", restored.before!, "hero.json"), "utf8");
  expect(kept).toBe('{"mainTitle":"After"}');
});

test("an archive cut short at any place is refused and changes nothing", async () => {
  const archive = await backup();
  const bytes = await readFile(archive);
  await writeFile(join(root, "data", "hero.json"), '{"mainTitle":"After"}');
  const before = await tree(root);
  for (const share of [0, 0.3, 0.7, 0.98]) {
    const cut = join(tmpdir(), `cut-${share}-${process.pid}.tar.gz`);
    await writeFile(cut, bytes.subarray(0, Math.floor(bytes.length * share)));
    await expect(restoreArchive(cut, site())).rejects.toThrow("This archive isn't complete");
    await rm(cut);
  }
  expect(await tree(root)).toEqual(before);
});

test("a changed byte in an archive is refused", async () => {
  const archive = await backup();
  const plain = Bun.gunzipSync(await readFile(archive));
  const at = Buffer.from(plain).indexOf("Before");
  plain[at] = "X".charCodeAt(0);
  await writeFile(archive, Bun.gzipSync(plain));
  await expect(restoreArchive(archive, site())).rejects.toThrow("is not as it was saved");
});

test("a file that is no archive, or none at all, is refused in words", async () => {
  await writeFile(join(root, "words.txt"), "hello");
  await expect(restoreArchive(join(root, "words.txt"), site())).rejects.toThrow("isn't complete");
  await expect(restoreArchive(join(root, "nothing"), site())).rejects.toThrow("no such archive");
});

test("names that lead out of the folders are refused", async () => {
  const evil = await new Bun.Archive(
    { "data/../../evil.txt": "x", "data/installation.json": "{}" },
    {
      compress: "gzip",
    },
  ).bytes();
  await writeFile(join(root, "evil.tar.gz"), evil);
  await expect(restoreArchive(join(root, "evil.tar.gz"), site())).rejects.toThrow();
  expect(await Bun.file(join(root, "evil.txt")).exists()).toBe(false);
});

test("a file that a restore would not take is not archived", async () => {
  const ours = Object.keys(await archivedTree(root)).length - 1;
  await writeFile(join(root, "uploads", "my photo (1).jpg"), "x");
  await writeFile(join(root, "data", ".hidden"), "x");
  const { files } = await restoreArchive(await backup(), site());
  expect(files).toBe(ours);
});

describe("what signs the sessions", () => {
  const secret = () => join(root, "data", "secret");

  test("is not in an archive, so that a stolen one opens no session", async () => {
    await writeFile(secret(), "signs everything");
    const archive = Buffer.from(Bun.gunzipSync(await readFile(await backup())));
    expect(archive.includes("signs everything")).toBe(false);
  });

  test("does not come back with an archive that holds it, so that no ended session does", async () => {
    const unpacked = join(root, "unpacked");
    await unpackArchive(await backup(), unpacked);
    await writeFile(join(unpacked, "data", "secret"), "of an older archive");
    const files = await tree(unpacked);
    const listed = Object.entries(files).map(([path, words]) => {
      const bytes = Buffer.from(words, "latin1");
      const hash = new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
      return { path: path.slice(1), size: bytes.length, sha256: hash };
    });
    const list = { format: 1, createdAt: new Date().toISOString(), files: listed };
    const entries = Object.entries(files).map(([path, words]) => [
      path.slice(1),
      Buffer.from(words, "latin1"),
    ]);
    await archiveOf({ ...Object.fromEntries(entries), "manifest.json": JSON.stringify(list) });
    await writeFile(secret(), "of now");
    const { keepsSecret } = await restoreArchive(join(root, "made.tar.gz"), site());
    expect(await readFile(secret(), "utf8")).toBe("of now");
    expect(keepsSecret).toBe(true);
    const other = {
      data: folderEngine(join(root, "other")),
      uploads: folderStorage(join(root, "b")),
    };
    expect((await restoreArchive(join(root, "made.tar.gz"), other)).keepsSecret).toBe(false);
    const made = await readFile(join(root, "other", "secret"));
    expect([made.length, made.toString()]).not.toEqual([32, "of an older archive"]);
    expect(made).toHaveLength(32);
  });
});

test.each(["{}", '{"format":1}', '{"format":1,"createdAt":"now","files":[null]}', "null", "{"])(
  "an archive whose list is %s is refused in words",
  async (list) => {
    await archiveOf({ "data/installation.json": "{}", "manifest.json": list });
    const restoring = restoreArchive(join(root, "made.tar.gz"), site());
    await expect(restoring).rejects.toThrow("This archive isn't complete");
    expect(await readFile(join(root, "data", "hero.json"), "utf8")).toContain("Before");
  },
);

async function archiveOf(files: Record<string, string | Buffer>): Promise<void> {
  const bytes = await new Bun.Archive(files, { compress: "gzip" }).bytes();
  await writeFile(join(root, "made.tar.gz"), bytes);
}

test("a list of segments is archived as it was before them, so that none it names is missing", async () => {
  const segments = join(root, "data", "form-submissions");
  await writeFile(join(segments, "segments.json"), '{"last":1}');
  const stream = archiveStream(site());
  const pieces: Buffer[] = [];
  for await (const piece of stream) {
    pieces.push(piece as Buffer);
    await writeFile(join(segments, "new"), '{"last":2}');
    await rename(join(segments, "new"), join(segments, "segments.json"));
    await writeFile(join(segments, "000002.json"), "[4]");
  }
  await writeFile(join(root, "site.tar.gz"), Buffer.concat(pieces));
  const unpacked = join(root, "unpacked");
  await unpackArchive(join(root, "site.tar.gz"), unpacked);
  const list = join(unpacked, "data", "form-submissions", "segments.json");
  const { last } = JSON.parse(await readFile(list, "utf8"));
  for (let number = 1; number <= last; number++)
    expect(await Bun.file(join(list, "..", `00000${number}.json`)).exists()).toBe(true);
});

describe("an archive that a start would refuse is not restored, and nothing is changed:", () => {
  const both = async (name: string, change: (file: string) => Promise<void>) => {
    for (const file of [name, `${name}.bak`]) await change(join(root, "data", file));
  };
  const cases: Record<string, [spoil: () => Promise<void>, words: string]> = {
    "one of a newer release": [
      () =>
        both("site.json", (file) =>
          editSealed(file, (text) => text.replace(/"version":\d+/, '"version":9')),
        ),
      'The data of "site" was written by a newer release (version 9',
    ],
    "one without a document": [
      () => both("hero.json", (file) => rm(file)),
      "hero.json is missing, and so is its copy",
    ],
  };
  test.each(Object.entries(cases))("%s", async (_, [spoil, words]) => {
    const whole = await tree(root);
    await spoil();
    const archive = await backup();
    for (const [path, text] of Object.entries(whole))
      await writeFile(join(root, path), text, "latin1");
    const before = (await readdir(root, { recursive: true })).toSorted();
    const restoring = restoreArchive(archive, site());
    await expect(restoring).rejects.toThrow("This archive was not restored");
    await expect(restoring).rejects.toThrow(words);
    expect((await readdir(root, { recursive: true })).toSorted()).toEqual(before);
    expect(await archivedTree(join(root, "data"))).toMatchObject(
      Object.fromEntries(
        Object.entries(whole).flatMap(([path, text]) =>
          path.startsWith("/data/") && path !== "/data/secret" ? [[path.slice(5), text]] : [],
        ),
      ),
    );
  });
});

const open = () => openStore({ directory: folders().data, entities: [], log: () => {} });
const note = (emptied: boolean) =>
  writeFile(
    join(root, "data", "restore.started"),
    JSON.stringify({ before: ".before-restore-1", emptied }),
  );

describe("a restore that was killed", () => {
  test("while it moved the old files away: a start refuses, and the next restore goes on", async () => {
    const archive = await backup();
    await writeFile(join(root, "data", "hero.json"), "old");
    const old = await tree(folders().data);
    const before = join(root, "data", ".before-restore-1");
    await mkdir(before);
    await rename(join(root, "data", "installation.json"), join(before, "installation.json"));
    await rename(join(root, "data", "hero.json"), join(before, "hero.json"));
    await note(false);
    await expect(open()).rejects.toThrow('Run "limelight restore" with the archive again');
    const restored = await restoreArchive(archive, site());
    expect(restored.before).toBe(".before-restore-1");
    expect(await readFile(join(root, "data", "hero.json"), "utf8")).toContain("Before");
    for (const [path, text] of Object.entries(old))
      expect(await readFile(join(before, path), "latin1")).toBe(text);
  });

  test("between old and new, with nothing there: a start refuses and makes no empty site", async () => {
    const archive = await backup();
    const before = join(root, "data", ".before-restore-1");
    await mkdir(before);
    for (const name of ["installation.json", "hero.json", "form-submissions"])
      await rename(join(root, "data", name), join(before, name));
    await note(true);
    await expect(open()).rejects.toThrow("was cut short");
    await restoreArchive(archive, site());
    expect(await Bun.file(join(root, "data", "restore.started")).exists()).toBe(false);
    expect(await readFile(join(before, "hero.json"), "utf8")).toContain("Before");
  });

  test("while it moved the new files up: they are not taken for what was there before", async () => {
    const archive = await backup();
    const before = join(root, "data", ".before-restore-1");
    await mkdir(before);
    await writeFile(join(before, "hero.json"), "the old one");
    await mkdir(join(root, "data", ".restore-1", "data"), { recursive: true });
    await note(true);
    await restoreArchive(archive, site());
    expect(await readFile(join(before, "hero.json"), "utf8")).toBe("the old one");
    expect(await readdir(join(root, "data"))).not.toContain(".restore-1");
    expect(await readFile(join(root, "data", "hero.json"), "utf8")).toContain("Before");
  });
});
