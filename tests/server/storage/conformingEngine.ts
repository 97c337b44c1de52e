/** The promises of every storage engine to the command line, backups, restores and the doctor. */
import { expect, test } from "bun:test";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createDataKey } from "../../../src/server/shared/secrets.ts";
import { parseArchivedDocument } from "../../../src/server/storage/archiveEntries.ts";
import type { Engine } from "../../../src/server/storage/engine.ts";
import type { Store } from "../../../src/server/storage/store.ts";
import type { Installation } from "./conformance.ts";
import {
  appendItem,
  hero,
  insertMany,
  catchError,
  saveTitle,
  createSubscriber,
  subscribers,
  readTitle,
  createVisit,
  visits,
} from "./samples.ts";

const createKey = () => Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("base64");

const RESTORE_NOTE = {
  before: ".before-restore-1",
  emptied: false,
  staging: ".restore-1",
  isCarried: false,
  keeps: [hero.name, subscribers.name],
};

export function testEngine(
  getInstallation: () => Installation,
  getStore: () => Store,
  reopen: () => Promise<Store>,
): void {
  const engine = (): Engine => getInstallation().engine;
  const titled = (title: string) => saveTitle(getStore(), title);
  const visited = (number: number) =>
    getStore()
      .of(visits)
      .update(appendItem(createVisit(number)));

  test("the engine distinguishes a site from an empty location", async () => {
    const { siteId } = getStore();
    const readState = async () => [
      await engine().isInstalled(),
      await engine().isEmpty(),
      await engine().readSiteId(),
    ];
    expect(await readState()).toEqual([true, false, siteId]);
    await getInstallation().remove();
    expect(await readState()).toEqual([false, true, undefined]);
  });

  test("an open store locks others out, and so does a lock without a store", async () => {
    const refused = {
      message: expect.stringContaining("Another process"),
      details: { isInUse: true },
    };
    expect(await engine().findLockHolders()).toHaveLength(1);
    expect(await catchError(engine().lock())).toMatchObject(refused);
    await getStore().close();
    const release = await engine().lock();
    expect(await catchError(getInstallation().open())).toMatchObject(refused);
    await release();
    expect(await engine().findLockHolders()).toEqual([]);
    expect((await getInstallation().open()).isInstalled).toBe(true);
  });

  test("a stored value can be read while a store is open", async () => {
    await titled("Looked at");
    expect((await engine().readDocument(hero))?.title).toBe("Looked at");
    expect(await engine().readDocument({ ...hero, name: "nothing" })).toBeUndefined();
  });

  test("appended items can be read while a store is open, are among the files, and pass the checks", async () => {
    for (const number of [1, 2, 3]) await visited(number);
    const list = [createVisit(1), createVisit(2), createVisit(3)];
    expect(await engine().readDocument(visits)).toEqual(list);
    const files = await Array.fromAsync(engine().readFiles());
    const documents = files.map((file) => parseArchivedDocument(file, visits)).filter(Boolean);
    // In a folder a document and its copy, in a database a row.
    expect(documents.length).toBeGreaterThan(0);
    for (const each of documents) expect(each?.value).toEqual(list);
    expect(files.map(({ path }) => path).filter((path) => path.endsWith(".jsonl"))).toEqual([]);
    const findings = await engine().examine([hero, visits]);
    expect(findings.filter(({ ok }) => !ok)).toEqual([]);
    expect(getStore().of(visits).read().value).toEqual(list);
  });

  test("stored records can be read while a store is open", async () => {
    expect(await engine().readRecords(subscribers)).toEqual([]);
    await insertMany(getStore().of(subscribers), 250);
    expect(await engine().readRecords(subscribers)).toHaveLength(250);
  });

  test("an intact site has no problems while a store is open", async () => {
    await insertMany(getStore().of(subscribers), 250);
    const findings = await engine().examine([hero, subscribers]);
    expect(findings.filter(({ ok }) => !ok)).toEqual([]);
    expect(findings.length).toBeGreaterThan(1);
  });

  test("each file is read once, and none contains the secret", async () => {
    await insertMany(getStore().of(subscribers), 250);
    const files = await Array.fromAsync(engine().readFiles());
    expect(new Set(files.map(({ path }) => path)).size).toBe(files.length);
    const secret = Buffer.from(await getStore().readSecret());
    expect(files.filter(({ bytes }) => Buffer.from(bytes).includes(secret))).toEqual([]);
  });

  test("with a data key the secret is stored encrypted, and can't be read without that key", async () => {
    const secret = await getStore().readSecret();
    const [one, other] = [createKey(), createKey()];
    const opened = async (...keys: string[]) => {
      const store = await getInstallation().open({ dataKey: createDataKey(keys) });
      return store.readSecret().finally(() => store.close());
    };
    const refusal = {
      message: expect.stringContaining("is encrypted, and DATA_KEY can't decrypt it"),
    };
    await getStore().close();
    const plain = Buffer.from((await engine().readSecret())!);
    expect(await opened(one)).toEqual(secret);
    const stored = await engine().readSecret();
    expect(Buffer.from(stored!).includes(plain)).toBe(false);
    expect(await catchError(opened())).toMatchObject(refusal);
    expect(await catchError(opened(other))).toMatchObject(refusal);
    expect(await engine().readSecret()).toEqual(stored);
    // With a new key beside the previous one, then without the previous one.
    expect(await opened(other, one)).toEqual(secret);
    expect(await opened(other)).toEqual(secret);
    expect(await catchError(opened(one))).toMatchObject(refusal);
    expect(await opened("off", other)).toEqual(secret);
    expect(Buffer.from((await engine().readSecret())!)).toEqual(plain);
    expect(await opened()).toEqual(secret);
  });

  test("old data that was moved away can be read", async () => {
    await insertMany(getStore().of(subscribers), 3);
    await getStore().close();
    const { replacement } = engine();
    await replacement.begin(RESTORE_NOTE);
    await replacement.moveOut(RESTORE_NOTE);
    expect(await replacement.openOldData(RESTORE_NOTE).readRecords(subscribers)).toHaveLength(3);
    await replacement.end();
  });

  test("restored files are the site of that time, with a new secret, so that everyone has to log in again", async () => {
    await titled("Then");
    await visited(1);
    await insertMany(getStore().of(subscribers), 250);
    const secret = await getStore().readSecret();
    await withFiles(engine(), async (folder) => {
      await titled("Later");
      await visited(2);
      await getStore().of(subscribers).delete("id-3");
      await getStore().close();
      const { replacement } = engine();
      await replacement.begin(RESTORE_NOTE);
      await replacement.moveOut(RESTORE_NOTE);
      await replacement.begin({ ...RESTORE_NOTE, emptied: true });
      await replacement.moveIn(folder, RESTORE_NOTE);
      await replacement.end();
    });
    const store = await reopen();
    expect(readTitle(store)).toBe("Then");
    expect(store.of(visits).read().value).toEqual([createVisit(1)]);
    expect(await store.of(subscribers).count()).toBe(250);
    expect(await store.of(subscribers).get("id-3")).toEqual(createSubscriber(3));
    expect(await store.readSecret()).not.toEqual(secret);
  });

  test("during a replacement every start is refused, with a message that names limelight restore", async () => {
    await getStore().close();
    const { replacement } = engine();
    expect(await replacement.readPendingNote()).toBeUndefined();
    await replacement.begin(RESTORE_NOTE);
    expect(await replacement.readPendingNote()).toEqual(RESTORE_NOTE);
    expect((await catchError(getInstallation().open())).message).toContain("limelight restore");
    expect((await engine().examine([hero])).map(({ ok }) => ok)).toEqual([false]);
    await replacement.end();
    expect((await getInstallation().open()).isInstalled).toBe(true);
  });

  test("after a kill a replacement can be repeated, and the old data can be read", async () => {
    await titled("Then");
    await insertMany(getStore().of(subscribers), 3);
    await withFiles(engine(), async (folder) => {
      await titled("Later");
      await getStore().close();
      const { replacement } = engine();
      await replacement.begin(RESTORE_NOTE);
      for (const _ of ["killed", "again"]) await replacement.moveOut(RESTORE_NOTE);
      await replacement.begin({ ...RESTORE_NOTE, emptied: true });
      for (const _ of ["killed", "again"]) await replacement.moveIn(folder, RESTORE_NOTE);
      expect((await replacement.openOldData(RESTORE_NOTE).readDocument(hero))?.title).toBe("Later");
      await replacement.end();
    });
    expect(readTitle(await reopen())).toBe("Then");
    expect(await getStore().of(subscribers).count()).toBe(3);
  });

  test("replacing an empty location leaves no copies", async () => {
    await getInstallation().remove();
    const { replacement } = engine();
    const release = await engine().lock();
    await replacement.begin(RESTORE_NOTE);
    await replacement.moveOut(RESTORE_NOTE);
    await replacement.end();
    await release();
    expect(await engine().findLeftoverCopies()).toEqual([]);
  });
}

/** Writes an engine's files into a folder, like unpacking an archive. */
async function withFiles(engine: Engine, work: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "limelight-files-"));
  for await (const { path, bytes } of engine.readFiles()) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), bytes);
  }
  await work(folder);
  await rm(folder, { recursive: true });
}
