/** One process per data folder. attacks/kill.test.ts shows that kill -9 loses no acknowledged write. */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { createFolderEngine } from "../../../src/server/storage/files/folderEngine.ts";
import { setUpSiteForEach, catchError, createSubscriber, subscribers } from "./samples.ts";

const site = setUpSiteForEach();

const startWriteLoop = () =>
  Bun.spawn([process.execPath, join(import.meta.dir, "writeLoop.ts"), site.directory], {
    stdout: "pipe",
    stderr: "inherit",
  });

test("a second process on the same data folder is refused, and the first continues", async () => {
  const store = await site.open();
  const child = startWriteLoop();
  const printed = await new Response(child.stdout).text();
  expect(await child.exited).toBe(3);
  expect(printed).toContain("refused: Another process is using the folder");
  expect(printed).toContain("DATA_DIR");
  await store.of(subscribers).insert(createSubscriber(1));
  await store.close();
  expect(await (await site.open()).of(subscribers).count()).toBe(1);
});

test("a second process on the same data folder is refused also after an erasure", async () => {
  const store = await site.open();
  expect(await store.eraseCopies("eve@example.com")).toEqual([]);
  const child = startWriteLoop();
  const { value: printed } = await child.stdout.getReader().read();
  child.kill("SIGKILL");
  expect(new TextDecoder().decode(printed)).toContain("refused");
  expect(await createFolderEngine(site.directory).findLockHolders()).toEqual([String(process.pid)]);
});

test("the lock of a running process is visible to others, and released once it is killed", async () => {
  const child = startWriteLoop();
  const reader = child.stdout.getReader();
  await reader.read();
  expect(await catchError(site.open())).toMatchObject({ code: "cannot_open" });
  const { findLockHolders } = createFolderEngine(site.directory);
  expect(await findLockHolders()).toEqual([String(child.pid)]);
  child.kill("SIGKILL");
  await child.exited;
  reader.releaseLock();
  expect(await findLockHolders()).toEqual([]);
  expect((await site.open()).isInstalled).toBe(true);
});
