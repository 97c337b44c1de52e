/** A restore that was noted goes on wherever it was cut short, and one that wasn't has changed nothing. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { initialValues } from "../../../src/schema/check.ts";
import { allEntities, entities, type Item } from "../../../src/schema/index.ts";
import { folderPlace } from "../../../src/server/storage/pictures/folderPlace.ts";
import { examine } from "../../../src/server/backup/doctor.ts";
import { restoreArchive } from "../../../src/server/backup/restoreArchive.ts";
import { saveArchive } from "../../../src/server/backup/saveArchive.ts";
import { finishRestore, stageRestore } from "../../../src/server/backup/stagedRestore.ts";
import type { Engine } from "../../../src/server/storage/engine.ts";
import { folderEngine } from "../../../src/server/storage/folderEngine.ts";

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
