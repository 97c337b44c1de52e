/** An item that is put into a list is a line beside its document: never lost, never twice, and nobody else's concern. */
import { describe, expect, test } from "bun:test";
import { readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { collection } from "../../../src/schema/entity.ts";
import { folderEngine } from "../../../src/server/storage/folderEngine.ts";
import type { Store } from "../../../src/server/storage/store.ts";
import { diskError, faultyDisk, type Operation } from "./faultyDisk.ts";
import {
  all,
  hero,
  killedNow,
  makeSite,
  rejection,
  siteForEach,
  type Site,
  visit,
  visits,
} from "./samples.ts";

const site = siteForEach();
const ENTITIES = [hero, visits];
const LOG = "visits.jsonl";

const open = (more = {}) => site.open({ entities: ENTITIES, ...more });
const append = (store: Store, ...numbers: number[]) =>
  Promise.all(
    numbers.map((number) => store.of(visits).put(`visit-${number}`, () => visit(number))),
  );
const numbersIn = (store: Store) =>
  store
    .of(visits)
    .read()
    .value.map(({ id }) => Number(id.replace("visit-", "")));
const file = (name: string, directory = site.directory) => join(directory, name);
const names = () => readdir(site.directory);
const size = async (name = LOG) => (await stat(file(name)).catch(() => undefined))?.size;

const killed = (store: Store) => killedNow(site, store);

function tamperable() {
  const control = { gate: (_operation: Operation, _path: string): void | Promise<void> => {} };
  return { control, disk: faultyDisk((operation, path) => control.gate(operation, path)) };
}

test("a line costs one write of the open log and one of its copy, and leaves the document alone", async () => {
  const { control, disk } = tamperable();
  const store = await open({ disk });
  await append(store, 1);
  const before = await readFile(file("visits.json"));
  const steps: string[] = [];
  control.gate = (operation) => void steps.push(operation);
  await append(store, 2);
  expect(steps).toEqual(["write", "write"]);
  expect(await readFile(file("visits.json"))).toEqual(before);
});

test("its file is private, and its name lasts before the first line is acknowledged", async () => {
  const { control, disk } = tamperable();
  const store = await open({ disk });
  const steps: string[] = [];
  control.gate = (operation, path) => void steps.push(`${operation} ${path.split("/").at(-1)}`);
  await append(store, 1);
  expect(steps).toEqual([
    `create ${LOG}`,
    `create ${LOG}.bak`,
    "open data",
    "sync data",
    "close data",
    `write ${LOG}`,
    `write ${LOG}.bak`,
  ]);
  expect((await stat(file(LOG))).mode & 0o777).toBe(0o600);
});

test("those of one moment share a write, each with a revision of its own", async () => {
  const { control, disk } = tamperable();
  const store = await open({ disk });
  await append(store, 0);
  let writes = 0;
  control.gate = (operation, path) =>
    void (operation === "write" && path.endsWith(LOG) && writes++);
  const snapshots = await append(store, 1, 2, 3);
  expect(writes).toBe(1);
  expect(snapshots.map(({ revision }) => revision)).toEqual([3, 4, 5]);
  await killed(store);
  expect(numbersIn(await open())).toEqual([0, 1, 2, 3]);
});

test("an item that is changed is a line as well, and has its place after a kill", async () => {
  const store = await open();
  await append(store, 1, 2, 3);
  await store.of(visits).update((list) => [...list]);
  const before = await readFile(file("visits.json"));
  const moved = (page: string) =>
    store.of(visits).put("visit-2", (item) => item && { ...item, page });
  for (const page of ["/a", "/b"]) await moved(page);
  await append(store, 4);
  const last = await moved("/c");
  expect(await readFile(file("visits.json"))).toEqual(before);
  await killed(store);
  const again = await open();
  expect(again.of(visits).read()).toEqual(last);
  expect(last.value.map(({ page }) => page)).toEqual(["/1", "/c", "/3", "/4"]);
});

test("every other change writes the document, with all lines, and empties the log", async () => {
  const store = await open();
  await append(store, 1, 2);
  expect(await size()).toBeGreaterThan(0);
  await store.of(visits).update((list) => list.slice(1));
  expect(await size()).toBe(0);
  await append(store, 3);
  await killed(store);
  const again = await open();
  expect(numbersIn(again)).toEqual([2, 3]);
  expect(again.of(visits).read().revision).toBe(5);
});

test("a kill leaves lines, which the next start puts into the document; after an end there is no log", async () => {
  const store = await open();
  const [, last] = await append(store, 1, 2);
  await killed(store);
  expect(await names()).toContain(LOG);
  const again = await open();
  expect(again.of(visits).read()).toEqual(last!);
  expect(await names()).not.toContain(LOG);
  await append(again, 3);
  await again.close();
  expect(await names()).not.toContain(LOG);
  // As an earlier release, which knows of no lines, would read it.
  const stored = JSON.parse(await readFile(file("visits.json"), "utf8"));
  expect(stored.value).toEqual([visit(1), visit(2), visit(3)]);
  expect(site.log).toEqual([]);
});

test("a last line that a kill cut short was never acknowledged, and is dropped without a word", async () => {
  const store = await open();
  await append(store, 1);
  await append(store, 2);
  await killed(store);
  const [document, log] = await Promise.all(
    ["visits.json", LOG].map((name) => readFile(file(name))),
  );
  for (let length = log!.indexOf("\n") + 1; length < log!.length; length += 7) {
    for (const name of ["visits.json", "visits.json.bak"]) await writeFile(file(name), document!);
    // The copy had not come even so far.
    await writeFile(file(LOG), log!.subarray(0, length));
    await writeFile(
      file(`${LOG}.bak`),
      log!.subarray(0, Math.max(length - 20, log!.indexOf("\n") + 1)),
    );
    const again = await open();
    expect(numbersIn(again)).toEqual([1]);
    await again.close();
    expect(await names()).not.toContain(LOG);
  }
  expect(site.log).toEqual([]);
});

/** Changes a byte of the second of three lines. */
async function damage(name: string): Promise<void> {
  const bytes = await readFile(file(name));
  bytes[bytes.indexOf("/2")] = 0x5c;
  await writeFile(file(name), bytes);
}

test("a damaged line is whole in the copy: nothing is lost, the bad log is kept, and what reads the folder says so", async () => {
  for (const name of [LOG, `${LOG}.bak`]) {
    const store = await open();
    await store.of(visits).update(() => []);
    await append(store, 1, 2, 3);
    await killed(store);
    await damage(name);
    const findings = await folderEngine(site.directory).examine(ENTITIES);
    expect(findings.filter(({ ok }) => !ok).map(({ message }) => message)).toEqual([
      expect.stringMatching(/^The next start will mend this: DAMAGED .*visits\.jsonl/),
    ]);
    const leftOut: string[] = [];
    await all(folderEngine(site.directory).files((path, why) => leftOut.push(`${path}: ${why}`)));
    expect(leftOut).toEqual([]);
    expect(await folderEngine(site.directory).peek(visits)).toHaveLength(3);
    const again = await open();
    expect(numbersIn(again)).toEqual([1, 2, 3]);
    expect(site.log.splice(0).join("\n")).toContain(`DAMAGED ${file(name)}`);
    const engine = folderEngine(site.directory);
    const kept = await engine.copies();
    expect(kept.map(({ path, by }) => [path.replace(/\w+$/, ""), by])).toEqual([
      [`${name}.bad-`, "damage"],
    ]);
    await engine.removeCopies(kept);
    await again.close();
  }
});

test("a line that is damaged in both is no other's end: the rest is taken, and all say so", async () => {
  const store = await open();
  await append(store, 1, 2, 3);
  await killed(store);
  for (const name of [LOG, `${LOG}.bak`]) await damage(name);
  const leftOut: string[] = [];
  await all(folderEngine(site.directory).files((path, why) => leftOut.push(`${path}: ${why}`)));
  expect(leftOut).toEqual([`${LOG}: it is damaged, and so is its copy`]);
  const again = await open();
  expect(numbersIn(again)).toEqual([1, 3]);
  expect(site.log.filter((line) => line.includes("DAMAGED"))).toHaveLength(2);
  await append(again, 4);
  await again.close();
  expect(numbersIn(await open())).toEqual([1, 3, 4]);
});

test("lines of a document that was put back or written by an earlier release are not put into it", async () => {
  const store = await open();
  const early = await readFile(file("visits.json"));
  await append(store, 1, 2);
  await killed(store);
  const log = await readFile(file(LOG));
  const again = await open();
  await again.of(visits).update(() => [visit(9)]);
  await again.close();
  await writeFile(file(LOG), log);
  const later = await open();
  expect(numbersIn(later)).toEqual([9]);
  await later.close();
  expect(await names()).not.toContain(LOG);
  // The document of that moment again: they follow it.
  await writeFile(file("visits.json"), early);
  await writeFile(file("visits.json.bak"), early);
  await writeFile(file(LOG), log);
  expect(numbersIn(await open())).toEqual([1, 2]);
});

test("a document that only its copy holds gets the lines as well, and the log says that it was mended", async () => {
  const store = await open();
  await append(store, 1);
  await killed(store);
  await writeFile(file("visits.json"), "{");
  const again = await open();
  expect(numbersIn(again)).toEqual([1]);
  expect(site.log.join("\n")).toContain(`RECOVERED ${file("visits.json")}`);
});

test("a newer release brings the lines to its own form, and keeps a copy of what was", async () => {
  const store = await open();
  await append(store, 1, 2);
  await killed(store);
  const { fields } = visits;
  const newer = collection("visits", "Visit", {
    history: false,
    version: 2,
    fields: { page: fields.page },
    migrations: {
      1: (list) =>
        (list as { id: string; page: string }[]).map((each) => ({
          ...each,
          page: `${each.page}/`,
        })),
    },
  });
  const again = await site.open({ entities: [hero, newer] });
  expect(
    again
      .of(newer)
      .read()
      .value.map(({ page }) => page),
  ).toEqual(["/1/", "/2/"]);
  await again.of(newer).put("visit-3", () => ({ id: "visit-3", page: "/3/" }));
  await again.close();
  const [copy] = await readdir(file("migrations"));
  const kept = JSON.parse(await readFile(file(`migrations/${copy}`), "utf8"));
  expect(kept.value).toEqual([visit(1), visit(2)]);
  expect((await site.open({ entities: [hero, newer] })).of(newer).read().value).toHaveLength(3);
});

test("a log that would become longer than 256 KB goes into its document", async () => {
  const store = await open();
  const page = `/${"long".repeat(16_000)}`;
  for (let at = 0; at < 6; at++)
    await store.of(visits).put(`visit-${at}`, () => ({ id: `visit-${at}`, page }));
  expect(await size()).toBeLessThan(256 * 1024);
  await killed(store);
  expect(numbersIn(await open())).toEqual([0, 1, 2, 3, 4, 5]);
});

describe.each(["ENOSPC", "EIO"])("when the disk answers %s", (code) => {
  test.each(["create", "write"] as const)(
    "at %s of the log, the document is written instead, and nothing is there twice",
    async (failing) => {
      const { control, disk } = tamperable();
      const store = await open({ disk });
      if (failing === "write") await append(store, 0);
      control.gate = (operation, path) => {
        if (operation === failing && path.endsWith(LOG)) throw diskError(code);
      };
      await append(store, 1, 2);
      control.gate = () => {};
      await append(store, 3);
      const before = numbersIn(store);
      await killed(store);
      expect(numbersIn(await open())).toEqual(before);
      expect(before).toEqual(failing === "write" ? [0, 1, 2, 3] : [1, 2, 3]);
    },
  );

  test("and the document can't be written either, the item is refused and doesn't come back", async () => {
    const { control, disk } = tamperable();
    const store = await open({ disk });
    await append(store, 1);
    control.gate = (operation) => {
      if (operation === "write" || operation === "create") throw diskError(code);
    };
    expect(await rejection(append(store, 2))).toMatchObject({ code: "cannot_store" });
    expect(numbersIn(store)).toEqual([1]);
    await killed(store);
    const again = await open();
    expect(numbersIn(again)).toEqual([1]);
    expect(site.log.filter((line) => line.includes("DAMAGED"))).toEqual([]);
  });
});

test.each(["truncate", "sync"] as const)(
  "a refused line whose taking back fails at %s ends the process",
  async (failing) => {
    const { control, disk } = tamperable();
    const store = await open({ disk });
    await append(store, 1);
    control.gate = (operation, path) => {
      if (path.includes(LOG) && (operation === "write" || operation === failing))
        throw diskError("EIO");
    };
    expect(await rejection(append(store, 2))).toMatchObject({ code: "cannot_store" });
    expect(site.log.join("\n")).toContain("the process ends now");
    control.gate = () => {};
    expect(await rejection(append(store, 3))).toMatchObject({ code: "cannot_store" });
  },
);

test("what is taken back is taken back on the disk, before anything else", async () => {
  const { control, disk } = tamperable();
  const store = await open({ disk });
  await append(store, 1);
  const steps: string[] = [];
  control.gate = (operation, path) => {
    if (path.includes(LOG)) steps.push(operation);
    if (operation === "write" || operation === "create") throw diskError("ENOSPC");
  };
  await rejection(append(store, 2, 3));
  expect(steps).toEqual(["write", "write", "truncate", "sync", "truncate", "sync"]);
});

test("where the log can't be emptied, the process ends: what was erased from the document would be in it", async () => {
  const { control, disk } = tamperable();
  const store = await open({ disk });
  await append(store, 1, 2);
  control.gate = (operation) => {
    if (operation === "truncate") throw diskError("EIO");
  };
  await rejection(store.of(visits).update((list) => list.slice(1)));
  expect(site.log.join("\n")).toContain("the process ends now");
  control.gate = () => {};
  await killed(store);
  expect(numbersIn(await open())).toEqual([2]);
});

test("a line that was under way when a move began is not acknowledged, and none is lost or twice after it", async () => {
  const { control, disk } = tamperable();
  const store = await open({ disk });
  await append(store, 1);
  const reached = Promise.withResolvers<void>();
  const goesOn = Promise.withResolvers<void>();
  control.gate = (operation, path) => {
    if (operation !== "write" || !path.endsWith(LOG)) return;
    reached.resolve();
    return goesOn.promise;
  };
  const refused = rejection(append(store, 2));
  await reached.promise;
  await site.engine.standstill.begin({ data: "another place", pictures: "another place" });
  goesOn.resolve();
  expect((await refused).message).toStartWith("This site is being moved to another place");
  expect(numbersIn(store)).toEqual([1]);
  await site.engine.standstill.end();
  control.gate = () => {};
  await append(store, 3);
  await killed(store);
  expect(numbersIn(await open())).toEqual([1, 3]);
});

test("the files of an archive hold the lines in the document and in its copy, as at one moment", async () => {
  const store = await open();
  await append(store, 1, 2);
  const files = new Map((await all(store.files())).map(({ path, bytes }) => [path, bytes]));
  expect(files.has(LOG)).toBe(false);
  for (const path of ["visits.json", "visits.json.bak"])
    expect(JSON.parse(Buffer.from(files.get(path)!).toString()).value).toEqual([
      visit(1),
      visit(2),
    ]);
  const own = await makeSite();
  await own.open().then((made) => made.close());
  for (const [path, bytes] of files) await Bun.write(file(path, own.directory), bytes);
  expect(numbersIn(await own.open({ entities: ENTITIES }))).toEqual([1, 2]);
  expect(own.log).toEqual([]);
  await own.remove();
});

test("what stays on a restore stays with its lines, also of a site that was killed", async () => {
  const store = await open();
  await append(store, 1, 2);
  await killed(store);
  const note = { before: ".before-restore-1", emptied: false };
  const { replacement } = folderEngine(site.directory);
  await replacement.begin(note);
  await replacement.takeOut(note);
  await replacement.keep(note, [visits]);
  expect(await folderEngine(site.directory).peek(visits)).toEqual([visit(1), visit(2)]);
  await replacement.end();
});

test("after a crash at any step what was acknowledged is there, once and in order", async () => {
  for (let survives = 0, finished = false; !finished; survives++) {
    const own = await makeSite();
    try {
      finished = await crashAfter(own, survives);
    } finally {
      await own.remove();
    }
  }
});

/** Appends and changes on a disk that dies after some operations; true when it was not reached. */
async function crashAfter(own: Site, survives: number): Promise<boolean> {
  const { control, disk } = tamperable();
  const store = await own.open({ disk, entities: ENTITIES });
  let operations = 0;
  control.gate = () => {
    if (operations++ >= survives) throw diskError("EIO");
  };
  const works = [
    () => append(store, 1),
    () => append(store, 2),
    () => store.of(visits).update((list) => list.slice(1)),
    () => append(store, 3),
  ];
  const states = [[], [1], [1, 2], [2], [2, 3]];
  let acknowledged = 0;
  for (const work of works)
    await work().then(
      () => acknowledged++,
      () => {},
    );
  const isWhole = operations <= survives;
  await store.close();
  control.gate = () => {};
  const after = await own.open({ disk, entities: ENTITIES });
  const there = numbersIn(after);
  // What was refused because the disk died under it may be there: nobody was told that it isn't.
  expect([states[acknowledged], states[acknowledged + 1]]).toContainEqual(there);
  expect(own.log.filter((line) => line.includes("DAMAGED"))).toEqual([]);
  await append(after, 4);
  expect(numbersIn(after)).toEqual([...there, 4]);
  return isWhole;
}

/** A move of the site that begins at some operation. */
const moveAt = (wanted: Operation, name: string) => (operation: Operation, path: string) =>
  operation === wanted && path.endsWith(name)
    ? site.engine.standstill.begin({ data: "another place", pictures: "another place" })
    : undefined;

test("lines after a write that a move refused, which reached the disk, are not lost", async () => {
  const { control, disk } = tamperable();
  const store = await open({ disk });
  await append(store, 1);
  control.gate = moveAt("rename", "visits.json");
  await rejection(store.of(visits).update((list) => [...list, visit(9)]));
  await site.engine.standstill.end();
  control.gate = () => {};
  await append(store, 2, 3);
  expect(await folderEngine(site.directory).peek(visits)).toEqual([visit(1), visit(2), visit(3)]);
  await killed(store);
  expect(numbersIn(await open())).toEqual([1, 2, 3]);
});

test("a line that a move refused doesn't come back after a kill", async () => {
  const { control, disk } = tamperable();
  const store = await open({ disk });
  await append(store, 1);
  control.gate = moveAt("write", LOG);
  await rejection(append(store, 2));
  control.gate = () => {};
  await site.engine.standstill.end();
  await killed(store);
  expect(numbersIn(await open())).toEqual([1]);
});

test("nor does it where it couldn't be taken back at once", async () => {
  const { control, disk } = tamperable();
  const store = await open({ disk });
  await append(store, 1);
  const begins = moveAt("write", LOG);
  control.gate = (operation, path) => {
    if (operation === "truncate") throw diskError("EIO");
    return begins(operation, path);
  };
  await rejection(append(store, 2, 3));
  await site.engine.standstill.end();
  control.gate = () => {};
  await append(store, 4);
  await killed(store);
  expect(numbersIn(await open())).toEqual([1, 4]);
});

test("a log whose name may not last is made anew", async () => {
  const { control, disk } = tamperable();
  const store = await open({ disk });
  control.gate = (operation, path) => {
    if (operation === "open" && path === site.directory) throw diskError("ENOMEM");
  };
  await rejection(append(store, 1));
  expect((await names()).filter((name) => name.startsWith(LOG))).toEqual([]);
  control.gate = () => {};
  // The document is written whole first, since nobody knows what the refused write has left of it.
  await append(store, 2);
  const steps: string[] = [];
  control.gate = (operation, path) => void steps.push(`${operation} ${path.split("/").at(-1)}`);
  await append(store, 3);
  expect(steps).toContain("sync data");
  expect(steps).toContain(`create ${LOG}`);
});

test("a changed last byte is not taken for the end of a line that was cut short", async () => {
  const store = await open();
  await append(store, 1, 2);
  await killed(store);
  const bytes = await readFile(file(LOG));
  bytes[bytes.length - 1] = 0x0b;
  for (const name of [LOG, `${LOG}.bak`]) await writeFile(file(name), bytes);
  expect(numbersIn(await open())).toEqual([1, 2]);
  expect(site.log.filter((line) => line.includes("DAMAGED"))).toHaveLength(2);
});

test("no byte of a log that is changed loses a line, or is silent", async () => {
  const store = await open();
  await append(store, 1, 2, 3);
  await killed(store);
  const found = new Map<string, Buffer>();
  for (const name of ["visits.json", "visits.json.bak", LOG, `${LOG}.bak`])
    found.set(name, await readFile(file(name)));
  for (let at = 0; at < found.get(LOG)!.length; at += 5) {
    for (const [name, bytes] of found) await writeFile(file(name), bytes);
    const name = at % 2 ? LOG : `${LOG}.bak`;
    const changed = Buffer.from(found.get(name)!);
    changed[at]! ^= 1;
    await writeFile(file(name), changed);
    const again = await open();
    expect(numbersIn(again)).toEqual([1, 2, 3]);
    expect(site.log.splice(0).join("\n")).toContain("DAMAGED");
    await again.close();
  }
});

test("a line without its checksum is damaged", async () => {
  const store = await open();
  await append(store, 1);
  await killed(store);
  const text = await readFile(file(LOG), "utf8");
  const unsealed = text.replace(/"checksum":"\w+",/, "").replace('"/1"', '"/2"');
  for (const name of [LOG, `${LOG}.bak`]) await writeFile(file(name), unsealed);
  expect(numbersIn(await open())).toEqual([]);
  expect(site.log.join()).toContain("DAMAGED");
});

test("a log that can't be read is like one that is damaged: its copy is taken, and the site starts", async () => {
  const store = await open();
  await append(store, 1);
  await killed(store);
  const { control, disk } = tamperable();
  control.gate = (operation, path) => {
    if (operation === "read" && path.endsWith(LOG)) throw diskError("EIO");
  };
  expect(numbersIn(await open({ disk }))).toEqual([1]);
  expect(site.log.join()).toContain("DAMAGED");
});

test("too few descriptors say nothing about a log: the start is refused, and nothing is put aside", async () => {
  const store = await open();
  await append(store, 1);
  await killed(store);
  const { control, disk } = tamperable();
  control.gate = (operation, path) => {
    if (operation === "read" && path.endsWith(LOG)) throw diskError("EMFILE");
  };
  expect(await rejection(open({ disk }))).toMatchObject({ code: "cannot_open" });
  expect(numbersIn(await open())).toEqual([1]);
});

test("where no descriptor is left for a log, the document is written instead, without a word", async () => {
  const { control, disk } = tamperable();
  const store = await open({ disk });
  control.gate = (operation, path) => {
    if (operation === "create" && path.includes(LOG)) throw diskError("EMFILE");
  };
  await append(store, 1, 2);
  expect(site.log).toEqual([]);
  expect((await names()).filter((name) => name.startsWith(LOG))).toEqual([]);
  control.gate = () => {};
  await append(store, 3);
  expect(await size()).toBeGreaterThan(0);
  await killed(store);
  expect(numbersIn(await open())).toEqual([1, 2, 3]);
});

test("an earlier release that wrote less often than there are lines has the last word", async () => {
  const store = await open();
  await append(store, 1, 2, 3);
  await killed(store);
  const log = await readFile(file(LOG));
  for (const name of [LOG, `${LOG}.bak`]) await rm(file(name));
  const earlier = await open();
  await earlier.of(visits).update(() => [visit(9)]);
  await earlier.close();
  await writeFile(file(LOG), log);
  expect(numbersIn(await open())).toEqual([9]);
});

test("after a start both the document and its copy hold the lines", async () => {
  const store = await open();
  await append(store, 1);
  await killed(store);
  const again = await open();
  expect(await readFile(file("visits.json.bak"))).toEqual(await readFile(file("visits.json")));
  await writeFile(file("visits.json"), "{");
  await killed(again);
  expect(numbersIn(await open())).toEqual([1]);
});

test("a start on a full disk puts the lines in from the reserve", async () => {
  const store = await open();
  await append(store, 1);
  await killed(store);
  const { control, disk } = tamperable();
  let isFull = true;
  control.gate = (operation, path) => {
    if (operation === "remove" && path.endsWith(".reserve")) isFull = false;
    if (operation === "write" && isFull) throw diskError("ENOSPC");
  };
  expect(numbersIn(await open({ disk }))).toEqual([1]);
});

test("a document that was edited by hand after a kill is accepted with its lines", async () => {
  const store = await open();
  await store.of(visits).update(() => [visit(1)]);
  await append(store, 2);
  await killed(store);
  const text = await readFile(file("visits.json"), "utf8");
  await writeFile(file("visits.json"), text.replace('"/1"', '"/one"'));
  const accepted = await folderEngine(site.directory).accept(ENTITIES);
  expect(accepted).toEqual([{ ok: true, message: "visits.json is taken as it is." }]);
  const list = [{ id: "visit-1", page: "/one" }, visit(2)];
  expect((await open()).of(visits).read().value).toEqual(list);
  expect(await names()).not.toContain(LOG);
});

test("the doctor of a site that is being moved finds nothing wrong with lines", async () => {
  const store = await open();
  await append(store, 1);
  await site.engine.standstill.begin({ data: "another place", pictures: "another place" });
  const findings = await folderEngine(site.directory).examine(ENTITIES);
  await site.engine.standstill.end();
  expect(findings.filter(({ ok }) => !ok)).toEqual([]);
  expect(numbersIn(store)).toEqual([1]);
});

test("a log that follows no file is kept aside, and is no hindrance", async () => {
  const store = await site.open({ entities: [hero] });
  await store.close();
  for (const name of [LOG, `${LOG}.bak`]) await writeFile(file(name), "");
  const again = await open();
  expect(site.log.join()).toContain(`DAMAGED ${file(LOG)} (follows no file)`);
  await append(again, 1);
  expect(await size()).toBeGreaterThan(0);
});

const kept = collection("kept", "Kept", { fields: { page: visits.fields.page } });

test("an item that is put into a list with a history leaves a revision, and makes no log", async () => {
  const store = await site.open({ entities: [kept] });
  for (const number of [1, 2]) await store.of(kept).put(`visit-${number}`, () => visit(number));
  expect(await store.of(kept).history()).toHaveLength(2);
  expect((await names()).filter((name) => name.includes(".jsonl"))).toEqual([]);
});
