/**
 * What earlier releases stored is opened by this one, and no shape changes without its version. A release
 * leaves its data folder in tests/fixtures as `data-<version>.tar.gz`: `limelight demo` into an empty
 * folder, then `tar czf … data`.
 */
import { describe, expect, test } from "bun:test";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { shownOf, type StoredItem } from "../../../src/schema/entity.ts";
import { allEntities, type AnyRecords, entities, type Entity } from "../../../src/schema/index.ts";
import { openStore } from "../../../src/server/storage/files/openStore.ts";
import { folderForEach } from "../../support/folderForEach.ts";
import shapes from "../../fixtures/shapes.json" with { type: "json" };

const FIXTURES = "tests/fixtures";
const kept = (await readdir(FIXTURES)).filter((name) => /^data-.*\.tar\.gz$/.test(name));

const at = folderForEach();

const open = async (log: string[]) =>
  openStore({ directory: at("data"), entities: allEntities, log: (line) => log.push(line) });

const unpack = (name: string) => {
  const archive = join(process.cwd(), FIXTURES, name);
  expect(Bun.spawnSync(["tar", "xzf", archive, "-C", at()]).exitCode).toBe(0);
};

describe.each(kept)("%s", (name) => {
  test("opens with every value that it had, once loudly and then without a word", async () => {
    unpack(name);
    const stored = await valuesOnDisk();
    const log: string[] = [];
    const store = await open(log);
    expect(store.installed).toBe(true);
    expect(log.join("\n")).not.toMatch(/DAMAGED|RECOVERED/);
    for (const entity of allEntities) {
      const before = stored.get(entity.name);
      if (before === undefined) continue;
      const handle = store.of(entity);
      const now = "scan" in handle ? await shown(entity, handle.scan()) : handle.read().value;
      // A later version may add fields; what was there is there still.
      expect([entity.name, now]).toMatchObject([entity.name, before] as unknown[]);
    }
    await store.close();
    const again: string[] = [];
    await (await open(again)).close();
    expect(again).toEqual([]);
  });

  /** As calls return them: what is stored otherwise than before is seen as before. */
  const shown = async (entity: Entity, records: AsyncIterable<StoredItem>) =>
    (await Array.fromAsync(records)).map((record) => shownOf(entity as AnyRecords, record));

  /** By entity; records of all segments together. */
  async function valuesOnDisk(): Promise<Map<string, unknown>> {
    const values = new Map<string, unknown>();
    for (const { name: entity, shape } of allEntities) {
      const files = shape === "records" ? `${entity}/[0-9]*.json` : `${entity}.json`;
      const paths = [...new Bun.Glob(files).scanSync(at("data"))].sort();
      const read = paths.map((path) => Bun.file(at("data", path)).json());
      const found = (await Promise.all(read)).map(({ value }) => value);
      if (found.length > 0) values.set(entity, shape === "records" ? found.flat() : found[0]);
    }
    return values;
  }
});

test("a fixture of some release is there", () => {
  expect(kept.length).toBeGreaterThan(0);
});

test("what an entity stores is added to without a new version, and loses nothing without one (else raise it, give the migration, and note the shape in tests/fixtures/shapes.json)", () => {
  for (const [name, noted] of Object.entries(shapes)) {
    const entity = allEntities.find((each) => each.name === name);
    const { version, shape, fields = {} } = entity ?? {};
    expect([name, version, shape]).toEqual([name, noted.version, noted.shape]);
    expect([name, Object.keys(fields)]).toEqual([name, expect.arrayContaining(noted.fields)]);
  }
});

test("what an earlier release had in lines beside its files when it was killed is read once, and then in the files", async () => {
  unpack("killed-0.1.0.tar.gz");
  const lines = async () =>
    (await readdir(at("data"), { recursive: true })).filter(
      (name) => name.includes(".jsonl") && !name.startsWith("journal-"),
    );
  expect((await lines()).length).toBeGreaterThan(3);
  for (let round = 0; round < 2; round++) {
    const log: string[] = [];
    const store = await open(log);
    const enquiries = await Array.fromAsync(store.of(entities.formSubmissions).scan());
    expect(enquiries.map(({ id, status }) => [id, status])).toEqual([
      ["enquiry-1", "new"],
      ["enquiry-2", "reviewed"],
      ["enquiry-3", "new"],
      ["enquiry-4", "new"],
      ["enquiry-5", "new"],
    ]);
    const people = await Array.fromAsync(store.of(entities.emailSubscriptions).scan());
    expect(people.map(({ email }) => email)).toEqual([
      "person1@example.com",
      "person2@example.com",
    ]);
    const progress = store.of(entities.letterProgress).read().value;
    expect(progress.map(({ id }) => id)).toEqual(["letter-1"]);
    expect(store.of(entities.hero).read().value.mainTitle).toBe("Before the kill");
    expect(await lines()).toEqual([]);
    await store.close();
    expect(log.join()).not.toMatch(/DAMAGED|LOST/);
  }
});
