import { beforeEach, describe, expect, test } from "bun:test";
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { restoreArchive } from "../../../src/server/backup/restore.ts";
import { unpackArchive } from "../../../src/server/backup/unpackArchive.ts";
import { createArchiveStream } from "../../../src/server/backup/writeArchive.ts";
import { editSealed } from "../../support/editSealed.ts";
import { folderForEach } from "../../support/folderForEach.ts";
import { filesIn } from "../../support/keptTexts.ts";
import { openSiteStorage } from "../../support/placesIn.ts";
import { makeStopped } from "./stoppedSite.ts";

const at = folderForEach();
const site = () => openSiteStorage(at());
const hero = () => readFile(at("data", "hero.json"), "utf8");

beforeEach(async () => {
  await makeStopped(at());
  await writeFile(at("uploads", "a.jpg"), new Uint8Array(100_000).fill(7));
});

async function backup(): Promise<string> {
  await writeFile(at("site.tar.gz"), createArchiveStream(site()));
  return at("site.tar.gz");
}

/** Visible files only: what a restore sets aside is hidden. */
const tree = async (folder = at()) =>
  (await filesIn(folder)).filter(({ path }) => !path.slice(at().length).includes("/."));

/** Without the key that signs sessions, which is never archived. */
const archivedTree = async () =>
  (await tree()).filter(
    ({ path }) => !path.startsWith(at("data", "secret")) && !path.endsWith(".gz"),
  );

test("a backup is an archive of both folders, and a restore puts every byte back", async () => {
  const before = await archivedTree();
  const archive = await backup();
  await writeFile(at("data", "hero.json"), '{"mainTitle":"After"}');
  await writeFile(at("data", "later.json"), "{}");
  await rm(at("uploads", "a.jpg"));
  const restored = await restoreArchive(archive, site());
  expect(restored.files).toBe(before.length);
  expect(await archivedTree()).toEqual(before);
  const previous = await readFile(at("data", restored.replacedDataName!, "hero.json"), "utf8");
  expect(previous).toBe('{"mainTitle":"After"}');
});

test("an archive truncated anywhere is refused and changes nothing", async () => {
  const bytes = await readFile(await backup());
  const before = await archivedTree();
  for (const share of [0, 0.3, 0.7, 0.98]) {
    await writeFile(at("cut.tar.gz"), bytes.subarray(0, Math.floor(bytes.length * share)));
    const restoring = restoreArchive(at("cut.tar.gz"), site());
    await expect(restoring).rejects.toThrow("This archive can't be restored");
  }
  expect(await archivedTree()).toEqual(before);
});

test("a folder in the place of an archive isn't called damaged", async () => {
  await expect(restoreArchive(at("data"), site())).rejects.toThrow(
    "This archive can't be read or written (EISDIR). Nothing was changed.",
  );
});

test("a changed byte in an archive is refused", async () => {
  const archive = await backup();
  const plain = Bun.gunzipSync(await readFile(archive));
  plain[Buffer.from(plain).indexOf("Ada")] = "X".charCodeAt(0);
  await writeFile(archive, Bun.gzipSync(plain));
  await expect(restoreArchive(archive, site())).rejects.toThrow("differs from what was saved");
});

test("a file that isn't an archive, or doesn't exist, is refused with a message", async () => {
  await writeFile(at("words.txt"), "hello");
  await expect(restoreArchive(at("words.txt"), site())).rejects.toThrow(
    "it is truncated or damaged",
  );
  await expect(restoreArchive(at("nothing"), site())).rejects.toThrow("This archive doesn't exist");
});

async function archiveOf(files: Record<string, string | Buffer>): Promise<string> {
  await writeFile(at("made.tar.gz"), await new Bun.Archive(files, { compress: "gzip" }).bytes());
  return at("made.tar.gz");
}

test("file names that lead out of the folders are refused", async () => {
  const evil = await archiveOf({ "data/../../evil.txt": "x", "data/installation.json": "{}" });
  await expect(restoreArchive(evil, site())).rejects.toThrow();
  expect(await Bun.file(at("evil.txt")).exists()).toBe(false);
});

describe("the secret that signs the sessions", () => {
  const secret = () => at("data", "secret");

  test("is not in an archive, so that a stolen archive opens no session", async () => {
    await writeFile(secret(), "signs everything");
    const archive = Buffer.from(Bun.gunzipSync(await readFile(await backup())));
    expect(archive.includes("signs everything")).toBe(false);
  });

  test("is not restored from an archive that holds it, so that no ended session is valid again", async () => {
    await unpackArchive(await backup(), at("unpacked"));
    await writeFile(at("unpacked", "data", "secret"), "of an older archive");
    const entries = await Promise.all(
      (await tree(at("unpacked"))).map(
        async ({ path }) => [path.slice(at("unpacked/").length), await readFile(path)] as const,
      ),
    );
    const files = entries.map(([path, bytes]) => {
      const sha256 = new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
      return { path, size: bytes.length, sha256 };
    });
    const list = JSON.stringify({ format: 1, createdAt: new Date().toISOString(), files });
    const made = await archiveOf({ ...Object.fromEntries(entries), "manifest.json": list });
    const ofNow = await readFile(secret());
    expect((await restoreArchive(made, site())).isSecretCarried).toBe(true);
    expect(await readFile(secret())).toEqual(ofNow);
    const other = await restoreArchive(made, openSiteStorage(at("other")));
    expect(other.isSecretCarried).toBe(false);
    const fresh = await readFile(at("other", "data", "secret"));
    expect(fresh).toHaveLength(32);
  });
});

test.each(["{}", '{"format":1}', '{"format":1,"createdAt":"now","files":[null]}', "null", "{"])(
  "an archive whose list is %s is refused with a message",
  async (list) => {
    const made = await archiveOf({ "data/installation.json": "{}", "manifest.json": list });
    await expect(restoreArchive(made, site())).rejects.toThrow("This archive can't be restored");
    expect(await hero()).toContain("Ada");
  },
);

test.each<[string, string, (file: string) => Promise<void>, string]>([
  [
    "one of a newer release",
    "site.json",
    (file) => editSealed(file, (text) => text.replace(/"version":\d+/, '"version":9')),
    'The data of "site" was written by a newer release (version 9',
  ],
  [
    "one without a document",
    "hero.json",
    (file) => rm(file),
    "hero.json is missing, and so is its copy",
  ],
])(
  "an archive that a start would refuse is not restored, and nothing is changed: %s",
  async (_, name, spoil, words) => {
    const whole = await archivedTree();
    for (const file of [name, `${name}.bak`]) await spoil(at("data", file));
    const archive = await backup();
    for (const { path, text } of whole) if (path.includes(name)) await writeFile(path, text);
    const before = (await readdir(at(), { recursive: true })).toSorted();
    const restoring = restoreArchive(archive, site());
    await expect(restoring).rejects.toThrow("This archive wasn't restored");
    await expect(restoring).rejects.toThrow(words);
    expect((await readdir(at(), { recursive: true })).toSorted()).toEqual(before);
    expect(await archivedTree()).toEqual(whole);
  },
);
