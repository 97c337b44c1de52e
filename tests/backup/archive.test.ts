import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { restoreArchive } from "../../src/server/backup/restoreArchive.ts";
import { archiveStream } from "../../src/server/backup/writeArchive.ts";

let root = "";
const folders = () => ({ data: join(root, "data"), uploads: join(root, "uploads") });

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "limelight-backup-"));
  await mkdir(join(root, "data", "form-submissions"), { recursive: true });
  await mkdir(join(root, "uploads"));
  await writeFile(join(root, "data", "installation.json"), '{"entity":"installation"}');
  await writeFile(join(root, "data", "hero.json"), '{"mainTitle":"Before"}');
  await writeFile(join(root, "data", "form-submissions", "000001.json"), "[1,2,3]");
  await writeFile(join(root, "data", ".lock"), "");
  await writeFile(join(root, "uploads", "a.jpg"), new Uint8Array(100_000).fill(7));
});
afterEach(() => rm(root, { recursive: true }));

async function backup(): Promise<string> {
  const path = join(root, "site.tar.gz");
  await writeFile(path, archiveStream(folders()));
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

test("a backup is an archive of both folders, and a restore puts every byte back", async () => {
  const before = await tree(folders().data);
  const archive = await backup();
  await writeFile(join(root, "data", "hero.json"), '{"mainTitle":"After"}');
  await writeFile(join(root, "data", "later.json"), "{}");
  await rm(join(root, "uploads", "a.jpg"));
  const restored = await restoreArchive(archive, folders());
  expect(restored.files).toBe(4);
  expect(await tree(folders().data)).toEqual(before);
  expect((await readFile(join(root, "uploads", "a.jpg"))).length).toBe(100_000);
  const kept = await readFile(join(root, "data", restored.before, "hero.json"), "utf8");
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
    expect(restoreArchive(cut, folders())).rejects.toThrow("This archive is not whole");
    await restoreArchive(cut, folders()).catch(() => undefined);
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
  expect(restoreArchive(archive, folders())).rejects.toThrow("is not as it was saved");
});

test("a file that is no archive, or none at all, is refused in words", async () => {
  await writeFile(join(root, "words.txt"), "hello");
  expect(restoreArchive(join(root, "words.txt"), folders())).rejects.toThrow("not whole");
  expect(restoreArchive(join(root, "nothing"), folders())).rejects.toThrow("no such archive");
});

test("names that lead out of the folders are refused", async () => {
  const evil = await new Bun.Archive(
    { "data/../../evil.txt": "x", "data/installation.json": "{}" },
    {
      compress: "gzip",
    },
  ).bytes();
  await writeFile(join(root, "evil.tar.gz"), evil);
  expect(restoreArchive(join(root, "evil.tar.gz"), folders())).rejects.toThrow();
  expect(await Bun.file(join(root, "evil.txt")).exists()).toBe(false);
});
