/** A new record is a line beside its segment: as safe as before, and in every look at the folder. */
import { expect, test } from "bun:test";
import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { folderEngine } from "../../../src/server/storage/folderEngine.ts";
import type { Store } from "../../../src/server/storage/store.ts";
import { diskError, faultyDisk, type Operation } from "./faultyDisk.ts";
import {
  all,
  insertMany,
  killedNow,
  makeSite,
  rejection,
  siteForEach,
  subscriber,
  subscribers,
} from "./samples.ts";

const site = siteForEach();
const SEGMENT = "000001.json";
const LOG = "000001.jsonl";

const list = (store: Store) => store.of(subscribers);
const file = (name: string) => join(site.directory, "subscribers", name);
const names = () => readdir(join(site.directory, "subscribers"));
const insert = (store: Store, number: number) => list(store).insert(subscriber(number));
const engine = () => folderEngine(site.directory);
const killed = (store: Store) => killedNow(site, store);
const idsIn = async (store: Store) => (await all(list(store).scan())).map(({ id }) => id);
const ids = (...numbers: number[]) => numbers.map((number) => `id-${number}`);

function tamperable() {
  const control = { gate: (_operation: Operation, _path: string): void | Promise<void> => {} };
  return { control, disk: faultyDisk((operation, path) => control.gate(operation, path)) };
}

/** What the whole folder holds, of a text. */
async function filesWith(text: string): Promise<string[]> {
  const found: string[] = [];
  for (const name of await readdir(site.directory, { recursive: true })) {
    const path = join(site.directory, name);
    if (!(await stat(path)).isFile() || name.includes(".lock")) continue;
    if ((await readFile(path)).includes(text)) found.push(name);
  }
  return found.toSorted();
}

test("a new record costs one write of the log and one of its copy, and leaves the segment alone", async () => {
  const { control, disk } = tamperable();
  const store = await site.open({ disk });
  await insert(store, 1);
  const before = await readFile(file(SEGMENT));
  const steps: string[] = [];
  control.gate = (operation, path) => void steps.push(`${operation} ${basename(path)}`);
  await insert(store, 2);
  expect(steps).toEqual([`write ${LOG}`, `write ${LOG}.bak`]);
  expect(await readFile(file(SEGMENT))).toEqual(before);
  expect(list(store).count()).toBe(2);
});

test("those of one moment share a write, and one that is refused takes none along", async () => {
  const { control, disk } = tamperable();
  const store = await site.open({ disk });
  await insert(store, 0);
  let writes = 0;
  control.gate = (operation, path) =>
    void (operation === "write" && path.endsWith(LOG) && writes++);
  const outcomes = await Promise.allSettled([1, 2, 0, 3].map((number) => insert(store, number)));
  expect(outcomes.map(({ status }) => status)).toEqual([
    "fulfilled",
    "fulfilled",
    "rejected",
    "fulfilled",
  ]);
  expect(writes).toBe(1);
  await killed(store);
  expect(await idsIn(await site.open())).toEqual(ids(0, 1, 2, 3));
});

test("after a kill all are there, in their order, with all that is counted and unique; the log is gone", async () => {
  const store = await site.open();
  for (const number of [1, 2, 3]) await insert(store, number);
  await killed(store);
  const again = await site.open();
  expect(await idsIn(again)).toEqual(ids(1, 2, 3));
  expect([list(again).count(), list(again).count({ active: true })]).toEqual([3, 1]);
  expect(await list(again).findUnique("person2@example.org")).toEqual(subscriber(2));
  expect(await rejection(list(again).insert({ ...subscriber(2), id: "other" }))).toMatchObject({
    code: "conflict",
  });
  expect((await names()).filter((name) => name.includes(".jsonl"))).toEqual([]);
  expect(site.log).toEqual([]);
});

test("also where the start knew the outline of the segment, which a line doesn't touch", async () => {
  const first = await site.open();
  await insertMany(list(first), 150);
  await first.close();
  const second = await site.open();
  await insert(second, 500);
  await killed(second);
  const third = await site.open();
  expect([list(third).count(), (await list(third).get("id-500"))?.id]).toEqual([151, "id-500"]);
});

test("after an end the segment and its copy hold everything, and there is no log: as an earlier release left it", async () => {
  const store = await site.open();
  for (const number of [1, 2]) await insert(store, number);
  await store.close();
  for (const name of [SEGMENT, `${SEGMENT}.bak`])
    expect(JSON.parse(await readFile(file(name), "utf8")).value).toEqual(
      [1, 2].map((n) => subscriber(n)),
    );
  expect((await names()).filter((name) => name.includes(".jsonl"))).toEqual([]);
});

test("a full segment is written with all lines before the next one takes any", async () => {
  const store = await site.open();
  for (let number = 0; number < 201; number++) await insert(store, number);
  const segment = await readFile(file(SEGMENT), "utf8");
  expect(JSON.parse(segment).value).toHaveLength(200);
  // What is taken of the room is what the files take, without what lines say of themselves.
  const lines = (await stat(file("000002.jsonl"))).size;
  const next = (await stat(file("000002.json"))).size;
  expect(list(store).bytes()).toBe(segment.length + next + lines);
  expect((await names()).filter((name) => name.includes(".jsonl")).toSorted()).toEqual([
    "000002.jsonl",
    "000002.jsonl.bak",
  ]);
  await killed(store);
  expect(list(await site.open()).count()).toBe(201);
});

test("what is erased or changed is in no file once the caller is answered, lines included", async () => {
  const store = await site.open();
  for (const number of [1, 2, 3]) await insert(store, number);
  expect((await filesWith("person2@")).length).toBeGreaterThan(0);
  await list(store).delete("id-2");
  expect(await filesWith("person2@")).toEqual([]);
  await insert(store, 4);
  await list(store).update("id-4", (record) => ({ ...record, note: "secret words" }));
  await insert(store, 5);
  await list(store).updateWhere({}, (record) => ({ ...record, note: "" }));
  expect(await filesWith("secret words")).toEqual([]);
  await killed(store);
  expect(await idsIn(await site.open())).toEqual(ids(1, 3, 4, 5));
});

test("what only its lines hold stays in memory, however much else is read and changed", async () => {
  const filled = await site.open();
  await insertMany(list(filled), 2500);
  await filled.close();
  const store = await site.open();
  await insert(store, 5000);
  for (let number = 0; number < 2500; number += 190) {
    await list(store).get(`id-${number}`);
    await list(store).update(`id-${number}`, (record) => ({ ...record, note: "seen" }));
  }
  expect(await list(store).get("id-5000")).toEqual(subscriber(5000));
  await insert(store, 5001);
  const newest = { newestFirst: true, offset: 0, limit: 2 };
  expect((await list(store).page(newest)).items.map(({ id }) => id)).toEqual(ids(5001, 5000));
  const search = { search: "person5000@", offset: 0, limit: 2 };
  expect((await list(store).page(search)).items).toEqual([subscriber(5000)]);
  await killed(store);
  const again = await site.open();
  expect(list(again).count()).toBe(2502);
  expect((await list(again).get("id-1900"))?.note).toBe("seen");
});

test("an archive, a count and a look from outside have what only the lines hold", async () => {
  const store = await site.open();
  for (const number of [1, 2, 3]) await insert(store, number);
  const look = async () => [
    await engine().count(subscribers),
    (await engine().peekRecords(subscribers)).map(({ id }) => id),
    (await engine().examine([subscribers])).filter(({ ok }) => !ok),
  ];
  expect(await look()).toEqual([3, ids(1, 2, 3), []]);
  const files = await all(store.files());
  expect(files.map(({ path }) => path).filter((path) => path.includes(".jsonl"))).toEqual([]);
  const own = await makeSite();
  await own.open().then((made) => made.close());
  for (const { path, bytes } of files) {
    await mkdir(dirname(join(own.directory, path)), { recursive: true });
    await writeFile(join(own.directory, path), bytes);
  }
  expect(await idsIn(await own.open())).toEqual(ids(1, 2, 3));
  expect(own.log).toEqual([]);
  await own.remove();
  await killed(store);
  expect(await look()).toEqual([3, ids(1, 2, 3), []]);
});

test("an archive that is made while records come has all that were there when it began", async () => {
  const store = await site.open();
  let inserted = 0;
  const end = new AbortController();
  const coming = (async () => {
    while (!end.signal.aborted) await insert(store, inserted++);
  })();
  for (let round = 0; round < 12; round++) {
    await Bun.sleep(15);
    const before = inserted - 1;
    const found = new Set<string>();
    for await (const stored of store.files())
      if (!stored.path.endsWith(".bak"))
        for (const { id } of engine().recordsIn(stored, subscribers) ?? []) found.add(id);
    const missing = Array.from({ length: before }, (_, at) => `id-${at}`).filter(
      (id) => !found.has(id),
    );
    expect(missing).toEqual([]);
  }
  end.abort();
  await coming;
  expect(inserted).toBeGreaterThan(50);
});

test("no byte of a log that is changed loses a record, or is silent", async () => {
  const store = await site.open();
  for (const number of [1, 2, 3]) await insert(store, number);
  await killed(store);
  const there = new Map<string, Buffer>();
  for (const name of await names()) there.set(name, await readFile(file(name)));
  for (let at = 0; at < there.get(LOG)!.length; at += 11) {
    for (const [name, bytes] of there) await writeFile(file(name), bytes);
    const name = at % 2 ? LOG : `${LOG}.bak`;
    const changed = Buffer.from(there.get(name)!);
    changed[at]! ^= 1;
    await writeFile(file(name), changed);
    const again = await site.open();
    expect(await idsIn(again)).toEqual(ids(1, 2, 3));
    expect(site.log.splice(0).join("\n")).toContain("DAMAGED");
    await again.close();
  }
});

test("a damaged log that was kept aside goes with the next deletion: it would keep who was erased", async () => {
  const store = await site.open();
  for (const number of [1, 2]) await insert(store, number);
  await killed(store);
  const bytes = await readFile(file(LOG));
  bytes[bytes.indexOf("checksum") + 12]! ^= 1;
  await writeFile(file(LOG), bytes);
  const again = await site.open();
  expect((await filesWith("person2@")).join()).toContain(".jsonl.bad-");
  await list(again).delete("id-2");
  expect(await filesWith("person2@")).toEqual([]);
  expect(await idsIn(again)).toEqual(ids(1));
});

test("a segment that only its copy holds gets its lines as well", async () => {
  const store = await site.open();
  await insertMany(list(store), 3);
  await store.close();
  const second = await site.open();
  await insert(second, 7);
  await killed(second);
  await writeFile(file(SEGMENT), "{");
  expect(await idsIn(await site.open())).toEqual(ids(0, 1, 2, 7));
  expect(site.log.join()).toContain("RECOVERED");
});

test("a segment that was edited by hand after a kill is accepted with its lines", async () => {
  const store = await site.open();
  await list(store).insert(subscriber(1, { note: "before" }));
  await store.close();
  const second = await site.open();
  await insert(second, 2);
  await killed(second);
  const text = await readFile(file(SEGMENT), "utf8");
  await writeFile(file(SEGMENT), text.replace('"before"', '"edited"'));
  expect((await engine().accept([subscribers])).map(({ ok }) => ok)).toEqual([true]);
  const again = await site.open();
  expect(await idsIn(again)).toEqual(ids(1, 2));
  expect((await list(again).get("id-1"))?.note).toBe("edited");
});

test.each(["ENOSPC", "EIO"])(
  "where the disk answers %s, a record is refused and doesn't come back",
  async (code) => {
    const { control, disk } = tamperable();
    const store = await site.open({ disk });
    await insert(store, 1);
    control.gate = (operation) => {
      if (operation === "write") throw diskError(code);
    };
    expect(await rejection(insert(store, 2))).toMatchObject({ code: "cannot_store" });
    expect(list(store).count()).toBe(1);
    control.gate = () => {};
    await insert(store, 3);
    await killed(store);
    expect(await idsIn(await site.open())).toEqual(ids(1, 3));
  },
);

test("where the full segment can't be written, the next record is refused, and all others are safe", async () => {
  const { control, disk } = tamperable();
  const store = await site.open({ disk });
  for (let number = 0; number < 200; number++) await insert(store, number);
  control.gate = (operation) => {
    if (operation === "create") throw diskError("ENOSPC");
  };
  expect(await rejection(insert(store, 200))).toMatchObject({ code: "cannot_store" });
  expect((await all(list(store).scan())).length).toBe(200);
  control.gate = () => {};
  await insert(store, 201);
  await killed(store);
  const again = await site.open();
  expect([list(again).count(), (await list(again).get("id-201"))?.id]).toEqual([201, "id-201"]);
});
