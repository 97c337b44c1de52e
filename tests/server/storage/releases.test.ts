/**
 * This release opens the data folders of every other, and no shape changes without its version. tests/fixtures has
 * them as `data-<version>.tar.gz`: the state after a clean stop of the program before 1.0.0, and since format 1 a
 * killed site with its content beside it (`tests/support/makeFormat.ts`).
 */
import { describe, expect, test } from "bun:test";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { toRecordResponse, type StoredItem } from "../../../src/schema/entities/entity.ts";
import { allEntities, type AnyRecords, type Entity } from "../../../src/schema/index.ts";
import { openStore } from "../../../src/server/storage/files/openStore.ts";
import { setUpFolderForEach } from "../../support/folderForEach.ts";
import shapes from "../../fixtures/shapes.json" with { type: "json" };

const FIXTURES = "tests/fixtures";
const fixtures = (await readdir(FIXTURES)).filter((name) => /^data-.*\.tar\.gz$/.test(name));

const getPath = setUpFolderForEach();

const openFixture = async (log: string[]) =>
  openStore({ directory: getPath("data"), entities: allEntities, log: (line) => log.push(line) });

const unpackFixture = (name: string) => {
  const archive = join(process.cwd(), FIXTURES, name);
  expect(Bun.spawnSync(["tar", "xzf", archive, "-C", getPath()]).exitCode).toBe(0);
};

describe.each(fixtures)("the stored data in %s", (name) => {
  test("opens twice with all its values and without a warning", async () => {
    unpackFixture(name);
    const stored = (await readExpectedValues()) ?? (await readStoredValues());
    const log: string[] = [];
    const store = await openFixture(log);
    expect(store.isInstalled).toBe(true);
    expect(log).toEqual([]);
    for (const entity of allEntities) {
      const before = stored.get(entity.name);
      if (before === undefined) continue;
      const handle = store.of(entity);
      const now = "scan" in handle ? await toResponses(entity, handle.scan()) : handle.read().value;
      // A later version may add fields, but keeps the others.
      expect([entity.name, now]).toMatchObject([entity.name, before] as unknown[]);
    }
    await store.close();
    const again: string[] = [];
    await (await openFixture(again)).close();
    expect(again).toEqual([]);
  });

  /** Records as calls return them, which doesn't depend on their stored form. */
  const toResponses = async (entity: Entity, records: AsyncIterable<StoredItem>) =>
    (await Array.fromAsync(records)).map((record) =>
      toRecordResponse(entity as AnyRecords, record),
    );

  /** The values by entity; undefined if everything is in the files. */
  async function readExpectedValues(): Promise<Map<string, unknown> | undefined> {
    const beside = Bun.file(getPath("expected.json"));
    if (!(await beside.exists())) return undefined;
    expect(await readdir(getPath("data"))).toContainEqual(expect.stringMatching(/^journal-/));
    const values = Object.entries<unknown>(await beside.json());
    expect(values.length).toBeGreaterThan(30);
    return new Map(values);
  }

  /** The values by entity, with the records of all segments. */
  async function readStoredValues(): Promise<Map<string, unknown>> {
    const values = new Map<string, unknown>();
    for (const { name: entity, shape } of allEntities) {
      const files = shape === "records" ? `${entity}/[0-9]*.json` : `${entity}.json`;
      const paths = [...new Bun.Glob(files).scanSync(getPath("data"))].sort();
      const read = paths.map((path) => Bun.file(getPath("data", path)).json());
      const stored = (await Promise.all(read)).map(({ value }) => value);
      if (stored.length > 0) values.set(entity, shape === "records" ? stored.flat() : stored[0]);
    }
    return values;
  }
});

test("the fixtures contain the data of at least one release", () => {
  expect(fixtures.length).toBeGreaterThan(0);
});

test("an entity loses no stored field without a new version and a migration (then record its shape in tests/fixtures/shapes.json)", () => {
  for (const [name, noted] of Object.entries(shapes)) {
    const entity = allEntities.find((each) => each.name === name);
    const { version, shape, fields = {} } = entity ?? {};
    expect([name, version, shape]).toEqual([name, noted.version, noted.shape]);
    expect([name, Object.keys(fields)]).toEqual([name, expect.arrayContaining(noted.fields)]);
  }
});
