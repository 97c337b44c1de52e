/** `limelight restore` brings nobody back who was erased after the backup. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { cp, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { initialValues } from "../../../src/schema/check.ts";
import { allEntities, entities, type Item } from "../../../src/schema/index.ts";
import { restoreArchive } from "../../../src/server/backup/restore.ts";
import { saveArchive } from "../../../src/server/backup/saveArchive.ts";
import { archiveStream } from "../../../src/server/backup/writeArchive.ts";
import { openBin } from "../../../src/server/bin/bin.ts";
import { folderEngine } from "../../../src/server/storage/files/folderEngine.ts";
import { folderStorage } from "../../../src/server/storage/pictures/folderStorage.ts";
import type { Store } from "../../../src/server/storage/store.ts";
import { noteErasure } from "../../../src/server/visitors/erasures.ts";
import { keepErased } from "../../../src/server/visitors/person.ts";

let root = "";
let archive = "";
const data = (name = "data") => folderEngine(join(root, name));
const uploads = () => folderStorage(join(root, "uploads"));
const silent = { note: () => {}, forget: async () => {} };

const subscription = (id: string) =>
  ({
    ...initialValues(entities.emailSubscriptions.fields),
    id,
    email: `${id}@example.com`,
    status: "active",
  }) as Item<"emailSubscriptions">;

async function onSite<R>(work: (store: Store) => Promise<R>, name = "data"): Promise<R> {
  const store = await data(name).open({ entities: allEntities, log: () => {} });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "limelight-erased-"));
  archive = join(root, "site.tar.gz");
  await uploads().prepare();
  await onSite(async (store) => {
    for (const id of ["eve", "bob"])
      await store.of(entities.emailSubscriptions).insert(subscription(id));
  });
  await saveArchive(archive, { data: data(), uploads: uploads() });
  await onSite(async (store) => {
    await erase(store, "eve");
  });
});
afterEach(() => rm(root, { recursive: true }));

const erase = (store: Store, id: string) =>
  store.transaction(async (transaction) => {
    await noteErasure(store, transaction, `${id}@example.com`);
    await transaction.of(entities.emailSubscriptions).delete(id);
  });

async function restored(name = "data"): Promise<boolean> {
  const engine = data(name);
  const release = await engine.lock();
  try {
    return (await restoreArchive(archive, { data: engine, uploads: uploads() })).staysErased;
  } finally {
    release();
  }
}

/** Who is on the mailing list after the next start. */
const listed = (name = "data") =>
  onSite(async (store) => {
    await keepErased({ store, bin: openBin(store), audit: silent, log: () => {} });
    const all = await Array.fromAsync(store.of(entities.emailSubscriptions).scan());
    return all.map(({ id }) => id);
  }, name);

test("who was erased after the backup is erased again by the next start, others are back", async () => {
  expect(await restored()).toBe(true);
  expect(await listed()).toEqual(["bob"]);
});

test("who is erased while a backup is being read is not brought back by it", async () => {
  const present = data();
  let isErased = false;
  const files = async function* () {
    for await (const file of present.files()) {
      yield file;
      if (isErased || file.path !== "email-subscriptions/000001.json.bak") continue;
      isErased = true;
      await onSite(async (store) => {
        await erase(store, "bob");
      });
    }
  };
  await writeFile(archive, archiveStream({ data: { ...present, files }, uploads: uploads() }));
  expect(isErased).toBe(true);
  await restored();
  expect(await listed()).not.toContain("bob");
});

test("who was erased right before a kill is erased again too", async () => {
  const store = await data().open({ entities: allEntities, log: () => {} });
  await erase(store, "bob");
  const present = join(root, "data");
  await cp(present, join(root, "killed"), { recursive: true });
  await store.close();
  await rm(present, { recursive: true });
  await rename(join(root, "killed"), present);
  expect(await restored()).toBe(true);
  expect(await listed()).toEqual([]);
});

test("who left since stays off the mailing list, where the site is the archive's", async () => {
  await onSite((store) =>
    store.of(entities.emailSubscriptions).update("bob", (row) => ({
      ...row,
      status: "unsubscribed",
    })),
  );
  const release = await data().lock();
  await restoreArchive(archive, { data: data(), uploads: uploads() });
  // The folder's own lock, not that of what was unpacked.
  await expect(data().open({ entities: allEntities })).rejects.toThrow("Another process");
  release();
  const bob = await onSite((store) => store.of(entities.emailSubscriptions).get("bob"));
  expect(bob?.status).toBe("unsubscribed");
});

test("a list of the erased that is damaged keeps no restored site from starting, and it is said", async () => {
  for (const name of ["000001.json", "000001.json.bak"])
    await Bun.write(join(root, "data/erasures", name), "{");
  expect(await restored()).toBe(false);
  expect(await listed()).toEqual(["eve", "bob"]);
});

test("a site that is new here, or another one, can't tell who was erased", async () => {
  expect(await restored("new")).toBe(false);
  await rm(join(root, "new"), { recursive: true });
  await onSite((store) => erase(store, "bob"), "new");
  expect(await restored("new")).toBe(false);
  expect(await listed("new")).toEqual(["eve", "bob"]);
});
