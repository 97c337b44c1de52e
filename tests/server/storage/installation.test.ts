/** The marker of an installed site: never silent defaults. */
import { expect, test } from "bun:test";
import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { diskError, faultyDisk } from "./faultyDisk.ts";
import {
  hero,
  makeSite,
  siteForEach,
  rejection,
  subscriber,
  subscribers,
  titleOf,
} from "./samples.ts";

const site = siteForEach();

const path = (...names: string[]) => site.path(...names);
const installAndClose = async () => (await site.open()).close();
/** Comes with an upgrade. */
const about = { ...hero, name: "about" };

test("a fresh installation writes every document and a marker that names them all", async () => {
  await installAndClose();
  expect((await Bun.file(path("hero.json")).json()).value.title).toBe("First");
  const marker = await Bun.file(path("installation.json")).json();
  expect(marker.entity).toBe("installation");
  expect(marker.value.entities).toEqual(["hero", "subscribers"]);
});

test("an installed site with a document missing refuses and never shows defaults", async () => {
  await installAndClose();
  await rm(path("hero.json"));
  await rm(path("hero.json.bak"));
  const error = await rejection(site.open());
  expect(error).toMatchObject({ code: "cannot_open" });
  expect(error.message).toContain("hero.json is missing");
  expect(error.message).toContain("limelight restore");
  expect(await Bun.file(path("hero.json")).exists()).toBe(false);
});

test.each(["hero.json", "old.json.bak", "history", "subscribers"])(
  "a folder with %s and no marker refuses and stays as it is",
  async (name) => {
    await mkdir(site.directory);
    await (name.includes(".") ? writeFile(path(name), "{}") : mkdir(path(name)));
    const error = await rejection(site.open());
    expect(error).toMatchObject({ code: "cannot_open" });
    expect(error.message).toContain("installation.json");
    expect((await readdir(site.directory)).filter((found) => found !== ".lock")).toEqual([name]);
  },
);

test("files that are none of ours don't stand in the way", async () => {
  await mkdir(site.directory);
  for (const name of [".gitkeep", "notes.txt"]) await writeFile(path(name), "");
  await mkdir(path("lost+found"));
  expect((await site.open()).installed).toBe(false);
});

test("a file that was never changed since the first start comes back from its copy too", async () => {
  await installAndClose();
  for (const name of ["hero.json", "installation.json", "subscribers/segments.json"])
    await writeFile(path(name), "{");
  const store = await site.open();
  expect(store.installed).toBe(true);
  expect(titleOf(store)).toBe("First");
});

test("a marker that is torn comes back from its .bak", async () => {
  await installAndClose();
  await (await site.open({ entities: [hero, about, subscribers] })).close();
  await writeFile(path("installation.json"), "");
  const store = await site.open({ entities: [hero, about, subscribers] });
  expect(store.installed).toBe(true);
});

test("what an upgrade adds is made with its initial value and named in the marker", async () => {
  await installAndClose();
  const places = { ...subscribers, name: "places" };
  const upgraded = { entities: [hero, about, subscribers, places] };
  const store = await site.open(upgraded);
  expect(store.installed).toBe(true);
  expect(store.of(about).read().value.title).toBe("First");
  await store.of(places).insert(subscriber(1));
  await store.close();
  await rm(path("about.json"));
  await rm(path("about.json.bak"));
  expect((await rejection(site.open(upgraded))).message).toContain("about.json");
});

test("a file put there by hand is refused, in words that say how to accept it", async () => {
  await installAndClose();
  const value = { title: "Restored", tags: [], score: 5 };
  const savedAt = new Date().toISOString();
  const envelope = { entity: "about", version: 1, revision: 7, savedAt, value };
  await writeFile(path("about.json"), JSON.stringify(envelope));
  const error = await rejection(site.open({ entities: [hero, about, subscribers] }));
  expect(error.message).toContain("about.json is damaged (has no checksum)");
  expect(error.message).toContain("limelight doctor --accept");
  expect(await Bun.file(path("about.json")).json()).toEqual(envelope);
});

test("a first start that was cut off at any step goes on at the next", async () => {
  for (let survives = 0, finished = false; !finished; survives++) {
    const own = await makeSite();
    let operations = 0;
    const disk = faultyDisk(() => {
      if (operations++ >= survives) throw diskError("EIO");
    }, true);
    const first = await own.open({ disk }).catch((error: unknown) => error);
    finished = !(first instanceof Error);
    if (!finished) {
      expect(first).toMatchObject({ code: "cannot_open" });
      const store = await own.open({ disk: faultyDisk(() => {}, true) });
      expect(titleOf(store)).toBe("First");
      await store.of(subscribers).insert(subscriber(1));
    }
    await own.remove();
  }
});

test.each<[string, (file: string) => Promise<void>]>([
  ["got lost", (file) => rm(file)],
  ["is all zeros", (file) => writeFile(file, new Uint8Array(32))],
])("a secret that %s is made anew with a line in the log", async (_, spoil) => {
  const store = await site.open();
  const before = await store.secret();
  await store.close();
  await spoil(path("secret"));
  const secret = await (await site.open()).secret();
  expect(secret).not.toEqual(before);
  expect(new Set(secret).size).toBeGreaterThan(1);
  expect(site.said()).toContain("everyone logs in again");
});

test("a name that would collide with the store's own files is a mistake", async () => {
  for (const name of ["installation", "history", "../up", "", "a b"]) {
    expect(await rejection(site.open({ entities: [{ ...hero, name }] }))).toBeInstanceOf(Error);
  }
  expect(await rejection(site.open({ entities: [hero, hero] }))).toBeInstanceOf(Error);
  expect(await Bun.file(path("installation.json")).exists()).toBe(false);
});
