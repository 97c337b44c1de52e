import { beforeAll, describe, expect, test } from "bun:test";
import { addForm, ANSWERS, createEnquiry, startEnquirySite } from "../../support/enquirySite.ts";
import { ownerOf, formatRefusal, setUpSiteForAll } from "../../support/testSite.ts";

const site = setUpSiteForAll(startEnquirySite);
const owner = ownerOf(site);
beforeAll(() => addForm(site.store));

describe("the owner's API calls for submissions", () => {
  test("list submissions newest first, page by page, with the totals in the headers", async () => {
    for (const name of ["First", "Second", "Third"])
      expect((await site.send(createEnquiry({ ...ANSWERS, name }))).status).toBe(201);
    const { response, items } = await site.list("?limit=2");
    expect(items.map((item) => JSON.parse(item.submissionData).name)).toEqual(["Third", "Second"]);
    const all = Number(response.headers.get("x-total-count"));
    expect(Number(response.headers.get("x-count-new"))).toBe(all);
    const rest = (await site.list("?offset=2&limit=1000")).items;
    expect(rest).toHaveLength(all - 2);
    expect(JSON.parse(rest[0]!.submissionData).name).toBe("First");
    expect((await site.list(`?offset=${all}`)).items).toEqual([]);
  });

  test("search the answers in any case, and filter by status", async () => {
    await site.send(createEnquiry({ ...ANSWERS, story: "A Needle in the hay" }));
    const { response, items } = await site.search({ search: "nEEdle" });
    expect(items).toHaveLength(1);
    expect(response.headers.get("x-total-count")).toBe("1");
    expect((await site.search({ search: "nothing here" })).items).toEqual([]);
    expect((await site.list("?status=archived")).items).toEqual([]);
    expect((await site.search({ search: "needle", status: "new" })).items).toHaveLength(1);
  });

  test("return an empty list for a form without submissions, and 404 for an unknown form", async () => {
    const of = (form: string) => owner.get(`/api/form-submissions/${form}`);
    expect((await of("second")).body).toEqual([]);
    expect(formatRefusal(await of("nope"))).toBe("404 This form no longer exists.");
  });

  test("return the whole submission after a change of its status", async () => {
    const [first] = (await site.list("?limit=1")).items;
    const put = (status: unknown, id = first!.id) =>
      owner.put(`/api/form-submissions/${id}/status`, { status });
    for (const status of ["reviewed", "archived", "new", "reviewed"]) {
      const answer = await put(status);
      expect([answer.status, answer.body]).toEqual([200, { ...first, status }]);
    }
    expect((await site.list("?status=reviewed")).items).toEqual([
      { ...first!, status: "reviewed" },
    ]);
    for (const wrong of ["lost", undefined])
      expect((await put(wrong)).body.fields).toEqual({ status: "Choose one of the options." });
    expect(formatRefusal(await put("new", "nope"))).toBe("404 This submission no longer exists.");
  });

  test("return the number of submissions of each form", async () => {
    const { response } = await site.list();
    const counts = await owner.get("/api/form-submission-counts");
    expect(counts.body).toEqual({
      form: {
        total: Number(response.headers.get("x-total-count")),
        new: Number(response.headers.get("x-count-new")),
        calls: 0,
      },
    });
  });
});
