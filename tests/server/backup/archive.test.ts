import { beforeEach, describe, expect, test } from "bun:test";
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { restoreArchive } from "../../../src/server/backup/restore.ts";
import { unpackArchive } from "../../../src/server/backup/unpackArchive.ts";
import { createArchiveStream } from "../../../src/server/backup/writeArchive.ts";
import { editStoredFile } from "../../support/editStoredFile.ts";
import { setUpFolderForEach } from "../../support/folderForEach.ts";
import { readFiles } from "../../support/storedTexts.ts";
import { openSiteStorage } from "../../support/openSiteStorage.ts";
import { createStoppedSite } from "./stoppedSite.ts";

const getPath = setUpFolderForEach();
const openSite = () => openSiteStorage(getPath());
const readHero = () => readFile(getPath("data", "hero.json"), "utf8");

beforeEach(async () => {
  await createStoppedSite(getPath());
  await writeFile(getPath("uploads", "a.jpg"), new Uint8Array(100_000).fill(7));
});

async function createBackup(): Promise<string> {
  await writeFile(getPath("site.tar.gz"), createArchiveStream(openSite()));
  return getPath("site.tar.gz");
}

/** Visible files only, since copies that a restore leaves are hidden. */
const readTree = async (folder = getPath()) =>
  (await readFiles(folder)).filter(({ path }) => !path.slice(getPath().length).includes("/."));

/** All files without the key that signs sessions, which is never archived. */
const readArchivedTree = async () =>
  (await readTree()).filter(
    ({ path }) => !path.startsWith(getPath("data", "secret")) && !path.endsWith(".gz"),
  );

test("a backup contains the data and the pictures, and a restore puts every byte back", async () => {
  const before = await readArchivedTree();
  const archive = await createBackup();
  await writeFile(getPath("data", "hero.json"), '{"mainTitle":"After"}');
  await writeFile(getPath("data", "later.json"), "{}");
  await rm(getPath("uploads", "a.jpg"));
  const restored = await restoreArchive(archive, openSite());
  expect(restored.files).toBe(before.length);
  expect(await readArchivedTree()).toEqual(before);
  const previous = await readFile(getPath("data", restored.replacedDataName!, "hero.json"), "utf8");
  expect(previous).toBe('{"mainTitle":"After"}');
});

test("an archive truncated anywhere is refused and changes nothing", async () => {
  const bytes = await readFile(await createBackup());
  const before = await readArchivedTree();
  for (const share of [0, 0.3, 0.7, 0.98]) {
    await writeFile(getPath("cut.tar.gz"), bytes.subarray(0, Math.floor(bytes.length * share)));
    const restoring = restoreArchive(getPath("cut.tar.gz"), openSite());
    await expect(restoring).rejects.toThrow("This archive can't be restored");
  }
  expect(await readArchivedTree()).toEqual(before);
});

test("a folder instead of an archive is refused as unreadable, not as damaged", async () => {
  await expect(restoreArchive(getPath("data"), openSite())).rejects.toThrow(
    "This archive can't be read or written (EISDIR). Nothing was changed.",
  );
});

test("an archive with a changed byte isn't restored", async () => {
  const archive = await createBackup();
  const plain = Bun.gunzipSync(await readFile(archive));
  plain[Buffer.from(plain).indexOf("Ada")] = "X".charCodeAt(0);
  await writeFile(archive, Bun.gzipSync(plain));
  await expect(restoreArchive(archive, openSite())).rejects.toThrow("differs from what was saved");
});

test("a file that isn't an archive, or doesn't exist, is refused with a message", async () => {
  await writeFile(getPath("words.txt"), "hello");
  await expect(restoreArchive(getPath("words.txt"), openSite())).rejects.toThrow(
    "it is truncated or damaged",
  );
  await expect(restoreArchive(getPath("nothing"), openSite())).rejects.toThrow(
    "This archive doesn't exist",
  );
});

async function createArchive(files: Record<string, string | Buffer>): Promise<string> {
  await writeFile(
    getPath("made.tar.gz"),
    await new Bun.Archive(files, { compress: "gzip" }).bytes(),
  );
  return getPath("made.tar.gz");
}

test("an archive whose file names lead out of the site's folders isn't restored", async () => {
  const evil = await createArchive({ "data/../../evil.txt": "x", "data/installation.json": "{}" });
  await expect(restoreArchive(evil, openSite())).rejects.toThrow();
  expect(await Bun.file(getPath("evil.txt")).exists()).toBe(false);
});

describe("the secret that signs the sessions", () => {
  const getSecretPath = () => getPath("data", "secret");

  test("is not in an archive, so that a stolen archive opens no session", async () => {
    await writeFile(getSecretPath(), "signs everything");
    const archive = Buffer.from(Bun.gunzipSync(await readFile(await createBackup())));
    expect(archive.includes("signs everything")).toBe(false);
  });

  test("is not restored from an archive that holds it, so that no ended session is valid again", async () => {
    await unpackArchive(await createBackup(), getPath("unpacked"));
    await writeFile(getPath("unpacked", "data", "secret"), "of an older archive");
    const entries = await Promise.all(
      (await readTree(getPath("unpacked"))).map(
        async ({ path }) =>
          [path.slice(getPath("unpacked/").length), await readFile(path)] as const,
      ),
    );
    const files = entries.map(([path, bytes]) => {
      const sha256 = new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
      return { path, size: bytes.length, sha256 };
    });
    const list = JSON.stringify({ format: 1, createdAt: new Date().toISOString(), files });
    const made = await createArchive({ ...Object.fromEntries(entries), "manifest.json": list });
    const ofNow = await readFile(getSecretPath());
    expect((await restoreArchive(made, openSite())).isSecretCarried).toBe(true);
    expect(await readFile(getSecretPath())).toEqual(ofNow);
    const other = await restoreArchive(made, openSiteStorage(getPath("other")));
    expect(other.isSecretCarried).toBe(false);
    const fresh = await readFile(getPath("other", "data", "secret"));
    expect(fresh).toHaveLength(32);
  });
});

test.each(["{}", '{"format":1}', '{"format":1,"createdAt":"now","files":[null]}', "null", "{"])(
  "an archive whose list of files is %s is refused with a message",
  async (list) => {
    const made = await createArchive({ "data/installation.json": "{}", "manifest.json": list });
    await expect(restoreArchive(made, openSite())).rejects.toThrow(
      "This archive can't be restored",
    );
    expect(await readHero()).toContain("Ada");
  },
);

test.each<[string, string, (file: string) => Promise<void>, string]>([
  [
    "one of a newer release",
    "site.json",
    (file) => editStoredFile(file, (text) => text.replace(/"version":\d+/, '"version":9')),
    'The data of "site" was written by a newer release (data version 9',
  ],
  [
    "one without a document",
    "hero.json",
    (file) => rm(file),
    "hero.json is missing, and so is its copy",
  ],
])(
  "an archive from which no site could start is refused and changes nothing: %s",
  async (_, name, spoil, words) => {
    const whole = await readArchivedTree();
    for (const file of [name, `${name}.bak`]) await spoil(getPath("data", file));
    const archive = await createBackup();
    for (const { path, text } of whole) if (path.includes(name)) await writeFile(path, text);
    const before = (await readdir(getPath(), { recursive: true })).toSorted();
    const restoring = restoreArchive(archive, openSite());
    await expect(restoring).rejects.toThrow("This archive wasn't restored");
    await expect(restoring).rejects.toThrow(words);
    expect((await readdir(getPath(), { recursive: true })).toSorted()).toEqual(before);
    expect(await readArchivedTree()).toEqual(whole);
  },
);
