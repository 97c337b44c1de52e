/** A restore that was noted goes on wherever it was cut short, and one that wasn't has changed nothing. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { initialValues } from "../../../src/schema/check.ts";
import { allEntities, entities, type Item } from "../../../src/schema/index.ts";
import { folderPlace } from "../../../src/server/storage/pictures/folderPlace.ts";
import { NEVER_WRITTEN_TO } from "../../../src/schema/visitors.ts";
import { examine } from "../../../src/server/backup/doctor.ts";
import { restoreArchive } from "../../../src/server/backup/restoreArchive.ts";
import { saveArchive } from "../../../src/server/backup/saveArchive.ts";
import { finishRestore, stageRestore } from "../../../src/server/backup/stagedRestore.ts";
import type { StoredItem } from "../../../src/schema/entity.ts";
import type { Store } from "../../../src/server/storage/store.ts";
import { openBin } from "../../../src/server/bin/bin.ts";
import type { Engine } from "../../../src/server/storage/engine.ts";
import { folderEngine } from "../../../src/server/storage/files/folderEngine.ts";

let root = "";
let archive = "";
const data = () => folderEngine(join(root, "data"));
const uploads = () => join(root, "uploads");
const site = (engine: Engine = data()) => ({ data: engine, uploads: folderPlace(uploads()) });

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "limelight-staged-"));
  archive = join(root, "site.tar.gz");
  await write("Then", "then@example.com");
  await mkdir(uploads(), { mode: 0o700 });
  await Bun.write(join(uploads(), "then.txt"), "then");
  await saveArchive(archive, site());
  await write("Now", "now@example.com");
  await rm(join(uploads(), "then.txt"));
  await Bun.write(join(uploads(), "now.txt"), "now");
});
afterEach(() => rm(root, { recursive: true }));

async function write(title: string, email: string): Promise<void> {
  const store = await data().open({ entities: allEntities, log: () => {} });
  await store.of(entities.hero).update((hero) => ({ ...hero, mainTitle: title }));
  const user = { ...initialValues(entities.users.fields), id: "u", username: "Ada", email };
  await store.of(entities.users).update(() => [user as Item<"users">]);
  await store.close();
}

/** The hero's title, the address that logs in, the files beside the pictures, and the secret. */
async function state(): Promise<unknown[]> {
  const store = await data().open({ entities: allEntities, log: () => {} });
  const title = store.of(entities.hero).read().value.mainTitle;
  const [user] = store.of(entities.users).read().value;
  const secret = Buffer.from(await store.secret()).toString("hex");
  await store.close();
  const files = (await readdir(uploads())).filter((name) => name.endsWith(".txt"));
  return [title, user!.email, files, secret];
}

test("what is staged changes nothing until it is finished; then who may log in stays", async () => {
  const before = await state();
  await stageRestore(archive, site());
  expect((await readdir(uploads())).filter((name) => name.endsWith(".txt"))).toEqual(["now.txt"]);
  expect(await finishRestore(site())).toBe(true);
  expect(await state()).toEqual(["Then", "now@example.com", ["then.txt"], before[3]]);
  expect(await finishRestore(site())).toBe(false);
  const left = [...(await readdir(join(root, "data"))), ...(await readdir(uploads()))];
  expect(left.filter((name) => name.startsWith(".restore-"))).toEqual([]);
});

test.each(["takeOut", "begin", "putIn", "keep", "end"] as const)(
  "cut short before and after %s it goes on, as often as it takes",
  async (step) => {
    const { 3: secret } = await state();
    await stageRestore(archive, site());
    for (const when of ["before", "after"]) {
      const engine = data();
      const replacement = {
        ...engine.replacement,
        async [step](...args: never[]) {
          if (when === "after")
            await (engine.replacement[step] as (...all: never[]) => Promise<void>)(...args);
          throw new Error("killed");
        },
      };
      const cut = finishRestore(site({ ...engine, replacement }));
      await expect(cut).rejects.toThrow("killed");
    }
    // A note that is gone had nothing left to do.
    expect(await finishRestore(site())).toBe(step !== "end");
    expect(await state()).toEqual(["Then", "now@example.com", ["then.txt"], secret]);
    expect((await examine(data(), folderPlace(uploads()))).filter(({ ok }) => !ok)).toEqual([]);
  },
);

test("who left, complained or can't be reached since stays so, in the list and in the bin", async () => {
  const { emailSubscriptions } = entities;
  type Subscription = Item<"emailSubscriptions">;
  type Change = Partial<Subscription>;
  const joined = (name: string, change: Change = {}) => ({
    ...initialValues(emailSubscriptions.fields),
    ...NEVER_WRITTEN_TO,
    written: [],
    id: name,
    email: `${name}@example.com`,
    status: "active" as const,
    subscribedAt: "2026-11-01T10:00:00.000Z",
    ...change,
  });
  const open = () => data().open({ entities: allEntities, log: () => {} });
  const discard = (store: Store, id: string) =>
    openBin(store).discard(
      emailSubscriptions,
      id,
      async (transaction) => (await transaction.of(emailSubscriptions).delete(id))!,
    );
  const then = await open();
  for (const name of ["left", "complained", "bounced", "binned", "deleted", "again", "stays"])
    await then.of(emailSubscriptions).insert(joined(name));
  await then.of(emailSubscriptions).update("again", (row) => ({
    ...row,
    subscribedAt: "2026-11-09T10:00:00.000Z",
  }));
  await discard(then, "deleted");
  await then.close();
  await rm(archive);
  await saveArchive(archive, site());
  const now = await open();
  const list = now.of(emailSubscriptions);
  const is = (id: string, change: Change) => list.update(id, (row) => ({ ...row, ...change }));
  await is("left", { status: "unsubscribed" });
  await is("complained", { status: "unsubscribed", unreachable: "complained" });
  await is("bounced", { unreachable: "bounced" });
  await is("again", { status: "unsubscribed", subscribedAt: "2026-11-01T10:00:00.000Z" });
  await is("binned", { status: "unsubscribed" });
  await discard(now, "binned");
  const leave = (row: StoredItem) => ({ ...row, status: "unsubscribed" });
  const inBin = openBin(now).change(emailSubscriptions, (row) =>
    row.id === "deleted" ? leave(row) : row,
  );
  expect(await inBin).toBe(1);
  await list.insert(joined("new", { status: "unsubscribed", unreachable: "complained" }));
  await now.close();

  await stageRestore(archive, site());
  expect(await finishRestore(site())).toBe(true);
  const after = await open();
  const rows = await Array.fromAsync(after.of(emailSubscriptions).scan());
  const said = rows.map(({ id, status, unreachable }) => [id, status, unreachable].join(" "));
  const deleted = await Array.fromAsync(openBin(after).of(emailSubscriptions));
  await after.close();
  expect(said.toSorted()).toEqual([
    "again active ",
    "binned unsubscribed ",
    "bounced active bounced",
    "complained unsubscribed complained",
    "left unsubscribed ",
    "new unsubscribed complained",
    "stays active ",
  ]);
  expect(deleted).toMatchObject([{ id: "deleted", status: "unsubscribed" }]);
});

test("the doctor says that the next start finishes it, and a store is not opened before", async () => {
  await stageRestore(archive, site());
  const findings = await examine(data(), folderPlace(uploads()));
  expect(findings.map(({ message }) => message)).toEqual([
    "A restore was cut short. The next start finishes it by itself.",
  ]);
  await expect(data().open({ entities: allEntities, log: () => {} })).rejects.toThrow("cut short");
});

test("an archive that is not whole is refused, and nothing is left of it", async () => {
  await Bun.write(archive, (await Bun.file(archive).bytes()).slice(0, 3000));
  const before = await state();
  await expect(stageRestore(archive, site())).rejects.toThrow("isn't complete");
  expect(await finishRestore(site())).toBe(false);
  expect(await state()).toEqual(before);
  expect((await readdir(join(root, "data"))).filter((name) => /restor/.test(name))).toEqual([]);
});

test("limelight restore takes over from one that was cut short; what it was to put in must be there", async () => {
  await stageRestore(archive, site());
  const [staging] = (await readdir(join(root, "data"))).filter((name) =>
    name.startsWith(".restore-"),
  );
  await rm(join(root, "data", staging!), { recursive: true });
  await expect(finishRestore(site())).rejects.toThrow("limelight restore");
  const release = await data().lock();
  await restoreArchive(archive, site());
  release();
  expect((await state()).slice(0, 3)).toEqual(["Then", "then@example.com", ["then.txt"]]);
});
