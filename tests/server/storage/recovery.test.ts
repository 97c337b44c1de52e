/** A start with damaged or missing files: the `.bak` with a loud line, or a refusal in words. */
import { describe, expect, test } from "bun:test";
import { readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { diskError, faultyDisk } from "./faultyDisk.ts";
import {
  fillAndStop,
  hero,
  siteForEach,
  rejection,
  subscriber,
  subscribers,
  titleOf,
  useAndStop,
} from "./samples.ts";

const site = siteForEach();

const path = (...names: string[]) => site.path(...names);

const envelope = (value: unknown, entity = "hero") =>
  JSON.stringify({ entity, version: 1, revision: 9, savedAt: "2026-01-01T00:00:00.000Z", value });

const damages: Record<string, string | Uint8Array<ArrayBuffer>> = {
  empty: "",
  torn: '{"entity":"hero","version":1,"revi',
  "full of zeros": new Uint8Array(4096),
  null: "null",
  "not UTF-8": new Uint8Array([...new TextEncoder().encode(envelope({})), 0xff]),
  "not of its schema": envelope({ title: 1 }),
  "another entity's": envelope({ title: "x", tags: [], score: 1 }, "about"),
  "without its frame": '{"title":"x","tags":[],"score":1}',
};

describe.each(Object.keys(damages))("a file that is %s", (kind) => {
  test("falls back to its .bak, of the same revision, with a loud line, and is kept", async () => {
    await useAndStop(site);
    await writeFile(path("hero.json"), damages[kind]!);
    const store = await site.open();
    expect(store.of(hero).read()).toMatchObject({ revision: 3, value: { title: "Third" } });
    for (const said of ["DAMAGED", "RECOVERED", "nothing is lost"])
      expect(site.said()).toContain(said);
    const kept = (await readdir(site.directory)).find((name) => name.startsWith("hero.json.bad-"));
    expect(await readFile(path(kept!))).toEqual(Buffer.from(damages[kind]!));
    await store.close();
    expect(titleOf(await site.open())).toBe("Third");
  });

  test("refuses to start when its .bak is bad too, and changes nothing", async () => {
    await useAndStop(site);
    await writeFile(path("hero.json"), damages[kind]!);
    await writeFile(path("hero.json.bak"), damages[kind]!);
    const before = await readdir(site.directory);
    const error = await rejection(site.open());
    expect(error).toMatchObject({ code: "cannot_open" });
    expect(error.message).toContain("hero.json");
    expect(error.message).toContain("limelight restore");
    expect(await readdir(site.directory)).toEqual(before);
  });
});

test("a file that can't be read falls back too", async () => {
  await useAndStop(site);
  const disk = faultyDisk((operation, name) => {
    if (operation === "read" && name.endsWith("hero.json")) throw diskError("EIO");
  });
  expect(titleOf(await site.open({ disk }))).toBe("Third");
});

test("a table of open files that is full is no damage", async () => {
  await useAndStop(site);
  const disk = faultyDisk((operation, name) => {
    if (operation === "read" && name.endsWith("hero.json")) throw diskError("EMFILE");
  });
  expect(await rejection(site.open({ disk }))).toMatchObject({ code: "cannot_open" });
  expect(titleOf(await site.open())).toBe("Third");
});

test("a missing file comes back from its .bak", async () => {
  await useAndStop(site);
  await rm(path("hero.json"));
  expect(titleOf(await site.open())).toBe("Third");
  expect(site.said()).toContain("RECOVERED");
});

test("inserts that shared a write are all there when the newest segment's file is damaged after it", async () => {
  await fillAndStop(site, 50);
  await writeFile(path("subscribers", "000001.json"), "");
  const again = await site.open();
  expect(await again.of(subscribers).count()).toBe(50);
  expect(site.said()).toMatch(/RECOVERED .*000001\.json.*nothing is lost/);
});

test("a segment that is damaged while the site runs is known still, and its file is whole after the next change", async () => {
  await useAndStop(site);
  const store = await site.open();
  const list = store.of(subscribers);
  await writeFile(path("subscribers", "000001.json"), "[");
  expect((await list.get("id-3"))?.email).toBe("person3@example.org");
  await list.insert(subscriber(4));
  await store.close();
  expect(await (await site.open()).of(subscribers).count()).toBe(4);
  expect(site.log).toEqual([]);
});

test("a torn segment that never held a record keeps no site from starting", async () => {
  await (await site.open()).close();
  await writeFile(path("subscribers", "000001.json"), "[");
  expect(await (await site.open()).of(subscribers).count()).toBe(0);
});

test("a torn segment whose .bak is bad too refuses to start", async () => {
  await useAndStop(site);
  await writeFile(path("subscribers", "000001.json"), "[");
  await writeFile(path("subscribers", "000001.json.bak"), "[");
  expect((await rejection(site.open())).message).toContain("000001.json");
});

describe("a lost segment refuses to start and says which", () => {
  test.each([1, 2, 3])("number %d of three", async (number) => {
    await fillAndStop(site, 450);
    const name = `00000${number}.json`;
    await rm(path("subscribers", name));
    await rm(path("subscribers", `${name}.bak`), { force: true });
    const error = await rejection(site.open());
    expect(error).toMatchObject({ code: "cannot_open" });
    expect(error.message).toContain(name);
  });

  test("and so does a lost folder", async () => {
    await useAndStop(site);
    await rename(path("subscribers"), `${site.directory}-away`);
    expect(await rejection(site.open())).toMatchObject({ code: "cannot_open" });
    await rename(`${site.directory}-away`, `${site.directory}/away`);
  });
});

test("a segment list that fell back still knows all segments", async () => {
  await fillAndStop(site, 450);
  await writeFile(path("subscribers", "segments.json"), "");
  expect(await (await site.open()).of(subscribers).count()).toBe(450);
});

test("leftover temporary files are removed, other files are left alone", async () => {
  await useAndStop(site);
  const leftovers = ["hero.json", "history/hero/1.json", "subscribers/000001.json"].map(
    (name) => `${name}.${crypto.randomUUID()}.tmp`,
  );
  for (const name of leftovers) await writeFile(path(name), "half");
  await writeFile(path("notes.tmp"), "the owner's");
  await site.open();
  const names = await readdir(site.directory, { recursive: true });
  expect(names.filter((name) => name.endsWith(".tmp"))).toEqual(["notes.tmp"]);
});
