/** Older files are migrated after a copy is made; newer ones are refused. */
import { expect, test } from "bun:test";
import { readdir, readFile } from "node:fs/promises";
import * as v from "valibot";
import { records, singleton } from "../../../src/schema/entities/entity.ts";
import { internal } from "../../../src/schema/kinds/fields.ts";
import {
  hero,
  insertMany,
  setUpSiteForEach,
  catchError,
  subscribers,
  type Hero,
} from "./samples.ts";

interface Banner {
  headline: string;
  tags: string[];
  score: number;
}

const MIGRATION_STEPS = {
  1: (value: unknown) => {
    const { title, ...rest } = value as Hero;
    return { headline: title, ...rest };
  },
  2: (value: unknown) => ({ ...(value as Banner), score: (value as Banner).score * 10 }),
};

/** Version 2 calls the title a headline; version 3 counts the score in tenths. */
const heroOfThree = singleton("hero", "Hero", {
  version: 3,
  fields: {
    headline: internal("Headline", v.string(), "Fresh"),
    tags: internal<string[]>("Tags", v.array(v.string()), []),
    score: internal("Score", v.number(), 0),
  },
  migrations: MIGRATION_STEPS,
});

const members = records("subscribers", "Member", {
  version: 2,
  fields: { address: internal("Address", v.string(), "") },
  keys: [],
  uniqueField: "address",
  migrations: {
    1: (record) => {
      const { id, email } = record as { id: string; email: string };
      return { id, address: email };
    },
  },
});

const site = setUpSiteForEach();

const getPath = (...names: string[]) => site.path(...names);

async function createVersionOneSite(): Promise<void> {
  const store = await site.open();
  await store.of(hero).update((value) => ({ ...value, title: "Mine", score: 4 }));
  await insertMany(store.of(subscribers), 250);
  await store.close();
}

test("a document and its revisions are migrated through every version, and a copy of the old file stays", async () => {
  await createVersionOneSite();
  const old = await readFile(getPath("hero.json"), "utf8");
  const store = await site.open({ entities: [heroOfThree, subscribers] });
  const { value, revision } = store.of(heroOfThree).read();
  expect(value).toEqual({ headline: "Mine", tags: ["new"], score: 40 });
  expect(revision).toBe(3);
  expect((await store.of(heroOfThree).readRevision(1))?.value.headline).toBe("First");
  expect(await readFile(getPath("migrations", "hero.v1-r2.json"), "utf8")).toBe(old);
  expect((await Bun.file(getPath("hero.json")).json()).version).toBe(3);
});

test("records are migrated through every version, and a copy of each old file stays", async () => {
  await createVersionOneSite();
  const store = await site.open({ entities: [hero, members] });
  const list = store.of(members);
  expect(await list.get("id-249")).toEqual({ id: "id-249", address: "person249@example.org" });
  expect((await list.findUnique("person0@example.org"))?.id).toBe("id-0");
  expect((await readdir(getPath("migrations", "subscribers"))).sort()).toEqual([
    "000001.v1.json",
    "000002.v1.json",
  ]);
});

test("a file of a newer version is refused with a message and stays unchanged", async () => {
  await (await site.open({ entities: [heroOfThree, members] })).close();
  const before = await readFile(getPath("hero.json"), "utf8");
  const error = await catchError(site.open());
  expect(error).toMatchObject({ code: "cannot_open" });
  expect(error.message).toContain("newer release (data version 3; this one supports up to 1)");
  expect(await readFile(getPath("hero.json"), "utf8")).toBe(before);
  const records = await catchError(site.open({ entities: [heroOfThree, subscribers] }));
  expect(records.message).toContain('"subscribers"');
});

const throwBroken = () => {
  throw new Error("broken step");
};

test.each([
  ["a step that is missing", { 1: MIGRATION_STEPS[1] }],
  ["a step that gives the wrong shape", { ...MIGRATION_STEPS, 2: () => ({ headline: 12 }) }],
  ["a step that throws", { ...MIGRATION_STEPS, 2: throwBroken }],
])("a migration with %s is refused and leaves the data unchanged", async (_, migrations) => {
  await createVersionOneSite();
  const before = await readFile(getPath("hero.json"), "utf8");
  const error = await catchError(
    site.open({ entities: [{ ...heroOfThree, migrations }, subscribers] }),
  );
  expect(error).toMatchObject({ code: "cannot_open" });
  expect(error.message).toContain("from version 1 to 3");
  expect(await readFile(getPath("hero.json"), "utf8")).toBe(before);
});
