/** ETags, If-Match and earlier revisions (specification, section 4.12). */
import { entities } from "../../../src/schema/index.ts";
import { beforeAll, describe, expect, test } from "bun:test";
import type { TestResponse, Client } from "../../support/client.ts";
import { readEtag } from "../../../src/web/shared/api.ts";
import { setUpSiteForAll } from "../../support/setUpSite.ts";
import { startSite } from "../../support/startSite.ts";
import { createOwnerCaller } from "../../support/site.ts";

const site = setUpSiteForAll(startSite);
const owner = createOwnerCaller(site);
let visitor: Client;

beforeAll(async () => {
  visitor = site.visitor();
});

const fetchEtag = async (path: string) => (await owner.get(path)).headers.get("etag")!;

describe("every GET carries an ETag", () => {
  test.each(["/api/hero", "/api/statistics", "/api/forms", "/api/health"])("%s", async (path) => {
    const { headers, status } = await visitor.get(path);
    const etag = headers.get("etag")!;
    expect([status, etag]).toEqual([200, expect.stringMatching(/^"[\w-]{20,}"$/)]);
    const again = await visitor.get(path, { "if-none-match": `"x", W/${etag}` });
    expect([again.status, again.text, again.headers.get("etag")]).toEqual([304, "", etag]);
    expect((await visitor.get(path, { "if-none-match": '"x"' })).status).toBe(200);
  });

  test("also for calls that only the owner can read", async () => {
    expect(await fetchEtag("/api/auth/me")).toMatch(/^"/);
    expect(await fetchEtag("/api/history/hero")).toMatch(/^"/);
  });
});

describe("a write with If-Match", () => {
  test("gets 412 and the current entity if someone else has saved first", async () => {
    const seen = await fetchEtag("/api/hero");
    const first = await owner.post("/api/hero", { subtitle: "First" }, { "if-match": seen });
    expect(first.status).toBe(200);
    expect(first.headers.get("etag")).toBe(await fetchEtag("/api/hero"));
    const before = site.readStored();
    const second = await owner.post("/api/hero", { subtitle: "Second" }, { "if-match": seen });
    expect(second.status).toBe(412);
    expect(second.body).toMatchObject({ code: "changed_elsewhere", current: first.body });
    expect(second.headers.get("etag")).toBe(first.headers.get("etag"));
    expect(site.readStored()).toBe(before);
    const headers = { "if-match": first.headers.get("etag")! };
    expect((await owner.post("/api/hero", { subtitle: "Second" }, headers)).status).toBe(200);
  });

  test.each(['W/"%"', '"%-gzip"', '"%-br"', 'W/"%-zstd"'])(
    "isn't refused when a proxy has changed the ETag into %p",
    async (form) => {
      const passedOn = async () => form.replace("%", (await fetchEtag("/api/hero")).slice(1, -1));
      const headers = { "if-match": await passedOn() };
      const { status } = await owner.post("/api/hero", { subtitle: form }, headers);
      const sent = await passedOn();
      const again = await visitor.get("/api/hero", { "if-none-match": sent });
      expect([status, again.status, sent]).toEqual([200, 304, sent]);
      expect(readEtag(new Headers({ etag: sent }))).toBe(await fetchEtag("/api/hero"));
    },
  );

  test("returns the previous ETag, which shows a client whether someone else has saved in between", async () => {
    const previous = ({ headers }: TestResponse) => headers.get("x-previous-etag");
    const hero = await fetchEtag("/api/hero");
    expect(previous(await owner.post("/api/hero", { subtitle: "Own" }))).toBe(hero);
    const path = "/api/connect-links";
    let seen = await fetchEtag(path);
    const link = { url: "https://own.example", displayText: "Own", isActive: false };
    const added = await owner.post(path, link);
    const { id } = added.body;
    const writes = [
      () => owner.put(`${path}/${id}`, { displayText: "Other" }),
      () => owner.post(`${path}/reorder`, { updates: [{ id, order: 7 }] }),
      () => owner.delete(`${path}/${id}`),
      () => owner.post(`/api/bin/${id}/restore`),
      () => owner.delete(`${path}/${id}`),
    ];
    expect(previous(added)).toBe(seen);
    for (const write of writes) {
      seen = await fetchEtag(path);
      const made = await write();
      expect([previous(made), made.headers.get("etag")]).toEqual([seen, await fetchEtag(path)]);
    }
  });

  test("is accepted only once if several with the same ETag are sent at the same time", async () => {
    const headers = { "if-match": await fetchEtag("/api/styles") };
    const writes = ["1px", "2px", "3px", "4px"].map((borderRadius) =>
      owner.post("/api/styles", { borderRadius }, headers),
    );
    const answers = (await Promise.all(writes)).map(({ status }) => status);
    expect(answers.sort()).toEqual([200, 412, 412, 412]);
  });

  test("that changes, deletes or reorders items is compared with the ETag of the owner's list", async () => {
    const link = { url: "https://a.example", displayText: "A", isActive: false };
    const { body: item, headers } = await owner.post("/api/connect-links", link);
    const current = headers.get("etag")!;
    expect(await fetchEtag("/api/connect-links")).toBe(current);
    const stale = { "if-match": '"stale"' };
    const path = `/api/connect-links/${item.id}`;
    const before = site.readStored();
    const updates = [{ id: item.id, order: 0 }];
    const answers = [
      await owner.put(path, { displayText: "B" }, stale),
      await owner.delete(path, stale),
      await owner.post("/api/connect-links/reorder", { updates }, stale),
    ];
    for (const { status, body } of answers) expect([status, body.current]).toEqual([412, [item]]);
    expect(site.readStored()).toBe(before);
    const changed = await owner.put(path, { displayText: "B" }, { "if-match": current });
    expect(changed.headers.get("etag")).toBe(await fetchEtag("/api/connect-links"));
    const deleted = await owner.delete(path, { "if-match": changed.headers.get("etag")! });
    expect([deleted.status, deleted.headers.get("etag")]).toEqual([
      204,
      await fetchEtag("/api/connect-links"),
    ]);
  });
});

describe("earlier revisions", () => {
  test("can be listed, viewed, and restored as a new revision", async () => {
    await owner.post("/api/site", { name: "One" });
    await owner.post("/api/site", { name: "Two" });
    const { body: list } = await owner.get("/api/history/site");
    const [last, { revision }] = list;
    const savedAt = expect.any(String);
    const first = expect.stringMatching(/^Site name: ".+" → "One"$/);
    expect(list.slice(0, 2)).toEqual([
      { revision: revision + 1, savedAt, current: true, changes: ['Site name: "One" → "Two"'] },
      { revision: last.revision - 1, savedAt, current: false, changes: [first] },
    ]);
    expect(list.at(-1).changes).toEqual([]);
    const at = `/api/history/site/${revision}`;
    expect((await owner.get(at)).body.name).toBe("One");
    const restored = await owner.post(`${at}/restore`);
    expect([restored.status, restored.body.name]).toEqual([200, "One"]);
    expect((await visitor.get("/api/site")).body.name).toBe("One");
    expect((await owner.get("/api/history/site")).body.length).toBe(list.length + 1);
  });

  test("exist only for content", async () => {
    for (const name of ["users", "sessions", "uploads", "form-submissions", "nothing", "..%2fx"])
      expect((await owner.get(`/api/history/${name}`)).status).toBe(404);
    for (const revision of ["0", "99999", "x", "1e1", "-1"])
      expect((await owner.get(`/api/history/site/${revision}`)).status).toBe(404);
  });

  test("of the list of forms are restored without losing newer forms", async () => {
    const old = (await owner.post("/api/forms", { title: "Old" })).body;
    const { revision } = site.store.of(entities.forms).read();
    const since = (await owner.post("/api/forms", { title: "Since" })).body;
    await owner.delete(`/api/forms/${old.id}`);
    const { body } = await owner.post(`/api/history/forms/${revision}/restore`);
    expect(body).toEqual([old, since]);
  });

  test("of the list of steps are restored without the steps of deleted forms", async () => {
    const form = (await owner.post("/api/forms", { title: "Goes" })).body;
    const step = (await owner.post("/api/form-steps", { formId: form.id, title: "S" })).body;
    const { revision } = site.store.of(entities.formSteps).read();
    await owner.delete(`/api/forms/${form.id}`);
    const { text, status } = await owner.post(`/api/history/form-steps/${revision}/restore`);
    expect([status, text.includes(step.id)]).toEqual([200, false]);
    await owner.delete(`/api/bin/${form.id}`);
    const again = await owner.post(`/api/history/form-steps/${revision}/restore`);
    expect([again.status, site.readStored().includes(step.id)]).toEqual([200, false]);
  });
});
