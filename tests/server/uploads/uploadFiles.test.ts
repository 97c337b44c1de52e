import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { chmod, mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { createVariantName } from "../../../src/server/storage/pictures/pictureNames.ts";
import { createFolderStorage } from "../../../src/server/storage/pictures/folderStorage.ts";
import { acceptImage, createVariants } from "../../../src/server/uploads/acceptImage.ts";
import { openUploadFiles, type UploadFiles } from "../../../src/server/uploads/uploadFiles.ts";
import { createDiskError, createFaultyDisk } from "../storage/faultyDisk.ts";
import { createGif } from "../../support/gif.ts";
import { createPicture } from "../../support/pictures.ts";

let folder: string;
let files: UploadFiles;

beforeEach(async () => {
  folder = join(await mkdtemp(join(tmpdir(), "limelight-uploads-")), "uploads");
  files = await openUploadFiles(createFolderStorage(folder), { listed: new Set() });
});

afterEach(async () => {
  await rm(join(folder, ".."), { recursive: true, force: true });
});

async function storePicture() {
  const image = await acceptImage(await createPicture("jpeg", 700, 350));
  const made = await createVariants(image);
  const filename = await files.storeUpload(image, made);
  await files.makeServable(filename);
  return { filename, variants: made.map(({ width }) => createVariantName(filename, width)) };
}

test("new folders for uploads are synced to the disk before any file is stored in them", async () => {
  const steps: string[] = [];
  const deeper = join(folder, "..", "new", "uploads");
  const watching = createFaultyDisk((operation, path) => {
    if (["makeFolder", "sync", "create"].includes(operation))
      steps.push(`${operation} ${relative(join(folder, ".."), path) || "."}`);
  });
  await openUploadFiles(createFolderStorage(deeper, watching), { listed: new Set() });
  expect(steps.slice(0, 4)).toEqual([
    "makeFolder new",
    "sync .",
    "makeFolder new/uploads",
    "sync new",
  ]);
});

describe("a failed fsync in the uploads folder ends the process", () => {
  const FAILING_WORKS: Record<string, (stored: string, files: UploadFiles) => Promise<unknown>> = {
    "of a new picture": async (_, these) => {
      const image = await acceptImage(await createPicture("jpeg", 700, 350));
      return these.storeUpload(image, await createVariants(image));
    },
    "when one is hidden": (stored, these) => these.hide(stored),
    "when one is shown": (stored, these) => these.makeServable(stored),
    "when one is removed": (stored, these) => these.removeUpload(stored),
  };

  test.each(Object.keys(FAILING_WORKS))("%s", async (name) => {
    const { filename } = await storePicture();
    let isFailing = false;
    const ends: string[] = [];
    const failing = await openUploadFiles(
      createFolderStorage(
        folder,
        createFaultyDisk((operation) => {
          if (isFailing && operation === "sync") throw createDiskError("EIO");
        }),
      ),
      { listed: new Set([filename]) },
      { onFatal: (error) => ends.push(error.name) },
    );
    isFailing = true;
    await FAILING_WORKS[name]!(filename, failing).catch(() => {});
    expect(ends).toEqual(["FsyncError"]);
    // A failed health check doesn't end the process.
    await failing.checkHealth().catch(() => {});
    expect(ends).toHaveLength(1);
  });
});

describe("a stored upload", () => {
  test("the original and its variants share 32 hexadecimal digits in their names", async () => {
    const { filename, variants } = await storePicture();
    expect(filename).toMatch(/^[0-9a-f]{32}\.jpg$/);
    const stem = filename.slice(0, 32);
    expect(variants).toEqual([320, 640, 700].map((width) => `${stem}-${width}.webp`));
    expect((await readdir(folder)).sort()).toEqual([filename, ...variants].sort());
  });

  test("the uploads folder and its files are readable only by the user who runs the program", async () => {
    const { filename } = await storePicture();
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    expect((await stat(join(folder, filename))).mode & 0o777).toBe(0o600);
  });

  test("leaves no file, not even a variant, if the original can't be stored", async () => {
    const image = await acceptImage(createGif(400, 30, [5]));
    const variants = await createVariants(image);
    expect(variants).toHaveLength(2);
    const unwritable = { ...image, bytes: 7 as unknown as Uint8Array<ArrayBuffer> };
    await expect(files.storeUpload(unwritable, variants)).rejects.toThrow();
    expect(await readdir(folder)).toEqual([]);
  });
});

describe("only file names made by the server are ever read", () => {
  test("an original and a variant are found with their content types", async () => {
    const { filename, variants } = await storePicture();
    const path = join(folder, filename);
    const size = Bun.file(path).size;
    expect(await files.findPublicFile(filename)).toEqual({ path, contentType: "image/jpeg", size });
    expect((await files.findPublicFile(variants[0]!))?.contentType).toBe("image/webp");
  });

  test.each([
    "../secret.json",
    "/etc/passwd",
    "",
    "site.json",
    `../uploads/${"a".repeat(32)}.jpg`,
    `${"a".repeat(32)}.jpg\0`,
    `${"a".repeat(32)}.svg`,
    `${"a".repeat(32)}.jpg.${crypto.randomUUID()}.tmp`,
    `${"A".repeat(32)}.jpg`,
    `${"a".repeat(32)}-12345.webp`,
  ])("%j is not served, even if it exists", async (name) => {
    if (/^\w[\w.-]+$/.test(name)) await Bun.write(join(folder, name), "x");
    expect(await files.findPublicFile(name)).toBeUndefined();
    expect(await files.removeUpload(name)).toBe(false);
  });

  test("a folder or a missing file with such a name is not found", async () => {
    await Bun.write(join(folder, `${"c".repeat(32)}.jpg`, "x"), "x");
    expect(await files.findPublicFile(`${"c".repeat(32)}.jpg`)).toBeUndefined();
    expect(await files.findPublicFile(`${"d".repeat(32)}.jpg`)).toBeUndefined();
  });
});

describe("removal, and the next start", () => {
  test("removing an upload removes its variants and no other upload", async () => {
    const [removed, remaining] = [await storePicture(), await storePicture()];
    expect(await files.removeUpload(removed.filename)).toBe(true);
    const stems = new Set((await readdir(folder)).map((name) => name.slice(0, 32)));
    expect([...stems]).toEqual([remaining.filename.slice(0, 32)]);
    expect(await files.removeUpload(removed.filename)).toBe(false);
  });

  test("a variant alone cannot be removed", async () => {
    const { variants } = await storePicture();
    expect(await files.removeUpload(variants[0]!)).toBe(false);
    expect(await files.findPublicFile(variants[0]!)).toBeDefined();
  });

  test("a start removes unfinished files and variants without an original", async () => {
    const { filename, variants } = await storePicture();
    await Bun.write(join(folder, `${"e".repeat(32)}.jpg.${crypto.randomUUID()}.tmp`), "half");
    await Bun.write(join(folder, `${"e".repeat(32)}-320.webp`), "orphan");
    await Bun.write(join(folder, "notes.txt"), "the owner's");
    await chmod(folder, 0o755);
    await openUploadFiles(createFolderStorage(folder), { listed: new Set([filename]) });
    const expected = [filename, ...variants, "notes.txt"];
    expect((await readdir(folder)).sort()).toEqual(expected.sort());
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
  });
});
