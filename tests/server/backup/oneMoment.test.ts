/** A backup of a busy site is a snapshot. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { entities } from "../../../src/schema/index.ts";
import { examineSite } from "../../../src/server/backup/siteChecks.ts";
import { readArchiveContent } from "../../../src/server/backup/readArchiveContent.ts";
import { restoreArchive } from "../../../src/server/backup/restore.ts";
import { saveArchive } from "../../../src/server/backup/saveArchive.ts";
import {
  createArchiveStream,
  SourceChangedError,
} from "../../../src/server/backup/writeArchive.ts";
import { parseArchivedDocument } from "../../../src/server/storage/archiveEntries.ts";
import { setUpFolderForEach } from "../../support/folderForEach.ts";
import { createPicture } from "../../support/pictures.ts";
import { openSiteStorage } from "../../support/openSiteStorage.ts";
import { type Site, startSite } from "../../support/startSite.ts";
import { uploadPicture } from "../../support/uploadPicture.ts";
import { withStoppedSite } from "./stoppedSite.ts";

let site: Site;
const getPath = setUpFolderForEach();
beforeEach(async () => {
  site = await startSite({ env: { RATE_LIMIT: "off" } });
});
afterEach(() => site.stop());

const openStorage = () => openSiteStorage(join(site.dataDir, ".."));
const uploadTestPicture = async (name = "a.png") =>
  uploadPicture(site, name, await createPicture("png", 60, 60));

/** Replaces the hero's picture over and over, which deletes the one before. */
function replaceRepeatedly() {
  const end = new AbortController();
  const done = (async () => {
    const owner = await site.owner();
    let earlier: string | undefined;
    while (!end.signal.aborted) {
      const { id, url } = await uploadTestPicture();
      await owner.post("/api/hero", { backgroundImage: url });
      if (earlier) await owner.delete(`/api/uploads/${earlier}`);
      earlier = id;
    }
  })();
  return async () => {
    end.abort();
    await done;
  };
}

/** The problems of a site restored from an archive: its hero's picture, and everything the doctor finds. */
async function findProblemsAfterRestore(archive: string): Promise<string[]> {
  const folder = getPath(crypto.randomUUID());
  const restored = openSiteStorage(folder);
  await restoreArchive(archive, restored);
  // Starts the site, which uses the newer one of a document and its copy.
  await withStoppedSite(folder, async () => {});
  const findings = await examineSite(restored.data, restored.uploads);
  const hero = await restored.data.readDocument(entities.hero);
  const listed = await restored.data.readDocument(entities.uploads);
  const picture = hero!.backgroundImage!;
  const files = await restored.uploads.listNames();
  return [
    ...findings.filter(({ ok }) => !ok).map(({ message }) => message),
    ...(listed!.some(({ url }) => url === picture) ? [] : [`${picture} is not listed`]),
    ...(files.includes(picture.replace("/uploads/", "")) ? [] : [`${picture} is not there`]),
  ];
}

test("a backup made while pictures are being replaced can be restored completely", async () => {
  const stop = replaceRepeatedly();
  const owner = await site.owner();
  while (!(await owner.get("/api/hero")).body?.backgroundImage) await Bun.sleep(5);
  const archives = [1, 2, 3].map((number) => getPath(`${number}.tar.gz`));
  for (const archive of archives) await saveArchive(archive, openStorage());
  await stop();
  const wrong = [];
  for (const archive of archives) wrong.push(...(await findProblemsAfterRestore(archive)));
  expect(wrong).toEqual([]);
}, 120_000);

test("a backup contains a change that so far only the document's .bak file has", async () => {
  await site.asOwner("POST", "/api/hero", { backgroundImage: (await uploadTestPicture()).url });
  const list = join(site.dataDir, "uploads.json");
  const before = await Bun.file(list).bytes();
  const { id } = await uploadTestPicture("b.png");
  // Simulates the moment between two writes: a document's copy is written first.
  await writeFile(list, before);
  const archive = getPath("one.tar.gz");
  await saveArchive(archive, openStorage());
  expect(await findProblemsAfterRestore(archive)).toEqual([]);
  const inside = await readArchiveContent(archive);
  expect(inside.uploads.map((each) => each.id)).toContain(id);
});

test("a picture that is deleted while the archive is read is in the archive under its own name", async () => {
  const { id, url } = await uploadTestPicture();
  const owner = await site.owner();
  await owner.post("/api/hero", { backgroundImage: url });
  const { data, uploads } = openStorage();
  // The documents have been read when the engine returns the first of them.
  const files = async function* () {
    for await (const file of data.readFiles()) {
      if (file.path === "uploads.json") await owner.delete(`/api/uploads/${id}`);
      yield file;
    }
  };
  const archive = getPath("site.tar.gz");
  await writeFile(archive, createArchiveStream({ data: { ...data, readFiles: files }, uploads }));
  expect(await findProblemsAfterRestore(archive)).toEqual([]);
});

test("a picture deleted permanently while an archive is made is omitted from an export, but a backup fails", async () => {
  const owner = await site.owner();
  const { data, uploads } = openStorage();
  const made = async (shouldSkipDeletedPictures: boolean) => {
    const { id } = await uploadTestPicture(`${shouldSkipDeletedPictures}.png`);
    await owner.delete(`/api/uploads/${id}`);
    // Deletes the picture permanently once the documents that name it were read.
    const read: typeof uploads.read = async (...args) => {
      if ((await owner.delete("/api/bin")).body.deleted > 0) await site.sweep();
      return uploads.read(...args);
    };
    const options = { shouldSkipDeletedPictures };
    return createArchiveStream({ data, uploads: { ...uploads, read } }, new Date(), options);
  };
  await expect(Array.fromAsync(await made(false))).rejects.toThrow(SourceChangedError);
  const archive = getPath("site.tar.gz");
  await writeFile(archive, await made(true));
  await restoreArchive(archive, openSiteStorage(getPath("restored")));
});

test("a backup contains all documents as of one moment, however often they change while it is made", async () => {
  const end = new AbortController();
  const { store } = site;
  const change = async (name: string) => {
    await store.of(entities.site).update((value) => ({ ...value, name }));
    await store.of(entities.hero).update((value) => ({ ...value, mainTitle: name }));
  };
  await change("0");
  const writing = (async () => {
    for (let at = 1; !end.signal.aborted; at++) await change(String(at));
  })();
  const engine = openStorage().data;
  const seen: number[] = [];
  for (let round = 0; round < 3; round++) {
    const values: Record<string, number> = {};
    for await (const file of engine.readFiles()) {
      // Simulates a slow download.
      await Bun.sleep(1);
      const named = parseArchivedDocument(file, entities.site)?.value.name;
      const titled = parseArchivedDocument(file, entities.hero)?.value.mainTitle;
      if (file.path === "site.json" && named) values["site"] = Number(named);
      if (file.path === "hero.json" && titled) values["hero"] = Number(titled);
    }
    // The site's name is always written first.
    if ("site" in values && "hero" in values) seen.push(values["site"]! - values["hero"]!);
  }
  end.abort();
  await writing;
  expect(seen.length).toBe(3);
  expect(seen.filter((ahead) => ahead !== 0 && ahead !== 1)).toEqual([]);
});
