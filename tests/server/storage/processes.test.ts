/** One process per data folder, and no acknowledged write lost to kill -9. */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { folderEngine } from "../../../src/server/storage/files/folderEngine.ts";
import { hero, siteForEach, rejection, subscriber, subscribers, visit, visits } from "./samples.ts";

const site = siteForEach();

const startWriting = (start: number) =>
  Bun.spawn([process.execPath, join(import.meta.dir, "writeLoop.ts"), site.directory, `${start}`], {
    stdout: "pipe",
    stderr: "inherit",
  });

/** Lets the child write for a while, kills it, and returns the whole lines it printed. */
async function killAfterLines(child: ReturnType<typeof startWriting>, lines: number) {
  let printed = "";
  const decoder = new TextDecoder();
  for await (const chunk of child.stdout) {
    printed += decoder.decode(chunk, { stream: true });
    if (printed.split("\n").length > lines) child.kill("SIGKILL");
  }
  await child.exited;
  return printed.split("\n").slice(0, -1);
}

test("after kill -9 every acknowledged write is there, three times over", async () => {
  const acknowledged: number[] = [];
  for (const round of [0, 1, 2]) {
    const lines = await killAfterLines(startWriting(round * 100_000), 60 + round * 47);
    expect(lines.length).toBeGreaterThan(50);
    acknowledged.push(...lines.map((line) => Number(line.split(" ")[0])));
    const highest = Math.max(...lines.map((line) => Number(line.split(" ")[1])));
    const store = await site.open({ entities: [hero, subscribers, visits] });
    expect(store.of(hero).read().value.score).toBeGreaterThanOrEqual(highest);
    // Of the list the last ten are kept; the last ones that were acknowledged are among them, each once.
    const list = store.of(visits).read().value;
    expect(list).toEqual(expect.arrayContaining(acknowledged.slice(-3).map(visit)));
    expect(new Set(list.map(({ id }) => id)).size).toBe(list.length);
    for (const number of acknowledged) {
      expect(await store.of(subscribers).get(`id-${number}`)).toEqual(subscriber(number));
    }
    expect(site.log.filter((line) => line.includes("DAMAGED"))).toEqual([]);
    await store.close();
  }
});

test("a second process is refused in words, and the first goes on", async () => {
  const store = await site.open();
  const child = startWriting(0);
  const printed = await new Response(child.stdout).text();
  expect(await child.exited).toBe(3);
  expect(printed).toContain("refused: Another process is using the folder");
  expect(printed).toContain("DATA_DIR");
  await store.of(subscribers).insert(subscriber(1));
  await store.close();
  expect(await (await site.open()).of(subscribers).count()).toBe(1);
});

test("the lock of a process that is alive is seen from here, and gone once it is killed", async () => {
  const child = startWriting(0);
  const reader = child.stdout.getReader();
  await reader.read();
  expect(await rejection(site.open())).toMatchObject({ code: "cannot_open" });
  const { lockHolder: openedBy } = folderEngine(site.directory);
  expect(await openedBy()).toBe(child.pid);
  child.kill("SIGKILL");
  await child.exited;
  reader.releaseLock();
  expect(await openedBy()).toBeUndefined();
  expect((await site.open()).installed).toBe(true);
});
