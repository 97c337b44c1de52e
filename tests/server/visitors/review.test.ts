import { beforeAll, describe, expect, test } from "bun:test";
import { addForm, ANSWERS, enquiry, enquirySite } from "../../support/enquirySite.ts";
import { siteForAll } from "../../support/siteForAll.ts";

const site = siteForAll(enquirySite);
beforeAll(() => addForm(site.store));

describe("the owner's calls", () => {
  test("are closed to everyone without a session", async () => {
    const calls = [
      ["GET", "/api/form-submissions/form"],
      ["GET", "/api/form-submission-counts"],
      ["PUT", "/api/form-submissions/x/status"],
      ["DELETE", "/api/form-submissions/x"],
      ["POST", "/api/bin/x/restore"],
    ] as const;
    for (const [method, path] of calls) {
      const answer = await site.call(method, path);
      expect([path, answer.status]).toEqual([path, 401]);
    }
  });

  test("list newest first, page by page, with the totals in the headers", async () => {
    for (const name of ["First", "Second", "Third"])
      expect((await site.send(enquiry({ ...ANSWERS, name }))).status).toBe(201);
    const { answer, items } = await site.list("?limit=2");
    expect(items.map((item) => JSON.parse(item.submissionData).name)).toEqual(["Third", "Second"]);
    const all = Number(answer.headers.get("x-total-count"));
    expect(Number(answer.headers.get("x-count-new"))).toBe(all);
    const rest = (await site.list("?offset=2&limit=1000")).items;
    expect(rest).toHaveLength(all - 2);
    expect(JSON.parse(rest[0]!.submissionData).name).toBe("First");
    expect((await site.list(`?offset=${all}`)).items).toEqual([]);
  });

  test("find words in the answers in any case, and a state", async () => {
    await site.send(enquiry({ ...ANSWERS, story: "A Needle in the hay" }));
    const { answer, items } = await site.search({ search: "nEEdle" });
    expect(items).toHaveLength(1);
    expect(answer.headers.get("x-total-count")).toBe("1");
    expect((await site.search({ search: "nothing here" })).items).toEqual([]);
    expect((await site.list("?status=archived")).items).toEqual([]);
    expect((await site.search({ search: "needle", status: "new" })).items).toHaveLength(1);
  });

  test("an ETag spares a list that has not changed", async () => {
    const etag = (await site.list()).answer.headers.get("etag")!;
    const owner = await site.owner();
    const again = await owner.get("/api/form-submissions/form", { "if-none-match": etag });
    expect(again.status).toBe(304);
  });

  test("refuse a page that can't be", async () => {
    for (const query of ["limit=0", "limit=1001", "offset=-1", "status=lost"])
      expect((await site.list(`?${query}`)).answer.status).toBe(422);
  });

  test("a form without submissions has an empty list, an unknown one is not found", async () => {
    const asOwner = { owner: true };
    const empty = await site.call("GET", "/api/form-submissions/second", undefined, asOwner);
    expect(empty.body).toEqual([]);
    const unknown = await site.call("GET", "/api/form-submissions/nope", undefined, asOwner);
    expect(unknown.status).toBe(404);
    expect(unknown.body).toMatchObject({ error: "This form no longer exists." });
  });

  test("a status is changed and the whole entity answered", async () => {
    const [first] = (await site.list("?limit=1")).items;
    const put = (status: unknown, id = first!.id) =>
      site.call("PUT", `/api/form-submissions/${id}/status`, { status }, { owner: true });
    for (const status of ["reviewed", "archived", "new", "reviewed"]) {
      const answer = await put(status);
      expect([answer.status, answer.body]).toEqual([200, { ...first, status }]);
    }
    expect((await site.list("?status=reviewed")).items).toEqual([
      { ...first!, status: "reviewed" },
    ]);
    const refused = await put("lost");
    expect(refused.status).toBe(422);
    expect(refused.body).toMatchObject({
      error: "Choose one of the options.",
      fields: { status: "Choose one of the options." },
    });
    expect((await put(undefined)).status).toBe(422);
    const gone = await put("new", "nope");
    expect(gone.status).toBe(404);
    expect(gone.body).toMatchObject({ error: "This submission no longer exists." });
  });

  test("the counts of each form are known", async () => {
    const { answer } = await site.list();
    const counts = await site.call("GET", "/api/form-submission-counts", undefined, {
      owner: true,
    });
    expect(counts.body).toEqual({
      form: {
        total: Number(answer.headers.get("x-total-count")),
        new: Number(answer.headers.get("x-count-new")),
        calls: 0,
      },
    });
  });

  test("a submission is deleted, and can be put back from the bin", async () => {
    const [first] = (await site.list("?limit=1")).items;
    const path = `/api/form-submissions/${first!.id}`;
    const asOwner = { owner: true };
    expect((await site.call("DELETE", path, undefined, asOwner)).status).toBe(204);
    expect((await site.list()).items.map(({ id }) => id)).not.toContain(first!.id);
    expect((await site.call("DELETE", path, undefined, asOwner)).status).toBe(404);
    const restore = `/api/bin/${first!.id}/restore`;
    const back = await site.call("POST", restore, undefined, asOwner);
    expect([back.status, back.body]).toEqual([200, first]);
    expect((await site.list()).items.map(({ id }) => id)).toContain(first!.id);
    expect((await site.call("POST", restore, undefined, asOwner)).status).toBe(404);
  });

  test("a form that is deleted takes its submissions along", async () => {
    const [first] = (await site.list("?limit=1")).items;
    const asOwner = { owner: true };
    await site.call("DELETE", `/api/form-submissions/${first!.id}`, undefined, asOwner);
    expect((await site.call("DELETE", "/api/forms/form", undefined, asOwner)).status).toBe(204);
    const counts = await site.call("GET", "/api/form-submission-counts", undefined, asOwner);
    expect(counts.body).toEqual({});
    const path = `/api/bin/${first!.id}/restore`;
    expect((await site.call("POST", path, undefined, asOwner)).status).toBe(409);
  });
});
