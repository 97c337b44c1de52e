/** A damaged picture, or one with a missing file, is reported by its name, however long. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { allEntities, entities } from "../../../src/schema/index.ts";
import { Bin } from "../../../src/server/bin/bin.ts";
import { examineSite } from "../../../src/server/backup/siteChecks.ts";
import { createFolderEngine } from "../../../src/server/storage/files/folderEngine.ts";
import { createFolderStorage } from "../../../src/server/storage/pictures/folderStorage.ts";
import type { Store } from "../../../src/server/storage/store.ts";
import {
  type PictureChecks,
  startPictureChecks,
} from "../../../src/server/uploads/pictureChecks.ts";
import { openUploadFiles } from "../../../src/server/uploads/uploadFiles.ts";
import { UploadLibrary } from "../../../src/server/uploads/uploadLibrary.ts";
import { createPicture } from "../../support/pictures.ts";

let root = "";
let store: Store;
let library: UploadLibrary;
let pictureChecks: PictureChecks;
const createEngine = () => createFolderEngine(join(root, "data"));
const createStorage = () => createFolderStorage(join(root, "uploads"));

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "limelight-watch-"));
  store = await createEngine().open({ entities: allEntities, log: () => {} });
  const files = await openUploadFiles(createStorage(), { listed: new Set() });
  const document = store.of(entities.uploads);
  const bin = new Bin(store);
  library = new UploadLibrary({ files, document, bin });
  for (const name of ["stage.jpg", "portrait.jpg"])
    await library.addPicture(await createPicture("jpeg", 400, 300), name);
  pictureChecks = startPictureChecks({ store, bin, pictures: createStorage(), log: () => {} });
});
afterEach(async () => {
  await pictureChecks.stop();
  await store.close();
  await rm(root, { recursive: true });
});

const checkAndReadNotices = async () => {
  await pictureChecks.check();
  return (await pictureChecks.findNotices()).map(({ title, message }) => `${title}: ${message}`);
};

/** The files of the picture with this name. */
async function findFiles(called: string): Promise<string[]> {
  const { filename } = library.list().find(({ originalName }) => originalName === called)!;
  const names = await readdir(join(root, "uploads"));
  return names.filter((name) => name.startsWith(filename.slice(0, 32))).toSorted();
}

test("a line break in a picture's name adds no line to the log", async () => {
  const { id } = library.list()[0]!;
  await library.changePicture(id, { originalName: "a\nline of its own.jpg" });
  await rm(join(root, "uploads", (await findFiles("a\nline of its own.jpg")).at(-1)!));
  const logged: string[] = [];
  const logging = startPictureChecks({
    store,
    bin: new Bin(store),
    pictures: createStorage(),
    log: (line) => logged.push(line),
  });
  await logging.check();
  await logging.stop();
  expect(logged).toEqual([expect.stringContaining("a line of its own.jpg is missing a file")]);
  const findings = await examineSite(createEngine(), createStorage());
  expect(findings.filter(({ message }) => message.includes("\n"))).toEqual([]);
});

const DAMAGED_NOTICE =
  "An image is damaged: stage.jpg has a damaged file. Delete it in the dashboard and upload it again.";

test("a changed byte in any of a picture's files is reported in the notice and by doctor, until it is repaired", async () => {
  expect(await checkAndReadNotices()).toEqual([]);
  for (const name of await findFiles("stage.jpg")) {
    const file = join(root, "uploads", name);
    const whole = await readFile(file);
    const damaged = Buffer.from(whole);
    damaged[damaged.length >> 1]! ^= 1;
    await writeFile(file, damaged);
    expect([name, await checkAndReadNotices()]).toEqual([name, [DAMAGED_NOTICE]]);
    const findings = await examineSite(createEngine(), createStorage());
    expect(
      findings.filter(({ isPictureProblem: isPicture }) => isPicture).map(({ message }) => message),
    ).toEqual([
      "The image stage.jpg has a damaged file. Delete it in the dashboard and upload it again.",
    ]);
    await writeFile(file, whole);
  }
  expect(await checkAndReadNotices()).toEqual([]);
});

test("of more than five damaged pictures, five are named and the others counted", async () => {
  for (const name of ["c.jpg", "d.jpg", "e.jpg", "f.jpg", "g.jpg"]) {
    await library.addPicture(await createPicture("jpeg", 400, 300), name);
  }
  const names = library.list().map(({ originalName }) => originalName);
  const damage = async (name: string) => rm(join(root, "uploads", (await findFiles(name)).at(-1)!));
  for (const name of names.slice(0, 6)) await damage(name);
  expect((await checkAndReadNotices())[0]).toContain("file, 1 more image is damaged. Delete them");
  await damage(names[6]!);
  expect((await checkAndReadNotices())[0]).toContain(
    "file, 2 more images are damaged. Delete them",
  );
});

test("pictures with missing files are reported in one notice, without pictures deleted since", async () => {
  for (const name of ["stage.jpg", "portrait.jpg"])
    await rm(join(root, "uploads", (await findFiles(name)).at(-1)!));
  expect(await checkAndReadNotices()).toEqual([
    "Images are damaged: stage.jpg is missing a file, portrait.jpg is missing a file. Delete them in the dashboard and upload them again.",
  ]);
  await library.removePicture(library.list()[0]!.id);
  expect((await pictureChecks.findNotices())[0]!.message).toStartWith(
    "stage.jpg is missing a file. Delete it",
  );
});
