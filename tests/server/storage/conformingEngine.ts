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
  append,
  all,
  hero,
  insertMany,
  rejection,
  retitle,
  subscriber,
  subscribers,
  titleOf,
  visit,
  visits,
} from "./samples.ts";

const newKey = () => Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("base64");

const NOTE = { before: ".before-restore-1", emptied: false };

export function conformingEngine(
  installation: () => Installation,
  current: () => Store,
  reopened: () => Promise<Store>,
): void {
  const engine = (): Engine => installation().engine;
  const titled = (title: string) => retitle(current(), title);
  const visited = (number: number) =>
    current()
      .of(visits)
      .update(append(visit(number)));

  test("it distinguishes a site from an empty location", async () => {
    const { siteId } = current();
    const readState = async () => [
      await engine().isInstalled(),
      await engine().isEmpty(),
      await engine().readSiteId(),
    ];
    expect(await readState()).toEqual([true, false, siteId]);
    await installation().remove();
    expect(await readState()).toEqual([false, true, undefined]);
  });

  test("an open store locks others out, and so does the lock itself", async () => {
    const refused = {
      message: expect.stringContaining("Another process"),
      details: { isInUse: true },
    };
    expect(await engine().findLockHolders()).toHaveLength(1);
    expect(await rejection(engine().lock())).toMatchObject(refused);
    await current().close();
    const release = await engine().lock();
    expect(await rejection(installation().open())).toMatchObject(refused);
    await release();
    expect(await engine().findLockHolders()).toEqual([]);
    expect((await installation().open()).isInstalled).toBe(true);
  });

  test("a stored value can be read while a store is open", async () => {
    await titled("Looked at");
    expect((await engine().readDocument(hero))?.title).toBe("Looked at");
    expect(await engine().readDocument({ ...hero, name: "nothing" })).toBeUndefined();
  });

  test("an appended item can be read too, is among the files, and passes the checks", async () => {
    for (const number of [1, 2, 3]) await visited(number);
    const list = [visit(1), visit(2), visit(3)];
    expect(await engine().readDocument(visits)).toEqual(list);
    const files = await all(engine().readFiles());
    const documents = files.map((file) => parseArchivedDocument(file, visits)).filter(Boolean);
    // A document with its copy, or a row.
    expect(documents.length).toBeGreaterThan(0);
    for (const each of documents) expect(each?.value).toEqual(list);
    expect(files.map(({ path }) => path).filter((path) => path.endsWith(".jsonl"))).toEqual([]);
    const findings = await engine().examine([hero, visits]);
    expect(findings.filter(({ ok }) => !ok)).toEqual([]);
    expect(current().of(visits).read().value).toEqual(list);
  });

  test("stored records can be read while a store is open", async () => {
    expect(await engine().readRecords(subscribers)).toEqual([]);
    await insertMany(current().of(subscribers), 250);
    expect(await engine().readRecords(subscribers)).toHaveLength(250);
  });

  test("an intact site has no findings, also while a store is open", async () => {
    await insertMany(current().of(subscribers), 250);
    const findings = await engine().examine([hero, subscribers]);
    expect(findings.filter(({ ok }) => !ok)).toEqual([]);
    expect(findings.length).toBeGreaterThan(1);
  });

  test("its files are a snapshot, each once, without the secret", async () => {
    await insertMany(current().of(subscribers), 250);
    const files = await all(engine().readFiles());
    expect(new Set(files.map(({ path }) => path)).size).toBe(files.length);
    const secret = Buffer.from(await current().readSecret());
    expect(files.filter(({ bytes }) => Buffer.from(bytes).includes(secret))).toEqual([]);
  });

  test("with a data key the secret is stored encrypted, and can't be read without that key", async () => {
    const secret = await current().readSecret();
    const [one, other] = [newKey(), newKey()];
    const opened = async (...keys: string[]) => {
      const store = await installation().open({ dataKey: createDataKey(keys) });
      return store.readSecret().finally(() => store.close());
    };
    const refusal = {
      message: expect.stringContaining("is encrypted, and DATA_KEY can't decrypt it"),
    };
    await current().close();
    const plain = Buffer.from((await engine().readSecret())!);
    expect(await opened(one)).toEqual(secret);
    const stored = await engine().readSecret();
    expect(Buffer.from(stored!).includes(plain)).toBe(false);
    expect(await rejection(opened())).toMatchObject(refusal);
    expect(await rejection(opened(other))).toMatchObject(refusal);
    expect(await engine().readSecret()).toEqual(stored);
    // With a new key beside the previous one, then without the previous one.
    expect(await opened(other, one)).toEqual(secret);
    expect(await opened(other)).toEqual(secret);
    expect(await rejection(opened(one))).toMatchObject(refusal);
    expect(await opened("off", other)).toEqual(secret);
    expect(Buffer.from((await engine().readSecret())!)).toEqual(plain);
    expect(await opened()).toEqual(secret);
  });

  test("old data that was moved away can be read", async () => {
    await insertMany(current().of(subscribers), 3);
    await current().close();
    const { replacement } = engine();
    await replacement.begin(NOTE);
    await replacement.moveOut(NOTE);
    expect(await replacement.openMovedData(NOTE).readRecords(subscribers)).toHaveLength(3);
    await replacement.end();
  });

  test("restored files are the site as it was then; everyone has to log in again", async () => {
    await titled("Then");
    await visited(1);
    await insertMany(current().of(subscribers), 250);
    const secret = await current().readSecret();
    await withFiles(engine(), async (folder) => {
      await titled("Later");
      await visited(2);
      await current().of(subscribers).delete("id-3");
      await current().close();
      const { replacement } = engine();
      await replacement.begin(NOTE);
      await replacement.moveOut(NOTE);
      await replacement.begin({ ...NOTE, emptied: true });
      await replacement.moveIn(folder, NOTE);
      await replacement.end();
    });
    const store = await reopened();
    expect(titleOf(store)).toBe("Then");
    expect(store.of(visits).read().value).toEqual([visit(1)]);
    expect(await store.of(subscribers).count()).toBe(250);
    expect(await store.of(subscribers).get("id-3")).toEqual(subscriber(3));
    expect(await store.readSecret()).not.toEqual(secret);
  });

  test("during a replacement every start is refused, with a message on its progress", async () => {
    await current().close();
    const { replacement } = engine();
    expect(await replacement.readPendingNote()).toBeUndefined();
    await replacement.begin(NOTE);
    expect(await replacement.readPendingNote()).toEqual(NOTE);
    expect((await rejection(installation().open())).message).toContain("limelight restore");
    expect((await engine().examine([hero])).map(({ ok }) => ok)).toEqual([false]);
    await replacement.end();
    expect((await installation().open()).isInstalled).toBe(true);
  });

  test("after a kill a replacement can be repeated, and the old data can be read", async () => {
    await titled("Then");
    await insertMany(current().of(subscribers), 3);
    await withFiles(engine(), async (folder) => {
      await titled("Later");
      await current().close();
      const { replacement } = engine();
      await replacement.begin(NOTE);
      for (const _ of ["killed", "again"]) await replacement.moveOut(NOTE);
      await replacement.begin({ ...NOTE, emptied: true });
      for (const _ of ["killed", "again"]) await replacement.moveIn(folder, NOTE);
      expect((await replacement.openMovedData(NOTE).readDocument(hero))?.title).toBe("Later");
      await replacement.end();
    });
    expect(titleOf(await reopened())).toBe("Then");
    expect(await current().of(subscribers).count()).toBe(3);
  });

  test("replacing an empty location sets nothing aside", async () => {
    await installation().remove();
    const { replacement } = engine();
    const release = await engine().lock();
    await replacement.begin(NOTE);
    await replacement.moveOut(NOTE);
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
