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
import { pictureAs } from "../../support/pictures.ts";
import { openSiteStorage } from "../../support/placesIn.ts";
import { siteForAll } from "../../support/siteForAll.ts";
import { startSite } from "../../support/startSite.ts";
import { uploadPicture } from "../../support/uploadPicture.ts";

const site = siteForAll(() => startSite({ env: { RATE_LIMIT: "off" } }));
let owner: Client;
let timestamp = Date.UTC(2026, 10, 1);

beforeEach(async () => {
  owner = await site.owner();
});

/** Makes a backup like the daily one; returns its id. */
async function backUp(): Promise<string> {
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

const made = async (path: string, body: object) => (await owner.post(path, body)).body;
const inside = async (id: string) => (await owner.get(`/api/backups/${id}/inside`)).body;
const bringBack = (id: string, wanted: object) => owner.post(`/api/backups/${id}/restore`, wanted);
const sectionOf = (content: any, name: string) =>
  content.sections.find((each: { name: string }) => each.name === name);
const seen = async (path: string) => (await owner.get(path)).body;
const upload = async (name: string) => uploadPicture(site, name, await pictureAs("png", 700, 350));

test("a backup shows its contents and how each section differs from now", async () => {
  await owner.post("/api/hero", { mainTitle: "Then" });
  const picture = await upload("poster.png");
  const show = { title: "Radio hour", imageUrl: picture.url };
  const highlight = await made("/api/highlights", show);
  const id = await backUp();
  expect(sectionOf(await inside(id), "Highlights").changes).toEqual([]);
  await owner.post("/api/hero", { mainTitle: "Now" });
  await owner.delete(`/api/highlights/${highlight.id}`);
  await owner.delete(`/api/uploads/${picture.id}`);
  const content = await inside(id);
  const named = "Hero About Statistics Highlights Connect Press Coaching Forms Styles".split(" ");
  expect(content.sections.map(({ name }: { name: string }) => name)).toEqual(
    expect.arrayContaining(named),
  );
  expect(sectionOf(content, "Hero").changes).toEqual(['Main Title: "Now" → "Then"']);
  expect(sectionOf(content, "Highlights")).toMatchObject({
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

test("a section is restored with its pictures, the rest stays, and the previous version is in the history", async () => {
  const picture = await upload("gone.png");
  const show = { title: "Full house", imageUrl: picture.url };
  await made("/api/highlights", show);
  const then = await seen("/api/highlights");
  const id = await backUp();
  for (const each of then) await owner.delete(`/api/highlights/${each.id}`);
  const later = await made("/api/highlights", { title: "Later", imageUrl: "/uploads/x.png" });
  await owner.delete(`/api/uploads/${picture.id}`);
  await owner.delete("/api/bin");
  await owner.post("/api/hero", { mainTitle: "Stays" });
  const { status, body } = await bringBack(id, { section: "Highlights" });
  expect(status).toBe(200);
  expect(await seen("/api/highlights")).toEqual(then);
  expect((await seen("/api/hero")).mainTitle).toBe("Stays");
  const names = [picture.url, picture.url.replace(".png", "-320.webp")];
  for (const name of names) expect((await site.visitor().get(name)).status).toBe(200);
  expect(body.replaced).toEqual([{ name: "highlights", revision: expect.any(Number) }]);
  const { name, revision } = body.replaced[0];
  expect((await owner.post(`/api/history/${name}/${revision}/restore`)).status).toBe(200);
  expect(await seen("/api/highlights")).toEqual([later]);
  expect((await bringBack(id, { section: "Highlights" })).status).toBe(200);
  expect((await bringBack(id, { section: "Highlights" })).body.replaced).toEqual([]);
});

test("forms are restored with their contents, and no newer form is removed", async () => {
  const old = await makeForm(site, "Old", [["text", "L"]]);
  const fields = await seen(`/api/form-fields/${old.stepId}`);
  const id = await backUp();
  await owner.delete(`/api/forms/${old.formId}`);
  await owner.delete("/api/bin");
  const since = await made("/api/forms", { title: "Since", isActive: true });
  expect((await bringBack(id, { section: "Forms" })).status).toBe(200);
  const ids = (await seen("/api/forms")).map(({ id }: { id: string }) => id);
  expect(ids).toEqual(expect.arrayContaining([old.formId, since.id]));
  expect(await seen(`/api/form-fields/${old.stepId}`)).toEqual(fields);
});

test("one picture is restored at its address, from the trash or from the archive", async () => {
  const [first, second] = [await upload("first.png"), await upload("second.png")];
  const id = await backUp();
  const before = (await readdir(site.uploadsDir)).sort();
  expect((await bringBack(id, { picture: first.id })).status).toBe(409);
  await owner.delete(`/api/uploads/${first.id}`);
  await owner.delete("/api/bin");
  await owner.delete(`/api/uploads/${second.id}`);
  for (const picture of [first, second]) {
    expect((await bringBack(id, { picture: picture.id })).body.picture.url).toBe(picture.url);
    expect((await site.visitor().get(picture.url)).status).toBe(200);
  }
  expect((await readdir(site.uploadsDir)).sort()).toEqual(before);
  expect((await owner.get("/api/bin")).body).toEqual([]);
  expect((await bringBack(id, { picture: "nothing" })).status).toBe(404);
});

test("an impossible restore is refused with a message, and changes nothing", async () => {
  const id = await backUp();
  const before = site.stored();
  const refused: [string, object, number][] = [
    [id, {}, 422],
    [id, { section: "Poems" }, 404],
    ["2020-01-01T00-00-00-000Z", { section: "Hero" }, 404],
    [id, { everything: true }, 409],
  ];
  for (const [backup, wanted, expected] of refused) {
    const { status, body } = await bringBack(backup, wanted);
    expect([wanted, status, typeof body.error]).toEqual([wanted, expected, "string"]);
  }
  expect((await owner.get("/api/audit-log")).text).not.toContain("restored the whole site");
  const broken = await backUp();
  const path = join(
    site.config.backupDir,
    createArchiveName(shortenSiteId(site.store.siteId), broken),
  );
  await Bun.write(path, (await Bun.file(path).bytes()).slice(0, 2000));
  expect((await owner.get(`/api/backups/${broken}/inside`)).status).toBe(409);
  expect((await bringBack(broken, { section: "Hero" })).status).toBe(409);
  expect((await site.visitor().post(`/api/backups/${id}/restore`, {})).status).toBe(401);
  expect(site.stored()).toBe(before);
});
