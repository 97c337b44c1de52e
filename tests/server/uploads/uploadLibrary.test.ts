/** A failed storage is reported with the action that it prevented, and nothing is changed. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { allEntities, entities } from "../../../src/schema/index.ts";
import { Bin } from "../../../src/server/bin/bin.ts";
import { openStore } from "../../../src/server/storage/files/openStore.ts";
import { createFolderStorage } from "../../../src/server/storage/pictures/folderStorage.ts";
import type { Store } from "../../../src/server/storage/store.ts";
import { openUploadFiles, type UploadFiles } from "../../../src/server/uploads/uploadFiles.ts";
import { UploadLibrary } from "../../../src/server/uploads/uploadLibrary.ts";
import { createPicture } from "../../support/pictures.ts";

let root = "";
let store: Store;
let bin: Bin;
let files: UploadFiles;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "limelight-library-"));
  store = await openStore({ directory: join(root, "data"), entities: allEntities, log: () => {} });
  bin = new Bin(store);
  files = await openUploadFiles(createFolderStorage(join(root, "uploads")), { listed: new Set() });
});
afterEach(async () => {
  await store.close();
  await rm(root, { recursive: true });
});

const libraryWith = (failing: Partial<UploadFiles> = {}) =>
  new UploadLibrary({
    files: { ...files, ...failing },
    document: store.of(entities.uploads),
    bin,
  });
const fail = () => Promise.reject(new Error("The disk is gone."));
const messageOf = (action: string) =>
  `The image couldn't be ${action}, so nothing was changed. Try again in a few minutes.`;

test("a picture that can't be stored is refused and not listed", async () => {
  const bytes = await createPicture("jpeg", 40, 30);
  for (const failing of [{ storeUpload: fail }, { makeServable: fail }]) {
    const library = libraryWith(failing);
    await expect(library.addPicture(bytes, "a.jpg")).rejects.toThrow(messageOf("stored"));
    expect(library.list()).toEqual([]);
  }
});

test("a picture that can't be deleted stays listed", async () => {
  const { id } = await libraryWith().addPicture(await createPicture("jpeg", 40, 30), "a.jpg");
  const library = libraryWith({ hide: fail });
  await expect(library.removePicture(id)).rejects.toThrow(messageOf("deleted"));
  expect(library.list()).toHaveLength(1);
});

test("a picture that can't be restored stays in the trash", async () => {
  const upload = await libraryWith().addPicture(await createPicture("jpeg", 40, 30), "a.jpg");
  await libraryWith().removePicture(upload.id);
  const library = libraryWith({ makeServable: fail });
  const restored = bin.restoreItem(
    upload.id,
    (_, transaction) => library.restoreFromBin(upload, transaction),
    () => library.makeServable(upload),
  );
  await expect(restored).rejects.toThrow(messageOf("restored"));
  expect(library.list()).toEqual([]);
  expect(await bin.getItem(upload.id)).toBeDefined();
});

test("an import of several pictures stores none if one fails, and can be repeated", async () => {
  const bytes = await createPicture("jpeg", 40, 30);
  const source = libraryWith();
  const pictures = [
    await source.addPicture(bytes, "a.jpg"),
    await source.addPicture(bytes, "b.jpg"),
  ];
  for (const picture of pictures) await source.undoAdd(picture);
  const importInto = (library: UploadLibrary) =>
    library.importPictures(pictures, async (accept) => {
      for (const { filename } of pictures) await accept(filename, bytes);
    });
  const failsForSecond = (filename: string) =>
    filename === pictures[1]!.filename ? fail() : files.makeServable(filename);
  const library = libraryWith({ makeServable: failsForSecond });
  await expect(importInto(library)).rejects.toThrow(messageOf("restored"));
  expect(library.list()).toEqual([]);
  expect((await readdir(join(root, "uploads"))).filter((name) => /jpg/.test(name))).toEqual([]);
  await importInto(libraryWith());
  for (const { filename } of pictures) expect(await libraryWith().findFile(filename)).toBeDefined();
});

test("a picture that the site has stays when its import fails", async () => {
  const bytes = await createPicture("jpeg", 40, 30);
  const picture = await libraryWith().addPicture(bytes, "a.jpg");
  for (const failing of [{ importFile: fail }, { makeServable: fail }]) {
    const library = libraryWith(failing);
    const importing = library.importPictures([picture], (accept) =>
      accept(picture.filename, bytes),
    );
    await expect(importing).rejects.toThrow(messageOf("restored"));
    expect(library.list()).toEqual([picture]);
    expect(await library.findFile(picture.filename)).toBeDefined();
  }
});
