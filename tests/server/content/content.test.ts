/** The content calls (specification, section 7.2): what singletons and collections share, and what each adds. */
import { entities } from "../../../src/schema/index.ts";
import { beforeAll, describe, expect, test } from "bun:test";
import { ownerOf, setUpSiteForAll, startSite } from "../../support/testSite.ts";
import { COLLECTIONS, REFUSED_CASES, SINGLETONS } from "./contentCases.ts";

const site = setUpSiteForAll(startSite);
const owner = ownerOf(site);
const readEntity = async (name: string) => (await site.visitor().get(`/api/${name}`)).body;
const getIds = (list: { id: string }[]) => list.map(({ id }) => id);

test.each(Object.entries(SINGLETONS))(
  "/api/%s can be read by visitors, and a save returns the complete new value",
  async (name, body) => {
    const before = await readEntity(name);
    const saved = await owner.post(`/api/${name}`, body);
    expect([saved.status, saved.body]).toMatchObject([200, body]);
    expect(Object.keys(saved.body)).toEqual(Object.keys(before));
    expect(await readEntity(name)).toEqual(saved.body);
  },
);

test.each(Object.entries(COLLECTIONS))(
  "/api/%s returns the complete new entity after a create, with an id chosen by the server",
  async (name, [sent, filled]) => {
    const path = `/api/${name}`;
    const { status, body } = await owner.post(path, { ...sent, id: "mine", evil: 1 });
    expect([status, body]).toMatchObject([201, { ...sent, ...filled }]);
    expect(body.id).toMatch(/^[\da-f]{8}-[\da-f]{4}-7/);
    expect("evil" in body).toBe(false);
    expect((await owner.get(path)).body).toEqual([body]);
    expect((await owner.delete(`${path}/${body.id}`)).status).toBe(204);
  },
);

test.each(REFUSED_CASES)(
  "/api/%s refuses the invalid body %j with the specification's message",
  async (name, sent, words) => {
    const before = site.readStored();
    const { status, body } = await owner.post(`/api/${name}`, sent);
    expect([status, body.code, body.error]).toEqual([422, "invalid", words]);
    expect(sent).toContainAnyKeys(Object.keys(body.fields));
    expect(site.readStored()).toBe(before);
  },
);

describe("a singleton", () => {
  const saveAbout = async (body: object) => (await owner.post("/api/about", body)).body;

  test("keeps values that a save omits, and clears an optional value that is null", async () => {
    const whole = { title: "ME", content: "<p>Hello</p>", image: "/a.jpg" };
    await saveAbout(whole);
    expect(await saveAbout({ image: null })).toMatchObject({ ...whole, image: null });
    expect(await saveAbout({ title: "ADA" })).toMatchObject({
      ...whole,
      image: null,
      title: "ADA",
    });
  });

  test("never stores undeclared fields", async () => {
    expect(await saveAbout({ title: "ADA", isAdmin: true })).not.toHaveProperty("isAdmin");
    expect(await readEntity("about")).not.toHaveProperty("isAdmin");
  });

  test("returns the time of its last update, which a client can't set", async () => {
    const { updatedAt } = await saveAbout({ title: "ABOUT" });
    expect(Math.abs(Date.parse(updatedAt) - Date.now())).toBeLessThan(60_000);
    const later = await saveAbout({ updatedAt: "1999-01-01T00:00:00.000Z" });
    expect(Date.parse(later.updatedAt)).toBeGreaterThanOrEqual(Date.parse(updatedAt));
  });
});

describe("a list", () => {
  const path = "/api/statistics";
  const list: { id: string; order: number }[] = [];
  const reorderList = (updates: unknown) => owner.post(`${path}/reorder`, { updates });
  beforeAll(async () => {
    for (const _ of [1, 2, 3]) list.push((await owner.post(path, { value: "1", label: "A" })).body);
  });

  test("an update keeps the other fields, and returns 200 with the whole item", async () => {
    const [first] = list;
    const { status, body } = await owner.put(`${path}/${first!.id}`, { label: "B", id: "other" });
    expect([status, body]).toEqual([200, { ...first, label: "B" }]);
  });

  test("an invalid update, or an update of an unknown id, changes nothing", async () => {
    const before = site.readStored();
    const wrong = await owner.put(`${path}/${list[0]!.id}`, { label: "" });
    expect([wrong.status, wrong.body.error]).toEqual([422, "Value and label are required"]);
    for (const id of ["nobody", "%00", "%E0%A4%A", "..%2f..", "constructor"]) {
      expect((await owner.put(`${path}/${id}`, { label: "B" })).status).toBe(404);
      expect((await owner.delete(`${path}/${id}`)).status).toBe(404);
    }
    expect(site.readStored()).toBe(before);
  });

  test("a new item's order is the number of items before it", () => {
    expect(list.map(({ order }) => order)).toEqual([0, 1, 2]);
  });

  test("a reorder returns 200 with the ordered list, and so does the next read", async () => {
    const { status, body } = await reorderList(list.map(({ id }, at) => ({ id, order: 2 - at })));
    expect([status, getIds(body)]).toEqual([200, getIds(list).toReversed()]);
    expect((await owner.get(path)).body).toEqual(body);
  });

  test("is sorted by order, then by creation", async () => {
    const { body } = await reorderList(list.map(({ id }) => ({ id, order: 5 })));
    expect(getIds(body)).toEqual(getIds(list));
  });

  test("a reorder with an unknown id, an id named twice or an invalid order is refused and changes nothing", async () => {
    const before = site.readStored();
    const [id, other] = getIds(list);
    const first = { id, order: 9 };
    const lists = [
      [first, { id: "nobody", order: 1 }],
      [first, { id, order: 1 }],
      [{ id: other, order: -1 }],
      [{ id: other }],
    ];
    const bad = [...lists.map((updates) => ({ updates })), { updates: "all" }, {}, [], null];
    for (const each of bad)
      expect(await owner.post(`${path}/reorder`, each)).toMatchObject({
        status: 422,
        body: { code: "invalid" },
      });
    expect(site.readStored()).toBe(before);
  });

  test("a delete returns 204 once, then 404", async () => {
    const [id, ...others] = getIds(list);
    expect(await owner.delete(`${path}/${id}`)).toMatchObject({ status: 204, text: "" });
    expect((await owner.delete(`${path}/${id}`)).status).toBe(404);
    expect(getIds((await owner.get(path)).body)).toEqual(others);
  });

  test("refuses a new item with 409 and a message when it is full", async () => {
    expect([entities.packages.maxItems, entities.videos.maxItems]).toEqual([12, 12]);
    const handle = site.store.of(entities.statistics);
    const item = { value: "1", label: "L", order: 0 };
    await handle.update(() => Array.from({ length: 500 }, (_, at) => ({ ...item, id: `s${at}` })));
    const { status, body } = await owner.post(path, { value: "1", label: "L" });
    expect([status, body.code]).toEqual([409, "conflict"]);
    expect(body.error).toBe("The list is full: it holds at most 500 statistics. Delete one first.");
    expect(handle.read().value).toHaveLength(500);
  });
});

test("visitors see only the connect links that are active", async () => {
  const link = { url: "https://a.example", displayText: "A" };
  const shown = await owner.post("/api/connect-links", link);
  const hidden = await owner.post("/api/connect-links", { ...link, isActive: false });
  const { shownFrom, shownUntil, ...seen } = shown.body;
  expect([shownFrom, shownUntil]).toEqual([null, null]);
  expect(await readEntity("connect-links")).toEqual([seen]);
  expect((await owner.get("/api/connect-links")).body).toEqual([shown.body, hidden.body]);
});
