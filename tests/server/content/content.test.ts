/** Every route of the content (specification, section 7.2): allowed, refused without a session, refused in the right words. */
import { entities } from "../../../src/schema/index.ts";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Client } from "../../support/client.ts";
import { siteForAll } from "../../support/siteForAll.ts";
import { startSite } from "../../support/startSite.ts";
import { COLLECTIONS, SINGLETONS } from "./contentCases.ts";

const site = siteForAll(startSite);
let owner: Client;
let visitor: Client;

beforeAll(async () => {
  owner = await site.loginAsOwner();
  visitor = site.visitor();
});

describe.each(SINGLETONS.map((each) => [each.name, each] as const))("/api/%s", (name, sample) => {
  const path = `/api/${name}`;

  test("a visitor reads it, and a save answers the whole that the next read gives", async () => {
    const before = await visitor.get(path);
    expect(before.status).toBe(200);
    const saved = await owner.post(path, sample.body);
    expect(saved.status).toBe(200);
    expect(saved.body).toMatchObject(sample.body);
    expect(Object.keys(saved.body)).toEqual(Object.keys(before.body));
    expect((await visitor.get(path)).body).toEqual(saved.body);
  });

  test("what is missing in the body stays, and null clears an optional value", async () => {
    const { body: before } = await visitor.get(path);
    const { body: after } = await owner.post(path, sample.part);
    const cleared = Object.entries(sample.part).map(([key, value]) => [key, value ?? after[key]]);
    const { updatedAt: _, ...expected } = { ...before, ...Object.fromEntries(cleared) };
    expect(after).toMatchObject(expected);
  });

  test("without a session a save is refused and nothing changes", async () => {
    const before = site.stored();
    expect(await visitor.post(path, sample.body)).toMatchObject({
      status: 401,
      body: { code: "no_session", error: "Please log in to do this." },
    });
    expect(site.stored()).toBe(before);
  });

  test.each(sample.refused)("refuses in the words of the specification: %j", async (refused) => {
    const before = site.stored();
    const { status, body } = await owner.post(path, refused.body);
    expect([status, body.code, body.error]).toEqual([422, "invalid", refused.words]);
    expect(refused.body).toContainAnyKeys(Object.keys(body.fields));
    expect(site.stored()).toBe(before);
  });

  test("fields that nobody declared are never stored", async () => {
    const { status, body } = await owner.post(path, { ...sample.body, isAdmin: true });
    expect([status, "isAdmin" in body]).toEqual([200, false]);
  });
});

describe.each(COLLECTIONS.map((each) => [each.name, each] as const))("/api/%s", (name, sample) => {
  const path = `/api/${name}`;
  const ids = async () => ((await owner.get(path)).body as { id: string }[]).map(({ id }) => id);

  test("a create answers 201 with the whole new entity, under an id of the server's", async () => {
    const { status, body } = await owner.post(path, { ...sample.body, id: "mine", evil: 1 });
    expect(status).toBe(201);
    expect(body).toMatchObject({ ...sample.body, ...sample.filled });
    expect(body.id).toMatch(/^[\da-f]{8}-[\da-f]{4}-7/);
    expect("evil" in body).toBe(false);
    expect((await owner.get(path)).body).toEqual([body]);
  });

  test("an update merges and answers 200 with the whole entity", async () => {
    const [id] = await ids();
    const { status, body } = await owner.put(`${path}/${id}`, { ...sample.part, id: "other" });
    expect([status, body.id]).toEqual([200, id]);
    expect(body).toMatchObject({ ...sample.body, ...sample.part });
  });

  test.each(sample.refused)("refuses in the words of the specification: %j", async (refused) => {
    const before = site.stored();
    const [id] = await ids();
    for (const answer of [
      await owner.post(path, refused.body),
      await owner.put(`${path}/${id}`, refused.body),
    ]) {
      expect([answer.status, answer.body.code]).toEqual([422, "invalid"]);
      expect(answer.body.error).toBe(refused.words);
    }
    expect(site.stored()).toBe(before);
  });

  test("without a session every write is refused and nothing changes", async () => {
    const before = site.stored();
    const [id] = await ids();
    const answers = [
      await visitor.post(path, sample.body),
      await visitor.put(`${path}/${id}`, sample.part),
      await visitor.delete(`${path}/${id}`),
      ...(name === "forms" ? [] : [await visitor.post(`${path}/reorder`, { updates: [] })]),
    ];
    for (const { status, body } of answers)
      expect([status, body.code]).toEqual([401, "no_session"]);
    expect(site.stored()).toBe(before);
  });

  test("an unknown id answers 404 and changes nothing", async () => {
    const before = site.stored();
    for (const id of ["nobody", "%00", "%E0%A4%A", "..%2f..", "constructor"]) {
      expect((await owner.put(`${path}/${id}`, sample.part)).status).toBe(404);
      expect((await owner.delete(`${path}/${id}`)).status).toBe(404);
    }
    expect(site.stored()).toBe(before);
  });

  test("a delete answers 204 once, then 404", async () => {
    const [id] = await ids();
    const gone = await owner.delete(`${path}/${id}`);
    expect([gone.status, gone.text]).toEqual([204, ""]);
    expect((await owner.delete(`${path}/${id}`)).status).toBe(404);
    expect(await ids()).toEqual([]);
  });
});

describe.each(COLLECTIONS.filter(({ name }) => name !== "forms").map(({ name }) => name))(
  "POST /api/%s/reorder",
  (name) => {
    const path = `/api/${name}`;
    const { body } = COLLECTIONS.find((each) => each.name === name)!;
    const list: { id: string; order: number }[] = [];

    beforeAll(async () => {
      for (const _ of [1, 2, 3]) list.push((await owner.post(path, body)).body);
    });
    afterAll(async () => {
      for (const { id } of list) await owner.delete(`${path}/${id}`);
    });

    test("a new item's order is the length of the list", () => {
      expect(list.map(({ order }) => order)).toEqual([0, 1, 2]);
    });

    test("answers 200 with the ordered list, which the next read gives too", async () => {
      const updates = list.map(({ id }, at) => ({ id, order: 2 - at }));
      const answer = await owner.post(`${path}/reorder`, { updates });
      expect(answer.status).toBe(200);
      expect(answer.body.map((item: { id: string }) => item.id)).toEqual(
        list.map(({ id }) => id).toReversed(),
      );
      expect((await owner.get(path)).body).toEqual(answer.body);
    });

    test("lists come sorted by their order, then creation", async () => {
      const updates = list.map(({ id }) => ({ id, order: 5 }));
      const { body } = await owner.post(`${path}/reorder`, { updates });
      expect(body.map((item: { id: string }) => item.id)).toEqual(list.map(({ id }) => id));
    });

    test("an unknown id, or one named twice, changes nothing and is refused", async () => {
      const before = site.stored();
      const [first, second] = list;
      const bad = [
        {
          updates: [
            { id: first!.id, order: 9 },
            { id: "nobody", order: 1 },
          ],
        },
        {
          updates: [
            { id: first!.id, order: 9 },
            { id: first!.id, order: 1 },
          ],
        },
        { updates: [{ id: second!.id, order: -1 }] },
        { updates: [{ id: second!.id }] },
        { updates: "all" },
        {},
        [],
        null,
      ];
      for (const each of bad) {
        const { status, body } = await owner.post(`${path}/reorder`, each);
        expect([status, body.code]).toEqual([422, "invalid"]);
      }
      expect(site.stored()).toBe(before);
    });
  },
);

test("visitors see only the connect links that are active", async () => {
  const link = { url: "https://a.example", displayText: "A" };
  const shown = await owner.post("/api/connect-links", link);
  const hidden = await owner.post("/api/connect-links", { ...link, isActive: false });
  const { shownFrom, shownUntil, ...seen } = shown.body;
  expect([shownFrom, shownUntil]).toEqual([null, null]);
  expect((await visitor.get("/api/connect-links")).body).toEqual([seen]);
  expect((await owner.get("/api/connect-links")).body).toEqual([shown.body, hidden.body]);
});

test("about tells when it was last updated", async () => {
  const { body } = await owner.post("/api/about", { title: "ABOUT" });
  expect(Math.abs(Date.parse(body.updatedAt) - Date.now())).toBeLessThan(60_000);
  const later = await owner.post("/api/about", { updatedAt: "1999-01-01T00:00:00.000Z" });
  expect(Date.parse(later.body.updatedAt)).toBeGreaterThanOrEqual(Date.parse(body.updatedAt));
});

test("a full list answers 409 in words and changes nothing", async () => {
  const list = site.store.of(entities.statistics);
  const items = Array.from({ length: 500 }, (_, order) => ({
    id: `s${order}`,
    value: "1",
    label: "L",
    order,
  }));
  await list.update(() => items);
  const { status, body } = await owner.post("/api/statistics", { value: "1", label: "L" });
  expect([status, body.code]).toEqual([409, "conflict"]);
  expect(body.error).toBe("The list is full: it holds at most 500. Delete a statistic first.");
  expect(list.read().value.length).toBe(500);
});
