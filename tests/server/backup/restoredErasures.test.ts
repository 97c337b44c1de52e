/** `limelight restore` brings nobody back who was erased after the backup. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { cp, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { entities } from "../../../src/schema/index.ts";
import { restoreArchive } from "../../../src/server/backup/restore.ts";
import { saveArchive } from "../../../src/server/backup/saveArchive.ts";
import { archiveStream } from "../../../src/server/backup/writeArchive.ts";
import { openBin } from "../../../src/server/bin/bin.ts";
import type { Store } from "../../../src/server/storage/store.ts";
import { noteErasure } from "../../../src/server/visitors/erasures.ts";
import { keepErased } from "../../../src/server/visitors/person.ts";
import { placesIn } from "../../support/placesIn.ts";
import { subscriber } from "../../support/subscriber.ts";
import { makeStopped, onStopped } from "./stoppedSite.ts";

let root = "";
/** A site beside. */
const other = () => join(root, "other");
let archive = "";
const silent = { note: () => {}, forget: async () => {} };

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "limelight-erased-"));
  archive = join(root, "site.tar.gz");
  await makeStopped(root, async (store) => {
    for (const id of ["eve", "bob"])
      await store.of(entities.emailSubscriptions).insert(subscriber(`${id}@example.com`, { id }));
  });
  await saveArchive(archive, placesIn(root));
  await onStopped(root, (store) => erase(store, "eve"));
});
afterEach(() => rm(root, { recursive: true }));

const erase = (store: Store, id: string) =>
  store.transaction(async (transaction) => {
    await noteErasure(store, transaction, `${id}@example.com`);
    await transaction.of(entities.emailSubscriptions).delete(id);
  });

async function restored(where = root): Promise<boolean> {
  const places = placesIn(where);
  const release = await places.data.lock();
  try {
    const { staysErased } = await restoreArchive(archive, places);
    // The folder's own lock, not that of what was unpacked.
    const opening = onStopped(where, async () => "opened");
    await expect(opening).rejects.toThrow("Another process");
    return staysErased;
  } finally {
    release();
  }
}

/** Who is on the mailing list after the next start. */
const listed = (where = root) =>
  onStopped(where, async (store) => {
    await keepErased({ store, bin: openBin(store), audit: silent, log: () => {} });
    const all = await Array.fromAsync(store.of(entities.emailSubscriptions).scan());
    return all.map(({ id }) => id);
  });

test("who was erased after the backup is erased again by the next start, others are back", async () => {
  expect(await restored()).toBe(true);
  expect(await listed()).toEqual(["bob"]);
});

test("who is erased while a backup is being read is not brought back by it", async () => {
  const { data, uploads } = placesIn(root);
  let isErased = false;
  const files = async function* () {
    for await (const file of data.files()) {
      yield file;
      if (isErased || file.path !== "email-subscriptions/000001.json.bak") continue;
      isErased = true;
      await onStopped(root, (store) => erase(store, "bob"));
    }
  };
  await writeFile(archive, archiveStream({ data: { ...data, files }, uploads }));
  expect(isErased).toBe(true);
  await restored();
  expect(await listed()).not.toContain("bob");
});

test("who was erased right before a kill is erased again too", async () => {
  const present = join(root, "data");
  await onStopped(root, async (store) => {
    await erase(store, "bob");
    await cp(present, join(root, "killed"), { recursive: true });
  });
  await rm(present, { recursive: true });
  await rename(join(root, "killed"), present);
  expect(await restored()).toBe(true);
  expect(await listed()).toEqual([]);
});

test("a list of the erased that is damaged keeps no restored site from starting, and it is said", async () => {
  for (const name of ["000001.json", "000001.json.bak"])
    await Bun.write(join(root, "data/erasures", name), "{");
  expect(await restored()).toBe(false);
  expect(await listed()).toEqual(["eve", "bob"]);
});

test("a site that is new here, or another one, can't tell who was erased", async () => {
  expect(await restored(other())).toBe(false);
  await rm(join(other(), "data"), { recursive: true });
  await onStopped(other(), (store) => erase(store, "bob"));
  expect(await restored(other())).toBe(false);
  expect(await listed(other())).toEqual(["eve", "bob"]);
});
