/** A start that reads only what was touched since the last one, and what is looked at right after it. */
import { expect, test } from "bun:test";
import { readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { entities } from "../../../src/schema/index.ts";
import type { Disk } from "../../../src/server/storage/disk.ts";
import { disk as realDisk } from "../../../src/server/storage/realDisk.ts";
import { SegmentTexts } from "../../../src/server/storage/segmentTexts.ts";
import type { Store } from "../../../src/server/storage/store.ts";
import { faultyDisk } from "./faultyDisk.ts";
import { all, insertMany, rejection, siteForEach, subscriber, subscribers } from "./samples.ts";

const site = siteForEach();

const list = (store: Store) => store.of(subscribers);
const hurried = faultyDisk(() => {}, true);
const pathOf = (name: string) => join(site.directory, "subscribers", name);

/** A thousand records in five segments, closed in order. */
async function filled(disk: Disk = hurried): Promise<void> {
  const store = await site.open({ disk });
  await insertMany(list(store), 1000);
  await store.close();
}

/** Resolves once every segment has been looked at. */
const settled = (store: Store) => list(store).get("nobody");

/** Damage that nobody can see from outside: files seem untouched whatever happens to them. */
const rotting: Disk = { ...hurried, stamp: async () => "untouched" };

async function damage(...names: string[]): Promise<void> {
  for (const name of names) {
    const bytes = await readFile(pathOf(name));
    bytes[bytes.length >> 1]! ^= 1;
    await writeFile(pathOf(name), bytes);
  }
}

test("a start reads no segment that was not touched; lists and counts are answered before", async () => {
  await filled();
  const read: string[] = [];
  const held = Promise.withResolvers<void>();
  const store = await site.open({
    disk: faultyDisk(async (operation, path) => {
      const name = basename(path);
      if (operation !== "read" || !/^\d+\.json$/.test(name)) return;
      read.push(name);
      if (name === "000003.json") await held.promise;
    }),
  });
  expect(list(store).count()).toBe(1000);
  expect(list(store).count({ active: true })).toBe(500);
  const page = await list(store).page({
    where: { active: false },
    newestFirst: true,
    offset: 0,
    limit: 2,
  });
  expect(page.items.map(({ id }) => id)).toEqual(["id-999", "id-997"]);
  expect(new Set(read)).not.toContain("000001.json");
  const waiting = list(store).get("id-1");
  held.resolve();
  expect(await waiting).toEqual(subscriber(1));
  expect(new Set(read).size).toBe(5);
});

test("a search right after the start reads the records of those segments alone that may hold it", async () => {
  await filled();
  const notes = ['Ärger "über" Σ\nΣ', "a\u001fb", "\\ behind", "\u212aing \u0130"];
  const changing = await site.open({ disk: hurried });
  for (const [at, note] of notes.entries())
    await list(changing).update(`id-${50 + 200 * (at + 1)}`, (record) => ({ ...record, note }));
  await changing.close();
  const read: string[] = [];
  const store = await site.open({
    disk: faultyDisk((operation, path) => {
      if (operation === "read" && /^\d+\.json$/.test(basename(path))) read.push(basename(path));
    }),
  });
  const found = async (search: string) => {
    const page = await list(store).page({ search, newestFirst: true, offset: 0, limit: 9 });
    return page.items.map(({ id }) => id);
  };
  expect(await found("nobody at all")).toEqual([]);
  expect(await found('ärger "Ü'.toLowerCase())).toEqual(["id-250"]);
  expect(await found("σ")).toEqual(["id-250"]);
  expect(await found("a\u001fb")).toEqual(["id-450"]);
  expect(await found("\\ b")).toEqual(["id-650"]);
  // Signs beyond ASCII whose small forms are or begin with letters of it.
  expect(await found("king")).toEqual(["id-850"]);
  expect(await found("g \u0130".toLowerCase())).toEqual(["id-850"]);
  expect(await found("person99")).toEqual(
    [999, 998, 997, 996, 995, 994, 993, 992, 991].map((each) => `id-${each}`),
  );
  await settled(store);
  // The five files are read for their records after that, not before.
  expect(read.length).toBeGreaterThan(5);
});

test("a search right after the start goes before what is read then, and takes what it reads along", async () => {
  await filled();
  const read: string[] = [];
  const store = await site.open({
    disk: faultyDisk((operation, path) => {
      if (operation === "read" && /^\d+\.json$/.test(basename(path))) read.push(basename(path));
    }),
  });
  read.length = 0;
  const search = (text: string) =>
    list(store).page({ search: text, newestFirst: true, offset: 0, limit: 1 });
  expect((await search("person500@")).total).toBe(1);
  // Every file once to look through its bytes, and the one that has it for its texts and for the page.
  expect([read.length, new Set(read).size]).toEqual([7, 5]);
  read.length = 0;
  expect((await search("person500@")).total).toBe(1);
  expect(read).not.toContain("000003.json");
  await settled(store);
  expect(read.filter((name) => name === "000003.json")).toEqual([]);
});

test("an enquiry right after the start waits for nothing that was stored before", async () => {
  const { formSubmissions } = entities;
  const enquiry = (id = Bun.randomUUIDv7()) => ({
    id,
    formId: "form",
    status: "new" as const,
    createdAt: null,
    submittedAt: null,
    questions: [],
    replies: [],
    ipAddress: null,
    userAgent: null,
  });
  const filling = await site.open({ entities: [formSubmissions], disk: hurried });
  const first = await filling.of(formSubmissions).insert(enquiry());
  for (let at = 0; at < 5; at++)
    await Promise.all(
      Array.from({ length: 100 }, () => filling.of(formSubmissions).insert(enquiry())),
    );
  await filling.close();
  const held = Promise.withResolvers<void>();
  const store = await site.open({
    entities: [formSubmissions],
    disk: faultyDisk((operation, path) =>
      operation === "read" && path.endsWith("000001.json") ? held.promise : undefined,
    ),
  });
  const records = store.of(formSubmissions);
  await records.insert(enquiry());
  expect(records.count({ status: "new" })).toBe(502);
  const twice = records.insert(enquiry(first.id));
  held.resolve();
  expect(await rejection(twice)).toMatchObject({ code: "conflict" });
  await records.delete(first.id);
  await records.insert(enquiry(first.id));
  expect(records.count()).toBe(502);
});

test("what is asked while it closes before all was read is refused, and not told to be missing", async () => {
  await filled();
  const held = Promise.withResolvers<void>();
  const store = await site.open({
    disk: faultyDisk((operation, path) =>
      operation === "read" && path.endsWith("000004.json") ? held.promise : undefined,
    ),
  });
  const asked = list(store)
    .get("id-1")
    .catch(({ code }: { code: string }) => code);
  const closing = store.close();
  held.resolve();
  expect(await asked).toBe("cannot_store");
  await closing;
  expect(
    await list(store)
      .get("id-1")
      .catch(({ code }: { code: string }) => code),
  ).toBe("cannot_store");
  const again = await site.open();
  expect(await all(list(again).scan())).toHaveLength(1000);
});

test("a damage that came without a trace is found right after the start, and mended from the copy", async () => {
  await filled(rotting);
  await damage("000002.json");
  const store = await site.open({ disk: rotting });
  const searched = await list(store).page({ search: "person250@", offset: 0, limit: 1 });
  expect(searched.items.map(({ id }) => id)).toEqual(["id-250"]);
  expect(site.log.join("\n")).toMatch(/DAMAGED .*000002\.json/);
  expect(site.log.join("\n")).toMatch(/RECOVERED .*000002\.json.*nothing is lost/);
  expect(await all(list(store).scan())).toHaveLength(1000);
  await store.health();
});

test("when the copy is damaged too, it is said, health fails, and nothing is told to be complete", async () => {
  await filled(rotting);
  await damage("000002.json", "000002.json.bak");
  const store = await site.open({ disk: rotting });
  expect(await rejection(settled(store))).toMatchObject({ code: "cannot_store" });
  expect(site.log.join("\n")).toMatch(/LOST .*000002\.json is damaged.*limelight restore/);
  expect(await rejection(store.health())).toMatchObject({
    message: expect.stringContaining("Restore a backup."),
  });
  const newest = await list(store).page({ newestFirst: true, offset: 0, limit: 20 });
  expect(newest.items).toHaveLength(20);
  const calls: Record<string, () => Promise<unknown>> = {
    "a page of it": () => list(store).page({ offset: 250, limit: 20 }),
    "a search": () => list(store).page({ search: "person", offset: 0, limit: 1 }),
    "a scan": () => all(list(store).scan()),
    "a change": () => list(store).update("id-250", (record) => record),
    "a deletion": () => list(store).deleteWhere({}),
    "an insert that could be a double": () => list(store).insert(subscriber(250)),
  };
  for (const [name, call] of Object.entries(calls))
    expect([name, await call().catch(({ code }: { code: string }) => code)]).toEqual([
      name,
      "cannot_store",
    ]);
  await store.close();
  // It is left out of what the next start believes.
  expect(await rejection(site.open({ disk: rotting }))).toMatchObject({ code: "cannot_open" });
});

test("a segment that was touched is read at the start, which is refused as ever", async () => {
  await filled();
  await damage("000002.json", "000002.json.bak");
  const before = await readFile(pathOf("000002.json"));
  expect(await rejection(site.open())).toMatchObject({
    code: "cannot_open",
    message: expect.stringContaining("000002.json"),
  });
  expect(await readFile(pathOf("000002.json"))).toEqual(before);
});

test("an older segment that is put back is noticed, whatever is known of the newer one", async () => {
  await filled();
  const older = await readFile(pathOf("000002.json"));
  const changing = await site.open({ disk: hurried });
  await list(changing).update("id-250", (record) => ({ ...record, note: "newer" }));
  await changing.close();
  await writeFile(pathOf("000002.json"), older);
  const store = await site.open();
  expect(site.log.join("\n")).toContain("is older than what was stored");
  expect((await list(store).get("id-250"))?.note).toBe("newer");
});

test("older outlines, as a kill leaves them, are believed of nothing that was changed since", async () => {
  await filled();
  const older = await readFile(pathOf(".outlines"));
  const changing = await site.open({ disk: hurried });
  await list(changing).update("id-250", (record) => ({ ...record, active: false }));
  await list(changing).deleteWhere({ active: false });
  await insertMany(list(changing), 3, {}, 2000);
  const expected = await all(list(changing).scan());
  const groups = list(changing).groups();
  await changing.close();
  await writeFile(pathOf(".outlines"), older);
  const store = await site.open();
  expect(list(store).groups().toSorted(byCount)).toEqual(groups.toSorted(byCount));
  expect(await all(list(store).scan())).toEqual(expected);
});

const byCount = (one: { count: number }, other: { count: number }) => one.count - other.count;

test("damaged outlines are said and not believed; without them nothing is missing", async () => {
  await filled();
  await damage(".outlines");
  const store = await site.open();
  expect(site.log.join("\n")).toMatch(/\.outlines can't be used .*all segments are read instead/);
  expect(list(store).count({ active: true })).toBe(500);
  await store.close();
  const again = await site.open();
  expect(site.log.filter((line) => line.includes("outlines"))).toHaveLength(1);
  expect(await all(list(again).scan())).toHaveLength(1000);
});

test("no backup holds outlines, and the doctor reads every segment whatever they say", async () => {
  await filled(rotting);
  const store = await site.open({ disk: rotting });
  const paths = (await Array.fromAsync(store.files())).map(({ path }) => path);
  expect(paths.filter((path) => path.includes("outlines"))).toEqual([]);
  await store.close();
  await damage("000002.json", "000002.json.bak");
  const findings = await site.engine.examine([subscribers]);
  expect(findings.some(({ refuses }) => refuses)).toBe(true);
});

test("texts are found as a look at each of them would, whatever their length and letters", () => {
  const letters = ["a", "b", "ä", "🙂", "ß", " ", "K"];
  let seed = 7;
  const random = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below;
  const word = (length: number) =>
    Array.from({ length }, () => letters[random(letters.length)]).join("");
  const records = Array.from({ length: 300 }, () =>
    Array.from({ length: random(4) }, () => word(random(9))),
  );
  const texts = new SegmentTexts<string[]>((record) => record);
  texts.hold(1, records);
  for (let at = 0; at < 500; at++) {
    const search = word(1 + random(4)).toLowerCase();
    const expected = records.flatMap((each, position) =>
      each.some((text) => text.toLowerCase().includes(search)) ? position : [],
    );
    expect(texts.find(1, Buffer.from(search))).toEqual(expected);
    expect(texts.findIn(records, Buffer.from(search))).toEqual(expected);
  }
});

test("the real disk tells a file from what takes its name, is changed in place, or set back", async () => {
  await filled();
  const path = pathOf("000001.json");
  const first = await realDisk.stamp(path);
  const bytes = await readFile(path);
  expect(await realDisk.stamp(path)).toBe(first);
  await writeFile(path, bytes);
  const second = await realDisk.stamp(path);
  const touched = Bun.spawn(["touch", "-d", "2020-01-01", path]);
  await touched.exited;
  const third = await realDisk.stamp(path);
  expect(new Set([first, second, third]).size).toBe(3);
  expect(await realDisk.stamp(`${path}.nowhere`)).toBeUndefined();
});
