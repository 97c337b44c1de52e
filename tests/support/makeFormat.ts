/**
 * Creates an archive with the data folder of a site that was killed, with something of every kind in its files and in
 * its journal: `bun tests/support/makeFormat.ts tests/fixtures/data-<version>.tar.gz`, once for each format. The
 * archive's `expected.json` has the stored content.
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type {
  AnyRecords,
  Collection,
  Entity,
  Singleton,
} from "../../src/schema/entities/entity.ts";
import { allEntities } from "../../src/schema/index.ts";
import { openStore } from "../../src/server/storage/files/openStore.ts";
import type { Store } from "../../src/server/storage/store.ts";
import { createFilledItem } from "./createFilledItem.ts";

/** An archive of a site with the sample content, and additions by visitors and the owner. */
const EARLIER_ARCHIVE = join(import.meta.dir, "../fixtures/data-before-1.0.0.tar.gz");

const [, , target, directory] = process.argv;
if (!target) throw new Error("Name the archive to make.");
await (directory ? fillAndDie(directory) : createArchive(resolve(target)));

async function createArchive(archive: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "limelight-format-"));
  await Bun.spawn(["tar", "xzf", EARLIER_ARCHIVE, "-C", folder]).exited;
  const child = Bun.spawn([process.execPath, import.meta.path, archive, join(folder, "data")], {
    stdout: "pipe",
  });
  const expected = await new Response(child.stdout).text();
  await child.exited;
  if (child.signalCode !== "SIGKILL") throw new Error("It wasn't killed.");
  await writeFile(join(folder, "expected.json"), expected);
  const packed = ["tar", "czf", archive, "--exclude=.lock", "--exclude=.reserve", "-C", folder];
  await Bun.spawn([...packed, "data", "expected.json"]).exited;
  await rm(folder, { recursive: true });
}

/** Changes every entity, prints the stored content by entity, and kills the process. */
async function fillAndDie(data: string): Promise<void> {
  const store = await openStore({ directory: data, entities: allEntities });
  for (const round of [1, 2]) {
    for (const entity of allEntities) await changeEntity(store, entity, round);
    // The second round stays in the journal.
    if (round === 1) await store.purgeOldVersions();
  }
  const stored = allEntities.map(async (entity) => {
    const handle: object = store.of(entity);
    const value =
      "scan" in handle
        ? await Array.fromAsync(store.of(entity as AnyRecords).scan())
        : store.of(entity as Singleton).read().value;
    return [entity.name, value] as const;
  });
  await Bun.write(Bun.stdout, JSON.stringify(Object.fromEntries(await Promise.all(stored))));
  process.kill(process.pid, "SIGKILL");
}

/** Adds three items, changes one and deletes one. */
async function changeEntity(store: Store, entity: Entity, round: number): Promise<void> {
  const ids = [1, 2, 3].map((each) => `${entity.name}-${round}-${each}`);
  if (entity.shape === "singleton") {
    await store.of(entity as Singleton).update((value) => ({ ...(value as object) }) as never);
  } else if (entity.shape === "records") {
    const list = store.of(entity as AnyRecords);
    for (const [at, id] of ids.entries()) {
      const address = `person${round}${at}@example.com`;
      const addressed = ["to", entity.uniqueField].filter((name) => name && name in entity.fields);
      const addresses = Object.fromEntries(addressed.map((name) => [name, address]));
      await list.insert({ ...createFilledItem(entity), ...addresses, id } as never);
    }
    await list.update(ids[0]!, (record) => ({ ...record }));
    await list.delete(ids[1]!);
  } else {
    const list = store.of(entity as Collection);
    const sample = (list.read().value as object[])[0] ?? createFilledItem(entity);
    await list.update((all) => [...all, ...ids.map((id) => ({ ...sample, id }) as never)]);
    await list.update((all) => all.filter(({ id }) => id !== ids[1]));
  }
}
