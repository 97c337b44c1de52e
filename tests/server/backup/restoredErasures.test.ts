/** `limelight restore` brings back nobody who was erased after the backup. */
import { beforeEach, expect, test } from "bun:test";
import { cp, rename, rm, writeFile } from "node:fs/promises";
import { entities } from "../../../src/schema/index.ts";
import { restoreArchive } from "../../../src/server/backup/restore.ts";
import { saveArchive } from "../../../src/server/backup/saveArchive.ts";
import { createArchiveStream } from "../../../src/server/backup/writeArchive.ts";
import { Bin } from "../../../src/server/bin/bin.ts";
import type { Store } from "../../../src/server/storage/store.ts";
import { recordErasure } from "../../../src/server/visitors/erasures.ts";
import { repeatErasures } from "../../../src/server/visitors/personalData.ts";
import { setUpFolderForEach } from "../../support/folderForEach.ts";
import { openSiteStorage } from "../../support/openSiteStorage.ts";
import { createSubscriber } from "../../support/subscribers.ts";
import { createStoppedSite, withStoppedSite } from "./stoppedSite.ts";

const getPath = setUpFolderForEach();
const getArchivePath = () => getPath("site.tar.gz");
const silentAudit = { record: () => {}, redact: async () => {} };

beforeEach(async () => {
  await createStoppedSite(getPath(), async (store) => {
    for (const id of ["eve", "bob"])
      await store
        .of(entities.emailSubscriptions)
        .insert(createSubscriber(`${id}@example.com`, { id }));
  });
  await saveArchive(getArchivePath(), openSiteStorage(getPath()));
  await withStoppedSite(getPath(), (store) => erasePerson(store, "eve"));
});

const erasePerson = (store: Store, id: string) =>
  store.transaction(async (transaction) => {
    await recordErasure(store, transaction, `${id}@example.com`);
    await transaction.of(entities.emailSubscriptions).delete(id);
  });

/** Leaves the site as a kill right after the erasure would. */
async function eraseAndKill(id: string): Promise<void> {
  const present = getPath("data");
  await withStoppedSite(getPath(), async (store) => {
    await erasePerson(store, id);
    await cp(present, getPath("killed"), { recursive: true });
  });
  await rm(present, { recursive: true });
  await rename(getPath("killed"), present);
}

async function restoreSite(folder = getPath()): Promise<boolean> {
  const storage = openSiteStorage(folder);
  const release = await storage.data.lock();
  try {
    const { areErasuresReapplied: canReapplyErasures } = await restoreArchive(
      getArchivePath(),
      storage,
    );
    // The folder is locked by this process, not by a lock in the archive.
    const opening = withStoppedSite(folder, async () => "opened");
    await expect(opening).rejects.toThrow("Another process");
    return canReapplyErasures;
  } finally {
    release();
  }
}

/** The mailing list after the next start. */
const listPeople = (folder = getPath()) =>
  withStoppedSite(folder, async (store) => {
    await repeatErasures({ store, bin: new Bin(store), audit: silentAudit, log: () => {} });
    const all = await Array.fromAsync(store.of(entities.emailSubscriptions).scan());
    return all.map(({ id }) => id);
  });

test("after a restore the next start erases everyone again who was erased since the backup", async () => {
  expect(await restoreSite()).toBe(true);
  expect(await listPeople()).toEqual(["bob"]);
});

test("a person erased while a backup was being made is not restored from the backup", async () => {
  const { data, uploads } = openSiteStorage(getPath());
  let isErased = false;
  const files = async function* () {
    for await (const file of data.readFiles()) {
      yield file;
      if (isErased || file.path !== "email-subscriptions/000001.json.bak") continue;
      isErased = true;
      await withStoppedSite(getPath(), (store) => erasePerson(store, "bob"));
    }
  };
  await writeFile(
    getArchivePath(),
    createArchiveStream({ data: { ...data, readFiles: files }, uploads }),
  );
  expect(isErased).toBe(true);
  await restoreSite();
  expect(await listPeople()).not.toContain("bob");
});

test("after a restore the next start erases a person again who was erased right before a kill", async () => {
  await eraseAndKill("bob");
  expect(await restoreSite()).toBe(true);
  expect(await listPeople()).toEqual([]);
});

test("a restored site starts despite a damaged list of erasures, and the restore reports the damage", async () => {
  for (const name of ["000001.json", "000001.json.bak"])
    await Bun.write(getPath("data/erasures", name), "{");
  expect(await restoreSite()).toBe(false);
  expect(await listPeople()).toEqual(["eve", "bob"]);
});

test("a restore works despite a damaged mailing list, and reports that it can't know who unsubscribed", async () => {
  for (const name of ["000001.json", "000001.json.bak"])
    await Bun.write(getPath("data", entities.emailSubscriptions.name, name), "{");
  expect(await restoreSite()).toBe(false);
  expect(await listPeople()).toEqual(["bob"]);
});

test("a restore over a killed site works despite a damaged list of testimonial links", async () => {
  await eraseAndKill("bob");
  const { name } = entities.testimonialRequests;
  for (const each of [`${name}.json`, `${name}.json.bak`])
    await Bun.write(getPath("data", each), "{");
  expect(await restoreSite()).toBe(true);
  expect(await listPeople()).toEqual([]);
});

test("a restore over a new or another site reports that it can't know who was erased", async () => {
  expect(await restoreSite(getPath("other"))).toBe(false);
  await rm(getPath("other", "data"), { recursive: true });
  await withStoppedSite(getPath("other"), (store) => erasePerson(store, "bob"));
  expect(await restoreSite(getPath("other"))).toBe(false);
  expect(await listPeople(getPath("other"))).toEqual(["eve", "bob"]);
});
