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
import { folderForEach } from "../../support/folderForEach.ts";
import { openSiteStorage } from "../../support/placesIn.ts";
import { subscriber } from "../../support/subscriber.ts";
import { makeStopped, onStopped } from "./stoppedSite.ts";

const at = folderForEach();
const archive = () => at("site.tar.gz");
const silent = { record: () => {}, redact: async () => {} };

beforeEach(async () => {
  await makeStopped(at(), async (store) => {
    for (const id of ["eve", "bob"])
      await store.of(entities.emailSubscriptions).insert(subscriber(`${id}@example.com`, { id }));
  });
  await saveArchive(archive(), openSiteStorage(at()));
  await onStopped(at(), (store) => erase(store, "eve"));
});

const erase = (store: Store, id: string) =>
  store.transaction(async (transaction) => {
    await recordErasure(store, transaction, `${id}@example.com`);
    await transaction.of(entities.emailSubscriptions).delete(id);
  });

/** Leaves the site as a kill right after the erasure would. */
async function eraseAndKill(id: string): Promise<void> {
  const present = at("data");
  await onStopped(at(), async (store) => {
    await erase(store, id);
    await cp(present, at("killed"), { recursive: true });
  });
  await rm(present, { recursive: true });
  await rename(at("killed"), present);
}

async function restored(where = at()): Promise<boolean> {
  const storage = openSiteStorage(where);
  const release = await storage.data.lock();
  try {
    const { canRepeatErasures } = await restoreArchive(archive(), storage);
    // The folder's own lock, not the unpacked one's.
    const opening = onStopped(where, async () => "opened");
    await expect(opening).rejects.toThrow("Another process");
    return canRepeatErasures;
  } finally {
    release();
  }
}

/** The mailing list after the next start. */
const listed = (where = at()) =>
  onStopped(where, async (store) => {
    await repeatErasures({ store, bin: new Bin(store), audit: silent, log: () => {} });
    const all = await Array.fromAsync(store.of(entities.emailSubscriptions).scan());
    return all.map(({ id }) => id);
  });

test("a person erased after the backup is erased again by the next start, others are restored", async () => {
  expect(await restored()).toBe(true);
  expect(await listed()).toEqual(["bob"]);
});

test("a person erased while a backup is being read is not restored by it", async () => {
  const { data, uploads } = openSiteStorage(at());
  let isErased = false;
  const files = async function* () {
    for await (const file of data.readFiles()) {
      yield file;
      if (isErased || file.path !== "email-subscriptions/000001.json.bak") continue;
      isErased = true;
      await onStopped(at(), (store) => erase(store, "bob"));
    }
  };
  await writeFile(archive(), createArchiveStream({ data: { ...data, readFiles: files }, uploads }));
  expect(isErased).toBe(true);
  await restored();
  expect(await listed()).not.toContain("bob");
});

test("a person erased right before a kill is erased again too", async () => {
  await eraseAndKill("bob");
  expect(await restored()).toBe(true);
  expect(await listed()).toEqual([]);
});

test("a damaged list of erasures doesn't keep a restored site from starting, and is reported", async () => {
  for (const name of ["000001.json", "000001.json.bak"])
    await Bun.write(at("data/erasures", name), "{");
  expect(await restored()).toBe(false);
  expect(await listed()).toEqual(["eve", "bob"]);
});

test("a damaged mailing list doesn't prevent a restore, which then can't know who left it", async () => {
  for (const name of ["000001.json", "000001.json.bak"])
    await Bun.write(at("data", entities.emailSubscriptions.name, name), "{");
  expect(await restored()).toBe(false);
  expect(await listed()).toEqual(["bob"]);
});

test("a damaged list of testimonial links doesn't prevent restoring a site that was killed", async () => {
  await eraseAndKill("bob");
  const { name } = entities.testimonialRequests;
  for (const each of [`${name}.json`, `${name}.json.bak`]) await Bun.write(at("data", each), "{");
  expect(await restored()).toBe(true);
  expect(await listed()).toEqual([]);
});

test("a restore over a new or another site can't know who was erased", async () => {
  expect(await restored(at("other"))).toBe(false);
  await rm(at("other", "data"), { recursive: true });
  await onStopped(at("other"), (store) => erase(store, "bob"));
  expect(await restored(at("other"))).toBe(false);
  expect(await listed(at("other"))).toEqual(["eve", "bob"]);
});
