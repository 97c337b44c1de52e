/** The content that an owner sees in a backup, and restores from it into the running site. */
import { beforeEach, expect, test } from "bun:test";
import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import {
  createBackupId,
  createArchiveName,
  shortenSiteId,
} from "../../../src/server/backup/repository/backupFolder.ts";
import { saveArchive } from "../../../src/server/backup/saveArchive.ts";
import type { Client } from "../../support/client.ts";
import { makeForm } from "../../support/enquiryForm.ts";
import { createPicture } from "../../support/pictures.ts";
import { openSiteStorage } from "../../support/openSiteStorage.ts";
import { setUpSiteForAll } from "../../support/setUpSite.ts";
import { startSite } from "../../support/startSite.ts";
import { uploadPicture } from "../../support/uploadPicture.ts";

const site = setUpSiteForAll(() => startSite({ env: { RATE_LIMIT: "off" } }));
let owner: Client;
let timestamp = Date.UTC(2026, 10, 1);

beforeEach(async () => {
  owner = await site.owner();
});

/** Makes a backup like the daily one; returns its id. */
async function createBackup(): Promise<string> {
  const { backupDir } = site.config;
  await mkdir(backupDir, { recursive: true });
  const id = createBackupId((timestamp += 60_000));
  const archived = openSiteStorage(join(site.dataDir, ".."));
  await saveArchive(
    join(backupDir, createArchiveName(shortenSiteId(site.store.siteId), id)),
    archived,
  );
  return id;
}

const createItem = async (path: string, body: object) => (await owner.post(path, body)).body;
const readInside = async (id: string) => (await owner.get(`/api/backups/${id}/inside`)).body;
const restorePart = (id: string, wanted: object) =>
  owner.post(`/api/backups/${id}/restore`, wanted);
const findSection = (content: any, name: string) =>
  content.sections.find((each: { name: string }) => each.name === name);
const fetchBody = async (path: string) => (await owner.get(path)).body;
const uploadTestPicture = async (name: string) =>
  uploadPicture(site, name, await createPicture("png", 700, 350));

test("the owner sees a backup's contents, and how each section differs from the current site", async () => {
  await owner.post("/api/hero", { mainTitle: "Then" });
  const picture = await uploadTestPicture("poster.png");
  const show = { title: "Radio hour", imageUrl: picture.url };
  const highlight = await createItem("/api/highlights", show);
  const id = await createBackup();
  expect(findSection(await readInside(id), "Highlights").changes).toEqual([]);
  await owner.post("/api/hero", { mainTitle: "Now" });
  await owner.delete(`/api/highlights/${highlight.id}`);
  await owner.delete(`/api/uploads/${picture.id}`);
  const content = await readInside(id);
  const named = "Hero About Statistics Highlights Connect Press Coaching Forms Styles".split(" ");
  expect(content.sections.map(({ name }: { name: string }) => name)).toEqual(
    expect.arrayContaining(named),
  );
  expect(findSection(content, "Hero").changes).toEqual(['Main Title: "Now" → "Then"']);
  expect(findSection(content, "Highlights")).toMatchObject({
    changes: ['Added "Radio hour"'],
    counts: [{ what: "highlights", backup: 1, now: 0 }],
    picturesInBackup: [picture.url],
    picturesNow: [],
  });
  expect(content.pictures).toEqual([
    expect.objectContaining({ id: picture.id, name: "poster.png", isHere: false, hasSmall: true }),
  ]);
  const small = await owner.get(`/api/backups/${id}/pictures/${picture.id}`);
  expect([small.status, small.headers.get("content-type")]).toEqual([200, "image/webp"]);
  for (const path of ["inside", `pictures/${picture.id}`])
    expect((await site.visitor().get(`/api/backups/${id}/${path}`)).status).toBe(401);
});

test("a section of a backup is restored with its pictures, and its previous version is in the history", async () => {
  const picture = await uploadTestPicture("gone.png");
  const show = { title: "Full house", imageUrl: picture.url };
  await createItem("/api/highlights", show);
  const then = await fetchBody("/api/highlights");
  const id = await createBackup();
  for (const each of then) await owner.delete(`/api/highlights/${each.id}`);
  const later = await createItem("/api/highlights", { title: "Later", imageUrl: "/uploads/x.png" });
  await owner.delete(`/api/uploads/${picture.id}`);
  await owner.delete("/api/bin");
  await owner.post("/api/hero", { mainTitle: "Stays" });
  const { status, body } = await restorePart(id, { section: "Highlights" });
  expect(status).toBe(200);
  expect(await fetchBody("/api/highlights")).toEqual(then);
  expect((await fetchBody("/api/hero")).mainTitle).toBe("Stays");
  const names = [picture.url, picture.url.replace(".png", "-320.webp")];
  for (const name of names) expect((await site.visitor().get(name)).status).toBe(200);
  expect(body.replaced).toEqual([{ name: "highlights", revision: expect.any(Number) }]);
  const { name, revision } = body.replaced[0];
  expect((await owner.post(`/api/history/${name}/${revision}/restore`)).status).toBe(200);
  expect(await fetchBody("/api/highlights")).toEqual([later]);
  expect((await restorePart(id, { section: "Highlights" })).status).toBe(200);
  expect((await restorePart(id, { section: "Highlights" })).body.replaced).toEqual([]);
});

test("deleted forms are restored from a backup with their contents, and newer forms stay", async () => {
  const old = await makeForm(site, "Old", [["text", "L"]]);
  const fields = await fetchBody(`/api/form-fields/${old.stepId}`);
  const id = await createBackup();
  await owner.delete(`/api/forms/${old.formId}`);
  await owner.delete("/api/bin");
  const since = await createItem("/api/forms", { title: "Since", isActive: true });
  expect((await restorePart(id, { section: "Forms" })).status).toBe(200);
  const ids = (await fetchBody("/api/forms")).map(({ id }: { id: string }) => id);
  expect(ids).toEqual(expect.arrayContaining([old.formId, since.id]));
  expect(await fetchBody(`/api/form-fields/${old.stepId}`)).toEqual(fields);
});

test("a single deleted picture is restored under its URL, from the trash or from the backup", async () => {
  const [first, second] = [
    await uploadTestPicture("first.png"),
    await uploadTestPicture("second.png"),
  ];
  const id = await createBackup();
  const before = (await readdir(site.uploadsDir)).sort();
  expect((await restorePart(id, { picture: first.id })).status).toBe(409);
  await owner.delete(`/api/uploads/${first.id}`);
  await owner.delete("/api/bin");
  await owner.delete(`/api/uploads/${second.id}`);
  for (const picture of [first, second]) {
    expect((await restorePart(id, { picture: picture.id })).body.picture.url).toBe(picture.url);
    expect((await site.visitor().get(picture.url)).status).toBe(200);
  }
  expect((await readdir(site.uploadsDir)).sort()).toEqual(before);
  expect((await owner.get("/api/bin")).body).toEqual([]);
  expect((await restorePart(id, { picture: "nothing" })).status).toBe(404);
});

test("an impossible restore is refused with a message, and changes nothing", async () => {
  const id = await createBackup();
  const before = site.readStored();
  const refused: [string, object, number][] = [
    [id, {}, 422],
    [id, { section: "Poems" }, 404],
    ["2020-01-01T00-00-00-000Z", { section: "Hero" }, 404],
    [id, { everything: true }, 409],
  ];
  for (const [backup, wanted, expected] of refused) {
    const { status, body } = await restorePart(backup, wanted);
    expect([wanted, status, typeof body.error]).toEqual([wanted, expected, "string"]);
  }
  expect((await owner.get("/api/audit-log")).text).not.toContain("restored the whole site");
  const broken = await createBackup();
  const path = join(
    site.config.backupDir,
    createArchiveName(shortenSiteId(site.store.siteId), broken),
  );
  await Bun.write(path, (await Bun.file(path).bytes()).slice(0, 2000));
  expect((await owner.get(`/api/backups/${broken}/inside`)).status).toBe(409);
  expect((await restorePart(broken, { section: "Hero" })).status).toBe(409);
  expect((await site.visitor().post(`/api/backups/${id}/restore`, {})).status).toBe(401);
  expect(site.readStored()).toBe(before);
});
