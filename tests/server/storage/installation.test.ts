/**
 * Starting an installed site never falls back to defaults: a damaged or missing file is restored from its `.bak`
 * with a warning, or refused with a message.
 */
import { describe, expect, test } from "bun:test";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { allEntities } from "../../../src/schema/index.ts";
import { createDiskError, createFaultyDisk } from "./faultyDisk.ts";
import {
  fillAndStop,
  hero,
  createSite,
  setUpSiteForEach,
  catchError,
  createSubscriber,
  subscribers,
  readTitle,
  useAndStop,
} from "./samples.ts";

const site = setUpSiteForEach();

const getPath = (...names: string[]) => site.path(...names);
const installAndClose = async () => (await site.open()).close();
/** An entity that an upgrade adds. */
const ABOUT = { ...hero, name: "about" };

test("a first start writes every document and a marker file that names all entities", async () => {
  await installAndClose();
  expect((await Bun.file(getPath("hero.json")).json()).value.title).toBe("First");
  const marker = await Bun.file(getPath("installation.json")).json();
  expect(marker.entity).toBe("installation");
  expect(marker.value.entities).toEqual(["hero", "subscribers"]);
});

test("a start without one of the site's documents is refused, and no default replaces the document", async () => {
  await installAndClose();
  await rm(getPath("hero.json"));
  await rm(getPath("hero.json.bak"));
  const error = await catchError(site.open());
  expect(error).toMatchObject({ code: "cannot_open" });
  expect(error.message).toContain("hero.json is missing");
  expect(error.message).toContain("limelight restore");
  expect(await Bun.file(getPath("hero.json")).exists()).toBe(false);
});

test.each(["hero.json", "old.json.bak", "history", "subscribers"])(
  "a start in a folder with %s but no marker file is refused and changes nothing",
  async (name) => {
    await mkdir(site.directory);
    await (name.includes(".") ? writeFile(getPath(name), "{}") : mkdir(getPath(name)));
    const error = await catchError(site.open());
    expect(error).toMatchObject({ code: "cannot_open" });
    expect(error.message).toContain("installation.json");
    expect((await readdir(site.directory)).filter((entry) => entry !== ".lock")).toEqual([name]);
  },
);

test("files of other programs don't prevent a start", async () => {
  await mkdir(site.directory);
  for (const name of [".gitkeep", "notes.txt"]) await writeFile(getPath(name), "");
  await mkdir(getPath("lost+found"));
  expect((await site.open()).isInstalled).toBe(false);
});

test("an entity added by an upgrade is created with its initial value and listed in the marker", async () => {
  await installAndClose();
  const addedEntity = { ...subscribers, name: "places" };
  const upgraded = { entities: [hero, ABOUT, subscribers, addedEntity] };
  const store = await site.open(upgraded);
  expect(store.isInstalled).toBe(true);
  expect(store.of(ABOUT).read().value.title).toBe("First");
  await store.of(addedEntity).insert(createSubscriber(1));
  await store.close();
  await rm(getPath("about.json"));
  await rm(getPath("about.json.bak"));
  expect((await catchError(site.open(upgraded))).message).toContain("about.json");
});

test("a start with a file added by hand is refused, with a message that says how to accept the file", async () => {
  await installAndClose();
  const value = { title: "Restored", tags: [], score: 5 };
  const savedAt = new Date().toISOString();
  const envelope = { entity: "about", version: 1, revision: 7, savedAt, value };
  await writeFile(getPath("about.json"), JSON.stringify(envelope));
  const error = await catchError(site.open({ entities: [hero, ABOUT, subscribers] }));
  expect(error.message).toContain("about.json is damaged (has no checksum)");
  expect(error.message).toContain("limelight doctor --accept");
  expect(await Bun.file(getPath("about.json")).json()).toEqual(envelope);
});

test("a first start interrupted at any step is continued by the next start", async () => {
  for (let survives = 0, finished = false; !finished; survives++) {
    const freshSite = await createSite();
    let operations = 0;
    const disk = createFaultyDisk(() => {
      if (operations++ >= survives) throw createDiskError("EIO");
    }, true);
    const first = await freshSite.open({ disk }).catch((error: unknown) => error);
    finished = !(first instanceof Error);
    if (!finished) {
      expect(first).toMatchObject({ code: "cannot_open" });
      const store = await freshSite.open({ disk: createFaultyDisk(() => {}, true) });
      expect(readTitle(store)).toBe("First");
      await store.of(subscribers).insert(createSubscriber(1));
    }
    await freshSite.remove();
  }
});

test.each<[string, (file: string) => Promise<void>]>([
  ["got lost", (file) => rm(file)],
  [
    "is all zeros, and so is its copy",
    async (file) => {
      for (const each of [file, `${file}.bak`]) await writeFile(each, new Uint8Array(32));
    },
  ],
])("a session secret that %s is replaced, and the log says so", async (_, spoil) => {
  const store = await site.open();
  const before = await store.readSecret();
  await store.close();
  await spoil(getPath("secret"));
  const secret = await (await site.open()).readSecret();
  expect(secret).not.toEqual(before);
  expect(new Set(secret).size).toBeGreaterThan(1);
  expect(site.readLog()).toContain("everyone has to log in again");
});

test.each<[string, (bytes: Uint8Array) => Uint8Array]>([
  ["a changed bit", (bytes) => bytes.map((byte, at) => (at === 7 ? byte ^ 4 : byte))],
  ["half its length", (bytes) => bytes.subarray(0, 16)],
  ["nothing in it", () => new Uint8Array()],
])("a session secret with %s is restored from its copy, and the log says so", async (_, change) => {
  const store = await site.open();
  const before = await store.readSecret();
  await store.close();
  const file = getPath("secret");
  await writeFile(file, change(await Bun.file(file).bytes()));
  const again = await site.open();
  expect(await again.readSecret()).toEqual(before);
  expect(site.readLog()).toContain(`RECOVERED ${file} from its copy`);
  await again.close();
  // A damaged copy is rewritten, with the secret.
  await writeFile(`${file}.bak`, "torn");
  const last = await site.open();
  expect(await last.readSecret()).toEqual(before);
  await last.close();
  expect((await Bun.file(`${file}.bak`).bytes()).length).toBe(64);
});

test("no entity's name collides with another's or with the store's own files", () => {
  const names = allEntities.map(({ name }) => name);
  const others = ["installation", "history", "migrations", "secret"];
  for (const name of names) expect(name).toMatch(/^[a-zA-Z][a-zA-Z0-9-]*$/);
  expect(new Set([...others, ...names]).size).toBe(others.length + names.length);
});

const createEnvelope = (value: unknown, entity = "hero") =>
  JSON.stringify({ entity, version: 1, revision: 9, savedAt: "2026-01-01T00:00:00.000Z", value });

const DAMAGES: Record<string, string | Uint8Array<ArrayBuffer>> = {
  empty: "",
  torn: '{"entity":"hero","version":1,"revi',
  "full of zeros": new Uint8Array(4096),
  null: "null",
  "not UTF-8": new Uint8Array([...new TextEncoder().encode(createEnvelope({})), 0xff]),
  "not of its schema": createEnvelope({ title: 1 }),
  "another entity's": createEnvelope({ title: "x", tags: [], score: 1 }, "about"),
  "without its frame": '{"title":"x","tags":[],"score":1}',
};

describe.each(Object.keys(DAMAGES))("a file that is %s", (kind) => {
  test("is replaced by its .bak file with a warning, and the damaged file is set aside", async () => {
    await useAndStop(site);
    await writeFile(getPath("hero.json"), DAMAGES[kind]!);
    const store = await site.open();
    expect(store.of(hero).read()).toMatchObject({ revision: 3, value: { title: "Third" } });
    for (const text of ["DAMAGED", "RECOVERED", "nothing is lost"])
      expect(site.readLog()).toContain(text);
    const setAside = (await readdir(site.directory)).find((name) =>
      name.startsWith("hero.json.bad-"),
    );
    expect(await readFile(getPath(setAside!))).toEqual(Buffer.from(DAMAGES[kind]!));
    await store.close();
    expect(readTitle(await site.open())).toBe("Third");
  });

  test("prevents a start if its .bak is damaged too, and nothing is changed", async () => {
    await useAndStop(site);
    await writeFile(getPath("hero.json"), DAMAGES[kind]!);
    await writeFile(getPath("hero.json.bak"), DAMAGES[kind]!);
    const before = await readdir(site.directory);
    const error = await catchError(site.open());
    expect(error).toMatchObject({ code: "cannot_open" });
    expect(error.message).toContain("hero.json");
    expect(error.message).toContain("limelight restore");
    expect(await readdir(site.directory)).toEqual(before);
  });
});

test("a file that can't be read is replaced by its copy", async () => {
  await useAndStop(site);
  const disk = createFaultyDisk((operation, name) => {
    if (operation === "read" && name.endsWith("hero.json")) throw createDiskError("EIO");
  });
  expect(readTitle(await site.open({ disk }))).toBe("Third");
});

test("a start without free file descriptors fails, but counts no file as damaged", async () => {
  await useAndStop(site);
  const disk = createFaultyDisk((operation, name) => {
    if (operation === "read" && name.endsWith("hero.json")) throw createDiskError("EMFILE");
  });
  expect(await catchError(site.open({ disk }))).toMatchObject({ code: "cannot_open" });
  expect(readTitle(await site.open())).toBe("Third");
});

test("a list's file damaged while the site is running is repaired from memory by the next change", async () => {
  await useAndStop(site);
  const store = await site.open();
  const list = store.of(subscribers);
  await writeFile(getPath("subscribers", "000001.json"), "[");
  expect((await list.get("id-3"))?.email).toBe("person3@example.org");
  await list.insert(createSubscriber(4));
  await store.close();
  expect(await (await site.open()).of(subscribers).count()).toBe(4);
  expect(site.log).toEqual([]);
});

test("a start is refused if a segment and its .bak are both truncated", async () => {
  await useAndStop(site);
  await writeFile(getPath("subscribers", "000001.json"), "[");
  await writeFile(getPath("subscribers", "000001.json.bak"), "[");
  expect((await catchError(site.open())).message).toContain("000001.json");
});

describe("a start is refused without", () => {
  test.each([1, 2, 3])("segment %d of a list, and the message names it", async (number) => {
    await fillAndStop(site, 450);
    const name = `00000${number}.json`;
    await rm(getPath("subscribers", name));
    await rm(getPath("subscribers", `${name}.bak`), { force: true });
    const error = await catchError(site.open());
    expect(error).toMatchObject({ code: "cannot_open" });
    expect(error.message).toContain(name);
  });

  test("the folder of a list", async () => {
    await useAndStop(site);
    await rename(getPath("subscribers"), `${site.directory}-away`);
    expect(await catchError(site.open())).toMatchObject({ code: "cannot_open" });
    await rename(`${site.directory}-away`, `${site.directory}/away`);
  });
});

test("leftover temporary files are removed, other files are left alone", async () => {
  await useAndStop(site);
  const leftovers = ["hero.json", "history/hero/1.json", "subscribers/000001.json"].map(
    (name) => `${name}.${crypto.randomUUID()}.tmp`,
  );
  for (const name of leftovers) await writeFile(getPath(name), "half");
  await writeFile(getPath("notes.tmp"), "the owner's");
  await site.open();
  const names = await readdir(site.directory, { recursive: true });
  expect(names.filter((name) => name.endsWith(".tmp"))).toEqual(["notes.tmp"]);
});
