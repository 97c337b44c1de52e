/**
 * A changed byte in a file is always noticed: the start reports it and continues with the stored content, or refuses
 * with a message. `MUTATIONS=1000 bun test tests/server/storage/mutations.test.ts` runs longer.
 */
import { expect, test } from "bun:test";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStore } from "../../../src/server/storage/files/openStore.ts";
import type { Store } from "../../../src/server/storage/store.ts";
import {
  fillAndStop,
  hero,
  saveTitle,
  setUpSiteForEach,
  createSubscriber,
  subscribers,
  readTitle,
  useAndStop,
} from "./samples.ts";

const MUTATION_COUNT = Number(process.env["MUTATIONS"] ?? 150);
/** A segment's copy is read only by the doctor while the segment is intact. */
const FILES = [
  "hero.json",
  "hero.json.bak",
  "installation.json",
  "installation.json.bak",
  "subscribers/000001.json",
  "subscribers/segments.json",
  "subscribers/segments.json.bak",
];

const site = setUpSiteForEach();
const getPath = (...names: string[]) => site.path(...names);

/** All stored content as text. */
const readContent = async (store: Store) =>
  JSON.stringify([
    store.of(hero).read().value,
    await Array.fromAsync(store.of(subscribers).scan()),
  ]);

/** The same numbers at every run (a linear congruential generator, Numerical Recipes). */
function* generateNumbers(seed: number): Generator<number> {
  for (let state = seed; ;) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    yield state;
  }
}

test(`a start with any of ${MUTATION_COUNT} changed bytes is refused, or restores the correct content with a warning`, async () => {
  await useAndStop(site);
  const untouched = await site.open();
  const before = await readContent(untouched);
  await untouched.close();
  const draw = generateNumbers(20261121);
  const next = (below: number) => draw.next().value! % below;
  for (let round = 0; round < MUTATION_COUNT; round++) {
    const copy = await mkdtemp(join(tmpdir(), "limelight-mutation-"));
    await cp(site.directory, copy, { recursive: true });
    const file = FILES[next(FILES.length)]!;
    const bytes = await readFile(join(copy, file));
    const at = next(bytes.length);
    bytes[at] = (bytes[at]! + 1 + next(255)) % 256;
    await writeFile(join(copy, file), bytes);
    const log: string[] = [];
    const opening = openStore({
      directory: copy,
      entities: [hero, subscribers],
      log: (line) => log.push(line),
    });
    const store = await opening.catch((error: unknown) => error as Error);
    const label = `${file}, byte ${at}`;
    if (store instanceof Error)
      expect([label, store]).toMatchObject([label, { code: "cannot_open" }]);
    else {
      expect([label, await readContent(store)]).toEqual([label, before]);
      expect([label, log.join("\n")]).not.toEqual([label, ""]);
      await store.close();
    }
    await rm(copy, { recursive: true });
  }
}, 600_000);

test("a start with two files of a list swapped is refused", async () => {
  await fillAndStop(site, 450);
  const [first, second] = await Promise.all(
    ["000001.json", "000002.json"].map((name) => readFile(getPath("subscribers", name))),
  );
  for (const suffix of ["", ".bak"]) {
    await writeFile(getPath("subscribers", `000001.json${suffix}`), second!);
    await writeFile(getPath("subscribers", `000002.json${suffix}`), first!);
  }
  await expect(site.open()).rejects.toThrow("belongs to subscribers/2");
});

test("a start with a file of a list stored twice is refused", async () => {
  await useAndStop(site);
  for (const suffix of ["", ".bak"])
    await cp(getPath("subscribers", "000001.json"), getPath("subscribers", `000002.json${suffix}`));
  await expect(site.open()).rejects.toThrow("belongs to subscribers/1");
});

test("a start replaces an outdated file of a list by its newer copy, and is refused without one", async () => {
  await useAndStop(site);
  const older = await readFile(getPath("subscribers", "000001.json"));
  const store = await site.open();
  await store.of(subscribers).insert(createSubscriber(4));
  await store.close();
  await writeFile(getPath("subscribers", "000001.json"), older);
  const healed = await site.open();
  expect(await healed.of(subscribers).count()).toBe(4);
  expect(site.readLog()).toContain("is older than the stored revision");
  await healed.close();
  for (const suffix of ["", ".bak"])
    await writeFile(getPath("subscribers", `000001.json${suffix}`), older);
  await expect(site.open()).rejects.toThrow("is older than the stored revision");
});

test("a start replaces an outdated document by its newer copy, with a warning", async () => {
  await useAndStop(site);
  const older = await readFile(getPath("hero.json"));
  const store = await site.open();
  await saveTitle(store, "Fourth");
  await store.close();
  await writeFile(getPath("hero.json"), older);
  expect(readTitle(await site.open())).toBe("Fourth");
  expect(site.readLog()).toContain("from its copy");
});
