/** A backup reads one snapshot, even if the site is stopped and started meanwhile. */
import { expect, test } from "bun:test";
import { removeSnapshot, takeSnapshot } from "../../../src/server/storage/files/folderSnapshot.ts";
import { setUpSiteForEach, subscribers, readTitle } from "./samples.ts";

const site = setUpSiteForEach();

/** Runs a process that saves these numbers, stops cleanly before each but the first, and is killed. */
function saveAndStop(...numbers: readonly number[]): void {
  const directory = import.meta.dir;
  const code = `const { openStore } = await import("${directory}/../../../src/server/storage/files/openStore.ts");
    const { hero, saveTitle, createSubscriber, subscribers } = await import("${directory}/samples.ts");
    const open = () => openStore({ directory: ${JSON.stringify(site.directory)}, entities: [hero, subscribers] });
    let store = await open();
    for (const [at, number] of ${JSON.stringify(numbers)}.entries()) {
      if (at > 0) { await store.close(); store = await open(); }
      await store.of(subscribers).insert(createSubscriber(number));
      await saveTitle(store, String(number));
    }
    process.kill(process.pid, "SIGKILL");`;
  Bun.spawnSync([process.execPath, "-e", code], { stderr: "inherit" });
}

test("a snapshot has every acknowledged change even if the site stops and starts while it is taken", async () => {
  saveAndStop(1);
  const paths: string[] = [];
  await removeSnapshot(
    await takeSnapshot(site.directory, { isExcluded: (path) => paths.push(path) < 0 }),
  );
  let isOver = false;
  const snapshot = await takeSnapshot(site.directory, {
    isExcluded(path) {
      if (path === paths.at(-1) && !isOver) {
        isOver = true;
        saveAndStop(2, 3);
      }
      return false;
    },
  });
  const store = await site.open({ directory: snapshot });
  expect(readTitle(store)).toBe("3");
  const ids = (await Array.fromAsync(store.of(subscribers).scan())).map(({ id }) => id);
  expect(ids).toEqual(["id-1", "id-2", "id-3"]);
  await store.close();
  await removeSnapshot(snapshot);
});
